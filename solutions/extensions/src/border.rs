//! The border to this package's C++: a status and a sentence come back, an array or a [`kit::Error`] goes on.

use std::ffi::{CStr, c_char, c_int};

use kit::{Error, Result};
use mlx_rs::{Array, Stream, error::Exception};
use mlx_sys::{mlx_array, mlx_stream};

unsafe extern "C" {
    #[link_name = concat!(env!("EXT_PREFIX"), "last_error")]
    fn last_error() -> *const c_char;
    #[link_name = concat!(env!("EXT_PREFIX"), "package")]
    fn package_name() -> *const c_char;
}

/// The array that a C symbol makes on the current stream.
///
/// `call` gets the place for the result and the stream: the one of `mlx_rs::with_stream` or the default. Its status is 0,
/// or the C side has a sentence.
pub(crate) fn array(call: impl FnOnce(*mut mlx_array, mlx_stream) -> c_int) -> Result<Array> {
    let stream = Stream::thread_local_or_default();
    // SAFETY: an empty handle owns nothing; it is filled by `call` or freed below.
    let mut result = unsafe { mlx_sys::mlx_array_new() };
    if let Err(error) = status(call(&mut result, stream.as_ptr())) {
        // SAFETY: a handle of `mlx_array_new`, freed once and not used again.
        let freed = unsafe { mlx_sys::mlx_array_free(result) };
        debug_assert_eq!(freed, 0, "an array handle of ours can be freed");
        return Err(error);
    }
    // SAFETY: status 0 means that the handle holds an array, and nobody else owns it.
    Ok(unsafe { Array::from_ptr(result) })
}

/// The sentence behind a status that is not 0; a stub's becomes [`Error::NotImplemented`].
pub(crate) fn status(status: c_int) -> Result<()> {
    if status == 0 {
        return Ok(());
    }
    // SAFETY: the pointer is this thread's last sentence, zero-terminated and alive until the next call on this thread.
    let sentence = unsafe { CStr::from_ptr(last_error()) }.to_string_lossy().into_owned();
    Err(match Error::from(Exception::custom(&sentence)) {
        // The sentence is this package's own.
        Error::Mlx(_) => Error::Other(sentence),
        stub => stub,
    })
}

/// The handle that stands for "no array".
pub(crate) fn no_array() -> mlx_array {
    mlx_array { ctx: std::ptr::null_mut() }
}

/// The package whose C++ this crate reached, as the C++ itself says: `extensions` or `solution_extensions`.
pub fn package() -> String {
    // SAFETY: the pointer is a literal of the archive, zero-terminated and alive as long as the program.
    unsafe { CStr::from_ptr(package_name()) }.to_string_lossy().into_owned()
}
