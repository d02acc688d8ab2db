// WRONG eps-unchecked fn RMSNorm::new: takes any eps
        use kit::{ANY, check_float, check_shape};

        check_shape("rms_norm: weight", &weight, "(E,)", &[ANY])?;
        check_float("rms_norm: weight", &weight)?;
        Ok(Self { weight, eps })
// END WRONG

// WRONG eps-outside-the-root fn RMSNorm::forward: adds eps to the root, not under it
        use kit::{check_axes, check_float, check_shape};
        use mlx_rs::Dtype;

        check_float("rms_norm: x", x)?;
        check_axes("rms_norm: x", x, "(.., E)", 1)?;
        let front = &x.shape()[..x.ndim() - 1];
        check_shape("rms_norm: x", x, "(.., E)", &[front, self.weight.shape()].concat())?;
        let wide = x.as_dtype(Dtype::Float32)?;
        let mean_square = wide.square()?.mean_axis(-1, true)?; // (.., 1)
        let unit = wide.multiply(mean_square.sqrt()?.add(Array::from_f32(self.eps))?.reciprocal()?)?; // (.., E)
        Ok(unit.as_dtype(x.dtype())?.multiply(self.weight.as_dtype(x.dtype())?)?)
// END WRONG

// WRONG mean-subtracted fn RMSNorm::forward: subtracts the mean first, as a layer norm does
        use kit::{check_axes, check_float, check_shape};
        use mlx_rs::Dtype;

        check_float("rms_norm: x", x)?;
        check_axes("rms_norm: x", x, "(.., E)", 1)?;
        let front = &x.shape()[..x.ndim() - 1];
        check_shape("rms_norm: x", x, "(.., E)", &[front, self.weight.shape()].concat())?;
        let wide = x.as_dtype(Dtype::Float32)?;
        let wide = wide.subtract(wide.mean_axis(-1, true)?)?;
        let mean_square = wide.square()?.mean_axis(-1, true)?; // (.., 1)
        let unit = wide.multiply(mean_square.add(Array::from_f32(self.eps))?.rsqrt()?)?; // (.., E)
        Ok(unit.as_dtype(x.dtype())?.multiply(self.weight.as_dtype(x.dtype())?)?)
// END WRONG

// WRONG sum-for-mean fn RMSNorm::forward: divides by the root of the sum of squares
        use kit::{check_axes, check_float, check_shape};
        use mlx_rs::Dtype;

        check_float("rms_norm: x", x)?;
        check_axes("rms_norm: x", x, "(.., E)", 1)?;
        let front = &x.shape()[..x.ndim() - 1];
        check_shape("rms_norm: x", x, "(.., E)", &[front, self.weight.shape()].concat())?;
        let wide = x.as_dtype(Dtype::Float32)?;
        let mean_square = wide.square()?.sum_axis(-1, true)?; // (.., 1)
        let unit = wide.multiply(mean_square.add(Array::from_f32(self.eps))?.rsqrt()?)?; // (.., E)
        Ok(unit.as_dtype(x.dtype())?.multiply(self.weight.as_dtype(x.dtype())?)?)
// END WRONG

// WRONG narrow-statistics fn RMSNorm::forward: squares and averages in the dtype of x
        use kit::{check_axes, check_float, check_shape};

        check_float("rms_norm: x", x)?;
        check_axes("rms_norm: x", x, "(.., E)", 1)?;
        let front = &x.shape()[..x.ndim() - 1];
        check_shape("rms_norm: x", x, "(.., E)", &[front, self.weight.shape()].concat())?;
        let wide = x.clone();
        let mean_square = wide.square()?.mean_axis(-1, true)?; // (.., 1)
        let unit = wide.multiply(mean_square.add(Array::from_f32(self.eps).as_dtype(x.dtype())?)?.rsqrt()?)?; // (.., E)
        Ok(unit.as_dtype(x.dtype())?.multiply(self.weight.as_dtype(x.dtype())?)?)
// END WRONG

