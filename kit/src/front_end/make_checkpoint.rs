//! `make-checkpoint`: a name and a seed in, a random checkpoint of that model's shape on this machine out.

use super::{Console, Stopped, arguments::MakeCheckpointArguments, interrupt, written};
use crate::{Checkpoint, Error, models::random};

pub(super) fn run(arguments: &MakeCheckpointArguments, console: &mut Console<'_>) -> std::result::Result<u8, Stopped> {
    if !arguments.random {
        let what =
            "make-checkpoint makes random checkpoints only; add --random, or fetch a trained one: cargo xtask fetch";
        return Err(Error::Other(format!("{what} {}", arguments.model)).into());
    }
    interrupt::end_at_once("nothing was written over, and the same command begins anew.");
    let name = arguments.model.to_lowercase();
    let name = if name.starts_with("qwen3-") { name } else { format!("qwen3-{name}") };
    let folder = random::folder(&name);
    let bytes = random::write(&name, arguments.seed, &folder)?;
    Checkpoint::open(&folder)?;
    written(writeln!(
        console.out,
        "{name}-random is ready, {:.1} MB: target/models/{name}-random",
        bytes as f64 / 1e6
    ))?;
    written(writeln!(console.out, "It has the shape of {name} and says nothing of use."))?;
    written(writeln!(console.out, "Next: cargo xtask bench --model {name}-random"))?;
    Ok(0)
}
