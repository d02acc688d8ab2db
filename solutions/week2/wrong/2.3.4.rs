// WRONG unpacks-the-weight fn QuantizedLinear::forward: unpacks the whole weight for every product
    let weight = crate::quantized::dequantize(&self.weight, &self.scales, &self.biases, self.group_size, self.bits)?;
    rows("quantized linear: x", x, self.inputs())?;
    week1::basics::linear(x, &weight.as_dtype(x.dtype())?, None)
// END WRONG

// WRONG dtype-of-the-scales fn QuantizedLinear::forward: answers in the dtype of the scales
    use crate::dispatch::Product;
    use extensions::week2::quantized_matmul;

    let rows = rows("quantized linear: x", x, self.inputs())?;
    let (outputs, inputs, group_size) = (self.outputs(), self.inputs(), self.group_size);
    let path = self.rule.path(&Product { rows, outputs, inputs, group_size })?;
    let y = quantized_matmul(x, &self.weight, &self.scales, &self.biases, group_size, self.bits, path)?;
    Ok(y.as_dtype(self.scales.dtype())?)
// END WRONG

// WRONG scales-for-biases fn QuantizedLinear::forward: passes the scales where the biases belong
    use crate::dispatch::Product;
    use extensions::week2::quantized_matmul;

    let rows = rows("quantized linear: x", x, self.inputs())?;
    let (outputs, inputs, group_size) = (self.outputs(), self.inputs(), self.group_size);
    let path = self.rule.path(&Product { rows, outputs, inputs, group_size })?;
    quantized_matmul(x, &self.weight, &self.scales, &self.scales, group_size, self.bits, path)
// END WRONG

// WRONG flattens fn QuantizedLinear::forward: returns rows without the axes in front
    use crate::dispatch::Product;
    use extensions::week2::quantized_matmul;

    let rows = rows("quantized linear: x", x, self.inputs())?;
    let (outputs, inputs, group_size) = (self.outputs(), self.inputs(), self.group_size);
    let path = self.rule.path(&Product { rows, outputs, inputs, group_size })?;
    let x = x.reshape(&[rows, inputs])?;
    quantized_matmul(&x, &self.weight, &self.scales, &self.biases, group_size, self.bits, path)
// END WRONG

// WRONG takes-no-rows fn QuantizedLinear::forward: lets an input without rows through
    use extensions::week2::{Path, quantized_matmul};

    quantized_matmul(x, &self.weight, &self.scales, &self.biases, self.group_size, self.bits, Path::Matvec)
// END WRONG

// WRONG unpacks-the-table fn QuantizedEmbedding::forward: unpacks all rows and takes some
    use crate::quantized::dequantize;
    use mlx_rs::Dtype::Float32;

    check_ids(ids, self.weight.dim(0))?;
    let (scales, biases) = (self.scales.as_dtype(Float32)?, self.biases.as_dtype(Float32)?);
    let table = dequantize(&self.weight, &scales, &biases, self.group_size, self.bits)?;
    Ok(table.take_axis(ids, 0)?.as_dtype(self.dtype)?)
// END WRONG

// WRONG rounds-the-rows fn QuantizedEmbedding::forward: unpacks in the dtype of the scales, so that rows are rounded
    use crate::quantized::dequantize;

    check_ids(ids, self.weight.dim(0))?;
    let weight = self.weight.take_axis(ids, 0)?;
    let (scales, biases) = (self.scales.take_axis(ids, 0)?, self.biases.take_axis(ids, 0)?);
    Ok(dequantize(&weight, &scales, &biases, self.group_size, self.bits)?.as_dtype(self.dtype)?)
// END WRONG

// WRONG stored-dtype fn QuantizedEmbedding::forward: returns rows in the dtype of the scales
    use crate::quantized::dequantize;

    check_ids(ids, self.weight.dim(0))?;
    let weight = self.weight.take_axis(ids, 0)?;
    let (scales, biases) = (self.scales.take_axis(ids, 0)?, self.biases.take_axis(ids, 0)?);
    dequantize(&weight, &scales, &biases, self.group_size, self.bits)
// END WRONG

// WRONG first-scales fn QuantizedEmbedding::forward: takes the codes of the ids, but the scales of the first rows
    use crate::quantized::dequantize;
    use mlx_rs::{Dtype::Float32, ops};

    check_ids(ids, self.weight.dim(0))?;
    let weight = self.weight.take_axis(ids, 0)?;
    let first = ops::arange::<_, i32>(0, ids.size() as i32, 1)?.reshape(ids.shape())?;
    let first = ops::remainder(&first, Array::from_int(self.weight.dim(0)))?;
    let scales = self.scales.take_axis(&first, 0)?.as_dtype(Float32)?;
    let biases = self.biases.take_axis(&first, 0)?.as_dtype(Float32)?;
    Ok(dequantize(&weight, &scales, &biases, self.group_size, self.bits)?.as_dtype(self.dtype)?)
// END WRONG

// WRONG any-id fn QuantizedEmbedding::forward: reads whatever lies beyond the table
    use crate::quantized::dequantize;
    use mlx_rs::Dtype::Float32;

    let weight = self.weight.take_axis(ids, 0)?;
    let scales = self.scales.take_axis(ids, 0)?.as_dtype(Float32)?;
    let biases = self.biases.take_axis(ids, 0)?.as_dtype(Float32)?;
    Ok(dequantize(&weight, &scales, &biases, self.group_size, self.bits)?.as_dtype(self.dtype)?)
// END WRONG

// WRONG unpacks-the-head fn QuantizedEmbedding::as_linear: unpacks the whole table for every product
    rows("quantized embedding: x", x, self.scales.dim(1) * self.group_size)?;
    let weight = crate::quantized::dequantize(&self.weight, &self.scales, &self.biases, self.group_size, self.bits)?;
    week1::basics::linear(x, &weight.as_dtype(x.dtype())?, None)
// END WRONG

// WRONG no-biases fn QuantizedEmbedding::as_linear: leaves the biases out
    use crate::dispatch::Product;
    use extensions::week2::quantized_matmul;
    use mlx_rs::ops::zeros_like;

    let (outputs, group_size) = (self.weight.dim(0), self.group_size);
    let inputs = self.scales.dim(1) * group_size;
    let rows = rows("quantized embedding: x", x, inputs)?;
    let path = self.rule.path(&Product { rows, outputs, inputs, group_size })?;
    quantized_matmul(x, &self.weight, &self.scales, &zeros_like(&self.biases)?, group_size, self.bits, path)
// END WRONG
