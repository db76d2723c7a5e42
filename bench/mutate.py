#!/usr/bin/env python3
"""Mutation run: small mistakes are put into raddle one at a time; which test notices?

    bench/mutate.py [--list bench/mutants.toml] [--only ID,ID] [--by NAME] [--jobs 1] [--scratch target/mutation]
    bench/mutate.py --check        only looks whether each mutant's old text is still there, builds nothing
    bench/mutate.py --build        only builds; RADDLE_MUTANT=number target/mutation/target/debug/raddle … then behaves as that mutant

A mutant is an entry of the list (TOML):

    [[mutant]]
    id = "sections-conditional-overwrite"
    file = "crates/engines/src/staged/compose.rs"
    old = "self.implication.holds(&self.skeleton.terms, guard, later)"
    new = "{ let _ = (guard, later); true }"
    breaks = "a write that is overwritten only on some paths is never seen"
    by = "who wrote it"

`old` must be an expression that stands once in the file (white space does not matter; if the file has moved, once in all
sources), `new` one of the same type. Two more fields: `whole = true` says that `old` is not an expression but any text (a match
arm, a statement), which costs a build of its own; `equivalent = "reason"` says that no verdict can change.

Idea: mutant schemata (Untch, Offutt, Harrold, ISSTA 1993). Building takes far longer than most tests, so all expressions are
compiled at once, each as `(if crate::mutant(7) { new } else { old })`, and the environment chooses one. That happens in a scratch
copy of what git knows of this folder; its target folder starts as a copy of ours. If the compiler objects to a mutant, it is taken out and built alone.
Each mutant meets the tests of STAGES in order, cheap and likely ones first, until one fails; a test that takes much
longer than without a mutant has failed. Each test is first run without a mutant, and must pass.
"""

import argparse
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# What CI runs, the cheap and likely killers first: package, test target (None: the tests inside the sources), environment.
STAGES = [
    ("raddle-summary", "*", {}),
    ("raddle-engines", "*", {}),
    ("raddle-order", None, {}),
    ("raddle", "programs", {"RADDLE_ENGINE": "staged"}),
    ("raddle-testgen", "*", {}),
    ("raddle", "surface", {}),
    ("raddle", "programs", {}),
]
CHOOSER = """
/// Whether the environment chose this mutant.
pub(crate) fn mutant(number: u32) -> bool {
    static CHOSEN: std::sync::LazyLock<u32> = std::sync::LazyLock::new(|| {
        std::env::var("RADDLE_MUTANT").ok().and_then(|n| n.parse().ok()).unwrap_or(0)
    });
    *CHOSEN == number
}
"""
# Why a mutant is not compiled together with the others.
ALONE, OVERLAPS = "not with others", "overlaps another mutant"
# A test may take this many times as long as without a mutant, and so many seconds more.
PATIENCE, GRACE = 4, 60
MEMORY = 12 << 30


@dataclass
class Mutant:
    id: str
    file: str
    old: str
    new: str
    breaks: str
    by: str = ""
    whole: bool = False
    equivalent: str = ""
    number: int = 0
    # Where the old text was found: path, start, end.
    where: tuple | None = None
    trouble: str = ""
    killed_by: str = ""


@dataclass
class Binary:
    name: str
    path: str
    environment: dict
    folder: str
    # How long it takes without a mutant; None: not known yet.
    seconds: float | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)


def read_list(path):
    mutants = [Mutant(**entry) for entry in tomllib.loads(path.read_text())["mutant"]]
    ids = [m.id for m in mutants]
    twice = {i for i in ids if ids.count(i) > 1}
    if twice:
        sys.exit(f"the same id twice: {', '.join(sorted(twice))}")
    for number, mutant in enumerate(mutants, 1):
        mutant.number = number
    return mutants


def occurrences(text, old):
    pattern = r"\s*".join(re.escape(word) for word in old.split())
    return [match.span() for match in re.finditer(pattern, text)]


def locate(mutant):
    """Finds the old text: in the file that is named, or anywhere if the file has moved."""
    named = ROOT / mutant.file
    found = [(named, *span) for span in occurrences(named.read_text(), mutant.old)] if named.exists() else []
    if not found:
        for path in sorted(ROOT.glob("crates/*/src/**/*.rs")):
            found += [(path, *span) for span in occurrences(path.read_text(), mutant.old)]
    if len(found) == 1:
        mutant.where = found[0]
    else:
        mutant.trouble = f"old text found {len(found)} times"


