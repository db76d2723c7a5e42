#!/usr/bin/env python3
"""Scaling curves: how time and memory of each stage of raddle grow with one parameter of a program.

    bench/scaling.py target/release/raddle [--only threads,accesses,readers,array,unwind,cells] [--time 60]
    bench/scaling.py target/release/raddle --engine context [--bound 6] [--only bound]
    bench/scaling.py target/release/raddle --engine unwinding [--unwinding coarse-inter] [--bound 6]

Each family is a small C program with one number in it; the script writes it for growing numbers, runs
`raddle check` and prints a table: number, verdict, events, reads-from pairs or cells, clauses with their growth exponent, and for each
stage seconds, megabytes and the growth exponent since the last number (2.0: four times as long for twice the size).
An exponent of time is marked `!` if it is worse than n log n allows and the stage takes long enough to tell. The
solver's own search may be. A family stops when the time limit is reached. With `--engine context` and `--engine unwinding` the number of
context switches or positions is fixed, except in the family `bound`, where it is the number that grows.
"""

import argparse
import json
import math
import subprocess
import sys
import tempfile
import time

HEAD = "#include <assert.h>\n#include <pthread.h>\nint __VERIFIER_nondet_int(void);\nvoid __VERIFIER_assume(int);\n"


def threads(n):
    """n threads add to a counter under a lock; the sum is checked."""
    return HEAD + f"""
int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *t(void *a) {{ pthread_mutex_lock(&m); x = x + 1; pthread_mutex_unlock(&m); return a; }}
int main(void) {{
    pthread_t id[{n}];
    for (int i = 0; i < {n}; i++) pthread_create(&id[i], 0, t, 0);
    pthread_mutex_lock(&m); assert(x <= {n}); pthread_mutex_unlock(&m);
    return 0;
}}"""


