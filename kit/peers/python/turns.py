"""The contestant's side of `cargo xtask bench`, in Python.

A line of JSON says that the model is loaded; then each line on stdin asks for a trial (or for a ceiling, which other
engines do not know) and gets a line of JSON with the figures, until stdin ends. kit/src/front_end/trials.rs is the
same in Rust.
"""

import argparse
import json
import os
import sys
import time


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("role", choices=["trials"])
    parser.add_argument("--model", required=True, help="the checkpoint's folder")
    parser.add_argument("--prompt-tokens", type=int, required=True)
    parser.add_argument("--new-tokens", type=int, required=True)
    parser.add_argument("--checkpoint", help="a file in the engine's own format")
    return parser.parse_args()


def threads():
    """One setting for all engines."""
    return int(os.environ["TINY_LLM_THREADS"])


def prompt(count, vocabulary):
    return [(place * 7919 + 17) % vocabulary for place in range(count)]


def take(started, ready, ids, new_tokens, first, following):
    """`first(ids)` clears the caches and gives the id after a prompt; `following(id)` the one after that."""
    say({**ready, "load_seconds": time.perf_counter() - started})
    for line in sys.stdin:
        if line.strip() == "trial":
            say(trial(ids, new_tokens, first, following))
        elif line.strip() == "ceiling":
            say(None)
        else:
            sys.exit(f"{line.strip()!r} is neither trial nor ceiling")


def trial(ids, new_tokens, first, following):
    start = time.perf_counter()
    tokens = [first(ids)]
    prefill = time.perf_counter() - start
    while len(tokens) < new_tokens:
        tokens.append(following(tokens[-1]))
    return {
        "prompt_tokens": len(ids),
        "prefill_seconds": prefill,
        "decode_seconds": time.perf_counter() - start - prefill,
        "tokens": tokens,
        "peak_resident_bytes": peak_resident_bytes(),
    }


def say(figures):
    print(json.dumps(figures), flush=True)


def peak_resident_bytes():
    """The most memory that this process had at one time, where the system tells (Linux)."""
    try:
        with open("/proc/self/status") as status:
            for line in status:
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    return None
