//! Where arrays live, which dtype activations have, and the few calls into MLX that need `unsafe`.

use mlx_rs::{Array, Device, DeviceType, Dtype};
use std::io::Read;

use crate::Result;

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

/// bf16 on a GPU; f32 on the CPU, where MLX's bf16 is ten times slower.
pub fn activation_dtype() -> Dtype {
    if on_gpu() { Dtype::Bfloat16 } else { Dtype::Float32 }
}

/// The device and the dtype of activations, for people: `cpu f32` or `gpu bf16`.
pub fn device_name() -> &'static str {
    if on_gpu() { "gpu bf16" } else { "cpu f32" }
}

/// The most memory that MLX's arrays took at one time since the process began, in bytes.
pub fn peak_memory() -> Result<usize> {
    Ok(mlx_rs::memory::peak_memory()?)
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