// WRONG rounded-once fn RMSNorm::forward: multiplies by the weight in f32 and rounds at the end
        use kit::{check_axes, check_float, check_shape};
        use mlx_rs::Dtype;

        check_float("rms_norm: x", x)?;
        check_axes("rms_norm: x", x, "(.., E)", 1)?;
        let front = &x.shape()[..x.ndim() - 1];
        check_shape("rms_norm: x", x, "(.., E)", &[front, self.weight.shape()].concat())?;
        let wide = x.as_dtype(Dtype::Float32)?;
        let mean_square = wide.square()?.mean_axis(-1, true)?; // (.., 1)
        let unit = wide.multiply(mean_square.add(Array::from_f32(self.eps))?.rsqrt()?)?; // (.., E)
        Ok(unit.multiply(self.weight.as_dtype(Dtype::Float32)?)?.as_dtype(x.dtype())?)
// END WRONG

// WRONG weight-promotes fn RMSNorm::forward: lets an f32 weight make the answer f32
        use kit::{check_axes, check_float, check_shape};
        use mlx_rs::Dtype;

        check_float("rms_norm: x", x)?;
        check_axes("rms_norm: x", x, "(.., E)", 1)?;
        let front = &x.shape()[..x.ndim() - 1];
        check_shape("rms_norm: x", x, "(.., E)", &[front, self.weight.shape()].concat())?;
        let wide = x.as_dtype(Dtype::Float32)?;
        let mean_square = wide.square()?.mean_axis(-1, true)?; // (.., 1)
        let unit = wide.multiply(mean_square.add(Array::from_f32(self.eps))?.rsqrt()?)?; // (.., E)
        Ok(unit.as_dtype(x.dtype())?.multiply(&self.weight)?)
// END WRONG

// WRONG weight-plus-one fn RMSNorm::forward: multiplies by 1 + weight, as other models do
        use kit::{check_axes, check_float, check_shape};
        use mlx_rs::Dtype;

        check_float("rms_norm: x", x)?;
        check_axes("rms_norm: x", x, "(.., E)", 1)?;
        let front = &x.shape()[..x.ndim() - 1];
        check_shape("rms_norm: x", x, "(.., E)", &[front, self.weight.shape()].concat())?;
        let wide = x.as_dtype(Dtype::Float32)?;
        let mean_square = wide.square()?.mean_axis(-1, true)?; // (.., 1)
        let unit = wide.multiply(mean_square.add(Array::from_f32(self.eps))?.rsqrt()?)?; // (.., E)
        Ok(unit.as_dtype(x.dtype())?.multiply(self.weight.add(Array::from_f32(1.0))?.as_dtype(x.dtype())?)?)
// END WRONG

// WRONG width-one-broadcasts fn RMSNorm::forward: takes any x that the weight broadcasts to
        use kit::{check_axes, check_float, check_shape};
        use mlx_rs::Dtype;

        check_float("rms_norm: x", x)?;
        check_axes("rms_norm: x", x, "(.., E)", 1)?;
        let front = &x.shape()[..x.ndim() - 1];
        if self.weight.dim(0) != 1 {
            check_shape("rms_norm: x", x, "(.., E)", &[front, self.weight.shape()].concat())?;
        }
        let wide = x.as_dtype(Dtype::Float32)?;
        let mean_square = wide.square()?.mean_axis(-1, true)?; // (.., 1)
        let unit = wide.multiply(mean_square.add(Array::from_f32(self.eps))?.rsqrt()?)?; // (.., E)
        Ok(unit.as_dtype(x.dtype())?.multiply(self.weight.as_dtype(x.dtype())?)?)
// END WRONG

// WRONG any-float fn RMSNorm::new: takes every float dtype, f64 too
        use kit::{ANY, Error, check_float, check_shape};

        check_shape("rms_norm: weight", &weight, "(E,)", &[ANY])?;
        if !(weight).dtype().is_float() {
            let (expected, got) = ("a float dtype".into(), format!("{:?}", (weight).dtype()));
            return Err(kit::Error::Dtype { op: "rms_norm: weight".into(), expected, got });
        }
        if !(eps > 0.0 && eps.is_finite()) {
            let must = "be positive and finite".to_string();
            return Err(Error::InvalidArgument { name: "eps".into(), value: eps.to_string(), must });
        }
        Ok(Self { weight, eps })
