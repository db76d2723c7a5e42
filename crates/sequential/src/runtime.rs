//! Puts the C file together: bounds, memory, the runtime of the scheme, the program's functions,
//! `main`.

use std::fmt::Write;

use raddle_ir::Program;

use crate::function::{Checks, Unit, signature, translate};
use crate::layout::{Layout, Region};
use crate::reach::reach;
use crate::settings::{Error, Scheme, Settings, Style};
use crate::stops::stopping;
use crate::writer::{commented, quoted};

const TYPES: &str = include_str!("../c/types.c");
const STATE: &str = include_str!("../c/state.c");
const FINE: &str = include_str!("../c/fine.c");
const COARSE: &str = include_str!("../c/coarse.c");
const THREADS: &str = include_str!("../c/threads.c");
const ACCESS: &str = include_str!("../c/access.c");
const MUTEX: &str = include_str!("../c/mutex.c");
const ALLOC: &str = include_str!("../c/alloc.c");
const FLOATS: &str = include_str!("../c/floats.c");

/// The sequential program.
pub fn sequentialize(program: &Program, settings: &Settings) -> Result<String, Error> {
    settings.check()?;
    let entry = program.entry.ok_or(Error::NoMain)?;
    let reached = reach(program, entry);
    let layout = Layout::new(program, &reached, settings)?;
    let stopping = stopping(program, &reached.functions);
    let unit = Unit { program, reached: &reached, layout: &layout, settings, stopping: &stopping };
    let mut checks = Checks::default();
    let bodies: Vec<String> =
        reached.functions.iter().map(|f| translate(&unit, *f, &mut checks)).collect();
    let bodies = bodies.join("\n");

    let mut text = header(settings, &layout);
    text += types(&bodies).as_str();
    text += style(settings.style);
    text += &memory(&unit, checks.list.len());
    text += STATE;
    for part in scheme(settings.scheme) {
        text.push('\n');
        text += part;
    }
    text.push('\n');
    text += THREADS;
    text.push('\n');
    text += ACCESS;
    let uses = |words: &[&str]| words.iter().any(|w| bodies.contains(w));
    let optional = [
        (uses(&["raddle_lock(", "raddle_try_lock("]), MUTEX),
        (uses(&["raddle_f32", "raddle_f64"]), FLOATS),
        (allocates(&layout), ALLOC),
    ];
    for (_, part) in optional.iter().filter(|(wanted, _)| *wanted) {
        text.push('\n');
        text += part;
    }
    text += "\n/* ---- The program -------------------------------------------------------------------------- */\n\n";
    for &f in &reached.functions {
        let _ = writeln!(text, "{};", signature(&unit, f, None));
    }
    text.push('\n');
    text += &bodies;
    text += "\n/* ---- The simulation begins and ends here ------------------------------------------------------ */\n";
    let line = text.lines().count() + 2;
    let _ = writeln!(text, "#line {line} {}", quoted(&settings.output_name));
    text += &main(&unit, entry, &checks, line);
    Ok(text)
}

fn allocates(layout: &Layout) -> bool {
    let some = |r: Region| r.start < r.end;
    some(layout.heap) || some(layout.zeroed_heap) || some(layout.own_heap) || some(layout.stack)
}

fn header(settings: &Settings, layout: &Layout) -> String {
    let bound = match settings.scheme {
        Scheme::FineExplicit | Scheme::FineImplicit | Scheme::FineMixed => {
            "writes to shared memory"
        }
        Scheme::CoarseIntra | Scheme::CoarseInter => "clusters of writes",
        Scheme::Context => "context switches",
    };
    let loops = match settings.unwind {
        Some(n) => format!("\n * Each loop runs at most {n} times."),
        None => String::new(),
    };
    format!(
        "/* A sequential program made by `raddle sequentialize --scheme {}`.\n *\n \
         * It has an execution in which raddle_violation is reached iff the concurrent program has one in which\n \
         * that assertion fails, with at most {} {bound} and {} threads (main included).{loops}\n \
         * Threads are simulated one after the other, each where it is created, against a guess that is confirmed\n \
         * at the end. A thread may stop anywhere; one that waits for ever does.\n */\n\n",
        settings.scheme.name(),
        settings.bound,
        layout.threads
    )
}

fn types(bodies: &str) -> String {
    let mut text = TYPES.to_string();
    if bodies.contains("u128") || bodies.contains("s128") {
        text += "typedef unsigned __int128 u128;\ntypedef __int128 s128;\n";
    }
    text.push('\n');
    text
}

fn style(style: Style) -> &'static str {
    match style {
        Style::Svcomp => include_str!("../c/style_svcomp.c"),
        Style::Cbmc => include_str!("../c/style_cbmc.c"),
        Style::Esbmc => include_str!("../c/style_esbmc.c"),
    }
}

/// The parts of the runtime that belong to a scheme.
fn scheme(scheme: Scheme) -> [&'static str; 2] {
    match scheme {
        Scheme::FineImplicit => [FINE, include_str!("../c/fine_implicit.c")],
        Scheme::FineExplicit => [FINE, include_str!("../c/fine_explicit.c")],
        Scheme::FineMixed => [FINE, include_str!("../c/fine_mixed.c")],
        Scheme::CoarseIntra => [COARSE, include_str!("../c/coarse_intra.c")],
        Scheme::CoarseInter => [COARSE, include_str!("../c/coarse_inter.c")],
        Scheme::Context => [COARSE, include_str!("../c/context.c")],
    }
}

