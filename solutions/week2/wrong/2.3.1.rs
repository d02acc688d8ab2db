// WRONG highest-first fn dequantize: takes the highest four bits of a word first
    use kit::{bitwise_and, right_shift};
    use mlx_rs::Dtype::Float32;

    let inputs = check_packed("dequantize", weight, scales, biases, group_size, bits)?;
    let front = &weight.shape()[..weight.ndim() - 1];
    let shifts = Array::from_slice(&[28_u32, 24, 20, 16, 12, 8, 4, 0], &[CODES]);
    let low = Array::from_slice(&[15_u32], &[1]);
    let codes = bitwise_and(&right_shift(&weight.expand_dims(-1)?, &shifts)?, &low)?;
    let codes = codes.reshape(&[front, &[inputs / group_size, group_size]].concat())?.as_dtype(Float32)?;
    let of_group = |x: &Array| -> Result<Array> { Ok(x.as_dtype(Float32)?.expand_dims(-1)?) };
    let values = codes.multiply(of_group(scales)?)?.add(of_group(biases)?)?;
    Ok(values.reshape(&[front, &[inputs]].concat())?.as_dtype(scales.dtype())?)
// END WRONG

// WRONG signed-codes fn dequantize: reads a code as a number from -8 to 7
    use kit::{bitwise_and, right_shift};
    use mlx_rs::Dtype::Float32;

    let inputs = check_packed("dequantize", weight, scales, biases, group_size, bits)?;
    let front = &weight.shape()[..weight.ndim() - 1];
    let shifts = Array::from_slice(&[0_u32, 4, 8, 12, 16, 20, 24, 28], &[CODES]);
    let low = Array::from_slice(&[15_u32], &[1]);
    let codes = bitwise_and(&right_shift(&weight.expand_dims(-1)?, &shifts)?, &low)?;
    let codes = codes.reshape(&[front, &[inputs / group_size, group_size]].concat())?.as_dtype(Float32)?;
    let codes = mlx_rs::ops::select(codes.gt(Array::from_f32(7.5))?, codes.subtract(Array::from_f32(16.0))?, &codes)?;
    let of_group = |x: &Array| -> Result<Array> { Ok(x.as_dtype(Float32)?.expand_dims(-1)?) };
    let values = codes.multiply(of_group(scales)?)?.add(of_group(biases)?)?;
    Ok(values.reshape(&[front, &[inputs]].concat())?.as_dtype(scales.dtype())?)
// END WRONG

// WRONG three-bits fn dequantize: masks with 7, so that codes from 8 on lose their highest bit
    use kit::{bitwise_and, right_shift};
    use mlx_rs::Dtype::Float32;

    let inputs = check_packed("dequantize", weight, scales, biases, group_size, bits)?;
    let front = &weight.shape()[..weight.ndim() - 1];
    let shifts = Array::from_slice(&[0_u32, 4, 8, 12, 16, 20, 24, 28], &[CODES]);
    let low = Array::from_slice(&[7_u32], &[1]);
    let codes = bitwise_and(&right_shift(&weight.expand_dims(-1)?, &shifts)?, &low)?;
    let codes = codes.reshape(&[front, &[inputs / group_size, group_size]].concat())?.as_dtype(Float32)?;
    let of_group = |x: &Array| -> Result<Array> { Ok(x.as_dtype(Float32)?.expand_dims(-1)?) };
    let values = codes.multiply(of_group(scales)?)?.add(of_group(biases)?)?;
    Ok(values.reshape(&[front, &[inputs]].concat())?.as_dtype(scales.dtype())?)
// END WRONG

// WRONG bias-first fn dequantize: multiplies the sum of code and bias by the scale
    use kit::{bitwise_and, right_shift};
    use mlx_rs::Dtype::Float32;

    let inputs = check_packed("dequantize", weight, scales, biases, group_size, bits)?;
    let front = &weight.shape()[..weight.ndim() - 1];
    let shifts = Array::from_slice(&[0_u32, 4, 8, 12, 16, 20, 24, 28], &[CODES]);
    let low = Array::from_slice(&[15_u32], &[1]);
    let codes = bitwise_and(&right_shift(&weight.expand_dims(-1)?, &shifts)?, &low)?;
    let codes = codes.reshape(&[front, &[inputs / group_size, group_size]].concat())?.as_dtype(Float32)?;
    let of_group = |x: &Array| -> Result<Array> { Ok(x.as_dtype(Float32)?.expand_dims(-1)?) };
    let values = codes.add(of_group(biases)?)?.multiply(of_group(scales)?)?;
    Ok(values.reshape(&[front, &[inputs]].concat())?.as_dtype(scales.dtype())?)
// END WRONG

