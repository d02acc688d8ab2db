// Plausible wrong answers to task 3.6.3; the tests must reject each.

// WRONG tokens-in-turns fn Moe::forward: row i of the work is token i modulo the tokens
        use super::route::route_topk;
        use mlx_rs::Dtype;
        use week2::operators::swiglu;

        let (k, width) = (self.experts_per_token, x.dim(-1));
        let rows = x.reshape(&[-1, width])?; // (N, E)
        let routing = route_topk(&self.gate.forward(&rows)?, k, self.normalize)?;
        let count = rows.dim(0);
        // Row i of the experts' work is token i / k.
        let tokens = Array::from_iter((0..count * k).map(|row| row % count), &[count * k]);
        let rows = rows.take_axis(tokens, 0)?; // (N·k, E)
        let ids = routing.ids.flatten(None, None)?; // (N·k,)
        let gated =
            swiglu(self.rung, &self.gate_proj.forward(&rows, &ids)?, &self.up_proj.forward(&rows, &ids)?)?; // (N·k, I)
        let answers = self.down_proj.forward(&gated, &ids)?.as_dtype(Dtype::Float32)?.reshape(&[count, k, width])?;
        let weighted = answers.multiply(routing.weights.reshape(&[count, k, 1])?)?.sum_axis(1, false)?; // (N, E)
        Ok(weighted.as_dtype(x.dtype())?.reshape(x.shape())?)
// END WRONG

// WRONG plain-mean fn Moe::forward: every expert of a token counts the same
        use super::route::route_topk;
        use mlx_rs::Dtype;
        use week2::operators::swiglu;

        let (k, width) = (self.experts_per_token, x.dim(-1));
        let rows = x.reshape(&[-1, width])?; // (N, E)
        let routing = route_topk(&self.gate.forward(&rows)?, k, self.normalize)?;
        let count = rows.dim(0);
        // Row i of the experts' work is token i / k.
        let tokens = Array::from_iter((0..count * k).map(|row| row / k), &[count * k]);
        let rows = rows.take_axis(tokens, 0)?; // (N·k, E)
        let ids = routing.ids.flatten(None, None)?; // (N·k,)
        let gated =
            swiglu(self.rung, &self.gate_proj.forward(&rows, &ids)?, &self.up_proj.forward(&rows, &ids)?)?; // (N·k, I)
        let answers = self.down_proj.forward(&gated, &ids)?.as_dtype(Dtype::Float32)?.reshape(&[count, k, width])?;
        let weighted = answers.multiply(routing.weights.reshape(&[count, k, 1])?.sum_axis(1, true)?)?.mean_axis(1, false)?; // (N, E)
        Ok(weighted.as_dtype(x.dtype())?.reshape(x.shape())?)
// END WRONG

// WRONG gate-and-up-swapped fn Moe::forward: silu(up) · gate
        use super::route::route_topk;
        use mlx_rs::Dtype;
        use week2::operators::swiglu;

        let (k, width) = (self.experts_per_token, x.dim(-1));
        let rows = x.reshape(&[-1, width])?; // (N, E)
        let routing = route_topk(&self.gate.forward(&rows)?, k, self.normalize)?;
        let count = rows.dim(0);
        // Row i of the experts' work is token i / k.
        let tokens = Array::from_iter((0..count * k).map(|row| row / k), &[count * k]);
        let rows = rows.take_axis(tokens, 0)?; // (N·k, E)
        let ids = routing.ids.flatten(None, None)?; // (N·k,)
        let gated =
            swiglu(self.rung, &self.up_proj.forward(&rows, &ids)?, &self.gate_proj.forward(&rows, &ids)?)?; // (N·k, I)
        let answers = self.down_proj.forward(&gated, &ids)?.as_dtype(Dtype::Float32)?.reshape(&[count, k, width])?;
        let weighted = answers.multiply(routing.weights.reshape(&[count, k, 1])?)?.sum_axis(1, false)?; // (N, E)
        Ok(weighted.as_dtype(x.dtype())?.reshape(x.shape())?)
// END WRONG

// WRONG always-normalised fn Moe::forward: normalises whatever the configuration says
        use super::route::route_topk;
        use mlx_rs::Dtype;
        use week2::operators::swiglu;

        let (k, width) = (self.experts_per_token, x.dim(-1));
        let rows = x.reshape(&[-1, width])?; // (N, E)
        let routing = route_topk(&self.gate.forward(&rows)?, k, true)?;
        let count = rows.dim(0);
        // Row i of the experts' work is token i / k.
        let tokens = Array::from_iter((0..count * k).map(|row| row / k), &[count * k]);
        let rows = rows.take_axis(tokens, 0)?; // (N·k, E)
        let ids = routing.ids.flatten(None, None)?; // (N·k,)
        let gated =
            swiglu(self.rung, &self.gate_proj.forward(&rows, &ids)?, &self.up_proj.forward(&rows, &ids)?)?; // (N·k, I)
        let answers = self.down_proj.forward(&gated, &ids)?.as_dtype(Dtype::Float32)?.reshape(&[count, k, width])?;
        let weighted = answers.multiply(routing.weights.reshape(&[count, k, 1])?)?.sum_axis(1, false)?; // (N, E)
        Ok(weighted.as_dtype(x.dtype())?.reshape(x.shape())?)
// END WRONG

// WRONG largest-alone fn Moe::forward: asks the first expert for every row of a token
        use super::route::route_topk;
        use mlx_rs::Dtype;
        use week2::operators::swiglu;

        let (k, width) = (self.experts_per_token, x.dim(-1));
        let rows = x.reshape(&[-1, width])?; // (N, E)
        let routing = route_topk(&self.gate.forward(&rows)?, k, self.normalize)?;
        let count = rows.dim(0);
        // Row i of the experts' work is token i / k.
        let tokens = Array::from_iter((0..count * k).map(|row| row / k), &[count * k]);
        let rows = rows.take_axis(tokens, 0)?; // (N·k, E)
        let first = routing.ids.take_axis(Array::from_slice(&[0u32], &[1]), 1)?;
        let ids = mlx_rs::ops::broadcast_to(&first, &[count, k])?.flatten(None, None)?; // (N·k,)
        let gated =
            swiglu(self.rung, &self.gate_proj.forward(&rows, &ids)?, &self.up_proj.forward(&rows, &ids)?)?; // (N·k, I)
        let answers = self.down_proj.forward(&gated, &ids)?.as_dtype(Dtype::Float32)?.reshape(&[count, k, width])?;
        let weighted = answers.multiply(routing.weights.reshape(&[count, k, 1])?)?.sum_axis(1, false)?; // (N, E)
        Ok(weighted.as_dtype(x.dtype())?.reshape(x.shape())?)
// END WRONG
