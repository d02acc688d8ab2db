//! Greedy decoding by several processes: `cargo run -p solution-tensor-parallel -- --processes 2 --prompt "…"`.
//!
//! The first start starts the others ([`launch`]); each of them holds a share of every layer ([`model`]), and all of them
//! choose the same tokens, because a sum over the group ([`group`]) has the same bits in each.

mod group;
mod launch;
mod model;

use std::{env, fmt::Display, ops::ControlFlow, process::ExitCode};

use clap::Parser;
use kit::{Checkpoint, Error, Result, Tokenizer, models::Model};
use week1::{
    generate::{generate, greedy},
    model::Qwen3Model,
};

/// Greedy decoding by several processes on this machine.
#[derive(Parser)]
struct Arguments {
    /// How many; 1 is Week 1's model as it is.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(i32).range(1..=64))]
    processes: i32,
    /// The text to go on with.
    #[arg(long, default_value = "What is a KV cache?")]
    prompt: String,
    /// Tokens to make.
    #[arg(long, default_value_t = 24)]
    max_tokens: usize,
    /// tiny, the name of another model, or a folder.
    #[arg(long, default_value = "tiny")]
    model: String,
}

/// What is known before any process is connected.
struct Task {
    checkpoint: Checkpoint,
    tokenizer: Tokenizer,
    prompt: Vec<u32>,
}

fn main() -> ExitCode {
    launch::end_with_the_starter();
    let arguments = Arguments::parse();
    let outcome = task(&arguments).and_then(|task| {
        if env::var_os(launch::RANK).is_none() && arguments.processes > 1 {
            launch::processes(arguments.processes)
        } else {
            decode(&arguments, &task)
        }
    });
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Opens the model and checks the arguments: who waits for others in a ring cannot say what is wrong.
///
/// Errors: `InvalidArgument` for a number that does not fit the model; as [`Checkpoint::open`].
fn task(arguments: &Arguments) -> Result<Task> {
    let checkpoint = Checkpoint::open(Model::named(&arguments.model)?.folder()?)?;
    let tokenizer = checkpoint.tokenizer()?;
    model::check_shares(checkpoint.config(), arguments.processes)?;
    let prompt = tokenizer.encode(&arguments.prompt)?;
    let refused = |name: &str, value: &dyn Display, must: &str| {
        Err(Error::InvalidArgument { name: name.into(), value: value.to_string(), must: must.into() })
    };
    if prompt.is_empty() {
        return refused("--prompt", &"empty", "hold some text");
    }
    let positions = checkpoint.config().max_position_embeddings as usize;
    if prompt.len() >= positions {
        return refused("--prompt", &format!("{} tokens long", prompt.len()), &format!("be shorter than {positions}"));
    }
    let most = positions - prompt.len();
    if !(1..=most).contains(&arguments.max_tokens) {
        return refused("--max-tokens", &arguments.max_tokens, &format!("be from 1 to {most} behind this prompt"));
    }
    Ok(Task { checkpoint, tokenizer, prompt })
}

/// What each process does. Prints the ids and the text.
fn decode(arguments: &Arguments, task: &Task) -> Result<()> {
    let Task { checkpoint, tokenizer, prompt } = task;
    let (on, most, eos) = (|_| ControlFlow::Continue(()), arguments.max_tokens, tokenizer.eos_ids());
    let made = if arguments.processes > 1 {
        let model = model::ShardedModel::load(checkpoint, group::Group::join()?)?;
        generate(&model, prompt, most, eos, greedy, on)?
    } else {
        generate(&Qwen3Model::load(checkpoint)?, prompt, most, eos, greedy, on)?
    };
    println!("{:?}\n{}", made.tokens, tokenizer.decode(&made.tokens)?);
    Ok(())
}
