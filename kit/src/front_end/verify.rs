//! `verify`: a golden file in, a line for each of its cases and the counts out.

use std::sync::atomic::Ordering;

use super::{
    Console, Program, Stopped, arguments::VerifyArguments, choose_backend, drafts, generate::tokenizer, golden_file,
    interrupt::INTERRUPTED, noted, verify_case::judge, written,
};
use crate::{Checkpoint, mlx, models::Model};

pub(super) fn run(
    arguments: &VerifyArguments,
    program: Program<'_>,
    console: &mut Console<'_>,
) -> std::result::Result<u8, Stopped> {
    let draft = arguments.draft_model.as_deref().or(arguments.speculative.then_some(drafts::EMBEDDED));
    let drafts = drafts::DraftChoice::of(draft, arguments.draft_tokens, program)?;
    choose_backend(arguments.backend.as_deref())?;
    let golden = golden_file::read(&arguments.file)?;
    let model = arguments.model.as_ref().unwrap_or(&golden.model);
    let checkpoint = Checkpoint::open(Model::named(model)?.folder()?)?;
    let tokenizer = tokenizer(model, &checkpoint)?;
    let engine = match drafts {
        Some(drafts) => drafts.engine(program, &checkpoint, arguments.checkpoint.as_deref(), None)?,
        None => program.load.engine(&checkpoint, arguments.checkpoint.as_deref())?,
    };
    noted(&*engine, console)?;
    let (who, week, device) = (program.who, program.week, mlx::device_name());
    written(writeln!(console.out, "{model} on {who}, week {week}, {device}: {} cases", golden.cases.len()))?;

    let (mut passed, mut failed) = (0, 0);
    let width = golden.cases.iter().map(|case| case.name.len()).max().unwrap_or_default().min(40);
    for case in &golden.cases {
        let verdict = judge(case, &*engine, &tokenizer, &golden.eos_ids, console.stop)?;
        if console.stop.load(Ordering::SeqCst) {
            written(writeln!(console.err, "Stopped after {passed} passed, {failed} failed."))?;
            return Ok(INTERRUPTED);
        }
        let (word, what) = match verdict {
            Ok(agreed) => {
                passed += 1;
                ("passed", agreed)
            }
            Err(difference) => {
                failed += 1;
                ("FAILED", difference)
            }
        };
        written(writeln!(console.out, "  {:width$}  {word}  {what}", case.name))?;
    }
    written(writeln!(console.out, "{passed} passed, {failed} failed"))?;
    Ok(u8::from(failed > 0))
}
