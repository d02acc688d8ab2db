// WRONG budget-a-text fn Scheduler::read_pieces: gives every text the whole budget
    let unread: Vec<usize> = self.running.iter().map(|running| running.sequence.unread().len()).collect();
    for piece in crate::budget::pieces(&unread, budget)? {
        self.feed(&[piece.index], budget.max(piece.tokens))?;
    }
    Ok(())
// END WRONG

// WRONG reads-all fn Scheduler::read_pieces: reads the whole text of whoever has a piece
    let unread: Vec<usize> = self.running.iter().map(|running| running.sequence.unread().len()).collect();
    for piece in crate::budget::pieces(&unread, budget)? {
        self.feed(&[piece.index], usize::MAX)?;
    }
    Ok(())
// END WRONG

// WRONG first-piece-only fn Scheduler::read_pieces: reads one piece a step
    let unread: Vec<usize> = self.running.iter().map(|running| running.sequence.unread().len()).collect();
    for piece in crate::budget::pieces(&unread, budget)? {
        self.feed(&[piece.index], piece.tokens)?;
        break;
    }
    Ok(())
// END WRONG

// WRONG whole-texts fn Scheduler::read_pieces: counts whole texts as unread, so a prompt is always as long as at first
    let unread: Vec<usize> = self.running.iter().map(|running| running.sequence.request.prompt.len()).collect();
    for piece in crate::budget::pieces(&unread, budget)? {
        self.feed(&[piece.index], piece.tokens)?;
    }
    Ok(())
// END WRONG

// WRONG by-slot fn Scheduler::read_pieces: takes the slot for the place in the order of arrival
    let unread: Vec<usize> = self.running.iter().map(|running| running.sequence.unread().len()).collect();
    for piece in crate::budget::pieces(&unread, budget)? {
        let index = self.running[piece.index].slot;
        self.feed(&[index.min(self.running.len() - 1)], piece.tokens)?;
    }
    Ok(())
// END WRONG

// WRONG swallows fn Scheduler::read_pieces: goes on after an error
    let unread: Vec<usize> = self.running.iter().map(|running| running.sequence.unread().len()).collect();
    for piece in crate::budget::pieces(&unread, budget)? {
        if self.feed(&[piece.index], piece.tokens).is_err() {
            break;
        }
    }
    Ok(())
// END WRONG
