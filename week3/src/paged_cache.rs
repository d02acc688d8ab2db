//! A cache in pages: a text takes as many as it needs, wherever they are free.
//!
//! In and out: as every [`BatchCache`]. `begin` takes the pages of the new tokens and checks the tables, once for all
//! layers; the step holds them, so a step that is dropped gives them back. A page that several texts share is copied
//! before one of them writes into it.

use crate::{
    batch_cache::{BatchCache, Seen, Step, refused},
    block_table::{BlockTable, StepTable, pages_of},
    page_arrays::gathered,
    page_pool::{Page, PagePool},
    paged_attention::{Reading, in_place},
    slot_cache::{Pair, check_new},
};
use kit::{PageReport, Result};
use mlx_rs::Array;

/// What a step changes, until it counts.
#[derive(Debug)]
pub struct StepPages {
    /// The tables with the new tokens.
    pub table: StepTable,
    /// Per row: pages that come behind the others.
    pub fresh: Vec<Vec<Page>>,
    /// Per row: a page that takes the place of the last, shared one.
    pub copies: Vec<Option<Page>>,
}

/// Pages of a number of slots, for all layers.
#[derive(Debug)]
pub struct PagedCache {
    /// Who owns which page.
    pub pool: PagePool,
    /// Tokens of a page.
    pub page_size: i32,
    /// Per layer: both (P, H, page, D); `None` before the first token.
    pub storage: Vec<Option<Pair>>,
    /// The text of each slot; `None` where there is none.
    pub tables: Vec<Option<BlockTable>>,
    /// How attention comes to the pages.
    pub reading: Reading,
}

impl PagedCache {
    /// Empty slots over a pool of `limit` pages of `page_size` tokens, for a
    /// model of `layers` layers; its pages are gathered.
    ///
    /// Errors: `InvalidArgument` about any that is not at least 1.
    pub fn new(layers: usize, slots: usize, page_size: i32, limit: usize) -> Result<Self> {
        for (name, value) in [("layers", layers), ("slots", slots), ("page_size", page_size.max(0) as usize)] {
            if value == 0 {
                return refused(name, value, "be at least 1");
            }
        }
        let tables = (0..slots).map(|_| None).collect();
        Ok(Self {
            pool: PagePool::new(limit)?,
            page_size,
            storage: vec![None; layers],
            tables,
            reading: Reading::Gathered,
        })
    }

    /// The text in `slot`. Errors: `InvalidArgument` about `slot`.
    pub fn table(&mut self, slot: usize) -> Result<&mut BlockTable> {
        match self.tables.get_mut(slot) {
            Some(Some(table)) => Ok(table),
            _ => refused("slot", slot, "hold a text"),
        }
    }

    /// Whether a text must have its last page copied before it grows: it is
    /// not full, and not its alone.
    pub fn shares_its_end(&self, table: &BlockTable) -> bool {
        table.length % self.page_size != 0 && table.pages.last().is_some_and(|page| page.handles() > 1)
    }

    /// How full the pages are now.
    pub fn report(&self) -> PageReport {
        let ledger = self.pool.ledger();
        let highest = ledger.handles.iter().rposition(|&handles| handles > 0).map_or(0, |page| page + 1);
        // Behind the end of a text on a page that others hold, their tokens stand.
        let own = |table: &&BlockTable| table.pages.last().is_some_and(|page| page.handles() == 1);
        let empty = |table: &BlockTable| (table.pages.len() as i32 * self.page_size - table.length) as usize;
        PageReport {
            page_size: self.page_size as usize,
            pages: self.storage.iter().flatten().map(|(keys, _)| keys.dim(0) as usize).max().unwrap_or(0),
            live: ledger.live(),
            shared: ledger.handles.iter().filter(|&&handles| handles > 1).count(),
            empty_places: self.tables.iter().flatten().filter(own).map(empty).sum(),
            holes: highest - ledger.live(),
        }
    }
}

impl BatchCache for PagedCache {
    fn slots(&self) -> usize {
        self.tables.len()
    }

