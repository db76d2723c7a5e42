"""docs/experiments.md: a table for each experiment, the figures of the paper beside ours, and plots."""

import os
import pathlib
import platform

import plot

HEAD = """# The experiments of the five papers

Written by `bench/papers/run RADDLE --page docs/experiments.md`; the programs are in `bench/papers`, written after the
papers' descriptions. A cell has seconds of CPU time of one run, start and clang included; a run that has no answer within the limits is a dash, with what
it says (BOUNDED: no mistake up to a bound); a dash in brackets was not run, since a smaller size had no answer. Columns in *italics* are the papers' own figures, on the machines of their days. {machine}, {version}, limits `{limits}` unless a cell says otherwise.
"""

PAPERS = {
    "000": "Ganai, Gupta: Efficient Modeling of Concurrent Systems in BMC (engine `lazy`)",
    "001": "Tomasco, Inverso, Fischer, La Torre, Parlato: Verifying Concurrent Programs by Memory Unwinding (engine `unwinding`)",
    "002": "Rabinovitz, Grumberg: Bounded Model Checking of Concurrent Programs (engine `context`)",
    "003": "Kahlon, Gupta, Sinha: Symbolic Model Checking of Concurrent Programs Using Partial Orders and On-the-Fly Transactions (engine `circuit`)",
    "004": "Sinha, Wang: Staged Concurrent Program Analysis (engine `staged`)",
}


def write(wanted, results, version, limits):
    """The page, and its plots by name."""
    parts, plots = [HEAD.format(machine=machine(), version=version, limits=" ".join(limits))], {}
    parts += remarks("all")
    for paper, title in PAPERS.items():
        of_paper = [e for e in wanted if e.paper == paper and any(key[0] == e.name for key in results)]
        if not of_paper:
            continue
        parts.append(f"\n## Paper {paper}\n\n{title}\n")
        for experiment in of_paper:
            parts.append(f"\n### {experiment.title}\n\n{experiment.about}\n")
            parts.append(categories(experiment, results) if experiment.rows[0].category else table(experiment, results, limits))
            if experiment.across:
                for name, svg in charts(experiment, results):
                    plots[name] = svg
                    parts.append(f"![{experiment.title}]({name})\n")
        parts += remarks(paper)
    return "\n".join(parts), plots


def remarks(about):
    """What a person has to say about the results, if anything."""
    file = pathlib.Path(__file__).with_name("remarks") / f"{about}.md"
    return [f"\n{file.read_text().strip()}\n"] if file.exists() else []


def machine():
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 30
    return f"{os.cpu_count()} cores, {memory} GiB, {platform.system()} {platform.machine()}"


def present(experiment, results):
    """The columns that have results."""
    return [c for c in experiment.columns() if any((experiment.name, r.label, c) in results for r in experiment.rows)]


def cell(experiment, row, result, limits):
    """A result; the limits of its run where they are not those of the page and matter."""
    if result is None:
        return ""
    within = row.answers(result) and result["cpu"] <= float(limits[1])
    own = [] if within or result["limits"] == limits else [f"`{' '.join(result['limits'][:2])}`"]
    if not row.answers(result):
        return " ".join(["–"] + [result["verdict"]] * (result["verdict"] != "UNKNOWN") + [f"({words})" for words in own])
    if experiment.across.endswith("clauses"):
        return f"{result['figures']['clauses']:,}"
    shown = [f"{name} {result['figures'][name]}" for name in experiment.shown if result["figures"].get(name)]
    if experiment.count:
        shown.insert(0, f"{result['findings']} race{'s' if result['findings'] != 1 else ''}")
    words = ([result["verdict"]] if experiment.verdicts or "|" in row.expected else []) + shown + own
    return f"{result['cpu']:.2f}" + (f" ({', '.join(words)})" if words else "")


def instead(experiment, row, column, results):
    """What a cell says without a result: why there is none."""
    if column in experiment.once:
        return "as above"
    smaller = [(other, results.get((experiment.name, other.label, column))) for other in experiment.smaller(row)]
    return "(–)" if any(result and not other.answers(result) for other, result in smaller) else ""


def table(experiment, results, limits):
    columns = present(experiment, results)
    paper = list(dict.fromkeys(name for row in experiment.rows for name in row.paper))
    if len(experiment.rows) == 1:
        return turned(experiment, results, columns, limits)
    lines = ["| | " + " | ".join([f"*{name}*" for name in paper] + columns) + " |", "|---" * (1 + len(paper) + len(columns)) + "|"]
    for row in experiment.rows:
        ours = [cell(experiment, row, results.get((experiment.name, row.label, c)), limits) or instead(experiment, row, c, results) for c in columns]
        lines.append("| " + " | ".join([row.label] + [row.paper.get(name, "") for name in paper] + ours) + " |")
    return "\n".join(lines) + "\n"


def turned(experiment, results, columns, limits):
    """A table with one row is easier to read with a line for each column."""
    row = experiment.rows[0]
    lines = ["| | *paper* | raddle |", "|---|---|---|"]
    rest = dict(row.paper)
    for column in columns:
        lines.append(f"| {column} | {rest.pop(column, '')} | {cell(experiment, row, results.get((experiment.name, row.label, column)), limits)} |")
    lines += [f"| *{name}* | {value} | |" for name, value in rest.items()]
    return "\n".join(lines) + "\n"


def categories(experiment, results):
    """Found and seconds on average, by category."""
    columns = present(experiment, results)
    run = lambda row: any((experiment.name, row.label, column) in results for column in columns)
    names = list(dict.fromkeys(row.category for row in experiment.rows if run(row)))
    lines = ["| category | tasks | *MU-CSeq, s* | " + " | ".join(columns) + " |", "|---" * (3 + len(columns)) + "|"]
    for name in [*sorted(names), "all"]:
        rows = [row for row in experiment.rows if run(row) and name in (row.category, "all")]
        cells = []
        for column in columns:
            done = [results[key] for row in rows if (key := (experiment.name, row.label, column)) in results]
            found = [r["cpu"] for r in done if r["verdict"] == "UNSAFE"]
            cells.append(f"{len(found)} of {len(done)}, {sum(found) / max(len(found), 1):.2f} s" if done else "")
        paper = rows[0].paper["MU-CSeq"] if name != "all" else ""
        lines.append("| " + " | ".join([name, str(len(rows)), paper, *cells]) + " |")
    return "\n".join(lines) + "\n"


def charts(experiment, results):
    """A chart of the experiment; of bubble sort one for each size and number of switches would be too many: the largest."""
    across, up = experiment.across.split(": ")
    rows = experiment.rows
    if experiment.name == "002-bubble":
        rows = [row for row in rows if row.label.startswith("6 ") and row.label.endswith("= 10")]
    lines = []
    for column in present(experiment, results):
        points = []
        for row in rows:
            result = results.get((experiment.name, row.label, column))
            decided = result and row.answers(result)
            if decided:
                points.append((row.at, result["figures"]["clauses"] if up == "clauses" else max(result["cpu"], 0.01), True))
            elif result and up != "clauses":
                points.append((row.at, float(result["limits"][1]), False))
        if points:
            lines.append((column, points))
    if lines:
        yield f"experiments-{experiment.name}.svg", plot.draw(experiment.title, across, "clauses" if up == "clauses" else "seconds of CPU", lines)
