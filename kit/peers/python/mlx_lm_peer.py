"""mlx-lm as a contestant: its own model and cache on the packed weights of the checkpoint.

MLX_LM_DTYPE is the dtype of activations: float32, or bfloat16 as the model comes. MLX_LM_BLAS is openblas where
openblas_front.c was put in front of MLX's own (LD_PRELOAD); that it answers is checked.
"""

import ctypes
import json
import os
import sys
import time
from importlib.metadata import version
from pathlib import Path

import turns

started = time.perf_counter()
arguments = turns.arguments()

import mlx.core as mx  # noqa: E402: its loading belongs to the time
from mlx_lm.models.cache import make_prompt_cache  # noqa: E402
from mlx_lm.utils import load_model  # noqa: E402

mx.set_default_device(mx.cpu)
dtype = os.environ["MLX_LM_DTYPE"]
model, config = load_model(Path(arguments.model))
model.set_dtype(getattr(mx, dtype))
mx.eval(model.parameters())
caches = []


def blas():
    """Who multiplies f32 matrices."""
    if os.environ.get("MLX_LM_BLAS") != "openblas":
        return "the one that MLX brings"
    front = ctypes.CDLL(None)
    square = mx.ones([64, 64])
    mx.eval(square @ square)
    if ctypes.c_int64.in_dll(front, "openblas_front_calls").value == 0:
        sys.exit("OpenBLAS was put in front of MLX, but MLX does not call it")
    front.scipy_openblas_get_config.restype = ctypes.c_char_p
    return front.scipy_openblas_get_config().decode().strip()


def best(ids):
    logits = model(mx.array([ids]), cache=caches)
    return mx.argmax(logits[0, -1]).item()


def first(ids):
    caches[:] = make_prompt_cache(model)
    # As mlx-lm does it: all but the last id fill the caches, so that the head works on one row.
    if len(ids) > 1:
        model.model(mx.array([ids[:-1]]), cache=caches)
        mx.eval([cache.state for cache in caches])
    return best(ids[-1:])


ready = {
    "device": f"cpu {dtype}",
    "versions": {name: version(name) for name in ["mlx-lm", "mlx"]},
    "blas": blas(),
    "threads": turns.threads(),
}
vocabulary = json.loads(Path(arguments.model, "config.json").read_text())["vocab_size"]
ids = turns.prompt(arguments.prompt_tokens, vocabulary)
turns.take(started, ready, ids, arguments.new_tokens, first, lambda last: best([last]))
