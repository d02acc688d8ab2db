//! What is wrong with a launch before anything runs.

use super::{Outcome, Setup, ffi};
use crate::argument::{Access, Form};
use crate::checks::Checks;
use crate::finding::{Finding, Kind};
use crate::kernel::{MOST_THREADS, Of};

/// What Apple GPUs have for a group.
const THREADGROUP_MEMORY: u64 = 32 << 10;
const MOST_BUFFERS: usize = 31;

impl Setup<'_> {
    /// Errors that hold for any content of the buffers; warnings otherwise.
    pub(super) fn validate(&self, checks: &Checks) -> Outcome<Vec<Finding>> {
        self.check_sizes()?;
        self.check_threadgroup_arguments()?;
        let mut warnings = Vec::new();
        let bound: Vec<Option<usize>> = self.buffers().map(|a| a.memory().map(|m| m.1)).collect();
        if bound.len() > MOST_BUFFERS {
            let title = format!("{} buffers are passed, a kernel has {MOST_BUFFERS} at most", bound.len());
            return Err(Finding::error(Kind::Launch, title).into());
        }
        for p in self.kernel.parameters.iter().filter(|p| p.of == Of::Buffer) {
            let what = format!("`{}`, which is buffer({}) of the kernel", p.name, p.index);
            match bound.get(p.index).copied().flatten() {
                None if checks.guarded && !p.optional => {
                    let title = format!("{what}, is not bound");
                    let help = format!("{} arguments are passed; the kernel declares `{}`", bound.len(), p.declared);
                    return Err(Finding::error(Kind::Launch, title).help(help).into());
                }
                Some(bytes) if p.is_value && bytes < p.element => {
                    let title = format!("{what}, is too small: it holds {bytes} bytes, the kernel reads {}", p.element);
                    let help =
                        format!("the kernel declares `{}`; compare its layout with what the host packs", p.declared);
                    return Err(Finding::error(Kind::Launch, title).help(help).into());
                }
                _ => {}
            }
        }
        for (index, arg) in self.buffers().enumerate() {
            let Some(p) = self.kernel.buffer(index) else {
                if !matches!(arg.form, Form::Unbound) && checks.guarded {
                    let title =
                        format!("an argument is bound to buffer({index}), but the kernel has no such parameter");
                    let names = self.kernel.parameters.iter().filter(|p| p.of == Of::Buffer);
                    let names: Vec<String> = names.map(|p| format!("buffer({}) is `{}`", p.index, p.name)).collect();
                    warnings.push(Finding::warning(Kind::Launch, title).fact(names.join(", ")));
                }
                continue;
            };
            if arg.access() != Access::Read && !p.writable {
                let title = format!(
                    "`{}`, which is buffer({index}), is passed as an output, but the kernel cannot write it",
                    p.name
                );
                let help = "the order of the arguments and of the kernel's buffers differ";
                return Err(Finding::error(Kind::Launch, title)
                    .fact(format!("it is declared `{}`", p.declared))
                    .help(help)
                    .into());
            }
        }
        Ok(warnings)
    }

    fn check_sizes(&self) -> Outcome<()> {
        let threads = self.group.0.iter().try_fold(1usize, |n, &d| n.checked_mul(d)).unwrap_or(usize::MAX);
        let most = self.kernel.most_threads;
        if threads == 0 || threads > most as usize {
            let limit =
                if most == MOST_THREADS { String::new() } else { " (max_total_threads_per_threadgroup)".into() };
            let title = format!("a threadgroup of {threads} threads: from 1 to {most} are possible{limit}");
            let help = "take the size from the kernel's own limit, `max_threads_per_group`";
            return Err(Finding::error(Kind::Launch, title).help(help).into());
        }
        let size = self.grid.size().0;
        let groups = size.iter().try_fold(1u64, |n, &d| n.checked_mul(d as u64));
        if size.iter().any(|&d| d > u32::MAX as usize) || groups.is_none_or(|n| n > u64::from(u32::MAX)) {
            let title = format!("a grid of {size:?}: it has more than 2^32 - 1 threads or groups");
            return Err(Finding::error(Kind::Launch, title).into());
        }
        Ok(())
    }

    fn check_threadgroup_arguments(&self) -> Outcome<()> {
        let lengths: Vec<usize> = self
            .args
            .iter()
            .filter_map(|a| match a.form {
                Form::Threadgroup(bytes) => Some(bytes),
                _ => None,
            })
            .collect();
        for p in self.kernel.parameters.iter().filter(|p| p.of == Of::Threadgroup) {
            let length = lengths.get(p.index).copied().unwrap_or(0);
            if length < p.element.max(1) || p.index >= ffi::TG_ARGS {
                let title = format!(
                    "`{}`, which is threadgroup({}) of the kernel, has no memory: its length is {length} bytes",
                    p.name, p.index
                );
                let help = "pass Arg::threadgroup_memory(bytes), as setThreadgroupMemoryLength does";
                return Err(Finding::error(Kind::Launch, title).help(help).into());
            }
        }
        Ok(())
    }

    pub(super) fn threadgroup_limit(&self, bytes: u64) -> Outcome<()> {
        if bytes <= THREADGROUP_MEMORY {
            return Ok(());
        }
        let title = format!("the kernel uses {bytes} bytes of threadgroup memory, a GPU has {THREADGROUP_MEMORY}");
        let help = "smaller tiles, or a narrower type for what is staged; refuse the shape where neither is possible";
        Err(Finding::error(Kind::ThreadgroupMemory, title).help(help).into())
    }
}
