//! Sizes of grids and groups.

/// Up to three numbers: `256`, `(32, 4)`, `(32, 4, 2)` or an array of three.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(pub [usize; 3]);

impl From<usize> for Size {
    fn from(x: usize) -> Self {
        Size([x, 1, 1])
    }
}
impl From<(usize, usize)> for Size {
    fn from((x, y): (usize, usize)) -> Self {
        Size([x, y, 1])
    }
}
impl From<(usize, usize, usize)> for Size {
    fn from((x, y, z): (usize, usize, usize)) -> Self {
        Size([x, y, z])
    }
}
impl From<[usize; 3]> for Size {
    fn from(size: [usize; 3]) -> Self {
        Size(size)
    }
}

/// How much is launched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grid {
    /// So many threads, as `dispatchThreads` does; groups at the edge may be smaller.
    Threads(Size),
    /// So many threadgroups, as `dispatchThreadgroups` does; all of them whole.
    Groups(Size),
}

impl Grid {
    /// A grid of so many threads.
    pub fn threads(size: impl Into<Size>) -> Self {
        Grid::Threads(size.into())
    }

    /// A grid of so many threadgroups.
    pub fn groups(size: impl Into<Size>) -> Self {
        Grid::Groups(size.into())
    }

    pub(crate) fn size(&self) -> Size {
        match self {
            Grid::Threads(size) | Grid::Groups(size) => *size,
        }
    }
}
