"""Golden answers for Week 2 Day 1, from mlx-lm's caches and its Qwen3 in float32 arithmetic.

    pip install "mlx[cpu]==0.32.2" mlx-lm==0.32.2
    python day1.py    # reads kit/models/tiny-qwen3, writes day1.safetensors beside itself

cache.N.*      a KVCache through appends of 3 and 2 tokens, a trim of 4, appends of 1 and 6: inputs and what comes back
attention.*    a random attention with grouped heads, fed 5, 1, 1 and 3 tokens with a cache
model.*        the embedded model, its prompt of 14 ids in two pieces and three single tokens: the last row after each
"""

import pathlib
import sys

import mlx.core as mx
import mlx_lm
from mlx.utils import tree_flatten, tree_map_with_path
from mlx_lm.models.cache import KVCache, make_prompt_cache
from mlx_lm.models.qwen3 import Attention, ModelArgs
from mlx_lm.utils import dequantize_model, load

mx.set_default_device(mx.cpu)
here = pathlib.Path(__file__).resolve().parent
out = {}


def cache():
    mx.random.seed(211)
    kept = KVCache()
    for number, (trim, length) in enumerate([(0, 3), (0, 2), (4, 1), (0, 6)]):
        kept.trim(trim)
        keys, values = mx.random.normal((2, 3, length, 4)), mx.random.normal((2, 3, length, 4))
        all_keys, all_values = kept.update_and_fetch(keys, values)
        out.update({f"cache.{number}.{name}": mx.array(array) for name, array in
                    {"keys": keys, "values": values, "all_keys": all_keys, "all_values": all_values}.items()})


def attention():
    mx.random.seed(213)
    layer = Attention(ModelArgs(
        model_type="qwen3", hidden_size=24, num_hidden_layers=1, intermediate_size=8, num_attention_heads=6,
        num_key_value_heads=2, rms_norm_eps=1e-6, vocab_size=8, head_dim=8, max_position_embeddings=64,
        rope_theta=10000.0, tie_word_embeddings=True))
    draw = lambda path, old: 1 + 0.3 * mx.random.normal(old.shape) if old.ndim == 1 else mx.random.normal(old.shape) / 5
    layer.update(tree_map_with_path(draw, layer.parameters()))
    out.update({f"attention.{path}": array for path, array in tree_flatten(layer.parameters())})
    kept = KVCache()
    for number, length in enumerate([5, 1, 1, 3]):
        x = mx.random.normal((2, length, 24))
        # mlx-lm gives "causal" for several tokens and nothing for one, as its models do.
        y = layer(x, "causal" if length > 1 else None, kept)
        out.update({f"attention.{number}.x": x, f"attention.{number}.y": y})


def model():
    tiny, tokenizer = load(str(here.parents[3] / "kit" / "models" / "tiny-qwen3"))
    tiny.set_dtype(mx.float32)  # scales and biases too, so that the weights are unpacked in float32
    tiny = dequantize_model(tiny)
    prompt = tokenizer.apply_chat_template([{"role": "user", "content": "What is a KV cache?"}],
                                           add_generation_prompt=True, enable_thinking=False)
    kept = make_prompt_cache(tiny)
    pieces = [prompt[:9], prompt[9:]]
    for number in range(5):
        piece = pieces[number] if number < 2 else [int(mx.argmax(out[f"model.{number - 1}.last"]))]
        logits = tiny(mx.array([piece]), cache=kept)
        out.update({f"model.{number}.ids": mx.array([piece], mx.uint32), f"model.{number}.last": logits[0, -1]})


cache(), attention(), model()
versions = f"mlx-lm {mlx_lm.__version__}, mlx {mx.__version__}, CPU; day1.py"
mx.save_safetensors(str(here / "day1.safetensors"), out, {"computed_by": versions})
print(len(out), "arrays;", versions, file=sys.stderr)
