"""Golden answers for Week 1 Days 5 and 6, from mlx-lm's Qwen3 in float32 arithmetic.

    pip install "mlx[cpu]==0.32.2" mlx-lm==0.32.2
    python models.py ../../../../kit/models/tiny-qwen3

writes next to itself:
  block.safetensors       a random transformer block of mlx-lm: its tensors, inputs, outputs
  tiny_qwen3.safetensors  the embedded model, packed weights unpacked: hidden states after every layer, logits
  untied_mqa/             a random checkpoint with lm_head, one key-value head, head_dim != E / H_q, dense f16
  packed_tied/            a random checkpoint with tied head, as many key-value as query heads, 8 bits, groups of 32
  random_models.safetensors  ids and logits of these two
  generation.json         greedy continuations of the embedded model, with their texts
"""

import json
import pathlib
import sys

import mlx.core as mx
import mlx.nn as nn
import mlx_lm
from mlx.utils import tree_flatten, tree_map_with_path
from mlx_lm.generate import generate_step
from mlx_lm.models.qwen3 import Model, ModelArgs, TransformerBlock
from mlx_lm.sample_utils import make_sampler
from mlx_lm.utils import dequantize_model, load

mx.set_default_device(mx.cpu)
here = pathlib.Path(__file__).parent
source = sys.argv[1]
versions = f"mlx-lm {mlx_lm.__version__}, mlx {mx.__version__}, CPU; models.py"


def args(**sizes):
    return ModelArgs(model_type="qwen3", rms_norm_eps=1e-6, **sizes)


def randomise(module, seed):
    """Weights of the size that keeps activations near one; norms around one, so that a swapped norm shows."""
    mx.random.seed(seed)

    def draw(path, old):
        noise = mx.random.normal(old.shape)
        return 1 + 0.3 * noise if old.ndim == 1 else noise / old.shape[-1] ** 0.5

    module.update(tree_map_with_path(draw, module.parameters()))


def block():
    sizes = args(hidden_size=32, num_hidden_layers=1, intermediate_size=48, num_attention_heads=4, num_key_value_heads=2,
                 head_dim=16, vocab_size=8, max_position_embeddings=64, tie_word_embeddings=True, rope_theta=10000.0)
    layer = TransformerBlock(sizes)
    randomise(layer, 51)
    x = mx.random.normal((2, 9, 32))
    tensors = dict(tree_flatten(layer.parameters()))
    tensors |= {"x": x, "causal": layer(x, "causal"), "unmasked": layer(x, None)}
    mx.save_safetensors(str(here / "block.safetensors"), tensors, {"computed_by": versions})


def tiny():
    model, tokenizer = load(source)
    model.set_dtype(mx.float32)  # first, so that the scales are not rounded again
    model = dequantize_model(model)

    def chat(question):
        return list(tokenizer.apply_chat_template([{"role": "user", "content": question}], add_generation_prompt=True))

    question = chat("What is a KV cache?")
    hidden = [model.model.embed_tokens(mx.array([question]))]
    for layer in model.model.layers:
        hidden.append(layer(hidden[-1], "causal"))
    rows = [tokenizer.encode(text, add_special_tokens=False)[:6] for text in ("She was very fond of the old house", "pub fn main() { println!")]
    tensors = {
        "question.ids": mx.array([question], mx.uint32),
        "question.hidden": mx.concatenate(hidden),
        "question.logits": model(mx.array([question])),
        "batch.ids": mx.array(rows, mx.uint32),
        "batch.logits": model(mx.array(rows)),
    }
    mx.save_safetensors(str(here / "tiny_qwen3.safetensors"), tensors, {"computed_by": versions})

    ends = [4095, 4093]
    cases = []
    for name, ids, most in [
        ("question", question, 8),
        ("novel", tokenizer.encode("The lady opened the door and", add_special_tokens=False), 8),
        ("emoji", chat("Show me an emoji."), 24),
    ]:
        new = []
        for token, _ in generate_step(mx.array(ids), model, max_tokens=most, sampler=make_sampler(temp=0.0)):
            new.append(int(token))
            if new[-1] in ends:
                break
        logits = model(mx.array([ids + new]))[0, len(ids) - 1 : -1]
        best = mx.sort(logits, axis=-1)[:, -2:]
        margin = (best[:, 1] - best[:, 0]).min().item()
        print(name, len(ids), new[-1] in ends, len(new), "least margin", round(margin, 3), repr(tokenizer.decode(new)))
        shown = [token for token in new if token not in ends]
        cases.append({"name": name, "prompt": ids, "max_tokens": most, "tokens": new, "ended": new[-1] in ends,
                      "least_margin": round(margin, 3), "text": tokenizer.decode(shown)})
    lines = ",\n".join(json.dumps(case, ensure_ascii=False) for case in cases)
    header = json.dumps({"computed_by": versions, "eos": ends})
    (here / "generation.json").write_text(f'{{"header": {header},\n"cases": [\n{lines}\n]}}\n', encoding="utf-8")


def random_models():
    answers = {}
    for name, seed, dtype, packing, sizes in [
        ("untied_mqa", 53, mx.float16, None, dict(hidden_size=32, num_hidden_layers=2, intermediate_size=80,
         num_attention_heads=4, num_key_value_heads=1, head_dim=24, vocab_size=97, tie_word_embeddings=False, rope_theta=1000000.0)),
        ("packed_tied", 54, mx.float32, {"group_size": 32, "bits": 8}, dict(hidden_size=64, num_hidden_layers=3, intermediate_size=96,
         num_attention_heads=2, num_key_value_heads=2, head_dim=16, vocab_size=61, tie_word_embeddings=True, rope_theta=10000.0)),
    ]:
        sizes = dict(sizes, max_position_embeddings=64)
        model = Model(args(**sizes))
        randomise(model, seed)
        model.set_dtype(dtype)
        if packing:
            nn.quantize(model, **packing)
        folder = here / name
        folder.mkdir(exist_ok=True)
        mx.save_safetensors(str(folder / "model.safetensors"), dict(tree_flatten(model.parameters())), {"format": "mlx"})
        config = dict(sizes, model_type="qwen3", rms_norm_eps=1e-6) | ({"quantization": packing} if packing else {})
        (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n")
        model.set_dtype(mx.float32)
        model = dequantize_model(model) if packing else model
        ids = mx.random.randint(0, sizes["vocab_size"], (2, 11)).astype(mx.uint32)
        answers |= {f"{name}.ids": ids, f"{name}.logits": model(ids)}
    mx.save_safetensors(str(here / "random_models.safetensors"), answers, {"computed_by": versions})


block()
tiny()
random_models()
