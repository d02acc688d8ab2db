//! Compiles Metal compute kernels on Linux and runs them on the CPU, to find out whether they are right.
//!
//! A `.metal` file is preprocessed, translated token by token to C++, compiled by g++ or clang, and executed with one
//! fiber for every GPU thread. What a GPU hides is reported with the line of the file: accesses out of bounds,
//! divergent barriers, missing barriers, memory that was never written.
//!
//! ```no_run
//! use metal_host::{Arg, Checks, Grid, Library, Options, Source};
//!
//! fn main() -> Result<(), metal_host::Error> {
//!     let library = Library::compile(&Source::file("axpby.metal"), &Options::default())?;
//!     let (x, y, mut out) = (vec![1.0f32; 1000], vec![2.0f32; 1000], vec![0.0f32; 1000]);
//!     let args = [Arg::input(&x), Arg::input(&y), Arg::output(&mut out), Arg::value(3.0f32), Arg::value(0.5f32)];
//!     library.kernel("axpby_float32")?.dispatch(Grid::threads(1000), 256, &args, &Checks::all())?;
//!     assert_eq!(out[999], 4.0);
//!     Ok(())
//! }
//! ```
//!
//! What it does not say: how fast a kernel is on a GPU; that Apple's compiler accepts a source, beyond the rules that are known; the last
//! bits of results, which depend on the order of additions. README.md lists what is missing.

#![warn(missing_docs)]

mod argument;
mod checks;
mod compile;
mod error;
mod finding;
mod foreign;
mod kernel;
mod library;
mod options;
mod run;
mod size;
mod store;
mod translate;

pub use argument::{Access, Arg, Element};
pub use checks::{Checks, Order};
pub use compile::Sanitizer;
pub use error::{Error, Result};
pub use finding::{Finding, Kind, Level, Place};
pub use foreign::{Api, Host};
pub use kernel::{Kernel, Report};
pub use library::{Constants, Library, Value};
pub use options::{Options, Source};
pub use size::{Grid, Size};
pub use store::Store;
