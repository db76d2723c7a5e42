#!/usr/bin/env python3
"""Scaling curves: how time and memory of raddle grow with one parameter of a program.

    bench/scaling.py target/release/raddle [--only threads,accesses,readers,array,unwind] [--time 60]

Each family is a small C program with one number in it; the script writes it for growing numbers, runs
`raddle check --engine staged` and prints a table: number, verdict, seconds, megabytes, events,
reads-from pairs, clauses. A family stops when the time limit is reached.
"""

import argparse
import re
import resource
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


FAMILIES = {
    "threads": (threads, [2, 4, 8, 16, 32, 64]),
    "accesses": (accesses, [10, 100, 1000, 10000]),
    "readers": (readers, [4, 8, 16, 32, 64, 128]),
    "array": (array, [10, 100, 1000, 10000]),
    "unwind": (unwind, [1, 2, 4, 6, 8]),
}


def run(tool, text, limit):
    with tempfile.NamedTemporaryFile("w", suffix=".c") as f:
        f.write(text)
        f.flush()
        command = [tool, "check", "--engine", "staged", "--property", "assertions", "--time", str(limit), f.name]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.monotonic()
        out = subprocess.run(command, capture_output=True, text=True).stdout
        wall = time.monotonic() - start
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def figure(name):
        found = re.search(rf"(\d+) {name}", out)
        return found.group(1) if found else "-"

    verdict = re.findall(r"^VERDICT: (\w+)", out, re.M)
    row = [verdict[-1] if verdict else "?", f"{cpu:.2f}"]
    return row + [figure(n) for n in ("events", "reads-from pairs", "clauses", "conflicts")], wall


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("tool")
    ap.add_argument("--only", default=",".join(FAMILIES))
    ap.add_argument("--time", type=int, default=60)
    args = ap.parse_args()
    for name in args.only.split(","):
        if name not in FAMILIES:
            sys.exit(f"there is no family {name}; there are {', '.join(FAMILIES)}")
        make, numbers = FAMILIES[name]
        print(f"\n{name}: {make.__doc__}")
        print(f"{'n':>7} {'verdict':>8} {'cpu s':>8} {'events':>8} {'rf pairs':>9} {'clauses':>9} {'conflicts':>9}")
        for n in numbers:
            row, wall = run(args.tool, make(n), args.time)
            print(f"{n:>7} " + " ".join(f"{c:>{w}}" for c, w in zip(row, (8, 8, 8, 9, 9, 9))), flush=True)
            if wall >= args.time:
                break


if __name__ == "__main__":
    main()
