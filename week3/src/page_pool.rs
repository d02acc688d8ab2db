//! Who owns which page.
//!
//! A page is a place for the keys and values of some tokens, in every layer. In: wishes for pages. Out: handles; a page
//! goes back when the last handle of it is dropped, so no code path can forget one. The numbers themselves lie elsewhere.

use kit::{Error, Result};
use std::{cell::RefCell, rc::Rc};

/// What is known of all pages.
#[derive(Debug, Clone, Default)]
pub struct Ledger {
    /// How many handles each page has; 0 is free.
    pub handles: Vec<u32>,
    /// The free pages; the last one is taken next.
    pub free: Vec<i32>,
    /// The most pages that there may be.
    pub limit: usize,
    /// Handles that were dropped without a page behind them: 0 in a right pool.
    pub faults: usize,
}

impl Ledger {
    /// A free page, which then has one handle; `None` where all are taken.
    ///
    /// Where none is free the pages are doubled, from 4 up to `limit`. Of new
    /// pages the lowest comes first, of returned ones the newest.
    pub fn take(&mut self) -> Result<Option<i32>> {
        kit::stub!("3.3.2", self.handles, self.free, self.limit)
    }

    /// One more handle of a page. Errors: `InvalidArgument` about `page`
    /// unless somebody holds it.
    pub fn share(&mut self, page: i32) -> Result<()> {
        match self.handles.get_mut(page as usize) {
            Some(handles) if *handles > 0 => {
                *handles += 1;
                Ok(())
            }
            _ => crate::batch_cache::refused("page", page, "be a page that somebody holds"),
        }
    }

    /// One handle less; the page is free when it was the last.
    ///
    /// Errors: `InvalidArgument` about `page` unless somebody holds it.
    pub fn give_back(&mut self, page: i32) -> Result<()> {
        kit::stub!("3.3.2", self.handles, self.free, page)
    }

    /// How many pages somebody holds.
    pub fn live(&self) -> usize {
        self.handles.iter().filter(|&&handles| handles > 0).count()
    }

    /// How many more could be taken.
    pub fn available(&self) -> usize {
        self.limit.saturating_sub(self.live())
    }
}

/// A handle. Dropping it gives the page back.
#[derive(Debug)]
pub struct Page {
    id: i32,
    ledger: Rc<RefCell<Ledger>>,
}

impl Page {
    /// Its place in the arrays of every layer.
    pub fn id(&self) -> i32 {
        self.id
    }

    /// How many handles the page has.
    pub fn handles(&self) -> u32 {
        self.ledger.borrow().handles.get(self.id as usize).copied().unwrap_or(0)
    }

    /// Another handle of the same page. Errors: as [`Ledger::share`].
    pub fn share(&self) -> Result<Self> {
        self.ledger.borrow_mut().share(self.id)?;
        Ok(Self { id: self.id, ledger: Rc::clone(&self.ledger) })
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        let mut ledger = self.ledger.borrow_mut();
        if ledger.give_back(self.id).is_err() {
            ledger.faults += 1;
        }
    }
}

/// A number of pages that handles come from.
#[derive(Debug)]
pub struct PagePool {
    ledger: Rc<RefCell<Ledger>>,
}

impl PagePool {
    /// A pool of at most `limit` pages, all free.
    ///
    /// Errors: `InvalidArgument` about `limit` when 0 or beyond i32.
    pub fn new(limit: usize) -> Result<Self> {
        if limit == 0 || i32::try_from(limit).is_err() {
            return crate::batch_cache::refused("limit", limit, "be at least 1 page, and fit into an i32");
        }
        Ok(Self { ledger: Rc::new(RefCell::new(Ledger { limit, ..Ledger::default() })) })
    }

    /// `count` pages, or none at all.
    ///
    /// Errors: `Other` with both numbers where not so many are free.
    pub fn take(&self, count: usize) -> Result<Vec<Page>> {
        let mut pages = Vec::new();
        while pages.len() < count {
            let taken = self.ledger.borrow_mut().take()?;
            let Some(id) = taken else {
                let what = format!("{count} pages are needed, but only {} are free", pages.len());
                return Err(Error::Other(what));
            };
            pages.push(Page { id, ledger: Rc::clone(&self.ledger) });
        }
        Ok(pages)
    }

    /// The ledger as it is now: a copy, so that handles can come and go while it is read.
    pub fn ledger(&self) -> Ledger {
        self.ledger.borrow().clone()
    }
}
