"""Golden answers for Week 2 Day 3, from MLX's packing and mlx.nn's packed layers.

    pip install "mlx[cpu]==0.32.2" mlx-lm==0.32.2
    python day3.py    # writes day3.safetensors beside itself

unpack.GROUP.DTYPE.*   a random matrix packed by mx.quantize, and its values by mx.dequantize
linear.GROUP.*         an nn.QuantizedLinear without bias, an input (2, 3, N) and what comes out
embedding.*            an nn.QuantizedEmbedding, ids (2, 4), their rows, and logits of hidden states by as_linear
model.*                mlx-lm's Qwen3 of the embedded model, weights packed, f32: a prompt and its last row of logits
"""

import pathlib
import sys

import mlx.core as mx
import mlx.nn as nn
import mlx_lm
from mlx_lm.utils import load

mx.set_default_device(mx.cpu)
here = pathlib.Path(__file__).resolve().parent
out = {}


def put(path, **arrays):
    out.update({f"{path}.{name}": mx.array(array) for name, array in arrays.items()})


def unpack():
    mx.random.seed(231)
    for group in (64, 128):
        for name, dtype in {"f32": mx.float32, "f16": mx.float16, "bf16": mx.bfloat16}.items():
            weight, scales, biases = mx.quantize(mx.random.normal((5, 256)).astype(dtype), group, 4)
            values = mx.dequantize(weight, scales, biases, group, 4)
            put(f"unpack.{group}.{name}", weight=weight, scales=scales, biases=biases, values=values)


def linear():
    mx.random.seed(234)
    for group in (64, 128):
        layer = nn.QuantizedLinear(256, 24, bias=False, group_size=group, bits=4)
        x = mx.random.normal((2, 3, 256))
        put(f"linear.{group}", weight=layer.weight, scales=layer.scales, biases=layer.biases, x=x, y=layer(x))


def embedding():
    mx.random.seed(235)
    table = nn.QuantizedEmbedding(20, 128, group_size=64, bits=4)
    ids, hidden = mx.random.randint(0, 20, (2, 4)).astype(mx.uint32), mx.random.normal((2, 3, 128))
    put("embedding", weight=table.weight, scales=table.scales, biases=table.biases, ids=ids, rows=table(ids),
        hidden=hidden, logits=table.as_linear(hidden))


def model():
    tiny, tokenizer = load(str(here.parents[3] / "kit" / "models" / "tiny-qwen3"))
    tiny.set_dtype(mx.float32)
    ids = tokenizer.apply_chat_template([{"role": "user", "content": "What is a packed weight?"}],
                                        add_generation_prompt=True, enable_thinking=False)
    put("model", ids=mx.array([ids], mx.uint32), last=tiny(mx.array([ids]))[0, -1])


unpack(), linear(), embedding(), model()
versions = f"mlx-lm {mlx_lm.__version__}, mlx {mx.__version__}, CPU; day3.py"
mx.save_safetensors(str(here / "day3.safetensors"), out, {"computed_by": versions})
print(len(out), "arrays;", versions, file=sys.stderr)
