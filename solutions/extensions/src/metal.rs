//! The Metal rung: kernels of `kernels/*.metal` in place of the loops. On a Mac they run on the GPU; on Linux the Metal host
//! runs them on the CPU and says what is wrong with them.
//!
//! The setting is that of the process, and a node of the graph keeps the one that it was built with. What the host finds
//! comes as the error of the evaluation.

use std::sync::atomic::{AtomicBool, Ordering};

use kit::{Result, mlx};

use crate::tuning;

/// How much the Metal host looks at each launch. On a GPU there is nobody who looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Watch {
    /// Nothing: for kernels that have passed.
    Nothing,
    /// Accesses out of bounds, barriers that not all threads reach, and results that depend on the order of the threads.
    Everything,
    /// All races besides, by ThreadSanitizer, which compiles for seconds.
    Races,
}

/// The variable that makes [`with_kernels`] look for [`Watch::Races`].
pub const RACES: &str = "TINY_LLM_RACES";

/// Nodes that are built from now on launch their Metal kernels; `None`: back to the loops.
///
/// Errors: a sentence where there is neither Metal nor the Metal host.
pub fn use_kernels(watch: Option<Watch>) -> Result<()> {
    platform::use_kernels(watch)?;
    CHOSEN.store(watch.is_some(), Ordering::Relaxed);
    Ok(())
}

/// What [`use_kernels`] has chosen.
static CHOSEN: AtomicBool = AtomicBool::new(false);

/// Whether nodes that are built now launch kernels, where [`use_kernels`] has chosen them or on a GPU, and run no loops.
pub fn launches_kernels() -> bool {
    CHOSEN.load(Ordering::Relaxed) || mlx::on_gpu()
}

/// Runs `build`, whose nodes launch Metal kernels, and goes back to the loops, also after a panic.
///
/// Errors: those of [`use_kernels`] and of `build`.
pub fn with_kernels<T>(build: impl FnOnce() -> Result<T>) -> Result<T> {
    let races = std::env::var_os(RACES).is_some_and(|value| !value.is_empty());
    use_kernels(Some(if races { Watch::Races } else { Watch::Everything }))?;
    let _back = BackToLoops;
    build()
}

/// Runs `test` on the Metal rung with every step of a ladder of `steps`, up to the first error; the fastest step runs
/// again afterwards, also after a panic.
///
/// Errors: as [`with_kernels`].
pub fn with_each_step(steps: u8, test: impl Fn() -> Result<()>) -> Result<()> {
    struct Fastest;
    impl Drop for Fastest {
        fn drop(&mut self) {
            tuning::set_version(None);
        }
    }
    let _fastest = Fastest;
    (1..=steps).try_for_each(|step| {
        tuning::set_version(Some(step));
        with_kernels(&test)
    })
}

/// The end of [`with_kernels`].
struct BackToLoops;

impl Drop for BackToLoops {
    fn drop(&mut self) {
        use_kernels(None).expect("loops need nothing that could be missing");
    }
}

#[cfg(target_os = "linux")]
mod platform {
    use std::sync::OnceLock;

    use kit::Result;
    use metal_host::{Api, Checks, Host, Options};

    use super::Watch;

    unsafe extern "C" {
        #[link_name = concat!(env!("EXT_PREFIX"), "set_metal_host")]
        fn c_set_metal_host(host: *const Api);
    }

    /// One host for each way to look; a library that it has compiled stays.
    static HOSTS: [OnceLock<Api>; 3] = [OnceLock::new(), OnceLock::new(), OnceLock::new()];

    pub fn use_kernels(watch: Option<Watch>) -> Result<()> {
        let api = match watch {
            None => std::ptr::null(),
            Some(watch) => std::ptr::from_ref(HOSTS[watch as usize].get_or_init(|| host(watch))),
        };
        // SAFETY: the pointer is null or to a static, and the C side keeps it.
        unsafe { c_set_metal_host(api) };
        Ok(())
    }

    fn host(watch: Watch) -> Api {
        let checks = match watch {
            Watch::Nothing => Checks::none(),
            Watch::Everything => Checks::all(),
            Watch::Races => Checks::races(),
        };
        let host: &'static Host = Box::leak(Box::new(Host::new(Options::default(), checks)));
        host.api()
    }
}

#[cfg(not(target_os = "linux"))]
mod platform {
    use kit::{Error, Result, mlx};

    use super::Watch;

    /// Where the default device is a GPU, nodes launch their kernels on it anyway.
    pub fn use_kernels(watch: Option<Watch>) -> Result<()> {
        match watch {
            Some(_) if !mlx::on_gpu() => {
                Err(Error::Other("MLX computes on the CPU here, and the Metal host runs on Linux only".to_string()))
            }
            _ => Ok(()),
        }
    }
}
