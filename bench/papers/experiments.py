"""The experiments of the five papers: programs, sizes, engines with their switches, and what the papers report.

An experiment is a table: a row is a program with its size, a column is an engine with its switches. `paper` has the
figures of the paper for a row, by the name of the column in the paper (seconds unless it says otherwise).
"""

import csv
import dataclasses
import pathlib

FOLDER = pathlib.Path(__file__).resolve().parent

# Engines as they are by default; each experiment puts the variants of its own paper's engine before them.
OTHERS = {name: ["--engine", name] for name in ("staged", "context", "unwinding", "lazy", "circuit", "explore", "auto")}


@dataclasses.dataclass
class Row:
    """A program and its size."""

    label: str
    options: list  # for `raddle check`: definitions, bounds
    expected: str  # UNSAFE, SAFE, or both, separated by |
    paper: dict = dataclasses.field(default_factory=dict)
    at: float = 0  # where it stands in the plot
    source: pathlib.Path | None = None  # another program than that of the experiment
    category: str = ""  # rows of a category are added up
    size: tuple = ()  # numbers of which larger ones make it harder
    depth: int | None = None  # up to which nothing is to be found: an answer is BOUNDED, and this depth

    def answers(self, result):
        """Whether a result is an answer, and not only what there was when the limits were reached."""
        if result["verdict"] != "BOUNDED":
            return result["verdict"] in ("SAFE", "UNSAFE")
        return "BOUNDED" in self.expected and not result["stopped"] and result["figures"].get("depth") == self.depth


@dataclasses.dataclass
class Experiment:
    """A table."""

    name: str
    paper: str
    title: str
    program: str
    about: str
    rows: list
    own: dict  # variants of the engine of the paper: label to options; {name} is replaced by what a row says
    others: dict
    options: list = dataclasses.field(default_factory=lambda: ["--first"])
    shown: list = dataclasses.field(default_factory=list)  # statistics to show beside the time
    count: bool = False  # show how many findings there are
    verdicts: bool = False  # show which answer it is
    across: str = ""  # what the plot has from left to right; none without it

    once: list = dataclasses.field(default_factory=list)  # columns that do not depend on n: run with the first n only

    def columns(self):
        return {**self.own, **self.others}

    def smaller(self, row):
        """The rows of its kind that are no larger in anything."""
        alike = [other for other in self.rows if other is not row and other.size and other.expected == row.expected]
        return [other for other in alike if all(a <= b for a, b in zip(other.size, row.size))]


def without(*names):
    """The other engines but for some."""
    return {name: options for name, options in OTHERS.items() if name not in names}


def daisy(witness):
    return [f"-DWITNESS={witness}", "--property", "races"]


def lazy_variants():
    """Table 4 (a) of paper 000; what is not named there is switched off."""
    strategies = {
        "CSR": "pb,cxt,mtx",
        "CSR+PB": "cxt,mtx",
        "CSR+PB+CXT": "mtx",
        "CSR+PB+CXT+MTX": "",
        "CSR+PB+MTX": "cxt",
    }
    variants = {}
    for model, extra in (("lazy", []), ("eager", ["--eager"])):
        for name, off in strategies.items():
            options = ["--engine", "lazy", "--single-copy", *extra]
            variants[f"{model} {name}"] = options + (["--without", off] if off else [])
    return variants


def circuit_variants():
    """What paper 003 compares: bounded model checking of the circuit, step by step; and the engine as it is."""
    stepwise = ["--engine", "circuit", "--method", "bmc", "--without"]
    return {"interleaved": [*stepwise, "stubborn,transactions,rounds"], "stubborn sets": [*stepwise, "transactions,rounds"],
            "with transactions": [*stepwise, "rounds"], "circuit": ["--engine", "circuit"]}


DAISY_PAPER_003 = {
    1: {"interleaved": "memory out", "partial orders": "36707", "with transactions": "1283"},
    2: {"interleaved": "memory out", "partial orders": "145176", "with transactions": "5925"},
    3: {"interleaved": "memory out", "partial orders": "2.99", "with transactions": "2.89"},
}

BUBBLE_PAPER = {
    (3, 16, 10): "4.0", (4, 16, 10): "58.7",
    (5, 8, 6): "71.0", (5, 8, 10): "94.1", (5, 16, 6): "125.7", (5, 16, 10): "3013", (5, 32, 6): "1124", (5, 32, 10): "> 3600",
}
ZING_PAPER = {(5, 8): "1496", (5, 12): "> 3600"}

