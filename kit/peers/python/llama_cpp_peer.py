"""llama.cpp as a contestant, through the C interface that llama-cpp-python carries; its own defaults but the threads."""

import ctypes
import sys
import time

import turns

started = time.perf_counter()
arguments = turns.arguments()

import llama_cpp as llama  # noqa: E402: its loading belongs to the time
import numpy as np  # noqa: E402


@llama.llama_log_callback
def only_errors(level, text, data):
    # 4 is an error; what came before it is not for whoever reads the last line.
    if level == 4:
        sys.stderr.write(text.decode(errors="replace"))


llama.llama_log_set(only_errors, ctypes.c_void_p(0))
llama.llama_backend_init()
file = arguments.checkpoint
model = llama.llama_model_load_from_file(file.encode(), llama.llama_model_default_params())
if not model:
    sys.exit(f"llama.cpp does not load {file}")
parameters = llama.llama_context_default_params()
parameters.n_ctx = arguments.prompt_tokens + arguments.new_tokens
parameters.n_batch = max(arguments.prompt_tokens, 32)
parameters.n_threads = parameters.n_threads_batch = turns.threads()
context = llama.llama_init_from_model(model, parameters)
if not context:
    sys.exit(f"llama.cpp makes no context of {parameters.n_ctx} tokens")
vocabulary = llama.llama_vocab_n_tokens(llama.llama_model_get_vocab(model))


def best(ids):
    # A batch points to its tokens and does not keep them.
    tokens = (llama.llama_token * len(ids))(*ids)
    outcome = llama.llama_decode(context, llama.llama_batch_get_one(tokens, len(ids)))
    if outcome != 0:
        sys.exit(f"llama_decode returns {outcome}")
    logits = llama.llama_get_logits_ith(context, -1)
    return int(np.ctypeslib.as_array(logits, shape=(vocabulary,)).argmax())


def first(ids):
    llama.llama_memory_clear(llama.llama_get_memory(context), True)
    return best(ids)


ready = {
    "device": "cpu",
    "versions": {"llama-cpp-python": llama.__version__},
    "built_for": llama.llama_print_system_info().decode(),
    "threads": turns.threads(),
}
ids = turns.prompt(arguments.prompt_tokens, vocabulary)
turns.take(started, ready, ids, arguments.new_tokens, first, lambda last: best([last]))
