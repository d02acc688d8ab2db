"""Golden values of Day 4: RMSNorm and SiLU in double precision with NumPy, and the MLP module of mlx-lm's Qwen3.

    pip install mlx-cpu==0.32.2 mlx-lm==0.32.2
    python day4.py          # writes day4.safetensors beside itself

RMSNorm's rounding order is part of its contract and is followed here: the quotient is rounded to the dtype, then the
product with the weight is.
"""

from pathlib import Path

import mlx.core as mx
import numpy as np
from mlx_lm.models.qwen3 import MLP

DTYPES = {"f32": mx.float32, "f16": mx.float16, "bf16": mx.bfloat16}
random = np.random.default_rng(1401)
out = {}


def as64(array):
    return np.array(array.astype(mx.float32), dtype=np.float64)


for label, dtype in DTYPES.items():
    rounded = lambda x: mx.array(x.astype(np.float32)).astype(dtype)
    weight = rounded(1 + 0.5 * random.standard_normal(96))
    for name, spread in (("usual", 1.0), ("large", 1000.0), ("tiny", 0.003)):
        x = rounded(spread * random.standard_normal((4, 96)))
        x64 = as64(x)
        unit = rounded(x64 / np.sqrt((x64**2).mean(axis=-1, keepdims=True) + 1e-6))
        out |= {f"norm.{label}.{name}.x": x, f"norm.{label}.{name}.y": rounded(as64(unit) * as64(weight))}
    out[f"norm.{label}.weight"] = weight

    x = rounded(np.concatenate([np.linspace(-80.0, 80.0, 81), random.standard_normal(19)]))
    x64 = as64(x)
    out |= {f"silu.{label}.x": x, f"silu.{label}.y": rounded(x64 / (1 + np.exp(-x64)))}

mx.random.seed(1402)
for name, (batch, length, hidden, inner) in {"small": (1, 5, 4, 8), "middle": (2, 16, 32, 64)}.items():
    module = MLP(hidden, inner)
    for part in ("gate_proj", "up_proj", "down_proj"):
        module[part].weight = mx.random.normal(module[part].weight.shape) / 3
        out[f"mlp.{name}.{part}"] = module[part].weight
    x = mx.random.normal((batch, length, hidden))
    out |= {f"mlp.{name}.x": x, f"mlp.{name}.y": module(x)}

mx.save_safetensors(str(Path(__file__).with_suffix(".safetensors")), out, {"by": "numpy, mlx-lm 0.32.2"})
