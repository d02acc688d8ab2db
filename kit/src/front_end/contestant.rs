//! One engine of a benchmark: a program that was started, asked for trials, and checked to give the same answer each time.

use serde_json::Value;
use std::{
    io::{BufRead, BufReader, Read, Write},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use super::arguments::BenchArguments;
use crate::{Error, Result};

/// Where the kernels of the course, products of f32 matrices, other engines and their libraries read their threads.
const THREADS_OF: [&str; 4] = ["TINY_LLM_THREADS", "RAYON_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"];

/// A running program.
pub(super) struct Contestant {
    /// `you`, `ref`, `mlx`, another engine's name, or one of them with a stage: `ref@kv-cache`.
    pub(super) who: String,
    /// What it said when its model was loaded.
    pub(super) ready: Value,
    /// The figures of its trials, without the warm-up.
    pub(super) trials: Vec<Value>,
    /// The answer of the warm-up; every other must be the same.
    pub(super) tokens: Vec<u64>,
    child: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

/// What became of a start.
pub(super) enum Turn {
    /// It is ready.
    Figures(Box<Contestant>),
    /// Who it was and the sentence that it ended with.
    Gone(String, String),
}

impl Contestant {
    /// Starts the program of `who=PATH` or `who=PATH=STAGE` on the model of `folder` and waits until it is loaded.
    ///
    /// Errors: a program that cannot be started. One that ends by itself is `Gone`.
    pub(super) fn start(engine: &str, folder: &Path, threads: usize, arguments: &BenchArguments) -> Result<Turn> {
        let mut parts = engine.splitn(3, '=');
        let (Some(who), Some(path)) = (parts.next(), parts.next()) else {
            let (name, value) = ("--engine".into(), format!("{engine:?}"));
            return Err(Error::InvalidArgument { name, value, must: "read who=PATH or who=PATH=STAGE".into() });
        };
        let mut program = Command::new(path);
        program.args(["trials", "--model"]).arg(folder);
        program.args(["--prompt-tokens", &arguments.prompt_tokens.to_string()]);
        program.args(["--new-tokens", &arguments.new_tokens.to_string()]);
        for (flag, value) in [("--requests", arguments.requests), ("--slots", arguments.slots)] {
            if let Some(value) = value {
                program.args([flag, &value.to_string()]);
            }
        }
        if let Some(prompt) = &arguments.prompt {
            program.arg(format!("--prompt={prompt}"));
        }
        if let Some(stage) = parts.next() {
            program.args(["--checkpoint", stage]);
        }
        program.envs(THREADS_OF.map(|name| (name, threads.to_string())));
        program.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = program.spawn().map_err(|e| Error::Other(format!("{path} cannot be started: {e}")))?;
        let (Some(questions), Some(answers)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(Error::Other(format!("{path} was started without pipes")));
        };
        let answers = BufReader::new(answers);
        let (trials, tokens) = (Vec::new(), Vec::new());
        let mut contestant = Self { who: who.into(), ready: Value::Null, trials, tokens, child, questions, answers };
        match contestant.answer()? {
            Some(ready) => {
                contestant.ready = ready;
                Ok(Turn::Figures(Box::new(contestant)))
            }
            None => Ok(Turn::Gone(who.into(), contestant.last_words())),
        }
    }

    /// Asks for a trial; keeps its figures if they count.
    ///
    /// Errors: a program that ends, or that answers something else than before.
    pub(super) fn take_turn(&mut self, counts: bool) -> Result<()> {
        let mut figures = self.asked("trial")?;
        let tokens: Vec<u64> =
            figures["tokens"].take().as_array().into_iter().flatten().filter_map(Value::as_u64).collect();
        if self.tokens.is_empty() {
            self.tokens = tokens;
        } else if self.tokens != tokens {
            return Err(Error::Other(format!(
                "{} gave another answer to the same prompt; its times say nothing",
                self.who
            )));
        }
        if let Some(figures) = figures.as_object_mut() {
            figures.remove("tokens");
        }
        if counts {
            self.trials.push(figures);
        }
        Ok(())
    }

    /// Asks what bounds the engine. Errors: a program that ends.
    pub(super) fn ceiling(&mut self) -> Result<Value> {
        self.asked("ceiling")
    }

    /// Whether it is an engine of the course, which can judge another's answer.
    pub(super) fn can_judge(&self) -> bool {
        self.ready["week"].is_number()
    }

    /// Asks how near to its own best each token of an answer is. Errors: a program that ends.
    pub(super) fn judge(&mut self, answer: &[u64]) -> Result<Value> {
        self.asked(&format!("judge {}", Value::from(answer)))
    }

    fn asked(&mut self, question: &str) -> Result<Value> {
        // A program that has ended cannot be asked; its last words say why.
        let asked = writeln!(self.questions, "{question}").and_then(|()| self.questions.flush());
        let figures = if asked.is_ok() { self.answer()? } else { None };
        match figures {
            Some(figures) => Ok(figures),
            None => {
                let why = self.last_words();
                Err(Error::Other(format!("{} has ended at a {question}: {why}", self.who)))
            }
        }
    }

    /// One line of JSON; `None` where the program has ended.
    fn answer(&mut self) -> Result<Option<Value>> {
        let mut line = String::new();
        let read = self.answers.read_line(&mut line);
        read.map_err(|e| Error::Other(format!("{} cannot be read: {e}", self.who)))?;
        if line.is_empty() {
            return Ok(None);
        }
        let parsed = serde_json::from_str(&line);
        parsed.map(Some).map_err(|e| Error::Other(format!("{} said something else than figures: {e}", self.who)))
    }

    fn last_words(&mut self) -> String {
        let mut words = String::new();
        if let Some(mut errors) = self.child.stderr.take()
            && errors.read_to_string(&mut words).is_err()
        {
            words.clear();
        }
        words.lines().last().unwrap_or("it says nothing").trim().to_string()
    }
}

impl Drop for Contestant {
    fn drop(&mut self) {
        // It may have ended by itself; then there is nothing to end and the wait returns at once.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
