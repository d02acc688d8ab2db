"""Golden answers of Day 6, from mlx-lm's Qwen3-MoE in float32 arithmetic.

    pip install "mlx[cpu]==0.32.2" mlx-lm==0.32.2
    python day6.py

writes next to itself:
  tiny_moe/          a random Qwen3-MoE checkpoint, seeded: three layers, of which the middle one is dense; packed
  day6.safetensors   ids and logits of it; the input and the answer of its first layer's experts
"""

import json
import pathlib

import mlx.core as mx
import mlx.nn as nn
import mlx_lm
from mlx.utils import tree_flatten, tree_map_with_path
from mlx_lm.models.qwen3_moe import Model, ModelArgs
from mlx_lm.utils import dequantize_model

mx.set_default_device(mx.cpu)
here = pathlib.Path(__file__).parent
versions = f"mlx-lm {mlx_lm.__version__}, mlx {mx.__version__}, CPU; day6.py"

config = {
    "model_type": "qwen3_moe",
    "hidden_size": 128,
    "num_hidden_layers": 3,
    "intermediate_size": 192,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 32,
    "vocab_size": 96,
    "rms_norm_eps": 1e-6,
    "rope_theta": 10000.0,
    "max_position_embeddings": 128,
    "tie_word_embeddings": False,
    "num_experts": 6,
    "num_experts_per_tok": 2,
    "moe_intermediate_size": 64,
    "decoder_sparse_step": 1,
    "mlp_only_layers": [1],
    "norm_topk_prob": True,
}
model = Model(ModelArgs.from_dict(config))
mx.random.seed(36)


def draw(path, old):
    """Weights of the size that keeps activations near one; norms around one, so that a swapped norm shows."""
    noise = mx.random.normal(old.shape)
    return 1 + 0.3 * noise if old.ndim == 1 else noise / old.shape[-1] ** 0.5


model.update(tree_map_with_path(draw, model.parameters()))
nn.quantize(model, group_size=64, bits=4)
mx.eval(model.parameters())

folder = here / "tiny_moe"
folder.mkdir(exist_ok=True)
packed = config | {"quantization": {"group_size": 64, "bits": 4}}
(folder / "config.json").write_text(json.dumps(packed, indent=2) + "\n")
mx.save_safetensors(str(folder / "model.safetensors"), dict(tree_flatten(model.parameters())), {"format": "mlx"})

# mlx-lm's packed experts need a newer MLX than 0.32.2; its unpacked ones compute the same model.
model = dequantize_model(model)
ids = mx.random.randint(0, config["vocab_size"], (2, 11)).astype(mx.uint32)
x = mx.random.normal((2, 5, config["hidden_size"]))
answers = {"ids": ids, "logits": model(ids), "x": x, "y": model.model.layers[0].mlp(x)}
mx.save_safetensors(str(here / "day6.safetensors"), answers, {"computed_by": versions})