# Threads: Old(+O), +S-O, +S+O of figure 3.
INDEXER_PAPER = {
    20: ("0.1", "355", "0.1"), 27: ("23", "> 1800", "0.3"), 28: ("97", "> 1800", "4"), 29: ("129", "> 1800", "6"),
    30: ("517", "> 1800", "7"), 31: ("> 1800", "> 1800", "13"), 32: ("> 1800", "> 1800", "104"),
}
ACCOUNT_PAPER = {11: ("1", "121", "1"), 21: ("25", "> 1800", "10")}
SYNCHBENCH_PAPER = {2: ("1", "1", "1"), 13: ("9", "711", "3")}
PRUNING = "mhp,kill,value,locksets,mutexes,idle,symmetry"
STAGED_VARIANTS = {
    "staged": ["--engine", "staged"],
    "no summaries": ["--engine", "staged", "--without", "summaries"],
    "no pruning": ["--engine", "staged", "--without", PRUNING],
    "with clocks (z3)": ["--engine", "staged", "--solver", "z3"],
}

VARIANTS_001 = ["fine-explicit", "fine-implicit", "fine-mixed", "coarse-intra", "coarse-inter"]
PAPER_001 = {
    "pthread": "19.9", "pthread-atomic": "2.0", "pthread-ext": "2.4", "pthread-lit": "2.7", "pthread-wmm": "12.3 to 29.3",
}


# Bubble sort: loops as long as the array, and so many context switches.
UNWOUND = ["--unwind", "{elements}"]
WITHIN = ["--contexts", "{contexts}", *UNWOUND]


def figure3(row):
    """The columns of figure 3 of paper 004."""
    return dict(zip(("Old(+O)", "+S-O", "+S+O"), row)) if row else {}


def bubble_rows():
    rows = []
    for size in (3, 4, 5, 6):
        for bits in (8, 12, 16, 32):
            for n in (6, 10):
                paper = {"Zing": ZING_PAPER.get((size, bits)), "TCBMC": BUBBLE_PAPER.get((size, bits, n))}
                paper = {name: value for name, value in paper.items() if value}
                options = [f"-DSIZE={size}", f"-DBITS={bits}", "--property", "assertions"]
                row = Row(f"{size} elements, {bits} bits, n = {n}", options, "UNSAFE", paper, bits, size=(size, bits, n))
                row.contexts, row.clusters, row.elements = n, n + 1, size
                rows.append(row)
    return rows


def switches_rows():
    rows = []
    for n in (1, 2, 3, 4, 6, 8, 10, 13, 16):
        row = Row(f"n = {n}", ["-DSIZE=5", "-DBITS=32", "--property", "assertions"], "UNSAFE|BOUNDED", {}, n)
        row.contexts, row.clusters, row.elements = n, n + 1, 5
        rows.append(row)
    return rows


