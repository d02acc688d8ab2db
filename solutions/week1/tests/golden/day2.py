"""Golden values of Day 2: rotary embedding as multiplication of complex numbers in double precision, with NumPy, and
MLX's module nn.RoPE in the shape in which mlx-lm's Qwen3 uses it.

    pip install mlx-cpu==0.32.2 mlx-lm==0.32.2
    python day2.py          # writes day2.safetensors beside itself
"""

from pathlib import Path

import mlx.core as mx
import numpy as np
from mlx_lm.models.rope_utils import initialize_rope

DTYPES = {"f32": mx.float32, "f16": mx.float16, "bf16": mx.bfloat16}
random = np.random.default_rng(1201)
out = {}


def angles(positions, dims, base):
    return np.outer(positions, base ** (-np.arange(0, dims, 2, dtype=np.float64) / dims))


def rotated(x, positions, base, traditional, dims):
    """x (B, L, H, D); positions (B, L)."""
    head, tail = x[..., :dims], x[..., dims:]
    if traditional:
        pairs = head[..., 0::2] + 1j * head[..., 1::2]
    else:
        pairs = head[..., : dims // 2] + 1j * head[..., dims // 2 :]
    turn = np.stack([np.exp(1j * angles(row, dims, base)) for row in positions])[:, :, None, :]
    pairs = pairs * turn
    if traditional:
        head = np.stack([pairs.real, pairs.imag], axis=-1).reshape(head.shape)
    else:
        head = np.concatenate([pairs.real, pairs.imag], axis=-1)
    return np.concatenate([head, tail], axis=-1)


positions = np.array([0, 1, 2, 7, 63, 64, 500, 1023])
out["tables.positions"] = mx.array(positions.astype(np.int32))
for base in (1e4, 1e6):
    angle = angles(positions, 16, base)
    out[f"tables.cos.{base:.0f}"] = mx.array(np.cos(angle).astype(np.float32))
    out[f"tables.sin.{base:.0f}"] = mx.array(np.sin(angle).astype(np.float32))

for label, dtype in DTYPES.items():
    x = mx.array(random.standard_normal((3, 4, 2, 12)).astype(np.float32)).astype(dtype)
    x64 = np.array(x.astype(mx.float32), dtype=np.float64)
    out[f"rope.{label}.x"] = x
    for layout, traditional in (("traditional", True), ("halves", False)):
        for dims in (12, 8):
            for name, starts in (("start", [0, 0, 0]), ("one", [300, 300, 300]), ("rows", [0, 5, 900])):
                where = np.array(starts)[:, None] + np.arange(4)
                answer = rotated(x64, where, 1e4, traditional, dims)
                rounded = mx.array(answer.astype(np.float32)).astype(dtype)
                out[f"rope.{label}.{layout}.{dims}.{name}"] = rounded

# mlx-lm rotates (B, H, L, D) and is stored here as (B, L, H, D).
x = mx.array(random.standard_normal((2, 9, 4, 128)).astype(np.float32))
qwen = initialize_rope(128, base=1_000_000, traditional=False)
out["qwen.x"] = x
out["qwen.y"] = qwen(x.transpose(0, 2, 1, 3), offset=17).transpose(0, 2, 1, 3)

mx.save_safetensors(str(Path(__file__).with_suffix(".safetensors")), out, {"by": "numpy, mlx-lm 0.32.2"})