    fn length(&self, slot: usize) -> Option<i32> {
        self.tables.get(slot)?.as_ref().map(|table| table.length)
    }

    fn join(&mut self, slot: usize) -> Result<()> {
        match self.tables.get_mut(slot) {
            Some(table @ None) => {
                *table = Some(BlockTable::default());
                Ok(())
            }
            _ => refused("slot", slot, "be there and free"),
        }
    }

    /// The text's pages go back with its table.
    fn leave(&mut self, slot: usize) -> Result<()> {
        self.table(slot)?;
        self.tables[slot] = None;
        Ok(())
    }

    /// Takes the pages of the new tokens, and one more for each row whose
    /// last page is shared and not full; checks the tables with them.
    ///
    /// Errors: `InvalidArgument` about `slot` for one without a text; as
    /// [`Step::new`], [`PagePool::take`] and [`StepTable::new`]. Whatever was
    /// taken is free again then.
    fn begin(&mut self, slots: &[usize], tokens: i32) -> Result<Step> {
        kit::stub!("3.3.4", self.tables, slots, tokens)
    }

    /// Writes the new tokens and hands over what the rows see, in the way that
    /// `reading` says.
    ///
    /// Errors: as [`SlotCache`](crate::slot_cache::SlotCache)'s.
    fn update(&mut self, step: &Step, layer: usize, keys: &Array, values: &Array) -> Result<Seen> {
        step.check(&*self)?;
        check_new(step, self.storage.get(layer).map(Option::as_ref), layer, keys, values)?;
        self.make_room(layer, keys)?;
        let pages = self.write_rows(step, layer, [keys, values])?;
        match (self.reading, &self.storage[layer]) {
            (Reading::Gathered, Some(kept)) => gathered(kept, step, pages),
            (Reading::ByRows, Some(kept)) => in_place(kept, pages).map(Seen::by_rows),
            (Reading::InTiles, Some(kept)) => in_place(kept, pages),
            (_, None) => refused("layer", layer, "have been written"),
        }
    }

    fn commit(&mut self, step: Step) -> Result<()> {
        step.check(&*self)?;
        let Some(StepPages { fresh, copies, .. }) = step.pages else {
            return refused("step", "one of another cache", "have been begun here");
        };
        let page_size = self.page_size;
        for ((&slot, fresh), copy) in step.slots.iter().zip(fresh).zip(copies) {
            let table = self.table(slot)?;
            if let (Some(copy), Some(last)) = (copy, table.pages.last_mut()) {
                *last = copy;
            }
            table.append(step.tokens, fresh, page_size)?;
        }
        Ok(())
    }

    fn rewind(&mut self, slot: usize, tokens: i32) -> Result<()> {
        let page_size = self.page_size;
        self.table(slot)?.rewind(tokens, page_size)
    }

    fn held_bytes(&self) -> usize {
        self.storage.iter().flatten().map(|(keys, values)| keys.nbytes() + values.nbytes()).sum()
    }

    fn pages(&self) -> Option<PageReport> {
        Some(self.report())
    }

    fn fits(&self, rows: &[(usize, i32)]) -> bool {
        let needed = |&(slot, tokens): &(usize, i32)| match self.tables.get(slot) {
            Some(Some(table)) => {
                let all = pages_of(table.length + tokens, self.page_size);
                all.saturating_sub(table.pages.len()) + usize::from(self.shares_its_end(table))
            }
            // A text that is yet to come.
            _ => pages_of(tokens, self.page_size),
        };
        rows.iter().map(needed).sum::<usize>() <= self.pool.ledger().available()
    }

    fn capacity(&self) -> usize {
        self.pool.ledger().limit * self.page_size as usize
    }

    fn live_pages(&self) -> Option<usize> {
        Some(self.pool.ledger().live())
    }

    fn shares(&self) -> bool {
        true
    }

    fn share(&mut self, from: usize, to: usize, tokens: i32) -> Result<()> {
        crate::prefix::share(self, from, to, tokens)
    }
}
