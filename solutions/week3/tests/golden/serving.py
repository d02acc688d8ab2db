"""A small random checkpoint for the schedules of Week 3, and mlx-lm's answers to it, in float32 arithmetic.

    pip install "mlx[cpu]==0.32.2" mlx-lm==0.32.2
    python serving.py

writes next to itself:
  serving/             a random checkpoint, packed in 4 bits and groups of 64, with a head of its own
  serving.safetensors  three texts of different lengths, the logits of each alone, and what greedy decoding adds to them
"""

import json
import pathlib

import mlx.core as mx
import mlx.nn as nn
import mlx_lm
from mlx.utils import tree_flatten, tree_map_with_path
from mlx_lm.models.qwen3 import Model, ModelArgs
from mlx_lm.utils import dequantize_model

mx.set_default_device(mx.cpu)
here = pathlib.Path(__file__).parent
sizes = dict(model_type="qwen3", rms_norm_eps=1e-6, hidden_size=64, num_hidden_layers=2, intermediate_size=128,
             num_attention_heads=4, num_key_value_heads=2, head_dim=32, vocab_size=96, max_position_embeddings=256,
             tie_word_embeddings=False, rope_theta=10000.0)
mx.random.seed(31)
model = Model(ModelArgs(**sizes))


def draw(path, old):
    noise = mx.random.normal(old.shape)
    return 1 + 0.3 * noise if old.ndim == 1 else noise / old.shape[-1] ** 0.5


model.update(tree_map_with_path(draw, model.parameters()))
nn.quantize(model, group_size=64, bits=4)
packing = {"group_size": 64, "bits": 4}
folder = here / "serving"
folder.mkdir(exist_ok=True)
mx.save_safetensors(str(folder / "model.safetensors"), dict(tree_flatten(model.parameters())), {"format": "mlx"})
(folder / "config.json").write_text(json.dumps(sizes | {"quantization": packing}, indent=1) + "\n")

dense = dequantize_model(model)
tensors = {}
for number, length in enumerate([5, 1, 12]):
    ids = [int(i) for i in mx.random.randint(0, 96, (length,))]
    tensors[f"{number}.ids"] = mx.array([ids], mx.uint32)
    tensors[f"{number}.logits"] = dense(mx.array([ids]))
    new = []
    for _ in range(12):
        row = dense(mx.array([ids + new]))[0, -1]
        new.append(int(mx.argmax(row)))
        best = mx.sort(row)[-2:]
        assert float(best[1] - best[0]) > 1e-3, "a near tie"
    tensors[f"{number}.greedy"] = mx.array([new], mx.uint32)
versions = f"mlx-lm {mlx_lm.__version__}, mlx {mx.__version__}, CPU; serving.py"
mx.save_safetensors(str(here / "serving.safetensors"), tensors, {"computed_by": versions})