// WRONG strided-groups fn dequantize: gives a group's scale to every so-manieth value instead of to neighbours
    use kit::{bitwise_and, right_shift};
    use mlx_rs::Dtype::Float32;

    let inputs = check_packed("dequantize", weight, scales, biases, group_size, bits)?;
    let front = &weight.shape()[..weight.ndim() - 1];
    let shifts = Array::from_slice(&[0_u32, 4, 8, 12, 16, 20, 24, 28], &[CODES]);
    let low = Array::from_slice(&[15_u32], &[1]);
    let codes = bitwise_and(&right_shift(&weight.expand_dims(-1)?, &shifts)?, &low)?;
    let codes = codes.reshape(&[front, &[group_size, inputs / group_size]].concat())?.as_dtype(Float32)?;
    let of_group = |x: &Array| -> Result<Array> { Ok(x.as_dtype(Float32)?.expand_dims(-2)?) };
    let values = codes.multiply(of_group(scales)?)?.add(of_group(biases)?)?;
    Ok(values.reshape(&[front, &[inputs]].concat())?.as_dtype(scales.dtype())?)
// END WRONG

// WRONG rounds-on-the-way fn dequantize: computes in the dtype of the scales, which rounds twice
    use kit::{bitwise_and, right_shift};

    let inputs = check_packed("dequantize", weight, scales, biases, group_size, bits)?;
    let front = &weight.shape()[..weight.ndim() - 1];
    let shifts = Array::from_slice(&[0_u32, 4, 8, 12, 16, 20, 24, 28], &[CODES]);
    let low = Array::from_slice(&[15_u32], &[1]);
    let codes = bitwise_and(&right_shift(&weight.expand_dims(-1)?, &shifts)?, &low)?;
    let codes = codes.reshape(&[front, &[inputs / group_size, group_size]].concat())?.as_dtype(scales.dtype())?;
    let values = codes.multiply(scales.expand_dims(-1)?)?.add(biases.expand_dims(-1)?)?;
    Ok(values.reshape(&[front, &[inputs]].concat())?)
// END WRONG

// WRONG always-f32 fn dequantize: returns f32 whatever the scales are
    use kit::{bitwise_and, right_shift};
    use mlx_rs::Dtype::Float32;

    let inputs = check_packed("dequantize", weight, scales, biases, group_size, bits)?;
    let front = &weight.shape()[..weight.ndim() - 1];
    let shifts = Array::from_slice(&[0_u32, 4, 8, 12, 16, 20, 24, 28], &[CODES]);
    let low = Array::from_slice(&[15_u32], &[1]);
    let codes = bitwise_and(&right_shift(&weight.expand_dims(-1)?, &shifts)?, &low)?;
    let codes = codes.reshape(&[front, &[inputs / group_size, group_size]].concat())?.as_dtype(Float32)?;
    let of_group = |x: &Array| -> Result<Array> { Ok(x.as_dtype(Float32)?.expand_dims(-1)?) };
    let values = codes.multiply(of_group(scales)?)?.add(of_group(biases)?)?;
    Ok(values.reshape(&[front, &[inputs]].concat())?)
// END WRONG

// WRONG two-axes-only fn dequantize: flattens all axes in front into one
    use kit::{bitwise_and, right_shift};
    use mlx_rs::Dtype::Float32;

    let inputs = check_packed("dequantize", weight, scales, biases, group_size, bits)?;
    let shifts = Array::from_slice(&[0_u32, 4, 8, 12, 16, 20, 24, 28], &[CODES]);
    let low = Array::from_slice(&[15_u32], &[1]);
    let codes = bitwise_and(&right_shift(&weight.expand_dims(-1)?, &shifts)?, &low)?;
    let codes = codes.reshape(&[-1, group_size])?.as_dtype(Float32)?;
    let of_group = |x: &Array| -> Result<Array> { Ok(x.as_dtype(Float32)?.reshape(&[-1, 1])?) };
    let values = codes.multiply(of_group(scales)?)?.add(of_group(biases)?)?;
    Ok(values.reshape(&[-1, inputs])?.as_dtype(scales.dtype())?)
// END WRONG

// WRONG checks-nothing fn dequantize: takes bits and groups that it cannot read
    use kit::{bitwise_and, right_shift};
    use mlx_rs::Dtype::Float32;

    let inputs = weight.dim(-1) * CODES;
    let front = &weight.shape()[..weight.ndim() - 1];
    let shifts = Array::from_slice(&[0_u32, 4, 8, 12, 16, 20, 24, 28], &[CODES]);
    let low = Array::from_slice(&[15_u32], &[1]);
    let codes = bitwise_and(&right_shift(&weight.expand_dims(-1)?, &shifts)?, &low)?;
    let codes = codes.reshape(&[front, &[inputs / group_size.max(1), group_size]].concat())?.as_dtype(Float32)?;
    let of_group = |x: &Array| -> Result<Array> { Ok(x.as_dtype(Float32)?.expand_dims(-1)?) };
    let values = codes.multiply(of_group(scales)?)?.add(of_group(biases)?)?;
    let _ = bits;
    Ok(values.reshape(&[front, &[inputs]].concat())?.as_dtype(scales.dtype())?)
// END WRONG
