//! The command line of an engine's program.

use clap::{Args, Parser, Subcommand};

#[derive(Parser)]
#[command(about = "An engine of the course", bin_name = "cargo xtask", disable_help_subcommand = true)]
pub(super) struct CommandLine {
    #[command(subcommand)]
    pub(super) task: Task,
}

#[derive(Subcommand)]
pub(super) enum Task {
    /// Continues a prompt and streams the text
    #[command(alias = "main")]
    Generate(GenerateArguments),
    /// Answers the prompts of a file, many at once
    Batch(BatchArguments),
    /// Compares the engine with the golden prompts and logits of a file
    Verify(VerifyArguments),
    /// Downloads a model
    Fetch(FetchArguments),
    /// Writes a random checkpoint of a model's shape
    MakeCheckpoint(MakeCheckpointArguments),
    /// Measures engines side by side
    Bench(BenchArguments),
    /// One engine's side of a measurement
    #[command(hide = true)]
    Trials(TrialsArguments),
}

#[derive(Args)]
pub(super) struct GenerateArguments {
    /// The user's message, or the text to continue with --raw
    #[arg(long, allow_hyphen_values = true)]
    pub(super) prompt: String,
    /// tiny, qwen3-0.6b, 1.7b, 4b, 8b or the path of a model's folder
    #[arg(long, default_value = "tiny")]
    pub(super) model: String,
    /// A system message before the prompt
    #[arg(long, conflicts_with = "raw", allow_hyphen_values = true)]
    pub(super) system: Option<String>,
    /// Continue the prompt as plain text, without the chat format
    #[arg(long)]
    pub(super) raw: bool,
    /// Let the model think before it answers, where it can
    #[arg(long, conflicts_with = "raw")]
    pub(super) thinking: bool,
    /// The most tokens to add
    #[arg(long, default_value_t = 256)]
    pub(super) max_tokens: usize,
    #[command(flatten)]
    pub(super) law: LawFlags,
    /// The same seed gives the same text
    #[arg(long, default_value_t = 0)]
    pub(super) seed: u64,
    /// cpu, metal, metal-host or cuda; the default is what MLX was set up for
    #[arg(long)]
    pub(super) backend: Option<String>,
    /// The stage of the engine of week 2 or 3; the default is the last one
    #[arg(long)]
    pub(super) checkpoint: Option<String>,
    /// One line of figures on stdout instead of the text
    #[arg(long)]
    pub(super) json: bool,
    /// Week 3: a small model that guesses tokens for --model, such as tiny-draft; the law of the text stays
    #[arg(long)]
    pub(super) draft_model: Option<String>,
    /// Tokens that it guesses at a time [default: 4]
    #[arg(long)]
    pub(super) draft_tokens: Option<usize>,
}

#[derive(Args)]
pub(super) struct BatchArguments {
    /// A text file with a user's message in every line; blank lines are left out, and named
    pub(super) file: std::path::PathBuf,
    /// tiny, qwen3-0.6b, 1.7b, 4b, 8b or the path of a model's folder
    #[arg(long, default_value = "tiny")]
    pub(super) model: String,
    /// Continue the lines as plain text, without the chat format
    #[arg(long)]
    pub(super) raw: bool,
    /// The most tokens of an answer
    #[arg(long, default_value_t = 64)]
    pub(super) max_tokens: usize,
    /// Texts that run at the same time, at most 1024
    #[arg(long, default_value_t = 4)]
    pub(super) slots: usize,
    /// The most tokens of a step; without it every prompt is read whole
    #[arg(long)]
    pub(super) step_tokens: Option<usize>,
    /// Pages of 16 tokens for all texts [default: as many as all of them can need]
    #[arg(long)]
    pub(super) pages: Option<usize>,
    /// Where texts lie: slots, gathered-pages, paged-attention or flash-attention, the default
    #[arg(long)]
    pub(super) checkpoint: Option<String>,
    #[command(flatten)]
    pub(super) law: LawFlags,
    /// Line 1 of the file draws by this seed, line 2 by the next one, and so on
    #[arg(long, default_value_t = 0)]
    pub(super) seed: u64,
    /// A text that ends an answer and is not part of it; may be given several times
    #[arg(long, allow_hyphen_values = true)]
    pub(super) stop: Vec<String>,
    /// cpu, metal or cuda; the default is what MLX was set up for
    #[arg(long)]
    pub(super) backend: Option<String>,
}

