#!/usr/bin/env python3
"""Programs with worker threads, in the styles that people write them: how many workers does raddle reach?

    bench/workers.py target/release/raddle [--time 60] [--most 64] [--only REGEX] [--results FILE] [--plot FILE.svg]

Each program of `bench/workers` is checked with 1, 2, 3, 4, 6, 8, … workers (`-DWORKERS=n`), with the properties that
are checked by default, until it is not decided within the time. The first comment lines of a program say what is
expected, as in `tests/programs`: `// expect: UNSAFE races`, with `//~ races` on the lines of findings;
`// expect WORKERS=1: SAFE` where a bug needs more workers; `// family:` is its chart in the plot. Where a bug is
expected, raddle stops at the first finding (`--first`). Decided is SAFE or UNSAFE as expected; BOUNDED and UNKNOWN are
not. The time that is given is from start to verdict; what the table and the plot show is CPU time, which
depends less on what else the machine does.

All programs go through one number of workers before the next. Results are appended to FILE, a line of JSON for each
run, so a run can be cut short and gone on with; a program that was changed is run again, and so is with `--least-cpu N`
what was not decided and had less than N s of CPU because the machine had other work to do. With `--only-results`
nothing is run: the table and the plot are of what there is. A verdict against the expectation ends the run with 1.
"""

import argparse
import hashlib
import json
import pathlib
import re
import resource
import subprocess
import sys
import time

import workers_plot

FOLDER = pathlib.Path(__file__).resolve().parent / "workers"
WORKERS = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64]
SHOWN = [1, 2, 4, 8]
# raddle ends by itself when its time is up; what does not is ended.
GRACE = 30


class Program:
    """A program and what its comments say."""

    def __init__(self, path):
        text = path.read_text()
        self.path, self.name = path, path.stem
        self.digest = hashlib.sha256(text.encode()).hexdigest()[:12]
        self.args, self.expected, self.family, self.marks = [], {}, "", set()
        for number, line in enumerate(text.splitlines(), 1):
            if found := re.match(r"// args: (.*)", line):
                self.args = found[1].split()
            elif found := re.match(r"// family: (.*)", line):
                self.family = found[1]
            elif found := re.match(r"// expect(?: WORKERS=(\d+))?: (\w+)(.*)", line):
                properties = set(re.split(r"[ ,]+", found[3].strip())) - {""}
                self.expected[int(found[1] or 0)] = (found[2], properties)
            if "//~" in line:
                self.marks |= {(word, number) for word in line.split("//~")[1].split()}
        if 0 not in self.expected or not self.family:
            sys.exit(f"{path}: no line `// expect: …` or no line `// family: …`")

    def expectation(self, workers):
        return self.expected.get(workers, self.expected[0])

    def wanted(self):
        """The general expectation, in words."""
        verdict, properties = self.expected[0]
        return " ".join([verdict, ", ".join(sorted(properties))]).strip()


def run(tool, program, workers, limit):
    """One row of results."""
    command = [tool, "check", "--format", "json", "--time", str(limit), *program.args, f"-DWORKERS={workers}", program.path]
    if program.expectation(workers)[0] == "UNSAFE":
        command.insert(2, "--first")
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    try:
        text = subprocess.run(command, capture_output=True, text=True, timeout=limit + GRACE).stdout
    except subprocess.TimeoutExpired:
        text = ""
    seconds, after = time.monotonic() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    row = {"program": program.name, "digest": program.digest, "workers": workers, "limit": limit}
    row |= {"seconds": round(seconds, 2), "cpu": round(cpu, 2)}
    try:
        report = json.loads(text)
    except ValueError:
        return row | {"verdict": "UNKNOWN", "complaints": ["no report"]}
    row["verdict"] = report["verdict"]
    row["complaints"] = complaints(program, workers, report)
    row["reason"] = (report["reason"] or {}).get("text")
    row["open"] = [",".join(a["properties"]) for a in report["answers"] if a["verdict"] in ("BOUNDED", "UNKNOWN")]
    row["figures"] = {s["name"]: s["value"] for s in report["statistics"]}
    row["stages"] = {s["name"]: round(s["seconds"], 2) for s in report["stages"]}
    return row