def accesses(n):
    """Two threads with n accesses each to variables of their own and one shared flag."""
    body = "".join(f"a[{i % 64}] = a[{(i + 1) % 64}] + {i};\n" for i in range(n // 2))
    return HEAD + f"""
int a[64], b[64], flag;
void *t(void *p) {{ {body} flag = 1; return p; }}
int main(void) {{
    pthread_t id; pthread_create(&id, 0, t, 0);
    int seen = flag; int v = a[3];
    assert(!(seen && flag == 0)); b[0] = v;
    return 0;
}}"""


def readers(n):
    """n reads of one variable against n writes of it."""
    writes = "".join(f"x = {i + 1};\n" for i in range(n))
    reads = "".join(f"v = x; assert(v >= last); last = v;\n" for _ in range(n))
    return HEAD + f"""
int x;
void *t(void *p) {{ {writes} return p; }}
int main(void) {{
    pthread_t id; pthread_create(&id, 0, t, 0);
    int v, last = 0; {reads}
    return 0;
}}"""


def array(n):
    """A shared array of n elements, indexed symbolically by two threads."""
    return HEAD + f"""
int a[{n}]; int at;
void *t(void *p) {{ int i = at; if (i >= 0 && i < {n}) a[i] = 7; return p; }}
int main(void) {{
    at = __VERIFIER_nondet_int();
    pthread_t id; pthread_create(&id, 0, t, 0);
    int j = __VERIFIER_nondet_int(); __VERIFIER_assume(j >= 0 && j < {n});
    int v = a[j]; assert(v == 0 || (v == 7 && j == at));
    return 0;
}}"""


def unwind(n):
    """Two loops of n iterations on one counter, racing."""
    return HEAD + f"""
int x;
void *t(void *p) {{ for (int i = 0; i < {n}; i++) x = x + 1; return p; }}
int main(void) {{
    pthread_t id; pthread_create(&id, 0, t, 0);
    t(0); pthread_join(id, 0);
    assert(x >= 1);
    return 0;
}}"""


def cells(n):
    """Two threads that each access n variables once."""
    names = ", ".join(f"x{i}" for i in range(n))
    writes, reads = ("".join(part.format(i) for i in range(n)) for part in ("x{0} = v;\n", "s |= x{0};\n"))
    return HEAD + f"""
int {names};
void *t(void *p) {{ int v = __VERIFIER_nondet_int(); {writes} return p; }}
int main(void) {{
    pthread_t id; pthread_create(&id, 0, t, 0);
    int s = 0; {reads}
    assert(s != 77);
    return 0;
}}"""


def bound(_):
    """Two threads that add to 8 counters in turn; the number is that of context switches or positions."""
    body = "".join(f"a[{i % 8}] = a[{(i + 1) % 8}] + 1;\n" for i in range(16))
    return HEAD + f"""
int a[8];
void *t(void *p) {{ {body} return p; }}
int main(void) {{
    pthread_t id; pthread_create(&id, 0, t, 0);
    t(0); pthread_join(id, 0);
    assert(a[0] != 2);
    return 0;
}}"""


FAMILIES = {
    "threads": (threads, [2, 4, 8, 16, 32, 64]),
    "accesses": (accesses, [10, 100, 1000, 10000]),
    "readers": (readers, [4, 8, 16, 32, 64, 128]),
    "array": (array, [10, 100, 1000, 10000]),
    "unwind": (unwind, [1, 2, 4, 6, 8]),
    "cells": (cells, [10, 20, 40, 80]),
    "bound": (bound, [2, 4, 8, 16]),
}


STAGES = ("summary", "composition", "solving")
# Shorter times say nothing about growth.
SHORTEST = 0.05


def run(args, text, bound):
    """The JSON report of one program, and how long the run took."""
    tool, limit = args.tool, args.time
    with tempfile.NamedTemporaryFile("w", suffix=".c") as f:
        f.write(text)
        f.flush()
        command = [tool, "check", "--engine", args.engine, "--property", "assertions", "--format", "json",
                   "--unwind", "100000", "--time", str(limit), f.name]
        if args.engine == "context":
            command += ["--contexts", str(bound)]
        if args.engine == "unwinding":
            command += ["--unwinding", args.unwinding, "--writes", str(bound)]
        start = time.monotonic()
        out = subprocess.run(command, capture_output=True, text=True).stdout
        return json.loads(out), time.monotonic() - start


def exponent(small, large):
    """Growth between two (number, seconds), and whether it is worse than n log n."""
    (m, a), (n, b) = small, large
    if a <= 0 or b < SHORTEST:
        return "", False
    e = math.log(b / a) / math.log(n / m)
    allowed = math.log((n * math.log(n)) / (m * math.log(m))) / math.log(n / m) + 0.1
    return f"{e:.1f}", e > allowed and a >= SHORTEST / 5


def family(args, name):
    """One curve; returns the stages that grow too fast."""
    make, numbers = FAMILIES[name]
    print(f"\n{name}: {make.__doc__}")
    small = "reads-from pairs" if args.engine == "staged" else "cells"
    head = f"{'n':>6} {'verdict':>8} {'events':>7} {small.split()[0]:>10} {'clauses':>9} {'exp':>5}"
    print(head + "".join(f" | {s:>11} {'MB':>6} {'exp':>5}" for s in STAGES))
    last, worse = {}, set()
    for n in numbers:
        report, wall = run(args, make(n), n if name == "bound" else args.bound)
        figures = {s["name"]: s["value"] for s in report["statistics"]}
        row = f"{n:>6} {report['verdict']:>8} {figures.get('events', '-'):>7}"
        clauses = figures.get("clauses", 0)
        growth = math.log(clauses / last["clauses"][1]) / math.log(n / last["clauses"][0]) if clauses and "clauses" in last else 0
        row += f" {figures.get(small, '-'):>10} {clauses:>9} {growth:>5.1f}"
        if clauses:
            last["clauses"] = (n, clauses)
        for stage in report["stages"]:
            key, now = stage["name"], (n, stage["seconds"])
            growth, bad = exponent(last[key], now) if key in last else ("", False)
            if bad:
                worse.add(key)
                growth += "!"
            last[key] = now
            row += f" | {stage['seconds']:>11.3f} {stage['megabytes'] or 0:>6.1f} {growth:>5}"
        print(row, flush=True)
        if wall >= args.time or not report["stages"]:
            break
    return worse


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("tool")
    ap.add_argument("--only", default="")
    ap.add_argument("--engine", choices=("staged", "context", "unwinding"), default="staged")
    ap.add_argument("--unwinding", default="coarse-inter")
    ap.add_argument("--bound", type=int, default=6)
    ap.add_argument("--time", type=int, default=60)
    args = ap.parse_args()
    usual = [name for name in FAMILIES if name != "bound" or args.engine != "staged"]
    names = args.only.split(",") if args.only else usual
    for name in names:
        if name not in FAMILIES:
            sys.exit(f"there is no family {name}; there are {', '.join(FAMILIES)}")
    worse = {name: family(args, name) for name in names}
    print("\nworse than n log n:")
    for name, stages in worse.items():
        print(f"  {name}: {', '.join(sorted(stages)) or 'nothing'}")


if __name__ == "__main__":
    main()
