//! One run on copies of the buffers, between pages that fault.

use std::ffi::CStr;
use std::time::Duration;

use super::explain::Explainer;
use super::{Outcome, Problem, Setup, ffi};
use crate::argument::{Access, Form};
use crate::checks::{Checks, Order};
use crate::finding::{Finding, Kind, Place};
use crate::kernel::{Of, Report};

/// How this run differs from others: whatever may not matter for a kernel that is right.
#[derive(Clone, Debug)]
pub(super) struct Variant {
    pub order: Order,
    /// The start of each buffer touches the guard, and not its end.
    pub front: bool,
    /// The byte that threadgroup memory starts with, and another one for the variable of a number.
    pub group_fill: u8,
    pub group_other: Option<(u32, u8)>,
    /// The byte around buffers, and another one for the buffer of a number.
    pub slack_fill: u8,
    pub slack_other: Option<(usize, u8)>,
    /// The byte that outputs start with.
    pub output_fill: u8,
    /// This buffer ends at the guard to the byte, whatever that does to its alignment.
    pub exact: Option<usize>,
    /// Threadgroup variables do.
    pub tight: bool,
    pub limit: Duration,
}

/// What memory that is not initialised holds, in a run and in another: a NaN as a float, and 1.5e16.
pub(super) const FILL: u8 = 0xff;
pub(super) const OTHER_FILL: u8 = 0x5a;
/// The same for outputs, as floats 12 and -49: small, so that a sum with them is another number.
pub(super) const OUTPUT_FILL: u8 = 0x41;
pub(super) const OTHER_OUTPUT_FILL: u8 = 0xc2;
/// The same for the bytes around buffers, to which the number of the buffer is added: what is copied from behind one buffer
/// to behind another shows.
const SLACK_FILL: u8 = 0xd0;
pub(super) const OTHER_SLACK_FILL: u8 = 0x50;

impl Variant {
    pub fn first(checks: &Checks) -> Self {
        Variant {
            order: checks.order,
            front: false,
            group_fill: FILL,
            group_other: None,
            slack_fill: SLACK_FILL,
            slack_other: None,
            output_fill: OUTPUT_FILL,
            exact: None,
            tight: false,
            limit: checks.limit,
        }
    }

    fn slack(&self, buffer: usize) -> u8 {
        let fill = self.slack_other.filter(|(b, _)| *b == buffer).map_or(self.slack_fill, |(_, fill)| fill);
        fill.wrapping_add(buffer as u8)
    }
}

/// What a run left behind.
pub(super) struct Ran {
    /// The bytes of each buffer, by index.
    pub buffers: Vec<Vec<u8>>,
    /// Name and place of the threadgroup variables, by number; a parameter has no place.
    pub variables: Vec<(String, Option<Place>)>,
    pub launch: ffi::Launch,
}

/// Buffers that are unmapped when this goes.
struct Mapped {
    unmap: ffi::BufferUnmap,
    buffers: Vec<ffi::Buffer>,
}
impl Drop for Mapped {
    fn drop(&mut self) {
        for buffer in &mut self.buffers {
            // SAFETY: mapped by the runtime, or empty; nobody uses it any more.
            unsafe { (self.unmap)(buffer) };
        }
    }
}

