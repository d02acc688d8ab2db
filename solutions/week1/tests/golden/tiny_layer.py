"""What the first layer of the embedded model computes in mlx-lm, step by step, for the end-to-end tests of Days 1 to 4.

    pip install mlx-cpu==0.32.2 mlx-lm==0.32.2
    python tiny_layer.py    # reads kit/models/tiny-qwen3, writes tiny_layer.safetensors beside itself

The weights are unpacked in f32 and all arithmetic is f32.
"""

import json
from pathlib import Path

import mlx.core as mx
from mlx_lm.models.qwen3 import Model, ModelArgs

here = Path(__file__).resolve()
folder = here.parents[4] / "kit" / "models" / "tiny-qwen3"
config = json.loads((folder / "config.json").read_text())
packing = config["quantization"]
tensors = mx.load(str(folder / "model.safetensors"))

weights = []
for name, tensor in tensors.items():
    path, kind = name.rsplit(".", 1)
    if kind != "weight":
        continue
    if f"{path}.scales" in tensors:
        scales, biases = (tensors[f"{path}.{part}"].astype(mx.float32) for part in ("scales", "biases"))
        tensor = mx.dequantize(tensor, scales, biases, packing["group_size"], packing["bits"])
    weights.append((name, tensor.astype(mx.float32)))
model = Model(ModelArgs.from_dict(config))
model.load_weights(weights)

# "What is a KV cache?" in the chat template, its first eight ids.
ids = mx.array([[4094, 295, 198, 307, 302, 257, 1629, 1355]])
layer = model.model.layers[0]
attention = layer.self_attn
batch, length = ids.shape
split = lambda x: x.reshape(batch, length, -1, config["head_dim"])
turn = lambda x: attention.rope(x.transpose(0, 2, 1, 3)).transpose(0, 2, 1, 3)

x = model.model.embed_tokens(ids)
normed = layer.input_layernorm(x)
query, key = attention.q_norm(split(attention.q_proj(normed))), attention.k_norm(split(attention.k_proj(normed)))
attended = attention(normed, mask="causal")
hidden = x + attended
post = layer.post_attention_layernorm(hidden)
out = {
    "embedded": x,  # (1, 8, 256)
    "normed": normed,  # (1, 8, 256), input_layernorm
    "value": attention.v_proj(normed),  # (1, 8, 256)
    "query": query,  # (1, 8, 4, 128), after q_norm
    "query_turned": turn(query),  # (1, 8, 4, 128), after rope
    "key_turned": turn(key),  # (1, 8, 2, 128)
    "attended": attended,  # (1, 8, 256), causal
    "hidden": hidden,  # (1, 8, 256), after the residual
    "post_normed": post,  # (1, 8, 256), post_attention_layernorm
    "mlp": layer.mlp(post),  # (1, 8, 256)
}
mx.save_safetensors(str(here.with_suffix(".safetensors")), out, {"by": "mlx-lm 0.32.2"})
