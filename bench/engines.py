#!/usr/bin/env python3
"""All engines on a folder of tasks: what each finds and proves, by category.

    bench/engines.py target/release/raddle tasks.csv [--property unreach-call] [--time 60] [--results FILE]
                     [--engines staged,context,...] [--jobs 1] [--only REGEX] [--again]

The list of tasks has the columns id, file (beside the list), property, expected (true, false), data_model. A category is the name of the
folder of a file. Results are appended to FILE, a line of JSON for each task and engine, so a run can be cut short and gone on
with; `--again` runs what has no answer there once more, with the time that is given now. The table counts, for each engine: bugs that were
found, programs that were proved, those without a bug up to a bound, and seconds of CPU in all. A wrong answer ends the run with 1.
"""

import argparse
import concurrent.futures
import csv
import json
import os
import pathlib
import re
import subprocess
import sys
import time

VERDICTS = ("UNSAFE", "SAFE", "BOUNDED", "UNKNOWN")


def run(tool, folder, task, engine, limit):
    """The verdict and the seconds of CPU."""
    bits = "--64" if "64" in task["data_model"] else "--32"
    command = [tool, "check", "--engine", engine, "--property", task["property"], "--first", "--time", str(limit), bits, task["file"]]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as child:
        text = child.stdout.read()
        _, _, usage = os.wait4(child.pid, 0)
        child.returncode = 0
    last = (text.strip().splitlines() or ["UNKNOWN"])[-1].removeprefix("VERDICT: ")
    verdict = last if last in VERDICTS else "UNKNOWN"
    return verdict, usage.ru_utime + usage.ru_stime


def category(task):
    return pathlib.PurePath(task["file"]).parent.name


def is_wrong(task, verdict):
    return verdict == ("UNSAFE" if task["expected"] == "true" else "SAFE")


def table(tasks, engines, results):
    """Markdown."""
    print("| category | false | true | " + " | ".join(engines) + " |")
    print("|---" * (3 + len(engines)) + "|")
    groups = sorted({category(t) for t in tasks})
    for name in [*groups, "all"]:
        members = [t for t in tasks if name in (category(t), "all")]
        cells = []
        for engine in engines:
            done = [results[key] for t in members if (key := (t["id"], t["property"], engine)) in results]
            counts = [sum(r["verdict"] == v for r in done) for v in ("UNSAFE", "SAFE", "BOUNDED")]
            cells.append("{} / {} / {}, {:.0f} s".format(*counts, sum(r["cpu"] for r in done)))
        numbers = [sum(t["expected"] == e for t in members) for e in ("false", "true")]
        print("| " + " | ".join([name, *map(str, numbers), *cells]) + " |")


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("tool", type=pathlib.Path)
    ap.add_argument("tasks", type=pathlib.Path)
    ap.add_argument("--property", default="unreach-call")
    ap.add_argument("--engines", default="staged,context,unwinding,explore")
    ap.add_argument("--time", type=int, default=60)
    ap.add_argument("--jobs", type=int, default=1)
    ap.add_argument("--only", default="")
    ap.add_argument("--results", type=pathlib.Path, default=pathlib.Path("engines.jsonl"))
    ap.add_argument("--again", action="store_true")
    args = ap.parse_args()
    with args.tasks.open() as file:
        tasks = [t for t in csv.DictReader(file) if t["property"] == args.property and re.search(args.only, t["id"])]
    engines = args.engines.split(",")
    results = {}
    if args.results.exists():
        for line in args.results.read_text().splitlines():
            row = json.loads(line)
            results[row["id"], row["property"], row["engine"]] = row
    todo = []
    for task in tasks:
        for engine in engines:
            before = results.get((task["id"], task["property"], engine))
            if before is None or args.again and before["verdict"] not in ("SAFE", "UNSAFE") and before["limit"] < args.time:
                todo.append((task, engine))
    tool = args.tool.resolve()
    started = time.monotonic()
    with args.results.open("a") as out, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        one = lambda job: (job, run(tool, args.tasks.parent, *job, args.time))
        for number, ((task, engine), (verdict, cpu)) in enumerate(pool.map(one, todo), 1):
            row = {"id": task["id"], "property": task["property"], "engine": engine, "verdict": verdict, "cpu": round(cpu, 3), "limit": args.time}
            results[task["id"], task["property"], engine] = row
            print(json.dumps(row), file=out, flush=True)
            print(f"\r{number} of {len(todo)}, {time.monotonic() - started:.0f} s", end="", file=sys.stderr)
    print(file=sys.stderr)
    table(tasks, engines, results)
    wrong = [(t["id"], e) for t in tasks for e in engines
             if (r := results.get((t["id"], t["property"], e))) and is_wrong(t, r["verdict"])]
    for task, engine in wrong:
        print(f"WRONG: {task}, {engine}")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
