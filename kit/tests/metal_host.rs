//! `--backend metal-host` for an engine without kernels, in a process of its own, because the choice is the process's.
#![cfg(target_os = "linux")] // the host runs there

use kit::front_end::{Console, Load, Program, run};
use kit::{Checkpoint, Engine, Error, Result};
use std::sync::atomic::AtomicBool;

fn no_engine(_: &Checkpoint) -> Result<Box<dyn Engine>> {
    Err(Error::Other("the engine was loaded".into()))
}

#[test]
fn an_engine_without_kernels_says_which_weeks_have_them() {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut console = Console { out: &mut out, err: &mut err, stop: &AtomicBool::new(false) };
    let line = ["program", "generate", "--prompt", "Hi", "--backend", "metal-host"].map(str::to_string);
    let program = Program { who: "you", week: 1, load: Load::Whole(no_engine) };
    assert_eq!(run(line, program, &mut console), 2);
    let sentence = "--backend metal-host runs the kernels of weeks 2 and 3, and this engine has none; add --week 2 or 3, \
                    and --who you or ref\n";
    assert_eq!(String::from_utf8_lossy(&err), sentence);
}
