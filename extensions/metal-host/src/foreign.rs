//! Launches that C and C++ code asks for, by the function pointers of `cpp/api/metal_host.h`.

use std::ffi::{CStr, OsStr, c_char, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use crate::argument::{Access, Arg};
use crate::checks::Checks;
use crate::error::{Error, Result};
use crate::finding::Finding;
use crate::kernel::Kernel;
use crate::options::Options;
use crate::size::{Grid, Size};
use crate::store::Store;

/// Runs what foreign code launches, and keeps what was found: that code may be in the middle of something that cannot
/// fail, such as another library's queue.
pub struct Host {
    store: Store,
    checks: Checks,
    errors: Mutex<Vec<Error>>,
    warnings: Mutex<Vec<Finding>>,
}

/// `metal_host_api` of metal_host.h.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Api {
    host: *const c_void,
    run: unsafe extern "C" fn(*const c_void, *const Launch, *mut c_char, usize) -> c_int,
    max_threads: unsafe extern "C" fn(*const c_void, *const c_char, *const c_char, *mut c_char, usize) -> usize,
}

// SAFETY: the host behind the pointer is shared by reference only, and `Host` is Sync.
unsafe impl Send for Api {}
// SAFETY: as above.
unsafe impl Sync for Api {}

#[repr(C)]
struct Argument {
    kind: c_int,
    memory: *mut u8,
    bytes: usize,
}

#[repr(C)]
struct Launch {
    file: *const c_char,
    kernel: *const c_char,
    arguments: *const Argument,
    argument_count: usize,
    grid: [usize; 3],
    group: [usize; 3],
    by_threads: c_int,
}

impl Host {
    /// Compiles with these options and runs with these checks.
    pub fn new(options: Options, checks: Checks) -> Self {
        Host { store: Store::new(options), checks, errors: Mutex::default(), warnings: Mutex::default() }
    }

    /// What foreign code gets. It may call from any thread, as long as the program runs.
    pub fn api(&'static self) -> Api {
        Api { host: std::ptr::from_ref(self).cast(), run, max_threads }
    }

    /// What went wrong since this was asked last.
    pub fn take_errors(&self) -> Vec<Error> {
        std::mem::take(&mut self.errors.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// What may be meant, since this was asked last.
    pub fn take_warnings(&self) -> Vec<Finding> {
        std::mem::take(&mut self.warnings.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// # Safety
    /// `launch` must be filled as metal_host.h says, and its memory valid for what the arguments say is done with it.
    unsafe fn launch(&self, launch: &Launch) -> Result<()> {
        // SAFETY: the caller's promise, here and below.
        let kernel = unsafe { self.kernel(launch.file, launch.kernel) }?;
        let arguments = match launch.argument_count {
            0 => &[],
            // SAFETY: as above.
            n => unsafe { std::slice::from_raw_parts(launch.arguments, n) },
        };
        let argument = |a: &Argument| match a.kind {
            // SAFETY: as above.
            0..=2 => Ok(unsafe {
                Arg::raw(a.memory, a.bytes, [Access::Read, Access::Write, Access::ReadWrite][a.kind as usize])
            }),
            3 if a.bytes == 0 => Ok(Arg::bytes(&[])),
            // SAFETY: as above.
            3 => Ok(Arg::bytes(unsafe { std::slice::from_raw_parts(a.memory, a.bytes) })),
            4 => Ok(Arg::unbound()),
            5 => Ok(Arg::threadgroup_memory(a.bytes)),
            kind => {
                Err(Error::Load(format!("an argument of {} is of kind {kind}, and there are 0 to 5", kernel.name())))
            }
        };
        let args = arguments.iter().map(argument).collect::<Result<Vec<_>>>()?;
        let grid =
            if launch.by_threads != 0 { Grid::Threads(Size(launch.grid)) } else { Grid::Groups(Size(launch.grid)) };
        let report = kernel.dispatch(grid, launch.group, &args, &self.checks)?;
        self.warnings.lock().unwrap_or_else(PoisonError::into_inner).extend(report.warnings);
        Ok(())
    }

    /// # Safety
    /// Both must be texts that end with a zero.
    unsafe fn kernel(&self, file: *const c_char, kernel: *const c_char) -> Result<Kernel> {
        // SAFETY: the caller's promise.
        let (file, kernel) = unsafe { (CStr::from_ptr(file), CStr::from_ptr(kernel)) };
        self.store.kernel(Path::new(OsStr::from_bytes(file.to_bytes())), &kernel.to_string_lossy())
    }

    /// Writes the error's text where the caller wants it, and keeps the error.
    ///
    /// # Safety
    /// `to` must hold `size` bytes.
    unsafe fn tell(&self, error: Error, to: *mut c_char, size: usize) {
        let text = error.to_string();
        let mut length = text.len().min(size.saturating_sub(1));
        while !text.is_char_boundary(length) {
            length -= 1;
        }
        if size > 0 {
            // SAFETY: the caller's promise; `length` and the zero fit.
            unsafe {
                to.cast::<u8>().copy_from_nonoverlapping(text.as_ptr(), length);
                to.add(length).write(0);
            }
        }
        self.errors.lock().unwrap_or_else(PoisonError::into_inner).push(error);
    }
}

unsafe extern "C" fn run(host: *const c_void, launch: *const Launch, report: *mut c_char, size: usize) -> c_int {
    // SAFETY: `host` comes from `api`, and the rest is the caller's promise in metal_host.h.
    unsafe {
        let host = &*host.cast::<Host>();
        match host.launch(&*launch) {
            Ok(()) => 0,
            Err(error) => {
                host.tell(error, report, size);
                1
            }
        }
    }
}

unsafe extern "C" fn max_threads(
    host: *const c_void,
    file: *const c_char,
    kernel: *const c_char,
    report: *mut c_char,
    size: usize,
) -> usize {
    // SAFETY: as in `run`.
    unsafe {
        let host = &*host.cast::<Host>();
        match host.kernel(file, kernel) {
            Ok(kernel) => kernel.max_threads_per_group(),
            Err(error) => {
                host.tell(error, report, size);
                0
            }
        }
    }
}
