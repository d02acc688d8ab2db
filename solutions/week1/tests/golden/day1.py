"""Golden values of Day 1, in double precision with NumPy and from MLX's own multi-head attention module.

    pip install mlx-cpu==0.32.2 mlx-lm==0.32.2
    python day1.py          # writes day1.safetensors beside itself

Inputs are drawn, rounded to the dtype under test and stored in it; answers are computed from the rounded inputs and
stored rounded to that dtype once.
"""

from pathlib import Path

import mlx.core as mx
import mlx.nn as nn
import numpy as np

DTYPES = {"f32": mx.float32, "f16": mx.float16, "bf16": mx.bfloat16}
random = np.random.default_rng(1101)
out = {}


def draw(dtype, *shape, spread=1.0):
    """An array of the dtype, and the same values in double precision."""
    array = mx.array((spread * random.standard_normal(shape)).astype(np.float32)).astype(dtype)
    return array, np.array(array.astype(mx.float32), dtype=np.float64)


def softmax(x, axis):
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def keep(name, dtype, **arrays):
    for key, value in arrays.items():
        if isinstance(value, np.ndarray):
            value = mx.array(value.astype(np.float32)).astype(dtype)
        out[f"{name}.{key}"] = value


for label, dtype in DTYPES.items():
    x, x64 = draw(dtype, 2, 3, 12)
    w, w64 = draw(dtype, 7, 12, spread=0.3)
    bias, bias64 = draw(dtype, 7)
    keep(f"linear.{label}", dtype, x=x, w=w, bias=bias, y=x64 @ w64.T, y_bias=x64 @ w64.T + bias64)

    x, x64 = draw(dtype, 4, 5, 6, spread=30.0)
    keep(f"softmax.{label}", dtype, x=x, axis0=softmax(x64, 0), axis1=softmax(x64, 1), axis2=softmax(x64, 2))

    q, q64 = draw(dtype, 2, 3, 4, 8)
    k, k64 = draw(dtype, 2, 3, 6, 8)
    v, v64 = draw(dtype, 2, 3, 6, 8)
    mask, mask64 = draw(dtype, 4, 6)
    scores = q64 @ k64.swapaxes(-1, -2)
    keep(
        f"attention.{label}",
        dtype,
        q=q,
        k=k,
        v=v,
        mask=mask,
        plain=softmax(scores / np.sqrt(8), -1) @ v64,
        scaled_masked=softmax(0.7 * scores + mask64, -1) @ v64,
    )

# Three heads of five, queries and keys of another length, a mask for each head.
mx.random.seed(1102)
module = nn.MultiHeadAttention(15, 3)
q, k, v = (mx.random.normal((2, n, 15)) for n in (4, 6, 6))
mask = mx.random.normal((3, 4, 6))
for name in ("query", "key", "value", "out"):
    out[f"heads.w{name[0]}"] = module[f"{name}_proj"].weight * 3
    module[f"{name}_proj"].weight = out[f"heads.w{name[0]}"]
out |= {"heads.q": q, "heads.k": k, "heads.v": v, "heads.mask": mask}
out |= {"heads.plain": module(q, k, v), "heads.masked": module(q, k, v, mask)}

mx.save_safetensors(str(Path(__file__).with_suffix(".safetensors")), out, {"by": "numpy, mlx 0.32.2"})
