"""Golden answers for Week 2 Day 2, from NumPy, SciPy, exact fractions and the arrays of mlx-lm's models.

    pip install numpy==2.4.6 scipy==1.17.1 "mlx[cpu]==0.32.2" mlx-lm==0.32.2
    python day2.py    # writes day2.json beside itself

quantiles   NumPy's default, linear interpolation
intervals   SciPy's binomial distribution for the place, fractions for the coverage
costs       bytes of mlx-lm's arrays for the shapes of three Qwen3 models (never evaluated), operations counted by loops
"""

import json
import math
import pathlib
from fractions import Fraction

import mlx.core as mx
import mlx.nn as nn
import mlx_lm
import numpy
import scipy.stats
from mlx.utils import tree_flatten
from mlx_lm.models.cache import make_prompt_cache
from mlx_lm.models.qwen3 import Model, ModelArgs

here = pathlib.Path(__file__).resolve().parent
source = numpy.random.default_rng(221)

quantiles = []
for n in [1, 2, 3, 5, 8, 31]:
    values = source.lognormal(3.0, 0.4, n)
    for p in [0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0]:
        quantiles.append({"values": values.tolist(), "p": p, "quantile": float(numpy.quantile(values, p))})

intervals = []
for n, confidence in [(5, 0.9), (6, 0.95), (8, 0.95), (10, 0.95), (11, 0.95), (20, 0.99), (100, 0.95), (1000, 0.95), (5000, 0.99)]:
    # The largest r with P(K < r) <= (1 - confidence) / 2 for K heads of n fair coins.
    r = int(scipy.stats.binom.ppf((1 - confidence) / 2, n, 0.5))
    while scipy.stats.binom.cdf(r, n, 0.5) <= (1 - confidence) / 2:
        r += 1
    missed = 2 * sum(Fraction(math.comb(n, k), 2**n) for k in range(r))
    assert r >= 1 and 1 - missed >= Fraction(str(confidence))
    assert 1 - missed - 2 * Fraction(math.comb(n, r), 2**n) < Fraction(str(confidence))
    intervals.append({"n": n, "confidence": confidence, "r": r, "coverage": float(1 - missed)})

SHAPES = {
    "qwen3-0.6b": (1024, 28, 16, 8, 3072, True),
    "qwen3-4b": (2560, 36, 32, 8, 9728, True),
    "qwen3-8b": (4096, 36, 32, 8, 12288, False),
}


def cost(name, packing, cached, new):
    hidden, layers, heads, kv_heads, intermediate, tied = SHAPES[name]
    model = Model(ModelArgs(
        model_type="qwen3", hidden_size=hidden, num_hidden_layers=layers, intermediate_size=intermediate,
        num_attention_heads=heads, num_key_value_heads=kv_heads, rms_norm_eps=1e-6, vocab_size=151936, head_dim=128,
        max_position_embeddings=40960, rope_theta=1e6, tie_word_embeddings=tied))
    shapes = [module.weight.shape for _, module in model.named_modules() if isinstance(module, nn.Linear)]
    head = (151936, hidden)
    if packing:
        model.set_dtype(mx.bfloat16)
        nn.quantize(model, packing["group"], packing["bits"])
    else:
        model.set_dtype(mx.float32)
    parameters = tree_flatten(model.parameters())
    table = sum(array.nbytes for path, array in parameters if "embed_tokens" in path)
    weights = sum(array.nbytes for _, array in parameters)
    weights += table * new // 151936 - (0 if tied else table)

    kept = 0
    for cache in make_prompt_cache(model):
        keys, values = cache.update_and_fetch(*[mx.zeros((1, kv_heads, cached + new, 128))] * 2)
        kept += keys.nbytes + values.nbytes
    flops = 0
    for rows, columns in shapes:
        if (rows, columns) != head:
            flops += 2 * rows * columns * new
    flops += 2 * head[0] * head[1]
    for _ in range(layers):
        for query in range(cached, cached + new):
            flops += heads * (query + 1) * (2 * 128 + 2 * 128)
    return {"model": name, "packing": packing, "cached": cached, "new": new, "weight_bytes": weights,
            "cache_bytes": kept + kept * new // (cached + new), "flops": flops}


costs = [
    cost(name, packing, cached, new)
    for name in SHAPES
    for packing in [None, {"bits": 4, "group": 64}, {"bits": 4, "group": 128}, {"bits": 8, "group": 64}]
    for cached, new in [(0, 1), (511, 1), (0, 512), (256, 3)]
]

answers = {"by": f"NumPy {numpy.__version__}, SciPy {scipy.__version__}, mlx-lm {mlx_lm.__version__}; day2.py", "costs": costs, "quantiles": quantiles, "intervals": intervals}
(here / "day2.json").write_text(json.dumps(answers, indent=1) + "\n")
