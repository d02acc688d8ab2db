//! A kernel, and its launch.

use std::ffi::CStr;
use std::sync::Arc;
use std::time::Duration;

use crate::argument::Arg;
use crate::checks::Checks;
use crate::error::{Error, Result};
use crate::finding::{Finding, Kind, Level};
use crate::library::Shared;
use crate::run::{self, ffi};
use crate::size::{Grid, Size};

/// The most threads of a group.
pub(crate) const MOST_THREADS: u32 = 1024;

/// One kernel of a library.
#[derive(Clone)]
pub struct Kernel {
    pub(crate) shared: Arc<Shared>,
    pub(crate) descriptor: *const ffi::Kernel,
    pub(crate) name: String,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) most_threads: u32,
    pub(crate) synchronises: bool,
    pub(crate) atomics: bool,
}

// SAFETY: the descriptor is constant data of the library that `shared` keeps loaded.
unsafe impl Send for Kernel {}
// SAFETY: as above.
unsafe impl Sync for Kernel {}

/// A parameter of a kernel, as the compiler saw it.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub of: Of,
    pub index: usize,
    /// Bytes of one element.
    pub element: usize,
    pub writable: bool,
    pub is_value: bool,
    /// A function constant says whether it is there.
    pub optional: bool,
    pub name: String,
    pub declared: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Of {
    System,
    Buffer,
    Threadgroup,
}

/// What a launch did. Nothing in it says how fast a GPU would be.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// What may be meant and should be looked at.
    pub warnings: Vec<Finding>,
    /// Time of the first run.
    pub time: Duration,
    /// Threads that ran.
    pub threads: u64,
    /// Threadgroups that ran.
    pub groups: u64,
    /// Operations of SIMD groups, matrix products included.
    pub simd_operations: u64,
    /// Threadgroup barriers, counted once for a group.
    pub barriers: u64,
    /// Bytes of threadgroup memory of the largest group.
    pub threadgroup_bytes: u64,
    /// How often the kernel ran.
    pub runs: u32,
}

impl Kernel {
    /// Reads a descriptor.
    ///
    /// # Safety
    /// `descriptor` must be one of the library that `shared` keeps loaded.
    pub(crate) unsafe fn of(shared: Arc<Shared>, descriptor: *const ffi::Kernel) -> Self {
        // SAFETY: the caller's promise; texts and tables of a descriptor are constants of the library.
        let text = |s| unsafe { CStr::from_ptr(s) }.to_string_lossy().into_owned();
        // SAFETY: as above.
        let kernel = unsafe { &*descriptor };
        let parameter = |n: usize| {
            // SAFETY: there are `param_count` parameters, and two texts for each.
            let (p, name, declared) =
                unsafe { (*kernel.params.add(n), *kernel.names.add(2 * n), *kernel.names.add(2 * n + 1)) };
            Parameter {
                of: match p.kind {
                    ffi::BUFFER => Of::Buffer,
                    ffi::TG_ARG => Of::Threadgroup,
                    _ => Of::System,
                },
                index: p.index.into(),
                element: p.element as usize,
                writable: p.writable != 0,
                is_value: p.is_value != 0,
                optional: p.optional != 0,
                name: text(name),
                declared: text(declared),
            }
        };
        Kernel {
            shared,
            descriptor,
            name: text(kernel.name),
            parameters: (0..kernel.param_count as usize).map(parameter).collect(),
            most_threads: if kernel.max_threads == 0 { MOST_THREADS } else { kernel.max_threads.min(MOST_THREADS) },
            synchronises: kernel.synchronises != 0,
            atomics: kernel.atomics != 0,
        }
    }

    /// The name it was asked for by.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The most threads a group of this kernel may have.
    pub fn max_threads_per_group(&self) -> usize {
        self.most_threads as usize
    }

    /// Runs the kernel and returns when it is done.
    ///
    /// `args` are the buffers in order of their index; see [`Arg`]. Results are in the outputs when this returns `Ok`;
    /// after an error, what they hold is not to be relied on. Launches of one process run one after the other.
    pub fn dispatch(&self, grid: Grid, group: impl Into<Size>, args: &[Arg], checks: &Checks) -> Result<Report> {
        let launch = run::Setup { kernel: self, grid, group: group.into(), args };
        launch.dispatch(checks).map_err(|problem| match problem {
            run::Problem::Found(finding) => Error::Kernel { kernel: self.name.clone(), finding },
            run::Problem::Failed(error) => error,
        })
    }

    /// The parameter that is bound to a buffer index.
    pub(crate) fn buffer(&self, index: usize) -> Option<&Parameter> {
        self.parameters.iter().find(|p| p.of == Of::Buffer && p.index == index)
    }
}

impl Report {
    /// The first warning of this kind.
    pub fn warning(&self, kind: Kind) -> Option<&Finding> {
        self.warnings.iter().find(|w| w.kind == kind && w.level == Level::Warning)
    }
}
