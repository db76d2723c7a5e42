#!/usr/bin/env python3
"""Shapes of programs that people write, with parameters: which property is answered how, and when?

    bench/shapes.py target/release/raddle [--against OTHER] [--only pool,buffer] [--time 20]

Each program of `bench/shapes` is checked with the properties that are checked by default, each group by itself, in growing sizes. A
row is a program with its parameters; a column is a group of properties: S (SAFE), B (BOUNDED), U (UNSAFE), ? (no answer), and the
seconds of CPU time. With `--against` each cell has the figures of both builds, run one after the other, and the last line is the
geometric mean of the ratios where both have the same answer.
"""

import argparse
import json
import math
import resource
import subprocess
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "shapes"
GROUPS = ["memory", "reach-error,assertions", "deadlocks", "races", "locks"]
SIZES = {
    "adders": [{"N": 4}, {"N": 10}, {"N": 64}],
    "sections": [{"K": 4}, {"K": 19}],
    "buffer": [{"P": 1, "ITEMS": 3}, {"P": 2, "ITEMS": 1}, {"P": 2, "ITEMS": 3}],
    "keepalive": [{}],
    "handover": [{"N": 20}, {"N": 100}, {"N": 400}],
    "hash": [{"T": 4}, {"T": 13}],
    "pool": [{"WORKERS": w, "JOBS": j} for w, j in [(1, 1), (2, 1), (2, 2), (3, 2), (4, 4)]],
}


def check(raddle, program, size, group, engine, seconds):
    """The verdict and the seconds of CPU time."""
    command = [raddle, "check", "--format", "json", "--engine", engine, "--property", group, "--time", str(seconds)]
    command += [f"-D{name}={value}" for name, value in size.items()] + [str(program)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run(command, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    taken = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    try:
        return json.loads(run.stdout)["verdict"], taken
    except ValueError:
        return "UNKNOWN", taken


def cell(answer):
    verdict, seconds = answer
    return f"{ {'SAFE': 'S', 'BOUNDED': 'B', 'UNSAFE': 'U'}.get(verdict, '?') } {seconds:6.2f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("raddle")
    parser.add_argument("--against")
    parser.add_argument("--only", default="")
    parser.add_argument("--engine", default="auto")
    parser.add_argument("--time", type=float, default=20)
    options = parser.parse_args()
    builds = [options.raddle] + ([options.against] if options.against else [])
    only = set(filter(None, options.only.split(",")))
    print(f"{'program':28}" + "".join(f"{group.split(',')[-1]:>{10 * len(builds) + 2}}" for group in GROUPS))
    ratios = []
    for name, sizes in SIZES.items():
        if only and name not in only:
            continue
        for size in sizes:
            title = name + "".join(f" {key}={value}" for key, value in size.items())
            line = f"{title:28}"
            for group in GROUPS:
                answers = [check(b, FOLDER / f"{name}.c", size, group, options.engine, options.time) for b in builds]
                line += "  " + " ".join(f"{cell(a):>9}" for a in answers)
                if len(answers) == 2 and answers[0][0] == answers[1][0]:
                    ratios.append(math.log(max(answers[0][1], 0.01) / max(answers[1][1], 0.01)))
            print(line, flush=True)
    if ratios:
        print(f"\nratio of CPU time, geometric mean of {len(ratios)}: {math.exp(sum(ratios) / len(ratios)):.2f}")


if __name__ == "__main__":
    main()
