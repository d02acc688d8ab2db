//! Speculative sampling: a small model guesses, the large one checks, and what is written follows the large one's law.
//!
//! In: p, the target's law of a position, and q, the law that the draft of that position was drawn from, both over the
//! ids 0..V. Out: tokens whose joint law is the target's own. Read in the order in which a draft is judged:
//! `acceptance`, `residual`, `marginal` (the check that both belong together), `verify` (one draft), `block` (a whole
//! window at once), `model` (what is asked of a model), `laws` (a row of logits as a law), `window` (a row of drafts, with
//! penalties, stop tokens and a budget), `decode` (two models and the loop). All chance comes through [`Chance`](kit::law::Chance), so that the same code is drawn from and enumerated.
//!
//! # Where this is stricter than the MTPLX reference
//!
//! Every answer that it gives to laws is given here too, also where a residual has entries that are no numbers. Refused
//! is what is no law, or cannot have happened:
//!
//! | input | here | there | golden cases |
//! | --- | --- | --- | --- |
//! | a coin u equal to the acceptance | rejected: `u < a` | accepted: `u <= a` | none |
//! | NaN, an infinity or a negative number at the draft | error | ratio 1, or a negative ratio | none |
//! | a verified p or q that does not sum to 1 | error | taken as it is | none |
//! | a verified draft that q never proposes | error | accepted if p allows it | none |
//! | a negative entry in a residual's p or q | error | 0 in p, more than p in q | none |
//! | one length 1, the other longer | error | spread over the longer | none |

pub mod acceptance;
pub mod block;
pub mod checks;
pub mod decode;
pub mod laws;
pub mod marginal;
pub mod model;
pub mod residual;
pub mod verify;
pub mod window;

pub use acceptance::acceptance_probability;
pub use block::{BlockLaw, Kept, block_law, verify_block};
pub use decode::{Decoded, Plan, decode};
pub use laws::law_of;
pub use marginal::speculative_output_marginal;
pub use model::TokenModel;
pub use residual::residual_distribution;
pub use verify::{Verdict, verify_one_token};
pub use window::{Draft, Room, Rule, propose, verify_window};
