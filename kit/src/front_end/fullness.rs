//! How full the pages of a batch were: what each step says of them in, a line about the fullest step out.

use crate::PageReport;

/// The step that held the most pages, so far.
#[derive(Default)]
pub(super) struct Fullness {
    fullest: Option<PageReport>,
}

impl Fullness {
    /// Takes note of a step; `None` is one without pages.
    pub(super) fn note(&mut self, step: Option<PageReport>) {
        let live = |report: Option<PageReport>| report.map_or(0, |report| report.live);
        if live(step) > live(self.fullest) {
            self.fullest = step;
        }
    }

    /// `None` where no page was ever held.
    pub(super) fn line(&self) -> Option<String> {
        let PageReport { page_size, pages, live, shared, empty_places, holes } = self.fullest?;
        let places = live * page_size;
        let waste = 100.0 * empty_places as f64 / places as f64;
        Some(format!(
            "[fullest: {live} of {pages} pages of {page_size} tokens, {shared} of them shared; {empty_places} of \
             {places} places empty at the ends of texts ({waste:.1}%); free pages between: {holes}]"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fullest_step_says_what_was_wasted() {
        let report =
            |live, empty_places| Some(PageReport { page_size: 16, pages: 12, live, shared: 2, empty_places, holes: 1 });
        let mut fullness = Fullness::default();
        fullness.note(None);
        assert_eq!(fullness.line(), None);
        [report(3, 1), report(10, 20), report(9, 40), None].into_iter().for_each(|step| fullness.note(step));
        let line = "[fullest: 10 of 12 pages of 16 tokens, 2 of them shared; 20 of 160 places empty at the ends of texts \
                    (12.5%); free pages between: 1]";
        assert_eq!(fullness.line().as_deref(), Some(line));
    }
}