/// The sampling law, as the commands share it.
#[derive(Args)]
pub(super) struct LawFlags {
    /// The sampling law: filter-first or temper-first; cargo xtask law shows them side by side
    #[arg(long, default_value = "filter-first")]
    pub(super) law: String,
    /// Temperature; 0 takes the most likely token [default: 0, with temper-first 0.6]
    #[arg(long, alias = "sampler-temp", allow_negative_numbers = true)]
    pub(super) temp: Option<f64>,
    /// Draw from the k most likely tokens; 0 is off [default: 0, with temper-first 20]
    #[arg(long, alias = "sampler-top-k", allow_negative_numbers = true)]
    pub(super) top_k: Option<i64>,
    /// Draw from the fewest tokens whose mass reaches p; 0 is off [default: 0, with temper-first 0.95]
    #[arg(long, alias = "sampler-top-p", allow_negative_numbers = true)]
    pub(super) top_p: Option<f64>,
    /// With temper-first: taken from the logit of every token that the answer holds, -2 to 2
    #[arg(long, allow_hyphen_values = true)]
    pub(super) presence_penalty: Option<f64>,
    /// With temper-first: taken from it for each time that the answer holds the token, -2 to 2
    #[arg(long, allow_hyphen_values = true)]
    pub(super) frequency_penalty: Option<f64>,
}

#[derive(Args)]
pub(super) struct VerifyArguments {
    /// Golden prompts, ids and logits, as kit/models/golden/tiny_qwen3.json
    pub(super) file: std::path::PathBuf,
    /// The model, where it is not the one that the file names
    #[arg(long)]
    pub(super) model: Option<String>,
    /// cpu, metal, metal-host or cuda; the default is what MLX was set up for
    #[arg(long)]
    pub(super) backend: Option<String>,
    /// Week 3: let a small model guess
    #[arg(long)]
    pub(super) speculative: bool,
    /// With --speculative: the model that guesses [default: tiny-draft]
    #[arg(long, requires = "speculative")]
    pub(super) draft_model: Option<String>,
    /// With --speculative: tokens that it guesses at a time [default: 4]
    #[arg(long, requires = "speculative")]
    pub(super) draft_tokens: Option<usize>,
    /// The stage of the engine of week 2 or 3; the default is the last one
    #[arg(long)]
    pub(super) checkpoint: Option<String>,
}

#[derive(Args)]
pub(super) struct FetchArguments {
    /// qwen3-0.6b, 1.7b, 4b or 8b
    pub(super) model: String,
    /// Only look whether the model is on this machine
    #[arg(long)]
    pub(super) offline: bool,
}

#[derive(Args)]
pub(super) struct MakeCheckpointArguments {
    /// qwen3-0.6b, 1.7b, 4b, 8b, or tiny
    pub(super) model: String,
    /// Random weights; there are no others
    #[arg(long)]
    pub(super) random: bool,
    /// The same seed gives the same bytes
    #[arg(long, default_value_t = 0)]
    pub(super) seed: u64,
}

#[derive(Args, Clone)]
pub(super) struct BenchArguments {
    /// tiny, the name of another model, or the path of a model's folder
    #[arg(long, default_value = "tiny")]
    pub(super) model: String,
    /// Tokens of the prompt
    #[arg(long, default_value_t = 128)]
    pub(super) prompt_tokens: usize,
    /// A user's message as the prompt, in place of made-up ids; how many drafts stay depends on it
    #[arg(long, allow_hyphen_values = true, conflicts_with = "prompt_tokens")]
    pub(super) prompt: Option<String>,
    /// Tokens that each engine makes
    #[arg(long, default_value_t = 32)]
    pub(super) new_tokens: usize,
    /// Rounds that count, after one that warms up
    #[arg(long, default_value_t = 7)]
    pub(super) trials: usize,
    /// The line of the ledger on stdout, too
    #[arg(long)]
    pub(super) json: bool,
    /// So many requests instead of one, with prompts and answers of up to these lengths; engines of one text answer them
    /// one after the other
    #[arg(long)]
    pub(super) requests: Option<usize>,
    /// With --requests: texts that run at the same time [default: 8]
    #[arg(long, requires = "requests")]
    pub(super) slots: Option<usize>,
    /// Threads of every engine [default: TINY_LLM_THREADS, else as many as the machine gives]
    #[arg(long)]
    pub(super) threads: Option<usize>,
    /// Engines as who=PATH or who=PATH=STAGE
    #[arg(long = "engine", hide = true, required = true)]
    pub(super) engines: Vec<String>,
    /// Engines that cannot take part, as who=REASON
    #[arg(long, hide = true)]
    pub(super) absent: Vec<String>,
    /// The file that a line is added to
    #[arg(long, hide = true)]
    pub(super) ledger: Option<std::path::PathBuf>,
    /// The commit that was built
    #[arg(long, hide = true)]
    pub(super) commit: Option<String>,
}

#[derive(Args)]
pub(super) struct TrialsArguments {
    #[arg(long)]
    pub(super) model: String,
    #[arg(long)]
    pub(super) prompt_tokens: usize,
    #[arg(long, allow_hyphen_values = true)]
    pub(super) prompt: Option<String>,
    #[arg(long)]
    pub(super) new_tokens: usize,
    #[arg(long)]
    pub(super) requests: Option<usize>,
    #[arg(long)]
    pub(super) slots: Option<usize>,
    #[arg(long)]
    pub(super) checkpoint: Option<String>,
}
