"""Golden answers for Week 2 Day 7: the paths that the chapter's table gives to products, from the table itself.

    python day7.py    # writes day7.json beside itself

A path is 0 for the matvec, 1 for tiles, n > 1 for a sum split into n parts. The splits are found by trying one number of
parts after the other until every thread has a piece, not by a formula.
"""

import json
import pathlib

TILED_ROWS, PANEL = 24, 16


def path(rows, outputs, inputs, group, threads):
    if rows < TILED_ROWS:
        return 0
    panels = len(range(0, outputs, PANEL))
    parts, groups = 1, len(range(0, inputs, group))
    while parts * panels < threads and parts < groups:
        parts += 1
    return parts


cases = [
    [rows, outputs, inputs, group, threads, path(rows, outputs, inputs, group, threads)]
    for rows in (1, TILED_ROWS - 1, TILED_ROWS, 512)
    for outputs in (1, 16, 17, 48, 1024, 151936)
    for inputs, group in ((64, 64), (128, 64), (1024, 128), (3072, 64))
    for threads in (1, 2, 3, 5, 8, 64, 200)
]
here = pathlib.Path(__file__).resolve().parent
rows = ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases)
columns = '"rows, outputs, inputs, group_size, threads, path"'
(here / "day7.json").write_text(
    f'{{"tiled_rows": {TILED_ROWS}, "panel": {PANEL}, "columns": {columns}, "cases": [\n{rows}\n]}}\n')
print(len(cases), "cases")