// END WRONG

// WRONG any-float-x fn RMSNorm::forward: takes an x of every float dtype, f64 too
        use kit::{check_axes, check_float, check_shape};
        use mlx_rs::Dtype;

        if !(x).dtype().is_float() {
            let (expected, got) = ("a float dtype".into(), format!("{:?}", (x).dtype()));
            return Err(kit::Error::Dtype { op: "rms_norm: x".into(), expected, got });
        }
        check_axes("rms_norm: x", x, "(.., E)", 1)?;
        let front = &x.shape()[..x.ndim() - 1];
        check_shape("rms_norm: x", x, "(.., E)", &[front, self.weight.shape()].concat())?;
        let wide = x.as_dtype(Dtype::Float32)?;
        let mean_square = wide.square()?.mean_axis(-1, true)?; // (.., 1)
        let unit = wide.multiply(mean_square.add(Array::from_f32(self.eps))?.rsqrt()?)?; // (.., E)
        Ok(unit.as_dtype(x.dtype())?.multiply(self.weight.as_dtype(x.dtype())?)?)
// END WRONG

// WRONG eps-in-the-sum fn RMSNorm::forward: adds eps before it divides by E
        use kit::{check_axes, check_float, check_shape};
        use mlx_rs::Dtype;

        check_float("rms_norm: x", x)?;
        check_axes("rms_norm: x", x, "(.., E)", 1)?;
        let front = &x.shape()[..x.ndim() - 1];
        check_shape("rms_norm: x", x, "(.., E)", &[front, self.weight.shape()].concat())?;
        let wide = x.as_dtype(Dtype::Float32)?;
        let mean_square = wide.square()?.mean_axis(-1, true)?; // (.., 1)
        let unit = wide.multiply(mean_square.add(Array::from_f32(self.eps / x.dim(-1) as f32))?.rsqrt()?)?; // (.., E)
        Ok(unit.as_dtype(x.dtype())?.multiply(self.weight.as_dtype(x.dtype())?)?)
// END WRONG

// WRONG root-rounded fn RMSNorm::forward: rounds the root to the dtype of x before it divides
        use kit::{check_axes, check_float, check_shape};
        use mlx_rs::Dtype;

        check_float("rms_norm: x", x)?;
        check_axes("rms_norm: x", x, "(.., E)", 1)?;
        let front = &x.shape()[..x.ndim() - 1];
        check_shape("rms_norm: x", x, "(.., E)", &[front, self.weight.shape()].concat())?;
        let wide = x.as_dtype(Dtype::Float32)?;
        let mean_square = wide.square()?.mean_axis(-1, true)?; // (.., 1)
        let unit = wide.multiply(mean_square.add(Array::from_f32(self.eps))?.rsqrt()?.as_dtype(x.dtype())?.as_dtype(Dtype::Float32)?)?; // (.., E)
        Ok(unit.as_dtype(x.dtype())?.multiply(self.weight.as_dtype(x.dtype())?)?)
// END WRONG

// WRONG weight-not-rounded fn RMSNorm::forward: multiplies the rounded quotient by the f32 weight and rounds after
        use kit::{check_axes, check_float, check_shape};
        use mlx_rs::Dtype;

        check_float("rms_norm: x", x)?;
        check_axes("rms_norm: x", x, "(.., E)", 1)?;
        let front = &x.shape()[..x.ndim() - 1];
        check_shape("rms_norm: x", x, "(.., E)", &[front, self.weight.shape()].concat())?;
        let wide = x.as_dtype(Dtype::Float32)?;
        let mean_square = wide.square()?.mean_axis(-1, true)?; // (.., 1)
        let unit = wide.multiply(mean_square.add(Array::from_f32(self.eps))?.rsqrt()?)?; // (.., E)
        Ok(unit.as_dtype(x.dtype())?.multiply(self.weight.as_dtype(Dtype::Float32)?)?.as_dtype(x.dtype())?)
// END WRONG
