#!/usr/bin/env python3
"""The bubble sort of paper 002, table 1: seconds to find the bug.

    bench/bubble.py target/release/raddle [--time 60]

For array sizes 3 to 5, elements of 8, 16 and 32 bits, and N = 6 and 10: `context` with both of its encodings and with threads taking
turns, and `staged`, all with at most N context switches; `unwinding` with as many clusters of writes of one thread as N switches make.
"""

import argparse
import pathlib
import subprocess
import time

ENGINES = {
    "block": ["--engine", "context", "--contexts", "{switches}"],
    "begin": ["--engine", "context", "--context-encoding", "begin", "--contexts", "{switches}"],
    "turns": ["--engine", "context", "--schedule", "round-robin", "--contexts", "{switches}"],
    "staged": ["--engine", "staged", "--contexts", "{switches}"],
    "unwinding": ["--engine", "unwinding", "--unwinding", "coarse-intra", "--writes", "{clusters}"],
}


def run(tool, size, bits, switches, engine, limit):
    """Seconds, and the verdict if it is not the expected one."""
    source = pathlib.Path(__file__).with_name("bubble_sort.c")
    engine = [word.format(switches=switches, clusters=switches + 1) for word in ENGINES[engine]]
    command = [tool, "check", "--property", "assertions", "--first", "--time", str(limit), "--unwind", str(size),
               f"-DSIZE={size}", f"-DBITS={bits}", *engine, str(source)]
    start = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True)
    seconds = time.monotonic() - start
    verdict = (done.stdout.strip().splitlines() or ["no answer"])[-1].removeprefix("VERDICT: ")
    return f"{seconds:.2f}" + ("" if verdict == "UNSAFE" else f" {verdict}")


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("tool")
    ap.add_argument("--time", type=int, default=60)
    args = ap.parse_args()
    print(f"{'size':>4} {'bits':>4} {'N':>3}" + "".join(f" {name:>14}" for name in ENGINES))
    for size in (3, 4, 5):
        for bits in (8, 16, 32):
            for switches in (6, 10):
                row = [run(args.tool, size, bits, switches, engine, args.time) for engine in ENGINES]
                print(f"{size:>4} {bits:>4} {switches:>3}" + "".join(f" {cell:>14}" for cell in row), flush=True)


if __name__ == "__main__":
    main()