def experiments():
    """All of them but that of paper 001, which needs a folder of tasks."""
    daisy_names = {1: "two blocks in one byte (WW1)", 2: "the same, deeper (WW2)", 3: "seek against transfer"}
    yield Experiment(
        "000-daisy-first", "000", "Daisy: the first race", "daisy.c",
        "Table 4: two threads do all that files can do; seconds to the first race. CPU time, and the depth at which it is found.",
        [Row("all operations", ["-DWITNESS=0", "-DWRITTEN_OUT", "--property", "races"], "UNSAFE",
             {"lazy CSR+PB+CXT+MTX": "12 (depth 143)", "lazy CSR+PB+CXT": "found", "the other eight": "none in 20,000 s"})],
        lazy_variants(), without(), shown=["depth"])
    yield Experiment(
        "000-daisy-all", "000", "Daisy: many races in one run", "daisy.c",
        "Table 4: one run that goes on after each race (a race is a pair of lines here, a set of context switches in the paper). "
        "CPU time when the run ends, races.",
        [Row("all operations", ["-DWITNESS=0", "-DWRITTEN_OUT", "--property", "races"], "UNSAFE",
             {"lazy CSR+PB+CXT+MTX": "2400 (50 races)", "lazy CSR+PB+CXT": "2700 (50 races)", "the other eight": "none"})],
        lazy_variants(), without("explore"), options=[], count=True, shown=["depth"])
    yield Experiment(
        "000-depth", "000", "Daisy, repaired: time against depth", "daisy.c",
        "Table 4 (a) has the time up to each depth without a race; here the mistakes are repaired, so that there is none to find and all executions up to a "
        "depth are refuted. The depth counts steps of each thread, for the eager model steps of all threads together; in the paper also those that no other thread can notice.",
        [Row(f"depth {d}", ["-DREPAIRED", "-DWITNESS=0", "--property", "races", "--depth", str(d)], "BOUNDED", {}, d, size=(d,), depth=d)
         for d in (6, 12, 18, 24, 32, 40, 50)],
        lazy_variants(), {}, options=[], across="depth: s")
    yield Experiment(
        "000-sizes", "000", "Figure 1: clauses against depth", "figure1.c",
        "Two threads with one lock that run for ever: clauses of all depths up to d. Nothing is checked that could fail, so only the formula counts.",
        [Row(f"depth {d}", ["--property", "assertions", "--depth", str(d)], "BOUNDED", {}, d, size=(d,), depth=d) for d in (8, 12, 16, 20, 24)],
        {"all": ["--engine", "lazy"], "without csr": ["--engine", "lazy", "--without", "csr"],
         "without pb": ["--engine", "lazy", "--without", "pb"], "without mtx": ["--engine", "lazy", "--without", "mtx"],
         "single copies": ["--engine", "lazy", "--single-copy"],
         "single copies, without cxt": ["--engine", "lazy", "--single-copy", "--without", "cxt"],
         "eager": ["--engine", "lazy", "--eager"]},
        {}, options=[], across="depth: clauses")
    yield Experiment(
        "001-fibonacci", "001", "Fibonacci: fine against coarse sequences", "fibonacci.c",
        "Figure 2, with more iterations: the bug needs all additions of two threads in turns, so it is the number of writes that grows.",
        [Row(f"{2 * k} writes", [f"-DITERATIONS={k}", "--property", "assertions"], "UNSAFE", {}, 2 * k, size=(k,)) for k in (3, 4, 5, 6, 7, 8, 9, 11)],
        {name: ["--engine", "unwinding", "--unwinding", name] for name in VARIANTS_001}, without("unwinding"), across="writes: s")
    yield Experiment(
        "001-account", "001", "Account: fine against coarse sequences", "account.c",
        "The bank account of paper 004 with a mistake: the bug is near, but the program has more and more writes.",
        [Row(f"{n} threads", [f"-DTHREADS={n}", "-DMISTAKE", "--property", "races"], "UNSAFE", {}, n, size=(n,))
         for n in (3, 5, 8, 11, 16, 21)],
        {name: ["--engine", "unwinding", "--unwinding", name] for name in VARIANTS_001}, {"staged": OTHERS["staged"]}, across="threads: s")
    yield Experiment(
        "002-bubble", "002", "Bubble sort", "bubble_sort.c",
        "Table 1: a bug that needs both data and interleaving; at most n context switches (`unwinding`: n + 1 clusters of writes; `lazy`, "
        "`circuit` and `explore` have no such bound).",
        bubble_rows(),
        {"block": ["--engine", "context", *WITHIN],
         "begin": ["--engine", "context", "--context-encoding", "begin", *WITHIN],
         "turns": ["--engine", "context", "--schedule", "round-robin", *WITHIN]},
        {"staged": ["--engine", "staged", *WITHIN],
         "unwinding": ["--engine", "unwinding", "--unwinding", "coarse-intra", "--writes", "{clusters}", *UNWOUND],
         "auto": WITHIN, **without("context", "staged", "unwinding", "auto")},
        across="bits of an element (6 elements, n = 10): s", once=["lazy", "circuit", "explore"])
    yield Experiment(
        "002-switches", "002", "Bubble sort: more switches", "bubble_sort.c",
        "5 elements of 32 bits, and n switches: is it easier to find one of many executions with the bug than one of a few?",
        switches_rows(),
        {"block": ["--engine", "context", *WITHIN],
         "begin": ["--engine", "context", "--context-encoding", "begin", *WITHIN],
         "turns": ["--engine", "context", "--schedule", "round-robin", *WITHIN]},
        {"staged": ["--engine", "staged", *WITHIN],
         "unwinding": ["--engine", "unwinding", "--unwinding", "coarse-intra", "--writes", "{clusters}", *UNWOUND]},
        across="switches: s")
    yield Experiment(
        "003-daisy", "003", "Daisy under a scheduler", "daisy.c",
        "Section 5: three races; bounded model checking of the circuit with every interleaving, with stubborn sets, and with transactions "
        "besides; then the engine as it is, which also looks for violations in rounds (`docs/circuit.md`).",
        [Row(daisy_names[w], daisy(w), "UNSAFE", DAISY_PAPER_003[w]) for w in (1, 2, 3)],
        circuit_variants(), without("circuit"), shown=["depth", "rounds"])
    yield Experiment(
        "003-proofs", "003", "All executions", "daisy.c",
        "Programs in which there is nothing to find: what the reductions save where every execution has to be looked at. Daisy is repaired.",
        [Row("Daisy, blocks in one byte", ["-DREPAIRED", *daisy(1)], "SAFE"),
         Row("Daisy, seek against transfer", ["-DREPAIRED", *daisy(3)], "SAFE"),
         Row("synchronisation, 2 threads", ["-DTHREADS=2", "--property", "races"], "SAFE", source=FOLDER / "synchbench.c"),
         Row("synchronisation, 3 threads", ["-DTHREADS=3", "--property", "races"], "SAFE", source=FOLDER / "synchbench.c"),
         Row("account, 3 threads", ["-DTHREADS=3", "--property", "races"], "SAFE", source=FOLDER / "account.c"),
         Row("account, 4 threads", ["-DTHREADS=4", "--property", "races"], "SAFE", source=FOLDER / "account.c")],
        circuit_variants(), without("circuit"))
    yield Experiment(
        "004-indexer", "004", "Indexer", "indexer.c",
        "Figure 3: a hash table of 128 entries; does anybody collide at entry 0? The paper looks at slices of one run each, raddle at the whole program.",
        [Row(f"{n} threads", [f"-DTHREADS={n}", "--property", "assertions"], "SAFE" if n < 30 else "UNSAFE", figure3(INDEXER_PAPER.get(n)), n, size=(n,))
         for n in (13, 20, 27, 28, 29, 30, 31, 32, 48)],
        STAGED_VARIANTS, without("staged"), across="threads: s", verdicts=True)
    yield Experiment(
        "004-account", "004", "Account", "account.c", "Figure 3: a bank account; data races.",
        [Row(f"{n} threads{', with a mistake' if m else ''}", [f"-DTHREADS={n}", *m, "--property", "races"],
             "UNSAFE" if m else "SAFE", {} if m else figure3(ACCOUNT_PAPER[n]), n, size=(n,)) for n in (11, 21) for m in ([], ["-DMISTAKE"])],
        STAGED_VARIANTS, without("staged"))
    yield Experiment(
        "004-synchbench", "004", "SynchBench", "synchbench.c", "Figure 3: counters under locks; data races.",
        [Row(f"{n} threads{', with a mistake' if m else ''}", [f"-DTHREADS={n}", *m, "--property", "races"],
             "UNSAFE" if m and n > 2 else "SAFE", {} if m else figure3(SYNCHBENCH_PAPER.get(n)), n, size=(n,))
         for n in (2, 5, 8, 13) for m in ([], ["-DMISTAKE"])],
        STAGED_VARIANTS, without("staged"))
    yield Experiment(
        "004-pruning", "004", "What each pruning saves", "account.c",
        "All pruning, each kind left out by itself, and none: seconds, and pairs of a read and a write that it may see.",
        [Row("indexer, 20 threads", ["-DTHREADS=20", "--property", "assertions"], "SAFE", source=FOLDER / "indexer.c"),
         Row("account, 21 threads", ["-DTHREADS=21", "--property", "races"], "SAFE"),
         Row("synchronisation, 13 threads", ["-DTHREADS=13", "--property", "races"], "SAFE", source=FOLDER / "synchbench.c"),
         Row("barrier, 5 threads", ["-DTHREADS=5", "--property", "races"], "SAFE", source=FOLDER / "barrier.c"),
         Row("bubble sort, 5 elements", ["-DSIZE=5", "-DBITS=16", "--property", "assertions", "--unwind", "5"], "UNSAFE", source=FOLDER / "bubble_sort.c")],
        {"all": STAGED_VARIANTS["staged"], **{f"without {name}": ["--engine", "staged", "--without", name] for name in ("summaries", *PRUNING.split(","))},
         "none": STAGED_VARIANTS["no pruning"]}, {}, shown=["reads-from pairs"])
    yield Experiment(
        "004-barrier", "004", "Barrier (not in the paper)", "barrier.c",
        "That nobody passes a barrier before the last one has come is an argument by counting; races.",
        [Row(f"{n} threads", [f"-DTHREADS={n}", "--property", "races"], "SAFE", {}, n, size=(n,)) for n in (2, 4, 5, 6, 7, 8, 13)],
        {"staged": STAGED_VARIANTS["staged"]}, without("staged"), across="threads: s")


def memory_unwinding(tasks):
    """Table 1 of paper 001 on the unsafe tasks of a list as in the competition: id, file, property, expected, data_model."""
    tasks = pathlib.Path(tasks).resolve()
    with (tasks / "tasks.csv").open() as file:
        wanted = [t for t in csv.DictReader(file) if t["property"] == "unreach-call" and t["expected"] == "false"]
    rows = []
    for task in wanted:
        source = tasks / task["file"]
        bits = "--64" if "64" in task["data_model"] else "--32"
        category = source.parent.name
        row = Row(task["id"], ["--property", "unreach-call", bits], "UNSAFE", {"MU-CSeq": PAPER_001.get(category, "")}, 0, source)
        row.category = category
        rows.append(row)
    own = {name: ["--engine", "unwinding", "--unwinding", name] for name in VARIANTS_001}
    return Experiment(
        "001-unsafe", "001", "Unsafe tasks of the competition", "",
        "Table 1: bugs found and seconds of CPU on average over those that were found, by category.",
        rows, {**own, "chosen by itself": ["--engine", "unwinding"]}, without("unwinding"))
