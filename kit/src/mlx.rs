//! Where arrays live and which dtype activations have.

use mlx_rs::Dtype;

/// The kind of device that MLX computes on.
pub fn device() -> mlx_rs::Device {
    mlx_rs::Device::default()
}

/// bf16 on a GPU; f32 on the CPU, where MLX's bf16 is ten times slower.
pub fn activation_dtype() -> Dtype {
    Dtype::Float32
}