impl Setup<'_> {
    /// Runs once and copies the results back.
    pub(super) fn run_guarded_once(&self, checks: &Checks, report: &mut Report) -> Outcome<()> {
        let ran = self.run_variant(&Variant::first(checks))?;
        report.count(&ran.launch);
        report.warnings.extend(self.explainer().note(&ran.launch.note));
        self.check_inputs(&ran)?;
        self.copy_back(&ran);
        self.threadgroup_limit(ran.launch.tg_bytes)
    }

    /// Runs as `variant` says. Errors: what the run itself shows to be wrong.
    pub(super) fn run_variant(&self, variant: &Variant) -> Outcome<Ran> {
        let runtime = &self.kernel.shared.runtime;
        let mut mapped = Mapped { unmap: runtime.buffer_unmap, buffers: Vec::new() };
        for (index, arg) in self.buffers().enumerate() {
            let Some((from, bytes)) = arg.memory() else {
                mapped.buffers.push(ffi::Buffer::NONE);
                continue;
            };
            let place = if variant.exact == Some(index) { 2 } else { u32::from(variant.front) };
            let mut buffer = ffi::Buffer::NONE;
            // SAFETY: fills in `buffer`, which is ours.
            let failed = unsafe { (runtime.buffer_map)(&mut buffer, bytes as u64, place, variant.slack(index).into()) };
            if failed != 0 {
                let title = format!("there is no memory for a guarded copy of buffer({index}), {bytes} bytes");
                return Err(Finding::error(Kind::Internal, title).into());
            }
            match arg.access() {
                // SAFETY: the new mapping holds `bytes` bytes.
                Access::Write => unsafe { buffer.base.write_bytes(variant.output_fill, bytes) },
                // SAFETY: as above, and the argument's memory is valid while the argument lives.
                _ => unsafe { buffer.base.copy_from_nonoverlapping(from, bytes) },
            }
            mapped.buffers.push(buffer);
        }
        let mut launch = self.launch(variant.order);
        launch.flags |= ffi::STRICT | if variant.front { ffi::FRONT } else { 0 };
        if variant.tight {
            launch.flags |= ffi::TIGHT;
        }
        launch.workers = 1;
        launch.limit = variant.limit.as_millis().clamp(1, u128::from(u32::MAX)) as u32;
        launch.fill = variant.group_fill.into();
        if let Some((number, fill)) = variant.group_other {
            (launch.other, launch.fill_other) = (number, fill.into());
        }
        // Held until the names of the variables are read: they are those of the last launch of the process.
        let only = runtime.launching.lock().unwrap_or_else(|broken| broken.into_inner());
        self.run(&mapped.buffers, &mut launch);
        let variables = self.variables();
        drop(only);
        if launch.fault.kind == ffi::kind::OVERRUN
            && let Some(finding) = self.outside_of_group_memory(variant)?
        {
            return Err(finding.into());
        }
        if launch.fault.kind != 0 {
            return Err(self.explainer().fault(&launch.fault).into());
        }
        for (index, buffer) in mapped.buffers.iter().enumerate().filter(|(_, b)| !b.map.is_null()) {
            // SAFETY: a buffer of the runtime that is still mapped.
            let side = unsafe { (runtime.buffer_dirty)(buffer, variant.slack(index).into()) };
            if side != 0 {
                return Err(self.written_outside(variant, index, side));
            }
        }
        let bytes = |b: &ffi::Buffer| match b.base.is_null() {
            true => Vec::new(),
            // SAFETY: a mapping of that many bytes, which no kernel runs on any more.
            false => unsafe { std::slice::from_raw_parts(b.base, b.size as usize) }.to_vec(),
        };
        let buffers = mapped.buffers.iter().map(bytes).collect();
        Ok(Ran { buffers, variables, launch })
    }

    /// Bytes next to a buffer changed, where no page faults: a run with the buffer at the page says who it was.
    fn written_outside(&self, variant: &Variant, index: usize, side: i32) -> Problem {
        if variant.exact.is_none() {
            let exact = if side > 0 { Some(index) } else { None };
            let closer = Variant { exact, front: side < 0, ..variant.clone() };
            match self.run_variant(&closer) {
                Err(Problem::Found(finding)) if finding.kind != Kind::Misaligned => return Problem::Found(finding),
                Err(failed @ Problem::Failed(_)) => return failed,
                _ => {}
            }
        }
        self.explainer().written_outside(index, side).into()
    }

    /// The access that leaves a threadgroup variable, where it can be caught in the act.
    pub(super) fn outside_of_group_memory(&self, variant: &Variant) -> Outcome<Option<Finding>> {
        match self.run_variant(&Variant { tight: true, front: false, ..variant.clone() }) {
            Err(Problem::Found(finding)) if finding.kind == Kind::OutOfBounds => Ok(Some(*finding)),
            Err(failed @ Problem::Failed(_)) => Err(failed),
            _ => Ok(None),
        }
    }

    /// The threadgroup variables of the run before.
    fn variables(&self) -> Vec<(String, Option<Place>)> {
        let runtime = &self.kernel.shared.runtime;
        let mut parameters = self.kernel.parameters.iter().filter(|p| p.of == Of::Threadgroup).map(|p| p.name.clone());
        let mut found = Vec::new();
        loop {
            // SAFETY: returns null behind the last; valid until the next launch of the process, and copied here.
            let site = unsafe { (runtime.variable)(found.len() as u32).as_ref() };
            let Some(site) = site else { return found };
            if site.what.is_null() {
                found.push((parameters.next().unwrap_or_default(), None));
                continue;
            }
            // SAFETY: constant texts of the kernel's library.
            let (name, file) = unsafe { (CStr::from_ptr(site.what), CStr::from_ptr(site.file)) };
            let place = self.kernel.shared.workshop.lines.place(&file.to_string_lossy(), site.line as u32);
            found.push((name.to_string_lossy().into_owned(), Some(place)));
        }
    }

    /// A kernel wrote what it was given to read.
    pub(super) fn check_inputs(&self, ran: &Ran) -> Outcome<()> {
        for (index, (arg, now)) in self.buffers().zip(&ran.buffers).enumerate() {
            let (Access::Read, Form::Buffer { pointer, bytes, .. }) = (arg.access(), &arg.form) else { continue };
            // SAFETY: the argument's memory is valid while the argument lives.
            let before = unsafe { std::slice::from_raw_parts(*pointer, *bytes) };
            if before != now.as_slice() {
                return Err(self.explainer().wrote_input(index).into());
            }
        }
        Ok(())
    }

    /// Gives the results to whom they belong.
    pub(super) fn copy_back(&self, ran: &Ran) {
        for (arg, bytes) in self.buffers().zip(&ran.buffers) {
            if let (Access::Write | Access::ReadWrite, Some((to, _))) = (arg.access(), arg.memory()) {
                // SAFETY: exclusive memory of the argument, as long as the copy that was made of it.
                unsafe { to.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
            }
        }
    }

    pub(super) fn explainer(&self) -> Explainer<'_> {
        Explainer { setup: self }
    }
}
