//! `generate`: a prompt in, streamed text and figures out.

use std::{ops::ControlFlow, sync::atomic::Ordering};

use super::{
    Console, Program, Stopped,
    arguments::GenerateArguments,
    choose_backend,
    drafts::DraftChoice,
    figures::{Clock, Figures},
    interrupt::INTERRUPTED,
    noted, refused,
    sampling::{check_top_k, law},
    written,
};
use crate::{
    Checkpoint, Config, Error, Message, Request, Result, Sampling, StopReason, Tokenizer,
    models::{Model, random},
};

pub(super) fn run(
    arguments: &GenerateArguments,
    program: Program<'_>,
    console: &mut Console<'_>,
) -> std::result::Result<u8, Stopped> {
    let sampling = sampling(arguments)?;
    let drafts = DraftChoice::of(arguments.draft_model.as_deref(), arguments.draft_tokens, program)?;
    choose_backend(arguments.backend.as_deref())?;
    let checkpoint = Checkpoint::open(Model::named(&arguments.model)?.folder()?)?;
    let tokenizer = tokenizer(&arguments.model, &checkpoint)?;
    let prompt = prompt(arguments, &tokenizer)?;
    fits(checkpoint.config(), &prompt, arguments)?;
    let engine = match drafts {
        Some(drafts) => drafts.engine(
            program,
            &checkpoint,
            arguments.checkpoint.as_deref(),
            Some((&tokenizer, &arguments.prompt)),
        )?,
        None => program.load.engine(&checkpoint, arguments.checkpoint.as_deref())?,
    };
    noted(&*engine, console)?;
    let request = Request { prompt, max_tokens: arguments.max_tokens, eos: tokenizer.eos_ids().to_vec(), sampling };

    let bytes_of = |id| tokenizer.bytes_of(id);
    let mut detokenizer = engine.detokenizer(&bytes_of)?;
    let mut text = String::new();
    let mut failed = None;
    let mut clock = Clock::start();
    let generation = engine.generate(&request, &mut |id| {
        clock.token();
        let piece = detokenizer.push(id).map_err(Stopped::from).and_then(|piece| {
            text.push_str(&piece);
            if arguments.json { Ok(()) } else { shown(console, &piece) }
        });
        match piece {
            Err(stopped) => {
                failed = Some(stopped);
                ControlFlow::Break(())
            }
            Ok(()) if console.stop.load(Ordering::SeqCst) => ControlFlow::Break(()),
            Ok(()) => ControlFlow::Continue(()),
        }
    })?;
    if let Some(stopped) = failed {
        return Err(stopped);
    }
    let figures = Figures::of(&clock, request.prompt.len(), generation.stop, engine.drafts());
    let rest = detokenizer.finish()?;
    text.push_str(&rest);
    if arguments.json {
        written(writeln!(console.out, "{}", figures.json(program, arguments, &text)))?;
    } else {
        shown(console, &format!("{rest}\n"))?;
        written(writeln!(console.err, "{}", figures.line(program, arguments)))?;
    }
    Ok(if generation.stop == StopReason::Cancelled { INTERRUPTED } else { 0 })
}

/// Text on stdout, at once.
fn shown(console: &mut Console<'_>, text: &str) -> std::result::Result<(), Stopped> {
    written(console.out.write_all(text.as_bytes()).and_then(|()| console.out.flush()))
}

/// The settings that need no model to be refused.
fn sampling(arguments: &GenerateArguments) -> Result<Sampling> {
    let law = law(&arguments.law)?;
    if arguments.max_tokens == 0 {
        return refused("--max-tokens", "0", "be at least 1");
    }
    if arguments.prompt.is_empty() {
        return refused("--prompt", "empty", "hold some text");
    }
    Ok(Sampling { law, seed: arguments.seed })
}

/// The model's own. Errors: as [`Checkpoint::tokenizer`]; a random model, which was made without one.
pub(super) fn tokenizer(model: &str, checkpoint: &Checkpoint) -> Result<Tokenizer> {
    if random::named(&model.to_lowercase()).is_some() && !checkpoint.folder().join("tokenizer.json").exists() {
        return Err(Error::Other(format!(
            "{model} is to measure with: its weights are random and it has no tokenizer; cargo xtask bench --model {model}"
        )));
    }
    checkpoint.tokenizer()
}

fn prompt(arguments: &GenerateArguments, tokenizer: &Tokenizer) -> Result<Vec<u32>> {
    if arguments.raw {
        return tokenizer.encode(&arguments.prompt);
    }
    let system = arguments.system.iter().map(|text| Message::new("system", text));
    let messages: Vec<_> = system.chain([Message::new("user", &arguments.prompt)]).collect();
    tokenizer.encode(&tokenizer.apply_chat_template(&messages, arguments.thinking)?)
}

/// The settings that depend on the model's sizes.
fn fits(config: &Config, prompt: &[u32], arguments: &GenerateArguments) -> Result<()> {
    if prompt.is_empty() {
        return refused("--prompt", "empty", "become at least one token");
    }
    check_top_k(&arguments.law, config.vocab_size)?;
    let (length, most) = (prompt.len(), config.max_position_embeddings as usize);
    if length >= most {
        return Err(Error::Other(format!(
            "the prompt has {length} tokens, but the model has {most} positions, prompt and answer together; shorten it"
        )));
    }
    if arguments.max_tokens > most - length {
        return Err(Error::Other(format!(
            "the prompt has {length} tokens and --max-tokens is {}, but the model has {most} positions; use --max-tokens {}",
            arguments.max_tokens,
            most - length
        )));
    }
    Ok(())
}
