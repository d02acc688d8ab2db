//! A matrix product through MLX's C interface; in: two square matrices, row by row; out: their product.

use mlx_sys as c;

/// A (size, size) times B (size, size) in f32 on MLX's default device. MLX's own failures end the process with a word.
pub fn of_squares(a: &[f32], b: &[f32], size: i32) -> Result<Vec<f32>, String> {
    let count = (size * size) as usize;
    assert!(a.len() == count && b.len() == count, "two matrices of {size} by {size} are needed");
    // SAFETY: the data are `count` numbers and are copied by `mlx_array_new_data`; every handle is used before it is
    // freed; the result has `count` numbers once it is evaluated, and is copied before its array is freed.
    unsafe {
        let array = |data: &[f32]| {
            c::mlx_array_new_data(data.as_ptr().cast(), [size, size].as_ptr(), 2, c::mlx_dtype__MLX_FLOAT32)
        };
        let (x, y, mut product) = (array(a), array(b), c::mlx_array_new());
        let (mut device, mut stream) = (c::mlx_device_new(), c::mlx_stream_new());
        let steps = [
            c::mlx_get_default_device(&mut device),
            c::mlx_get_default_stream(&mut stream, device),
            c::mlx_matmul(&mut product, x, y, stream),
            c::mlx_array_eval(product),
        ];
        let data = c::mlx_array_data_float32(product);
        let values = match steps == [0; 4] && !data.is_null() {
            true => Ok(std::slice::from_raw_parts(data, count).to_vec()),
            false => Err(format!("MLX did not multiply: {steps:?}")),
        };
        for array in [x, y, product] {
            c::mlx_array_free(array);
        }
        c::mlx_stream_free(stream);
        c::mlx_device_free(device);
        values
    }
}
