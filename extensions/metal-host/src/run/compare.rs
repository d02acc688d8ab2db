//! The same launch twice, with everything different that must not matter. Where the results differ, further runs change
//! one thing at a time until it is known which one matters.

use std::collections::BTreeSet;

use super::guarded::{FILL, OTHER_FILL, OTHER_OUTPUT_FILL, OTHER_SLACK_FILL, OUTPUT_FILL, Ran, Variant};
use super::{Outcome, Problem, Setup};
use crate::argument::Access;
use crate::checks::{Checks, Order};
use crate::finding::{Finding, Kind, Level, Place};
use crate::kernel::Report;

/// Elements that differ: buffer and number of the element.
pub(super) type Differences = BTreeSet<(usize, usize)>;

impl Setup<'_> {
    pub(super) fn run_compared(&self, checks: &Checks, report: &mut Report) -> Outcome<()> {
        let first = Variant::first(checks);
        // The opposite of everything. Random order has none: forward shows most.
        let order = if checks.order == Order::Forward { Order::Reverse } else { Order::Forward };
        let second = Variant {
            order,
            front: true,
            group_fill: OTHER_FILL,
            slack_fill: OTHER_SLACK_FILL,
            output_fill: OTHER_OUTPUT_FILL,
            ..first.clone()
        };
        let one = self.run_variant(&first)?;
        report.count(&one.launch);
        self.threadgroup_limit(one.launch.tg_bytes)?;
        self.check_inputs(&one)?;
        let two = self.run_variant(&second)?;
        report.count(&two.launch);
        report.warnings.extend(self.explainer().note(&one.launch.note));
        let unwritten = self.unwritten(&one, &two);
        if self.differences(&one, &two, &unwritten).is_empty() {
            report.warnings.extend(self.explainer().unwritten(&unwritten));
            self.copy_back(&one);
            return Ok(());
        }
        let finding = self.why_different(&first, &one, order)?;
        if finding.level == Level::Error {
            return Err(finding.into());
        }
        report.warnings.push(finding);
        self.copy_back(&one);
        Ok(())
    }

    /// The first thing that makes the results differ from those of `base`, in the order of how sure it is.
    fn why_different(&self, base: &Variant, one: &Ran, order: Order) -> Outcome<Finding> {
        let explain = self.explainer();
        let none = Differences::new();
        let with = |variant: Variant| -> Outcome<Differences> {
            Ok(self.differences(one, &self.run_variant(&variant)?, &none))
        };

        let group = with(Variant { group_fill: OTHER_FILL, ..base.clone() })?;
        if !group.is_empty() {
            if let Some(finding) = self.outside_of_group_memory(base)? {
                return Ok(finding);
            }
            let variable = self.which_variable(base, one)?;
            // Never written: the same elements suffer in any order. Written too late: others do.
            let turned = Variant { order, ..base.clone() };
            let turned_one = self.run_variant(&turned)?;
            let turned_two = self.run_variant(&Variant { group_fill: OTHER_FILL, ..turned })?;
            let turned = self.differences(&turned_one, &turned_two, &none);
            return Ok(match turned == group {
                true => explain.uninitialised(variable, &group),
                false => explain.written_too_late(variable, &group),
            });
        }
        for (index, arg) in self.buffers().enumerate() {
            if arg.memory().is_none() {
                continue;
            }
            let other = Some((index, OTHER_SLACK_FILL));
            let found = with(Variant { slack_other: other, ..base.clone() })?;
            if !found.is_empty() {
                return self.read_just_behind(base, index, &found);
            }
        }
        let turned = with(Variant { order, ..base.clone() })?;
        if !turned.is_empty() {
            return Ok(explain.depends_on_order(&turned));
        }
        let filled = self.run_variant(&Variant { output_fill: OTHER_OUTPUT_FILL, ..base.clone() })?;
        let unwritten = self.unwritten(one, &filled);
        let found = self.differences(one, &filled, &unwritten);
        Ok(if found.is_empty() { explain.not_repeatable() } else { explain.output_read(&found) })
    }

    /// The threadgroup variable whose first content matters. Alone it may not show, where it is combined with another's
    /// NaN: so it is also tried among numbers.
    fn which_variable(&self, base: &Variant, one: &Ran) -> Outcome<Option<(String, Option<Place>)>> {
        let none = Differences::new();
        let numbers = Variant { group_fill: OTHER_FILL, ..base.clone() };
        let among_numbers = self.run_variant(&numbers)?;
        for (number, found) in one.variables.iter().enumerate() {
            let changed = |fill| Some((number as u32, fill));
            let alone = self.run_variant(&Variant { group_other: changed(OTHER_FILL), ..base.clone() })?;
            let among = self.run_variant(&Variant { group_other: changed(FILL), ..numbers.clone() })?;
            let matters = !self.differences(one, &alone, &none).is_empty();
            if matters || !self.differences(&among_numbers, &among, &none).is_empty() {
                return Ok(Some(found.clone()));
            }
        }
        Ok(None)
    }

    /// A read of the bytes between a buffer's end and the page behind it: with the end at the page, it faults.
    fn read_just_behind(&self, base: &Variant, index: usize, found: &Differences) -> Outcome<Finding> {
        match self.run_variant(&Variant { exact: Some(index), ..base.clone() }) {
            Err(Problem::Found(finding)) if finding.kind != Kind::Misaligned => Ok(*finding),
            Err(failed @ Problem::Failed(_)) => Err(failed),
            _ => Ok(self.explainer().read_behind(index, found)),
        }
    }

    /// Elements of outputs that still hold what each run filled in.
    fn unwritten(&self, one: &Ran, two: &Ran) -> Differences {
        let mut found = Differences::new();
        for (index, _) in self.buffers().enumerate().filter(|(_, a)| a.access() == Access::Write) {
            let size = self.element(index);
            let pairs = one.buffers[index].chunks(size).zip(two.buffers[index].chunks(size)).enumerate();
            let untouched = |(a, b): (&[u8], &[u8])| {
                a.iter().all(|&x| x == OUTPUT_FILL) && b.iter().all(|&x| x == OTHER_OUTPUT_FILL)
            };
            found.extend(pairs.filter(|(_, pair)| untouched(*pair)).map(|(n, _)| (index, n)));
        }
        found
    }

    /// Elements of what the kernel may write that are not equal to the bit, without those of `except`.
    fn differences(&self, one: &Ran, two: &Ran, except: &Differences) -> Differences {
        let mut found = Differences::new();
        for (index, _) in self.buffers().enumerate().filter(|(_, a)| a.access() != Access::Read) {
            let size = self.element(index);
            let pairs = one.buffers[index].chunks(size).zip(two.buffers[index].chunks(size)).enumerate();
            let differ = pairs.filter(|(n, (a, b))| a != b && !except.contains(&(index, *n)));
            found.extend(differ.map(|(n, _)| (index, n)));
        }
        found
    }

    /// Bytes of an element of a buffer.
    pub(super) fn element(&self, index: usize) -> usize {
        self.kernel.buffer(index).map_or(1, |p| p.element.max(1))
    }
}
