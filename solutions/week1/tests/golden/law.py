"""Golden answers for task 1.7.5: the cases of `distribution` over few tokens from the file that `cargo xtask law check` reads.

    python law.py > law.json

That file holds outputs of the MTPLX NumPy sampling reference, version 2.12.2 (its header says how they were made). Left
out are rows of more than 40 tokens, settings that are no numbers, which never reach the law, and the cases in which the
course refuses what MTPLX answers, or answers what it refuses (solutions/law/src/check/exceptions.rs). Numbers that are not finite are the texts nan, inf and -inf.
"""

import json
import re
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[3] / "law/tests/golden/sampling_mtplx.json"
LEFT_OUT = {"099", "103", "104", "107", "108", "110", "112", "117", "122", "144"}
INPUTS = ["logits", "temperature", "top_p", "top_k", "presence_penalty", "frequency_penalty", "token_counts", "overlay"]

# The numbers keep their spelling, so that nothing is rounded on the way.
source = json.loads(SOURCE.read_text(), parse_float=lambda text: text + "#")
cases = []
for case in source["distribution"]:
    if case["id"].split("-")[1] in LEFT_OUT or len(case["logits"]) > 40:
        continue
    kept = {name: case[name] for name in ["id", "group", *INPUTS] if name in case}
    kept.update({name: case[name] for name in ["expect", "error"] if name in case})
    cases.append(kept)

lines = ",\n".join("  " + json.dumps(case) for case in cases)
text = '{"origin": "MTPLX 2.12.2, sampling.py, on the CPU; selected by law.py", "cases": [\n' + lines + "\n]}\n"
print(re.sub(r'"([^"#]*)#"', r"\1", text), end="")
