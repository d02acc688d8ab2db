"""Golden answers for Week 1 Day 7, from mlx-lm's own filters and its make_sampler.

    pip install "mlx[cpu]==0.32.2" mlx-lm==0.32.2
    python sampling.py > sampling.json

Two laws meet here. mlx-lm's top-p works on the row rescaled to mass one and keeps every token that ties with the
crossing one; the course's filter-first law does not rescale and settles ties by the lowest id. `filter_first` below
states the course's law in float64 without MLX. A case is written under "agree" when both programs keep the same ids,
and under "differ", with the reason, when they do not. Rows whose running sum comes within 1e-5 of p are left out: there
float32 rounding decides. mlx-lm refuses k = V, so no case has it.
"""

import json
import math

import mlx.core as mx
import mlx_lm
import mlx_lm.sample_utils as sample_utils
import numpy as np

DTYPES = {"float32": mx.float32, "float16": mx.float16, "bfloat16": mx.bfloat16}
random = np.random.default_rng(71)


def logprobs_of(logits, dtype):
    """Normalised, rounded to `dtype`, as float32 values that the dtype holds exactly."""
    row = mx.array(logits.astype(np.float32))
    row = (row - mx.logsumexp(row, axis=-1, keepdims=True)).astype(DTYPES[dtype])
    return np.array(row.astype(mx.float32))


def filter_first(row, k=None, p=None):
    """Ids kept by top-k, then top-p, ties by the lowest id; and how close the running sum came to p."""
    order = sorted(range(len(row)), key=lambda i: (-row[i], i))
    order = [i for i in order if row[i] > -math.inf]
    if k is not None:
        order = order[:k]
    margin = math.inf
    if p is not None:
        before, kept = 0.0, []
        for i in order:
            margin = min(margin, abs(before - p))
            if before >= p:
                break
            kept.append(i)
            before += math.exp(float(row[i]))
        order = kept
    return sorted(order), margin


def kept(filtered):
    return [[int(i) for i in np.flatnonzero(row > -np.inf)] for row in np.array(filtered.astype(mx.float32))]


def plain(rows):
    return [[("-inf" if v == -np.inf else float(np.float32(v))) for v in row] for row in rows]


def filters():
    agree, differ = [], []
    inputs = []
    for dtype in DTYPES:
        for v in (4, 24, 80):
            inputs.append((dtype, random.normal(0, 2, (1, v))))
    inputs.append(("float32", random.normal(0, 2, (3, 12))))
    inputs.append(("float32", random.integers(-4, 1, (1, 12)).astype(float)))  # many ties
    inputs.append(("float32", np.zeros((1, 5))))
    inputs.append(("float32", np.where(random.random((1, 16)) < 0.4, -np.inf, random.normal(0, 2, (1, 16)))))
    for dtype, logits in inputs:
        rows = logprobs_of(logits, dtype)
        settings = [("top_k", k) for k in (1, 2, 5, 20) if k < rows.shape[1]]
        settings += [("top_p", p) for p in (0.01, 0.3, 0.5, 0.75, 0.9, 0.999)]
        for name, value in settings:
            array = mx.array(rows).astype(DTYPES[dtype])
            theirs = kept(getattr(sample_utils, f"apply_{name}")(array, value))
            ours = [filter_first(row, **{name[-1]: value}) for row in rows]
            if min(margin for _, margin in ours) < 1e-5:
                continue
            case = {"filter": name, "value": value, "dtype": dtype, "logprobs": plain(rows), "kept": [ids for ids, _ in ours]}
            if theirs == case["kept"]:
                agree.append(case)
            else:
                case["mlx_lm_kept"] = theirs
                ties = all(
                    rows[r][i] == min(rows[r][j] for j in ids)
                    for r, ids in enumerate(case["kept"])
                    for i in set(theirs[r]) ^ set(ids)
                )
                case["why"] = (
                    "not a tie: the row's rounded mass is not one; rescaled there, taken as it is here"
                    if not ties
                    else "ties at k: argpartition's choice there, the lowest ids here"
                    if name == "top_k"
                    else "a tie at the crossing: all of it is kept there, the lowest ids here"
                )
                differ.append(case)
    return agree, differ


def chains():
    cases = []
    handed = {}
    sample_utils.categorical_sampling = lambda logits, temp: handed.update(scaled=logits / temp) or mx.array([0])
    for v, temp, k, p in [
        (20, 1.0, 0, 0.9), (6, 0.5, 0, 0.75), (20, 2.0, 0, 0.75), (6, 0.7, 5, 0.9), (48, 0.7, 7, 0.0),
        (48, 1.5, 9, 0.9), (6, 0.3, 3, 0.0), (16, 1.0, 0, 0.0), (12, 100.0, 5, 0.95), (12, 0.05, 0, 0.99),
    ]:
        row = logprobs_of(random.normal(0, 1.5, (1, v)), "float32")
        sample_utils.make_sampler(temp=temp, top_p=p, top_k=k)(mx.array(row))
        scaled = np.array(handed["scaled"][0]).astype(np.float64)
        ids = np.flatnonzero(scaled > -np.inf)
        weights = np.exp(scaled[ids] - scaled[ids].max())
        ours, margin = filter_first(row[0], k=k or None, p=p or None)
        assert margin > 1e-5 and ours == list(ids), "the two laws must agree on these rows"
        cases.append({
            "temp": temp, "top_k": k, "top_p": p, "logprobs": plain(row)[0], "ids": [int(i) for i in ids],
            "probs": [float(x) for x in weights / weights.sum()],
        })
    return cases


agree, differ = filters()
header = {
    "computed_by": f"mlx-lm {mlx_lm.__version__}, mlx {mx.__version__}, CPU; sampling.py",
    "agree": "apply_top_k and apply_top_p of mlx-lm keep these ids, and so does the filter-first law",
    "differ": "kept: the filter-first law in float64; mlx_lm_kept: what mlx-lm keeps; why: the difference of the laws",
    "chains": "make_sampler of mlx-lm: the law it hands to random.categorical, softmax in float64",
}
lines = [f'"header": {json.dumps(header)}']
for name, cases in [("agree", agree), ("differ", differ), ("chains", chains())]:
    lines.append(f'"{name}": [\n' + ",\n".join(json.dumps(case) for case in cases) + "\n]")
print("{\n" + ",\n".join(lines) + "\n}")