def copy_tree(scratch, changed):
    """The files that git knows, with these changes, and the target folder if the scratch copy has none.

    Files that are as they should be are not touched, so that cargo builds no more than necessary.
    """
    # Mutants leave things unused; that is no reason not to build.
    manifest = ROOT / "Cargo.toml"
    lenient = re.sub(r'^warnings = "deny"', 'warnings = "allow"', manifest.read_text(), flags=re.M)
    changed = changed | {manifest: lenient}
    known = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    for name in known:
        source, target = ROOT / name, scratch / name
        if not source.is_file():
            continue
        wanted = changed[source].encode() if source in changed else source.read_bytes()
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists() or target.read_bytes() != wanted:
            target.write_bytes(wanted)
            target.chmod(source.stat().st_mode)
    for folder in ("crates", "tests"):
        for stale in (scratch / folder).glob("**/*"):
            if stale.is_file() and not (ROOT / stale.relative_to(scratch)).exists():
                stale.unlink()
    if not (scratch / "target").exists() and (ROOT / "target/debug").exists():
        (scratch / "target").mkdir()
        # -a keeps the times by which cargo knows that nothing has changed.
        subprocess.run(["cp", "-a", ROOT / "target/debug", scratch / "target/debug"], check=True)


def crate_of(path):
    parts = path.parts
    return Path(*parts[: parts.index("src")])


def rewrite(mutants):
    """The text of each file with its mutants, and for each file the lines that belong to a mutant."""
    lines, changed, by_file = {}, {}, {}
    for mutant in mutants:
        by_file.setdefault(mutant.where[0], []).append(mutant)
    for path, members in by_file.items():
        text = path.read_text()
        members.sort(key=lambda m: m.where[1])
        parts, at = [], 0
        for mutant in members:
            _, start, end = mutant.where
            if start < at:
                mutant.trouble = OVERLAPS
                continue
            parts.append(text[at:start])
            first = "".join(parts).count("\n") + 1
            parts.append(f"(if crate::mutant({mutant.number}) {{ {mutant.new} }} else {{ {text[start:end]} }})")
            last = "".join(parts).count("\n") + 1
            lines.setdefault(str(path.relative_to(ROOT)), []).append((first, last, mutant))
            at = end
        changed[path] = "".join(parts) + text[at:]
    for lib in {crate_of(path) / "src/lib.rs" for path in changed}:
        changed[lib] = changed.get(lib, lib.read_text()) + CHOOSER
    return lines, changed


def cargo(scratch):
    """Builds all tests; binaries, and the compiler's errors as (file, line, text)."""
    packages = sorted({package for package, _, _ in STAGES})
    command = ["cargo", "test", "--no-run", "--offline", "--message-format=json"]
    command += [word for package in packages for word in ("-p", package)]
    environment = os.environ | {"CARGO_TARGET_DIR": str(scratch / "target")}
    run = subprocess.run(command, cwd=scratch, capture_output=True, text=True, env=environment)
    artifacts, errors = [], []
    for line in run.stdout.splitlines():
        message = json.loads(line)
        if message["reason"] == "compiler-artifact" and message.get("executable") and message["profile"]["test"]:
            artifacts.append(message)
        if message["reason"] == "compiler-message" and message["message"]["level"] == "error":
            for span in message["message"]["spans"]:
                errors.append((span["file_name"], span["line_start"], message["message"]["rendered"]))
    if run.returncode != 0 and not errors:
        sys.exit(f"cargo fails without an error in a source:\n{run.stderr[-3000:]}")
    return artifacts, errors


def binaries(artifacts):
    found = []
    for package, wanted, environment in STAGES:
        for artifact in artifacts:
            manifest = Path(artifact["manifest_path"])
            name = re.search(r'^name = "(.*)"', manifest.read_text(), re.M).group(1)
            inside = "test" not in artifact["target"]["kind"]
            target = artifact["target"]["name"]
            if name != package or (wanted != "*" and (target if not inside else None) != wanted):
                continue
            words = "".join(f" {value}" for value in environment.values())
            label = f"{package} {'unit' if inside else target}{words}"
            found.append(Binary(label, artifact["executable"], environment, str(manifest.parent)))
    return found


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    os.setsid()


