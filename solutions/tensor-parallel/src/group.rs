//! The processes that compute together, connected in a ring by MLX.
//!
//! In: the environment that [`launch`](crate::launch) gives each process. Out: its rank, and sums over all processes.

use std::ffi::CStr;

use kit::{Error, Result};
use mlx_rs::{Array, Stream};

/// MLX's name for the backend that needs nothing but sockets.
const RING: &CStr = c"ring";

/// A process's place among the others.
pub struct Group {
    handle: mlx_sys::mlx_distributed_group,
}

impl Group {
    /// Connects to the processes that `MLX_HOSTFILE` lists, as the one that `MLX_RANK` says.
    ///
    /// Errors: `Other` when they cannot be reached, or MLX was built without its ring.
    pub fn join() -> Result<Self> {
        // SAFETY: the name is a zero-terminated literal.
        if !unsafe { mlx_sys::mlx_distributed_is_available(RING.as_ptr()) } {
            return Err(Error::Other("this MLX was built without its ring of processes".into()));
        }
        // SAFETY: an empty handle owns nothing; the call below fills it.
        let mut handle = unsafe { mlx_sys::mlx_distributed_group_new() };
        // SAFETY: the handle is ours, the name a zero-terminated literal.
        let status = unsafe { mlx_sys::mlx_distributed_init(&mut handle, true, RING.as_ptr()) };
        if status != 0 || handle.ctx.is_null() {
            return Err(Error::Other("the processes did not find each other over MLX's ring".into()));
        }
        Ok(Self { handle })
    }

    /// This process's number, from 0.
    pub fn rank(&self) -> i32 {
        // SAFETY: the handle holds a group as long as `self` lives.
        unsafe { mlx_sys::mlx_distributed_group_rank(self.handle) }
    }

    /// How many processes there are.
    pub fn size(&self) -> i32 {
        // SAFETY: as in `rank`.
        unsafe { mlx_sys::mlx_distributed_group_size(self.handle) }
    }

    /// The sum of every process's `x`, the same bits in all of them. Lazy; every process has to make the same calls in
    /// the same order, because each of them waits for the others.
    ///
    /// Errors: `Other` when MLX refuses.
    pub fn all_sum(&self, x: &Array) -> Result<Array> {
        let stream = Stream::thread_local_or_default();
        // SAFETY: an empty handle owns nothing; it is filled below or freed.
        let mut sum = unsafe { mlx_sys::mlx_array_new() };
        // SAFETY: all handles live through the call, which keeps its own references.
        let status = unsafe { mlx_sys::mlx_distributed_all_sum(&mut sum, x.as_ptr(), self.handle, stream.as_ptr()) };
        if status != 0 {
            // SAFETY: a handle of `mlx_array_new`, freed once.
            unsafe { mlx_sys::mlx_array_free(sum) };
            return Err(Error::Other("MLX's ring did not add the parts".into()));
        }
        // SAFETY: status 0 means that the handle holds an array, and nobody else owns it.
        Ok(unsafe { Array::from_ptr(sum) })
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // SAFETY: the handle came from `mlx_distributed_init` and is not used again.
        unsafe { mlx_sys::mlx_distributed_group_free(self.handle) };
    }
}
