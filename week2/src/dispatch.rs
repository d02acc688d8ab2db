//! Which loops a product with a packed weight runs on.
//!
//! In: the sizes of a product and a number of threads. Out: a path of the kernel. All paths but
//! `MatvecInt16` give the same values; they differ in what they read how often, and in how many threads find work.

use crate::rung::Rung;
use extensions::{metal, tuning, week2::Path};
use kit::Result;

/// The sizes of a product: `x` (rows, inputs) times `weight` (outputs, inputs) transposed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Product {
    /// Rows of `x`: tokens, over all texts.
    pub rows: i32,
    /// K, the features that come out.
    pub outputs: i32,
    /// N, the features that go in.
    pub inputs: i32,
    /// Values of a row that share a scale and a bias.
    pub group_size: i32,
}

/// From so many rows on, tiles are faster than the matvec.
pub const TILED_ROWS: i32 = 24;

/// How a layer picks its path; better with every day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathRule {
    /// Day 3: the matvec, row by row, for prompts too.
    Matvec,
    /// Day 6: tiles from [`TILED_ROWS`] rows on.
    Rows,
    /// Day 7: by all sizes and the threads, as [`path_for`].
    Shape,
    /// Day 7: as [`Shape`](Self::Shape), but rows that would take the matvec
    /// take it in 16-bit integers.
    Int16,
    /// Week 3: tiles for any number of rows, so that a row's sums never
    /// depend on the rows beside it.
    ///
    /// Kernels of a GPU take the matvec for few rows: one row would leave 31
    /// of 32 in their tile empty. There a row's last bits do depend on how
    /// many rows there are.
    Tiled,
}

impl PathRule {
    /// The rule of a rung.
    pub fn of(rung: Rung) -> Self {
        match rung {
            Rung::Int16Activations => Self::Int16,
            Rung::SplitK => Self::Shape,
            Rung::TiledMatmul => Self::Rows,
            _ => Self::Matvec,
        }
    }

    /// The path of a product. Errors: as [`path_for`].
    pub fn path(self, product: &Product) -> Result<Path> {
        match self {
            Self::Matvec => Ok(Path::Matvec),
            Self::Rows if product.rows < TILED_ROWS => Ok(Path::Matvec),
            Self::Tiled if product.rows < TILED_ROWS && metal::launches_kernels() => Ok(Path::Matvec),
            Self::Rows | Self::Tiled => Ok(Path::Tiled),
            Self::Shape => path_for(product, tuning::threads()?),
            Self::Int16 => match path_for(product, tuning::threads()?)? {
                Path::Matvec => Ok(Path::MatvecInt16),
                path => Ok(path),
            },
        }
    }
}

/// The outputs that a thread takes at a time in tiles.
pub const PANEL: i32 = 16;

/// The fastest path, by what was measured.
///
/// Fewer rows than [`TILED_ROWS`]: the matvec. Else tiles, where every thread
/// gets a panel of [`PANEL`] outputs; where there are fewer panels than
/// threads, the sums are split, into as many parts as make one piece of work
/// a thread, and at most one a group.
/// Errors: `InvalidArgument` about `threads` when 0, about `rows`, `outputs`,
/// `inputs` and `group_size` unless positive, and about `inputs` unless a
/// multiple of the group.
pub fn path_for(product: &Product, threads: usize) -> Result<Path> {
    kit::stub!("2.7.2", product, threads)
}