def run_binary(binary, number, seconds):
    """Runs one test binary; the name of the first test that fails, or None."""
    environment = os.environ | binary.environment | {"RADDLE_MUTANT": str(number)}
    child = subprocess.Popen(
        [binary.path], cwd=binary.folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        text=True, errors="replace", preexec_fn=limit,
    )  # fmt: skip
    slow = threading.Event()

    def stop():
        try:
            os.killpg(child.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def too_slow():
        slow.set()
        stop()

    timer = threading.Timer(seconds, too_slow)
    timer.start()
    failed = None
    for line in child.stdout:
        match = re.match(r"test (\S+) .*FAILED", line)
        if match:
            failed = match.group(1)
            stop()
            break
    child.stdout.close()
    code = child.wait()
    timer.cancel()
    if failed is None and slow.is_set():
        return "(too slow)"
    if failed is None and code != 0:
        return f"(ends with {code})"
    return failed


def patience(binary):
    """How long a test may take. Without a mutant it must pass."""
    with binary.lock:
        if binary.seconds is None:
            start = time.monotonic()
            failed = run_binary(binary, 0, 3600)
            binary.seconds = time.monotonic() - start
            print(f"no mutant: {binary.name}: {failed or 'passes'}, {binary.seconds:.1f} s", flush=True)
            if failed:
                print("a test fails without a mutant", file=sys.stderr, flush=True)
                os._exit(1)
        return PATIENCE * binary.seconds + GRACE


def judge(mutant, tests):
    for binary in tests:
        failed = run_binary(binary, mutant.number, patience(binary))
        if failed:
            mutant.killed_by = f"{binary.name}: {failed}"
            break
    print(f"{mutant.id}: {mutant.killed_by or 'SURVIVED'}", flush=True)


def build_together(scratch, mutants):
    """Compiles all expressions into one set of binaries; takes out those that the compiler objects to."""
    for mutant in mutants:
        locate(mutant)
    while True:
        lines, changed = rewrite([m for m in mutants if not m.trouble])
        copy_tree(scratch, changed)
        artifacts, errors = cargo(scratch)
        if not errors:
            return binaries(artifacts)
        guilty = {}
        for file, line, text in errors:
            for first, last, mutant in lines.get(file, []):
                if first <= line <= last:
                    guilty[mutant.id] = (mutant, text)
        if not guilty:
            sys.exit("the tree does not build:\n" + "\n".join(sorted({e[2] for e in errors}))[:4000])
        for mutant, text in guilty.values():
            print(f"{mutant.id}: to be built alone\n{text.splitlines()[0]}", flush=True)
            mutant.trouble = ALONE


def build_alone(scratch, mutant, seconds):
    mutant.trouble, mutant.where = "", None
    locate(mutant)
    if not mutant.where:
        return
    path, start, end = mutant.where
    text = path.read_text()
    copy_tree(scratch, {path: text[:start] + mutant.new + text[end:]})
    artifacts, errors = cargo(scratch)
    if errors:
        mutant.trouble = "does not build: " + errors[0][2].splitlines()[0]
        print(f"{mutant.id}: {mutant.trouble}", flush=True)
        return
    tests = binaries(artifacts)
    for binary in tests:
        # The tests of this tree cannot be run without the mutant.
        binary.seconds = seconds.get(binary.name) or 600
    judge(mutant, tests)


def table(mutants):
    width = max(len(m.id) for m in mutants)
    print()
    for m in mutants:
        outcome = m.trouble or m.killed_by or (f"survives as expected: {m.equivalent}" if m.equivalent else "SURVIVED")
        print(f"{m.id:{width}}  {outcome:60}  {m.breaks}")
    count = lambda test: sum(1 for m in mutants if test(m))
    killed, troubled = count(lambda m: m.killed_by), count(lambda m: m.trouble)
    survived = [m for m in mutants if not m.killed_by and not m.trouble]
    open_ = [m for m in survived if not m.equivalent]
    print(f"\n{len(mutants)} mutants: {killed} killed, {len(open_)} survived, "
          f"{len(survived) - len(open_)} equivalent, {troubled} not built")  # fmt: skip
    return open_


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", type=Path, default=ROOT / "bench/mutants.toml")
    parser.add_argument("--only", default="", help="these ids, with commas in between")
    parser.add_argument("--by", default="", help="mutants of this author")
    parser.add_argument("--jobs", type=int, default=1, help="mutants at once")
    parser.add_argument("--scratch", type=Path, default=ROOT / "target/mutation")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--build", action="store_true")
    return parser.parse_args()


def main():
    options = arguments()
    mutants = read_list(options.list)
    only = set(filter(None, options.only.split(",")))
    mutants = [m for m in mutants if (not only or m.id in only) and (not options.by or m.by == options.by)]
    if not mutants:
        sys.exit("no such mutant")
    if options.check:
        for mutant in mutants:
            locate(mutant)
            print(f"{mutant.id}: {mutant.trouble or 'found'}")
        sys.exit(any(m.trouble for m in mutants))
    scratch = options.scratch.resolve()
    scratch.mkdir(parents=True, exist_ok=True)
    together = [m for m in mutants if not m.whole]
    start = time.monotonic()
    tests = build_together(scratch, together)
    print(f"built {sum(1 for m in together if not m.trouble)} mutants in {time.monotonic() - start:.0f} s", flush=True)
    if options.build:
        return print("\n".join(f"{m.number:3} {m.id} {m.trouble}" for m in mutants))
    with ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(lambda m: judge(m, tests), [m for m in together if not m.trouble]))
    seconds = {binary.name: binary.seconds for binary in tests}
    for mutant in mutants:
        if mutant.whole or mutant.trouble in (ALONE, OVERLAPS):
            build_alone(scratch, mutant, seconds)
    sys.exit(bool(table(mutants)))


if __name__ == "__main__":
    main()