/// Bounds, addresses, and the table of cells.
fn memory(unit: &Unit, checks: usize) -> String {
    let (layout, settings) = (unit.layout, unit.settings);
    let mut text = String::from(
        "#define raddle_return_if_stopped(value) do { if (raddle_now.stopped) return value; } while (0)\n\n\
         /* ---- Bounds and memory ------------------------------------------------------------------- */\n\nenum {\n",
    );
    let _ = writeln!(text, "    RADDLE_THREADS = {}, /* main included */", layout.threads);
    match settings.scheme {
        Scheme::FineExplicit | Scheme::FineImplicit | Scheme::FineMixed => {
            let _ =
                writeln!(text, "    RADDLE_WRITES = {}, /* to shared memory */", settings.bound);
        }
        Scheme::CoarseIntra | Scheme::CoarseInter => {
            let _ = writeln!(text, "    RADDLE_CLUSTERS = {},", settings.bound);
            text +=
                "    RADDLE_COMPARED = RADDLE_CLUSTERS,\n    RADDLE_FIRST = 1, /* position */\n";
        }
        Scheme::Context => {
            let _ = writeln!(text, "    RADDLE_CLUSTERS = {}, /* contexts */", settings.bound + 1);
            text += "    RADDLE_COMPARED = RADDLE_CLUSTERS - 1, /* nobody sees the end of the last */\n";
            text += "    RADDLE_FIRST = 2, /* position */\n";
        }
    }
    let _ = writeln!(
        text,
        "    RADDLE_SCALAR_CELLS = {}, /* shared variables that have a cell each */",
        layout.scalar_cells
    );
    let _ = writeln!(text, "    RADDLE_SHARED_CELLS = {},", layout.shared_cells);
    let _ = writeln!(text, "    RADDLE_CELLS = {},", layout.all_cells);
    for (name, region) in [
        ("HEAP", layout.heap),
        ("ZEROED_HEAP", layout.zeroed_heap),
        ("OWN_HEAP", layout.own_heap),
        ("STACK", layout.stack),
    ] {
        let _ = writeln!(
            text,
            "    RADDLE_{name} = {}, RADDLE_{name}_END = {},",
            8 * region.start,
            8 * region.end
        );
    }
    let _ = writeln!(
        text,
        "    RADDLE_MISALIGNED = {}, RADDLE_SIZE_NOT_KNOWN = {}, /* checks */",
        checks + 1,
        checks + 2
    );
    let _ = writeln!(
        text,
        "    RADDLE_TOO_MANY_THREADS = {}, RADDLE_OUT_OF_MEMORY = {}, /* bounds that are checked */",
        checks + 3,
        checks + 4
    );
    text += "};\n\n/* The addresses of variables and functions. */\nenum {\n    at_nothing = 0,\n";
    text += &layout.address_text(unit.program, unit.reached);
    text += "};\n\n/* All memory, in cells of 8 bytes; of shared cells, what they hold when the second thread starts. */\n";
    text += "u64 raddle_memory[RADDLE_CELLS] = {\n    0,\n";
    for (cell, value, name) in layout.initial(unit.program, unit.reached) {
        let _ = writeln!(text, "    [{cell}] = {value:#x}ull, /* {} */", commented(&name));
    }
    text += "};\n\n";
    text
}

/// `main`, which begins on this line.
fn main(unit: &Unit, entry: raddle_ir::FuncId, checks: &Checks, line: usize) -> String {
    let mut text = String::from("int main(void) {\n");
    for Region { start, end } in unit.layout.arbitrary(unit.program, unit.reached) {
        let _ = writeln!(text, "    for (u32 cell = {start}; cell < {end}; cell++)");
        text += "        raddle_memory[cell] = raddle_any();\n";
    }
    text +=
        "    raddle_threads = 1;\n    raddle_now.self = 1;\n    raddle_now.stack = RADDLE_STACK;\n";
    let _ = writeln!(text, "    {}();", unit.layout.function_name(entry));
    text += "    raddle_confirm();\n    switch (raddle_failed) {\n";
    for (i, (message, place)) in checks.list.iter().enumerate() {
        let _ = writeln!(text, "    case {}:", i + 1);
        if place.is_known() {
            let _ = writeln!(
                text,
                "#line {} {}",
                place.line,
                quoted(&unit.program.file(place.file).path)
            );
        }
        let _ = writeln!(text, "        raddle_violation({});\n        break;", quoted(message));
    }
    // What follows is at no line of the program.
    let next = line + text.lines().count() + 1;
    let _ = writeln!(text, "#line {next} {}", quoted(&unit.settings.output_name));
    text += "    case RADDLE_MISALIGNED:\n        raddle_violation(\"not translated: a misaligned access\");\n        break;\n";
    text += "    case RADDLE_SIZE_NOT_KNOWN:\n";
    text += "        raddle_violation(\"not translated: the size of an object that is allocated later\");\n        break;\n";
    for (check, message) in [
        ("RADDLE_TOO_MANY_THREADS", "bound exceeded: more threads than --threads"),
        ("RADDLE_OUT_OF_MEMORY", "bound exceeded: more memory than --heap"),
    ] {
        let _ = writeln!(text, "    case {check}:\n        raddle_violation(\"{message}\");");
        text += "        break;\n";
    }
    text += "    }\n    return 0;\n}\n";
    text
}
