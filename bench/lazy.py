#!/usr/bin/env python3
"""How the formula of `lazy` grows with the depth: the experiment of paper 000 (sizes).

    bench/lazy.py target/release/raddle [--threads 2,3,4] [--depths 8,12,16,20,24] [--table]

Threads run for ever: each takes a lock in a function that it calls in two places, looks at a shared variable and takes a longer or a
shorter way (figure 1 of the paper). Nothing is checked, so only the formula is made. For each number of threads, with and
without each of CSR, PB, CXT and MTX and with --eager, the script prints the clauses of all depths up to d, what one more
depth adds (the difference to the depth before, divided by the number of depths in between: it depends on where in its
loop a thread is), and the growth exponent of all clauses from the second depth on. The paper's claim: what a depth adds is linear in
the depth, so the exponent is at most 2.
"""

import argparse
import json
import math
import subprocess
import tempfile

PROGRAM = """#include <pthread.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int shared, other;
static void visit(int mine) {
    pthread_mutex_lock(&lock);
    if (shared != mine) {
        shared = mine;
        other = other + mine;
    }
    pthread_mutex_unlock(&lock);
}
void *run(void *unused) {
    while (1) {
        if (other < 9) {
            visit(1);
            other = 0;
        } else {
            visit(2);
        }
    }
    return unused;
}
int main(void) {
    pthread_t id[%d];
%s    run(0);
}
"""

VARIANTS = {
    "all": [],
    "without csr": ["--without", "csr"],
    "without pb": ["--without", "pb"],
    "without mtx": ["--without", "mtx"],
    "single copies": ["--single-copy"],
    "single copies, without cxt": ["--single-copy", "--without", "cxt"],
    "eager": ["--eager"],
    "eager, without csr": ["--eager", "--without", "csr"],
}


def clauses(tool, threads, depth, options, seconds):
    create = "".join(f"    pthread_create(&id[{i}], 0, run, 0);\n" for i in range(threads - 1))
    with tempfile.NamedTemporaryFile("w", suffix=".c") as file:
        file.write(PROGRAM % (max(threads - 1, 1), create))
        file.flush()
        command = [tool, "check", "--engine", "lazy", "--property", "assertions", "--format", "json", "--depth", str(depth),
                   "--time", str(seconds), *options, file.name]
        out = subprocess.run(command, capture_output=True, text=True).stdout
    try:
        figures = {s["name"]: s["value"] for s in json.loads(out)["statistics"]}
        # What was not unrolled to the depth cannot be compared.
        return figures["clauses"] if figures["depth"] >= depth else None
    except (ValueError, KeyError):
        return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("--threads", default="2,3,4")
    parser.add_argument("--depths", default="8,12,16,20,24")
    parser.add_argument("--time", type=float, default=20, help="seconds for each run")
    parser.add_argument("--table", action="store_true", help="as a table for docs/lazy.md")
    args = parser.parse_args()
    depths = [int(d) for d in args.depths.split(",")]
    bar = " | " if args.table else "  "
    edge = "|" if args.table else ""
    head = ["threads", "variant", *[f"d={d}" for d in depths], *[f"+1 at {d}" for d in depths[1:]], "exponent"]
    print(edge + bar.join(head) + edge)
    if args.table:
        print("|---" * len(head) + "|")
    for threads in (int(n) for n in args.threads.split(",")):
        for name, options in VARIANTS.items():
            all_clauses = [clauses(args.tool, threads, d, options, args.time) for d in depths]
            added = []
            for i in range(1, len(depths)):
                a, b = all_clauses[i - 1], all_clauses[i]
                added.append((b - a) / (depths[i] - depths[i - 1]) if a is not None and b is not None else None)
            exponent = "-"
            if all_clauses[1] and all_clauses[-1]:
                exponent = f"{math.log(all_clauses[-1] / all_clauses[1]) / math.log(depths[-1] / depths[1]):.2f}"
            show = lambda x: "-" if x is None else f"{x:.0f}"
            print(edge + bar.join([str(threads), name, *map(show, all_clauses), *map(show, added), exponent]) + edge, flush=True)


if __name__ == "__main__":
    main()
