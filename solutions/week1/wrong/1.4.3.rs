// WRONG shapes-unchecked fn Qwen3Mlp::new: takes weights that do not fit together
        use kit::{ANY, check_dtype, check_float, check_shape};

        check_float("qwen3 mlp: gate_proj", &gate_proj)?;
        check_shape("qwen3 mlp: gate_proj", &gate_proj, "(I, E)", &[ANY, ANY])?;
        check_dtype("qwen3 mlp: up_proj", &up_proj, gate_proj.dtype())?;
        check_dtype("qwen3 mlp: down_proj", &down_proj, gate_proj.dtype())?;
        Ok(Self { gate_proj, up_proj, down_proj })
// END WRONG

// WRONG dtypes-unchecked fn Qwen3Mlp::new: takes weights of several dtypes
        use kit::{ANY, check_float, check_shape};

        check_float("qwen3 mlp: gate_proj", &gate_proj)?;
        check_shape("qwen3 mlp: gate_proj", &gate_proj, "(I, E)", &[ANY, ANY])?;
        check_shape("qwen3 mlp: up_proj", &up_proj, "(I, E)", gate_proj.shape())?;
        check_shape("qwen3 mlp: down_proj", &down_proj, "(E, I)", &[gate_proj.dim(1), gate_proj.dim(0)])?;
        Ok(Self { gate_proj, up_proj, down_proj })
// END WRONG

// WRONG gate-and-up-swapped fn Qwen3Mlp::forward: passes the up projection through silu
        use crate::basics::linear;

        let gate = silu(&linear(x, &self.up_proj, None)?)?; // (.., I)
        let up = linear(x, &self.gate_proj, None)?; // (.., I)
        linear(&gate.multiply(up)?, &self.down_proj, None) // (.., E)
// END WRONG

// WRONG silu-of-the-product fn Qwen3Mlp::forward: applies silu after the product
        use crate::basics::linear;

        let gate = linear(x, &self.gate_proj, None)?; // (.., I)
        let up = linear(x, &self.up_proj, None)?; // (.., I)
        linear(&silu(&gate.multiply(up)?)?, &self.down_proj, None) // (.., E)
// END WRONG

// WRONG no-gate fn Qwen3Mlp::forward: leaves silu out
        use crate::basics::linear;

        let gate = linear(x, &self.gate_proj, None)?; // (.., I)
        let up = linear(x, &self.up_proj, None)?; // (.., I)
        linear(&gate.multiply(up)?, &self.down_proj, None) // (.., E)
// END WRONG

// WRONG sum-for-product fn Qwen3Mlp::forward: adds the gate instead of multiplying by it
        use crate::basics::linear;

        let gate = silu(&linear(x, &self.gate_proj, None)?)?; // (.., I)
        let up = linear(x, &self.up_proj, None)?; // (.., I)
        linear(&gate.add(up)?, &self.down_proj, None) // (.., E)
// END WRONG

// WRONG relu fn Qwen3Mlp::forward: gates with relu
        use crate::basics::linear;

        let gate = {
            let gate = linear(x, &self.gate_proj, None)?;
            mlx_rs::ops::maximum(&gate, Array::from_f32(0.0).as_dtype(gate.dtype())?)?
        }; // (.., I)
        let up = linear(x, &self.up_proj, None)?; // (.., I)
        linear(&gate.multiply(up)?, &self.down_proj, None) // (.., E)
// END WRONG

// WRONG any-float fn Qwen3Mlp::new: takes every float dtype, f64 too
        use kit::{ANY, check_dtype, check_float, check_shape};

        if !(gate_proj).dtype().is_float() {
            let (expected, got) = ("a float dtype".into(), format!("{:?}", (gate_proj).dtype()));
            return Err(kit::Error::Dtype { op: "qwen3 mlp: gate_proj".into(), expected, got });
        }
        check_shape("qwen3 mlp: gate_proj", &gate_proj, "(I, E)", &[ANY, ANY])?;
        check_shape("qwen3 mlp: up_proj", &up_proj, "(I, E)", gate_proj.shape())?;
        check_shape("qwen3 mlp: down_proj", &down_proj, "(E, I)", &[gate_proj.dim(1), gate_proj.dim(0)])?;
        check_dtype("qwen3 mlp: up_proj", &up_proj, gate_proj.dtype())?;
        check_dtype("qwen3 mlp: down_proj", &down_proj, gate_proj.dtype())?;
        Ok(Self { gate_proj, up_proj, down_proj })
// END WRONG

// WRONG down-columns-only fn Qwen3Mlp::new: compares the columns of down_proj alone
        use kit::{ANY, check_dtype, check_float, check_shape};

        check_float("qwen3 mlp: gate_proj", &gate_proj)?;
        check_shape("qwen3 mlp: gate_proj", &gate_proj, "(I, E)", &[ANY, ANY])?;
        check_shape("qwen3 mlp: up_proj", &up_proj, "(I, E)", gate_proj.shape())?;
        check_shape("qwen3 mlp: down_proj", &down_proj, "(E, I)", &[ANY, gate_proj.dim(0)])?;
        check_dtype("qwen3 mlp: up_proj", &up_proj, gate_proj.dtype())?;
        check_dtype("qwen3 mlp: down_proj", &down_proj, gate_proj.dtype())?;
        Ok(Self { gate_proj, up_proj, down_proj })
// END WRONG

// WRONG sigmoid-gate fn Qwen3Mlp::forward: gates with the sigmoid alone
        use crate::basics::linear;

        let gate = mlx_rs::ops::sigmoid(linear(x, &self.gate_proj, None)?)?; // (.., I)
        let up = linear(x, &self.up_proj, None)?; // (.., I)
        linear(&gate.multiply(up)?, &self.down_proj, None) // (.., E)
// END WRONG

// WRONG gelu fn Qwen3Mlp::forward: gates with GELU
        use crate::basics::linear;

        let gate = mlx_rs::nn::gelu(linear(x, &self.gate_proj, None)?)?; // (.., I)
        let up = linear(x, &self.up_proj, None)?; // (.., I)
        linear(&gate.multiply(up)?, &self.down_proj, None) // (.., E)
// END WRONG