def complaints(program, workers, report):
    """What in a report is against the expectation."""
    verdict, properties = program.expectation(workers)
    wrong = []
    if {verdict, report["verdict"]} == {"SAFE", "UNSAFE"}:
        wrong.append(f"{report['verdict']}, expected {verdict}")
    if (report["reason"] or {}).get("kind") == "internal" or any(n["kind"] == "mistake" for n in report["notes"]):
        wrong.append("a mistake in raddle")
    for finding in report["findings"]:
        line = finding["marks"][0]["at"]["line"]
        if finding["property"] not in properties or (finding["property"], line) not in program.marks:
            wrong.append(f"line {line}: {finding['headline']} is not expected")
    return wrong


def is_decided(program, row):
    return row["verdict"] == program.expectation(row["workers"])[0] and row["seconds"] <= row["limit"] + 1


def table(programs, results):
    """Markdown."""
    print("| program | expected | workers | " + " | ".join(f"CPU s with {n}" for n in SHOWN) + " | first not decided |")
    print("|---" * (4 + len(SHOWN)) + "|")
    for family in dict.fromkeys(p.family for p in programs):
        print(f"| **{family}** |" + " |" * (3 + len(SHOWN)))
        for program in (p for p in programs if p.family == family):
            rows = results[program.name]
            decided = [n for n, row in rows.items() if is_decided(program, row)]
            open_rows = [row for row in rows.values() if not is_decided(program, row)]
            cells = [f"{rows[n]['cpu']:.1f}" if n in decided else "" for n in SHOWN]
            reached = str(max(decided, default=0)) + ("" if open_rows else " or more")
            cells += ["; ".join(f"{r['workers']}: {r['verdict']}, {r['cpu']:.0f} s" for r in open_rows)]
            print("| " + " | ".join([f"`{program.name}`", program.wanted(), reached, *cells]) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool", type=pathlib.Path)
    parser.add_argument("--time", type=int, default=60)
    parser.add_argument("--most", type=int, default=WORKERS[-1])
    parser.add_argument("--only", default="")
    parser.add_argument("--results", type=pathlib.Path, default=pathlib.Path("workers.jsonl"))
    parser.add_argument("--least-cpu", type=float, default=0)
    parser.add_argument("--only-results", action="store_true")
    parser.add_argument("--plot", type=pathlib.Path)
    options = parser.parse_args()
    programs = [p for p in map(Program, sorted(FOLDER.glob("*.c"))) if re.search(options.only, p.name)]
    programs.sort(key=lambda p: (p.family, p.name))
    before = {}
    if options.results.exists():
        for line in options.results.read_text().splitlines():
            row = json.loads(line)
            key = row["program"], row["digest"], row["workers"], row["limit"]
            # Of two runs without an answer the one that had more CPU says more.
            if key not in before or row["verdict"] in ("SAFE", "UNSAFE") or row["cpu"] > before[key]["cpu"]:
                before[key] = row
    results = {p.name: {} for p in programs}
    going = list(programs)
    with options.results.open("a") as out:
        for workers in (n for n in WORKERS if n <= options.most):
            for number, program in enumerate(going, 1):
                print(f"\r{workers} workers: {number} of {len(going)}  ", end="", file=sys.stderr, flush=True)
                row = before.get((program.name, program.digest, workers, options.time))
                starved = row and not is_decided(program, row) and row["cpu"] < options.least_cpu
                if options.only_results and row is None:
                    continue
                if row is None or starved and not options.only_results:
                    row = run(options.tool.resolve(), program, workers, options.time)
                    print(json.dumps(row), file=out, flush=True)
                results[program.name][workers] = row
                if row["complaints"]:
                    print(f"\nWRONG: {program.name} with {workers} workers: {'; '.join(row['complaints'])}", file=sys.stderr)
            going = [p for p in going if (row := results[p.name].get(workers)) and is_decided(p, row)]
    print(file=sys.stderr)
    table(programs, results)
    if options.plot:
        lines = [(p.family, p.name, p.expected[0][0],
                  [(row["workers"], row["cpu"], is_decided(p, row)) for row in results[p.name].values()])
                 for p in programs if results[p.name]]
        options.plot.write_text(workers_plot.draw(lines, options.time))
    wrong = [row for rows in results.values() for row in rows.values() if row["complaints"]]
    for row in wrong:
        print(f"WRONG: {row['program']} with {row['workers']} workers: {'; '.join(row['complaints'])}")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
