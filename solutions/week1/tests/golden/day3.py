"""Golden values of Day 3: grouped attention in double precision with NumPy, keys and values repeated in full, and the
attention module of mlx-lm's Qwen3.

    pip install mlx-cpu==0.32.2 mlx-lm==0.32.2
    python day3.py          # writes day3.safetensors beside itself
"""

from pathlib import Path

import mlx.core as mx
import numpy as np
from mlx_lm.models.qwen3 import Attention, ModelArgs

DTYPES = {"f32": mx.float32, "f16": mx.float16, "bf16": mx.bfloat16}
random = np.random.default_rng(1301)
out = {}


def draw(dtype, *shape):
    array = mx.array(random.standard_normal(shape).astype(np.float32)).astype(dtype)
    return array, np.array(array.astype(mx.float32), dtype=np.float64)


def attention(q, k, v, scale, mask):
    k, v = (np.repeat(x, q.shape[-3] // x.shape[-3], axis=-3) for x in (k, v))
    scores = scale * q @ k.swapaxes(-1, -2) + mask
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True) @ v


for label, dtype in DTYPES.items():
    rounded = lambda x: mx.array(x.astype(np.float32)).astype(dtype)
    for heads in (6, 3, 1):
        q, q64 = draw(dtype, 2, 6, 3, 8)
        k, k64 = draw(dtype, 2, heads, 5, 8)
        v, v64 = draw(dtype, 2, heads, 5, 8)
        mask, mask64 = draw(dtype, 6, 3, 5)
        causal = np.where(np.arange(5) <= np.arange(3)[:, None] + 2, 0.0, -np.inf)
        name = f"grouped.{label}.{heads}"
        out |= {f"{name}.q": q, f"{name}.k": k, f"{name}.v": v, f"{name}.mask": mask}
        out[f"{name}.plain"] = rounded(attention(q64, k64, v64, 1 / np.sqrt(8), 0.0))
        out[f"{name}.causal"] = rounded(attention(q64, k64, v64, 0.4, causal))
        out[f"{name}.masked"] = rounded(attention(q64, k64, v64, 1 / np.sqrt(8), mask64))

# E = 20, four heads of 8 features reading two: H_q x D is not E.
args = ModelArgs("qwen3", 20, 1, 32, 4, 1e-6, 10, 2, 64, 8, True, rope_theta=10_000.0)
mx.random.seed(1302)
module = Attention(args)
for name in ("q_proj", "k_proj", "v_proj", "o_proj"):
    module[name].weight = mx.random.normal(module[name].weight.shape) / 3
    out[f"qwen3.{name}"] = module[name].weight
for name in ("q_norm", "k_norm"):
    module[name].weight = 1 + 0.3 * mx.random.normal((8,))
    out[f"qwen3.{name}"] = module[name].weight
x = mx.random.normal((2, 7, 20))
out |= {"qwen3.x": x, "qwen3.plain": module(x), "qwen3.causal": module(x, mask="causal")}

mx.save_safetensors(str(Path(__file__).with_suffix(".safetensors")), out, {"by": "numpy, mlx-lm 0.32.2"})
