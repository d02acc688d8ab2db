//! Exact sampling in one place: the temper-first law of Week 1, the speculative rules and the device lane of Week 3.
//!
//! Logits flow in, probabilities and token ids flow out. The files of Week 3 are compiled here a second time, from the
//! same source: this package needs neither kernels nor CMake, so that the law can be looked at on any day of the course.
//!
//! # From logits to a law
//!
//! ```
//! use solution_law::{History, SamplerConfig, distribution_from_logits};
//!
//! let config = SamplerConfig::builder().temperature(0.3).top_p(0.9).top_k(5).build()?;
//! let probs = distribution_from_logits(&[2.5, 1.0, -0.5, 0.2], &config, &History::default())?;
//! // At T = 0.3 the first token alone has more than 0.9 of the mass.
//! assert_eq!(probs, [1.0, 0.0, 0.0, 0.0]);
//! # Ok::<(), kit::Error>(())
//! ```
//!
//! # A draft, its acceptance, its residual
//!
//! ```
//! use solution_law::{acceptance_probability, residual_distribution, speculative_output_marginal};
//!
//! let (target, draft) = ([0.7, 0.2, 0.1], [0.5, 0.4, 0.1]);
//! // The target wants the token more often than the draft proposes it.
//! assert_eq!(acceptance_probability(&target, &draft, 0)?, 1.0);
//! assert_eq!(acceptance_probability(&target, &draft, 1)?, 0.5);
//! assert_eq!(residual_distribution(&target, &draft)?.ids(), [0]);
//!
//! let marginal = speculative_output_marginal(&target, &draft)?;
//! for (written, wanted) in marginal.iter().zip(target) {
//!     assert!((written - wanted).abs() < 1e-12);
//! }
//! # Ok::<(), kit::Error>(())
//! ```
//!
//! # A batch on the device
//!
//! ```
//! use mlx_rs::Array;
//! use solution_law::SamplerConfig;
//! use solution_law::device_law::{Row, row_keys, sample_token_ids_from_mlx_logits};
//!
//! let logits = Array::from_slice(&[4.0_f32, 1.0, 0.5, 0.2, 3.0, 2.5], &[2, 3]);
//! let config = SamplerConfig::builder().temperature(0.6).top_p(0.01).top_k(2).build()?;
//! let tokens = sample_token_ids_from_mlx_logits(&logits, &[Row::from(config); 2], &row_keys(0, 2)?)?;
//! tokens.eval()?;
//! // A nucleus of 0.01 is the most likely token alone.
//! assert_eq!(tokens.as_slice::<u32>(), [0, 1]);
//! # Ok::<(), kit::Error>(())
//! ```

pub mod bench;
pub mod check;
#[path = "../../week3/src/device_law/mod.rs"]
pub mod device_law;
pub mod mlx_lm;
pub mod parity;
#[path = "../../week3/src/speculative/mod.rs"]
pub mod speculative;

pub use speculative::*;
pub use week1::law::*;
