//! A launch: looked over, run, run again in other orders, explained when it is wrong.

mod child;
mod compare;
mod explain;
pub(crate) mod ffi;
mod guarded;
mod runtime;
mod symbol;
mod validate;
mod verdict;

use std::time::Duration;

pub(crate) use runtime::{Runtime, symbol};

use crate::argument::{Arg, Form};
use crate::checks::{Checks, Order};
use crate::compile::Sanitizer;
use crate::error::Error;
use crate::finding::{Finding, Kind};
use crate::kernel::{Kernel, Report};
use crate::size::{Grid, Size};

/// Why a launch did not end well.
pub(crate) enum Problem {
    /// The kernel or its arguments are wrong.
    Found(Box<Finding>),
    /// Something else was.
    Failed(Error),
}

impl From<Finding> for Problem {
    fn from(finding: Finding) -> Self {
        Problem::Found(Box::new(finding))
    }
}
impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        Problem::Failed(error)
    }
}
type Outcome<T> = std::result::Result<T, Problem>;

/// What is launched.
pub(crate) struct Setup<'a> {
    pub kernel: &'a Kernel,
    pub grid: Grid,
    pub group: Size,
    pub args: &'a [Arg<'a>],
}

impl<'a> Setup<'a> {
    pub fn dispatch(&self, checks: &Checks) -> Outcome<Report> {
        let mut report = Report { warnings: self.validate(checks)?, ..Report::default() };
        if self.grid.size().0.contains(&0) {
            return Ok(report);
        }
        let description = checks.sanitizer.map(|sanitizer| (sanitizer, self.description(checks)));
        match self.run_here(checks, &mut report) {
            Ok(()) => {}
            Err(Problem::Found(race)) if race.kind == Kind::Race => return Err(self.with_lines(*race, checks).into()),
            Err(problem) => return Err(problem),
        }
        if let Some((sanitizer, description)) = description {
            self.run_in_child(sanitizer, &description)?;
            report.runs += 1;
        }
        Ok(report)
    }

    /// That there is a race is known; ThreadSanitizer knows the lines.
    fn with_lines(&self, race: Finding, checks: &Checks) -> Finding {
        // A comparison that fails leaves the arguments as they were.
        match self.run_in_child(Sanitizer::Thread, &self.description(checks)) {
            Err(Problem::Found(lines)) if lines.kind == Kind::Race => {
                let facts = race.facts.into_iter().chain(lines.facts).collect();
                Finding { places: lines.places, facts, ..race }
            }
            Err(Problem::Failed(_)) => race.fact("this compiler has no ThreadSanitizer, which would name both lines"),
            _ => race,
        }
    }

    fn run_here(&self, checks: &Checks, report: &mut Report) -> Outcome<()> {
        if !checks.guarded {
            let launch = self.run_in_place(checks);
            if launch.fault.kind != 0 {
                return Err(self.explainer().fault(&launch.fault).into());
            }
            report.count(&launch);
            report.warnings.extend(self.explainer().note(&launch.note));
            return self.threadgroup_limit(launch.tg_bytes);
        }
        if checks.compared { self.run_compared(checks, report) } else { self.run_guarded_once(checks, report) }
    }

    /// The buffers, in order of their index.
    pub fn buffers(&self) -> impl Iterator<Item = &'a Arg<'a>> {
        self.args.iter().filter(|a| !matches!(a.form, Form::Threadgroup(_)))
    }

    /// A launch without buffers, flags and fill.
    fn launch(&self, order: Order) -> ffi::Launch {
        // SAFETY: a structure of numbers and pointers, for all of which zero is a value.
        let mut launch: ffi::Launch = unsafe { std::mem::zeroed() };
        let lengths = self.args.iter().filter_map(|a| match a.form {
            Form::Threadgroup(bytes) => Some(bytes as u64),
            _ => None,
        });
        launch.tg_args.iter_mut().zip(lengths).for_each(|(to, length)| *to = length);
        launch.kernel = self.kernel.descriptor;
        launch.grid = self.grid.size().0.map(|n| n as u32);
        launch.group = self.group.0.map(|n| n as u32);
        launch.by_threads = u32::from(matches!(self.grid, Grid::Threads(_)));
        launch.other = u32::MAX;
        (launch.flags, launch.seed) = match order {
            Order::Forward => (0, 0),
            Order::Reverse => (ffi::REVERSE, 0),
            Order::Interleaved => (ffi::INTERLEAVE, 0),
            Order::Random(seed) => (ffi::RANDOM, seed),
        };
        launch
    }

    fn run_in_place(&self, checks: &Checks) -> ffi::Launch {
        let buffer = |arg: &Arg| match arg.memory() {
            Some((base, size)) => ffi::Buffer { base, size: size as u64, ..ffi::Buffer::NONE },
            None => ffi::Buffer::NONE,
        };
        let buffers: Vec<ffi::Buffer> = self.buffers().map(buffer).collect();
        let mut launch = self.launch(checks.order);
        launch.workers = checks.workers;
        self.run(&buffers, &mut launch);
        launch
    }

    fn run(&self, buffers: &[ffi::Buffer], launch: &mut ffi::Launch) {
        launch.buffers = buffers.as_ptr();
        launch.buffer_count = buffers.len() as u32;
        // SAFETY: the launch was validated: its sizes fit the kernel's parameters, and buffers are valid until this
        // returns. A kernel that leaves them faults, where they are guarded; where they are not, the caller of
        // `Checks::none()` was told.
        unsafe { (self.kernel.shared.runtime.run)(launch) };
    }
}

impl Report {
    fn count(&mut self, launch: &ffi::Launch) {
        self.runs += 1;
        if self.runs > 1 {
            return;
        }
        self.time = Duration::from_nanos(launch.nanoseconds as u64);
        self.threads = launch.threads;
        self.groups = launch.groups;
        self.simd_operations = launch.simd_operations;
        self.barriers = launch.barriers;
        self.threadgroup_bytes = launch.tg_bytes;
    }
}
