//! Where arrays live, which dtype activations have, and the few calls into MLX that need `unsafe`.

use mlx_rs::{Array, Device, DeviceType, Dtype, Stream};
use mlx_sys::{mlx_array, mlx_stream};
use std::{
    ffi::c_int,
    io::Read,
    sync::atomic::{AtomicBool, Ordering},
};

use crate::{Error, Result, check_dtype};

/// The kind of device that MLX computes on: a GPU where MLX was built for one and finds it, else the CPU.
pub fn device() -> Device {
    Device::default()
}

/// Makes the CPU the default device of this process.
pub fn use_cpu() {
    Device::set_default(&Device::cpu());
}

/// Whether the default device is a GPU.
pub fn on_gpu() -> bool {
    matches!(device().get_type(), Ok(DeviceType::Gpu))
}

/// Whether engines launch Metal kernels in the Metal host.
static METAL_HOST: AtomicBool = AtomicBool::new(false);

/// Makes engines that are loaded from now on launch their Metal kernels on this machine's CPU, in the Metal host.
pub fn use_metal_host() {
    use_cpu();
    METAL_HOST.store(true, Ordering::Relaxed);
}

/// Whether [`use_metal_host`] was called.
pub fn on_metal_host() -> bool {
    METAL_HOST.load(Ordering::Relaxed)
}

/// bf16 on a GPU; f32 on the CPU, where MLX's bf16 is ten times slower.
pub fn activation_dtype() -> Dtype {
    if on_gpu() { Dtype::Bfloat16 } else { Dtype::Float32 }
}

/// The device and the dtype of activations, for people: `cpu f32`, `gpu bf16` or `metal host f32`.
pub fn device_name() -> &'static str {
    match (on_metal_host(), on_gpu()) {
        (true, _) => "metal host f32",
        (false, true) => "gpu bf16",
        (false, false) => "cpu f32",
    }
}

/// The most memory that MLX's arrays took at one time since the process began, in bytes.
pub fn peak_memory() -> Result<usize> {
    Ok(mlx_rs::memory::peak_memory()?)
}

/// `x >> by`, element by element: both u32, one broadcasts to the other. MLX has it, mlx-rs leaves it out.
///
/// Errors: `Dtype`; `Mlx` for shapes that do not broadcast.
pub fn right_shift(x: &Array, by: &Array) -> Result<Array> {
    of_words("right_shift", x, by, mlx_sys::mlx_right_shift)
}

/// `x & mask`, element by element, as [`right_shift`].
pub fn bitwise_and(x: &Array, mask: &Array) -> Result<Array> {
    of_words("bitwise_and", x, mask, mlx_sys::mlx_bitwise_and)
}

type OfTwo = unsafe extern "C" fn(*mut mlx_array, mlx_array, mlx_array, mlx_stream) -> c_int;

fn of_words(op: &str, a: &Array, b: &Array, call: OfTwo) -> Result<Array> {
    check_dtype(&format!("{op}: left"), a, Dtype::Uint32)?;
    check_dtype(&format!("{op}: right"), b, Dtype::Uint32)?;
    // Through mlx-rs, whose errors are values; of equal shapes the call below refuses nothing.
    let same = mlx_rs::ops::broadcast_arrays(&[a, b])?;
    let stream = Stream::thread_local_or_default();
    // SAFETY: an empty handle owns nothing; the call fills it.
    let mut result = unsafe { mlx_sys::mlx_array_new() };
    // SAFETY: the handles live through the call, and MLX keeps its own references to the arrays.
    let status = unsafe { call(&mut result, same[0].as_ptr(), same[1].as_ptr(), stream.as_ptr()) };
    // SAFETY: the handle is ours alone, filled or still empty; the array frees it.
    let result = unsafe { Array::from_ptr(result) };
    if status == 0 { Ok(result) } else { Err(Error::Other(format!("MLX has refused {op}"))) }
}

/// Reads an array of little-endian values of a dtype that checkpoints have. Errors: whatever `source` returns, and
/// `InvalidInput` for a shape whose size does not fit.
///
/// The caller has compared the size with the length of the file, so no more is allocated than is there.
pub(crate) fn read_array(source: &mut impl Read, shape: &[i32], dtype: Dtype) -> std::io::Result<Array> {
    let item = match dtype {
        Dtype::Float32 | Dtype::Uint32 => 4,
        Dtype::Float16 | Dtype::Bfloat16 => 2,
        other => return Err(invalid(format!("{other:?} is not a dtype of checkpoints"))),
    };
    let bytes = shape
        .iter()
        .try_fold(item, |product: usize, &length| product.checked_mul(usize::try_from(length).ok()?))
        .ok_or_else(|| invalid(format!("the shape {shape:?} has no size")))?;
    // Words, so that the values are aligned for every dtype.
    let mut words = vec![0_u64; bytes.div_ceil(8)];
    // SAFETY: the words are initialised, no byte pattern is invalid for u8 or u64, and `bytes` of them lie inside.
    let buffer = unsafe { std::slice::from_raw_parts_mut(words.as_mut_ptr().cast::<u8>(), bytes) };
    source.read_exact(buffer)?;
    // SAFETY: MLX copies `shape` and the `bytes` that shape and dtype need; they are there, initialised and aligned, and
    // any bit pattern is a value of these four dtypes.
    Ok(unsafe { Array::from_raw_data(words.as_ptr().cast(), shape, dtype) })
}

fn invalid(what: String) -> std::io::Error {
    std::io::Error::new(std::io::ErrorKind::InvalidInput, what)
}
