// WRONG forgets-the-slot fn Scheduler::retire: lets a request go and keeps its slot
    for index in (0..self.running.len()).rev() {
        if let Some(reason) = self.running[index].sequence.finish.clone() {
            let gone = self.running.remove(index);

            self.events.push(Event::Finished { id: gone.sequence.id, reason });
        }
    }
    self.waiting.retain(|sequence| match sequence.finish.clone() {
        Some(reason) => {
            self.events.push(Event::Finished { id: sequence.id, reason });
            false
        }
        None => true,
    });
    Ok(())
// END WRONG

// WRONG running-only fn Scheduler::retire: does not look at those who wait
    for index in (0..self.running.len()).rev() {
        if let Some(reason) = self.running[index].sequence.finish.clone() {
            let gone = self.running.remove(index);
            self.cache.leave(gone.slot)?;
            self.events.push(Event::Finished { id: gone.sequence.id, reason });
        }
    }
    self.waiting.retain(|sequence| match sequence.finish.clone() {
        Some(_) => true,
        None => true,
    });
    Ok(())
// END WRONG

// WRONG silent-end fn Scheduler::retire: takes a waiting request out without a word
    for index in (0..self.running.len()).rev() {
        if let Some(reason) = self.running[index].sequence.finish.clone() {
            let gone = self.running.remove(index);
            self.cache.leave(gone.slot)?;
            self.events.push(Event::Finished { id: gone.sequence.id, reason });
        }
    }
    self.waiting.retain(|sequence| match sequence.finish.clone() {
        Some(_) => false,
        None => true,
    });
    Ok(())
// END WRONG

// WRONG swaps fn Scheduler::retire: fills the gap with the last request, so the order of arrival is lost
    for index in (0..self.running.len()).rev() {
        if let Some(reason) = self.running[index].sequence.finish.clone() {
            let gone = self.running.swap_remove(index);
            self.cache.leave(gone.slot)?;
            self.events.push(Event::Finished { id: gone.sequence.id, reason });
        }
    }
    self.waiting.retain(|sequence| match sequence.finish.clone() {
        Some(reason) => {
            self.events.push(Event::Finished { id: sequence.id, reason });
            false
        }
        None => true,
    });
    Ok(())
// END WRONG

// WRONG last-come fn Scheduler::join: serves who came last
    while let Some(slot) = (0..self.cache.slots()).find(|&slot| self.cache.length(slot).is_none()) {
        let Some(sequence) = self.waiting.pop_back() else { break };
        self.cache.join(slot)?;
        self.running.push(Running { slot, sequence });
    }
    Ok(())
// END WRONG

// WRONG highest-slot fn Scheduler::join: takes the highest free slot
    while let Some(slot) = (0..self.cache.slots()).rev().find(|&slot| self.cache.length(slot).is_none()) {
        let Some(sequence) = self.next_waiting() else { break };
        self.cache.join(slot)?;
        self.running.push(Running { slot, sequence });
    }
    Ok(())
// END WRONG

// WRONG one-a-step fn Scheduler::join: lets one request join a step
    while let Some(slot) = (0..self.cache.slots()).find(|&slot| self.cache.length(slot).is_none()) {
        let Some(sequence) = self.next_waiting() else { break };
        self.cache.join(slot)?;
        self.running.push(Running { slot, sequence });
        break;
    }
    Ok(())
// END WRONG

// WRONG whole-batches fn Scheduler::join: waits until all slots are free, as a static batch does
    if !self.running.is_empty() {
        return Ok(());
    }
    while let Some(slot) = (0..self.cache.slots()).find(|&slot| self.cache.length(slot).is_none()) {
        let Some(sequence) = self.next_waiting() else { break };
        self.cache.join(slot)?;
        self.running.push(Running { slot, sequence });
    }
    Ok(())
// END WRONG

// WRONG readers-write-too fn Scheduler::step: gives a request that has just read its text a second token
    self.retire()?;
    self.join()?;
    let (reading, _): (Vec<usize>, Vec<usize>) =
        (0..self.running.len()).partition(|&index| self.running[index].sequence.unread().len() > 1);
    self.read(&reading)?;
    let writing: Vec<usize> =
        (0..self.running.len()).filter(|&index| self.running[index].sequence.finish.is_none()).collect();
    if !writing.is_empty() {
        self.feed(&writing, 1)?;
    }
    self.retire()?;
    Ok(std::mem::take(&mut self.events))
// END WRONG

// WRONG readers-block fn Scheduler::step: while somebody reads, nobody writes
    self.retire()?;
    self.join()?;
    let (reading, writing): (Vec<usize>, Vec<usize>) =
        (0..self.running.len()).partition(|&index| self.running[index].sequence.unread().len() > 1);
    self.read(&reading)?;
    if !writing.is_empty() && self.running.iter().all(|running| running.sequence.unread().len() == 1 && !running.sequence.tokens.is_empty()) {
        self.feed(&writing, 1)?;
    }
    self.retire()?;
    Ok(std::mem::take(&mut self.events))
// END WRONG

// WRONG one-by-one fn Scheduler::step: asks the model once for every request
    self.retire()?;
    self.join()?;
    let (reading, writing): (Vec<usize>, Vec<usize>) =
        (0..self.running.len()).partition(|&index| self.running[index].sequence.unread().len() > 1);
    self.read(&reading)?;
    if !writing.is_empty() {
        for index in writing {
            self.feed(&[index], 1)?;
        }
    }
    self.retire()?;
    Ok(std::mem::take(&mut self.events))
// END WRONG

// WRONG retires-late fn Scheduler::step: lets ended requests keep their slots until the next step
    self.retire()?;
    self.join()?;
    let (reading, writing): (Vec<usize>, Vec<usize>) =
        (0..self.running.len()).partition(|&index| self.running[index].sequence.unread().len() > 1);
    self.read(&reading)?;
    if !writing.is_empty() {
        self.feed(&writing, 1)?;
    }
    Ok(std::mem::take(&mut self.events))
// END WRONG

// WRONG retires-never-first fn Scheduler::step: looks for cancelled requests only at the end
    self.join()?;
    let (reading, writing): (Vec<usize>, Vec<usize>) =
        (0..self.running.len()).partition(|&index| self.running[index].sequence.unread().len() > 1);
    self.read(&reading)?;
    if !writing.is_empty() {
        self.feed(&writing, 1)?;
    }
    self.retire()?;
    Ok(std::mem::take(&mut self.events))
// END WRONG

// WRONG overtakes fn Scheduler::join: lets a request in whether the cache has room for it or not
    while let Some(slot) = (0..self.cache.slots()).find(|&slot| self.cache.length(slot).is_none()) {
        let Some(sequence) = self.waiting.pop_front() else { break };
        self.cache.join(slot)?;
        self.running.push(Running { slot, sequence });
    }
    Ok(())
// END WRONG

// WRONG fresh-readers-only fn Scheduler::step: takes a request of which something is read for one that writes
    self.retire()?;
    self.join()?;
    let (reading, writing): (Vec<usize>, Vec<usize>) =
        (0..self.running.len()).partition(|&index| {
            let sequence = &self.running[index].sequence;
            sequence.read == 0 && sequence.unread().len() > 1
        });
    self.read(&reading)?;
    if !writing.is_empty() {
        self.feed(&writing, 1)?;
    }
    self.retire()?;
    Ok(std::mem::take(&mut self.events))
// END WRONG
