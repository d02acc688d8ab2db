"""Reads a GGUF file with ggml's own Python package and compares every tensor with the checkpoint it was made from.

    python check_gguf.py FOLDER FILE

Q4_1 must hold every weight; Q4_0 was rounded, so its error is printed.
"""

import sys
from importlib.metadata import version
from pathlib import Path

import gguf
import mlx.core as mx
import numpy as np

folder, file = sys.argv[1:]
weights = mx.load(str(Path(folder, "model.safetensors")))
NAMES = {
    "token_embd": "model.embed_tokens", "output_norm": "model.norm", "output": "lm_head",
    "attn_norm": "input_layernorm", "ffn_norm": "post_attention_layernorm",
    "attn_q_norm": "self_attn.q_norm", "attn_k_norm": "self_attn.k_norm", "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj", "attn_v": "self_attn.v_proj", "attn_output": "self_attn.o_proj",
    "ffn_gate": "mlp.gate_proj", "ffn_up": "mlp.up_proj", "ffn_down": "mlp.down_proj",
}


def original(name):
    parts = name.removesuffix(".weight").split(".")
    module = NAMES[parts[-1]] if len(parts) == 1 else f"model.layers.{parts[1]}.{NAMES[parts[2]]}"
    weight = weights[f"{module}.weight"]
    if f"{module}.scales" in weights:
        scales, biases = (weights[f"{module}.{part}"].astype(mx.float32) for part in ["scales", "biases"])
        weight = mx.dequantize(weight, scales, biases, weight.shape[1] * 8 // scales.shape[1], 4)
    return np.array(weight.astype(mx.float32))


tensors = gguf.GGUFReader(file).tensors
matrices = sum(f"{name}".endswith(".weight") for name in weights)
if len(tensors) != matrices:
    sys.exit(f"{file} has {len(tensors)} tensors, the checkpoint {matrices}")
worst = 0.0
for tensor in tensors:
    want = original(tensor.name)
    got = gguf.quants.dequantize(tensor.data, tensor.tensor_type).reshape(want.shape)
    off = float(np.abs(got - want).max() / np.abs(want).max())
    exact = tensor.tensor_type.name in ["F32", "Q4_1"]
    if not off <= (1e-6 if exact else 0.2):
        sys.exit(f"{tensor.name} ({tensor.tensor_type.name}) is off by {off:.2g} of its largest value")
    worst = max(worst, off)
print(f"{len(tensors)} tensors read by gguf {version('gguf')}, off by {worst:.1g} of the largest value at most")
