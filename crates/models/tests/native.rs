//! Compares models with the native C library.
//!
//! The same C bodies serve interpreter and engines, so replaying a trace cannot reveal a wrong
//! one. Here they are compiled natively, each function renamed to `model_…`, with native
//! bodies for the primitives (`native/stubs.c`), and called by drivers (`native/*.c`) beside the
//! functions of the system's libc on many inputs. Waiting and interleaving are not tested
//! here but by the programs in `tests/programs`.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use raddle_models::all;

const DRIVERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/native");
const MODELS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/c");

/// Compiles the models under new names, links them with the driver and runs it.
fn compare(driver: &str, models: &[&str]) {
    let mut ran = false;
    for bits in ["-m64", "-m32"] {
        if bits == "-m32" && !can_link_32_bits() {
            continue;
        }
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{driver}{bits}"));
        std::fs::create_dir_all(&folder).expect("the build folder can be written");
        let mut objects = vec![folder.join("stubs.o"), folder.join("driver.o")];
        compile(&Path::new(DRIVERS).join("stubs.c"), &objects[0], &[bits]);
        compile(&Path::new(DRIVERS).join(format!("{driver}.c")), &objects[1], &[bits, "-O1"]);
        for model in models {
            let object = folder.join(format!("{model}.o"));
            let renamed = renames(model);
            let mut flags = vec![bits, "-ffreestanding", "-fno-builtin", "-nostdinc"];
            flags.extend(["-Wno-unused-parameter", "-Wno-atomic-alignment"]);
            flags.extend(renamed.iter().map(String::as_str));
            compile(&Path::new(MODELS).join(format!("{model}.c")), &object, &flags);
            objects.push(object);
        }
        let program = folder.join("driver");
        let mut link = clang();
        link.arg(bits).args(&objects).args(["-lm", "-lpthread", "-o"]).arg(&program);
        let linked = link.output().expect("clang can be run");
        assert!(linked.status.success(), "linking {driver} {bits}: {}", errors(&linked));
        let run = Command::new(&program).output().expect("the driver can be run");
        assert!(run.status.success(), "{driver} {bits} fails:\n{}", errors(&run));
        assert_eq!(String::from_utf8_lossy(&run.stdout), "passed\n", "{driver} {bits}");
        ran = true;
    }
    assert!(ran, "{driver} ran at least once");
}

/// `-Dstrlen=model_strlen` for every library function that models call or define; names that
/// belong to raddle itself stay.
fn renames(model: &str) -> Vec<String> {
    let of_model = |name: &str| name.trim_end_matches(".c") == model;
    assert!(all().iter().any(|f| of_model(f.name)), "there is a model file {model}.c");
    let functions = all().iter().flat_map(|f| f.functions.iter().chain(f.variables));
    functions.filter(|f| !f.starts_with("__raddle_")).map(|f| format!("-D{f}=model_{f}")).collect()
}

fn clang() -> Command {
    Command::new(env!("RADDLE_MODELS_CLANG"))
}

fn compile(source: &Path, object: &Path, flags: &[&str]) {
    let output = clang()
        .args(["-std=gnu17", "-g", "-Wall", "-Wextra", "-Werror", "-c"])
        .args(flags)
        .arg(source)
        .arg("-o")
        .arg(object)
        .output()
        .expect("clang can be run");
    assert!(output.status.success(), "{}: {}", source.display(), errors(&output));
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Libraries for 32 bits are not installed everywhere.
fn can_link_32_bits() -> bool {
    let program = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("probe32");
    let probe = clang()
        .args(["-m32", "-include", "stdio.h", "-x", "c", "/dev/null", "-nostartfiles", "-shared"])
        .arg("-o")
        .arg(&program)
        .output();
    probe.is_ok_and(|output| output.status.success())
}

#[test]
fn strings() {
    compare("string", &["string"]);
}

#[test]
fn wide_strings() {
    compare("wide", &["wide", "malloc", "memory", "errno"]);
}

#[test]
fn terminals() {
    let files = ["descriptors", "file_io", "fill", "output_reads", "errno"];
    compare("terminal", &[&["terminal"], &files[..]].concat());
}

#[test]
fn calendar_times() {
    compare("calendar", &["calendar", "output_reads", "errno"]);
}

#[test]
fn folders() {
    let files = ["directories", "descriptors", "file_io", "fill", "output_reads", "errno"];
    compare("directory", &files);
}

#[test]
fn lists_of_folders() {
    compare("scandir", &["scandir", "malloc", "memory", "string", "output_reads", "errno"]);
}

#[test]
fn patterns() {
    compare("pattern", &["patterns", "malloc", "memory", "string", "output_reads", "errno"]);
}

#[test]
fn machine() {
    compare("machine", &["machine", "fill", "output_reads", "errno"]);
}

#[test]
fn addresses() {
    compare("address", &["addresses", "fill", "output_reads", "errno"]);
}

#[test]
fn names_of_files() {
    compare("path", &["paths"]);
}

#[test]
fn environment() {
    compare("environment", &["environment", "output_reads", "errno"]);
}

#[test]
fn the_system() {
    let system = ["process", "files", "exclusive", "time", "timers", "ioctl", "users", "hosts"];
    let others = ["mmap", "stdlib_random", "descriptors", "fill", "output_reads", "errno"];
    compare("system", &[&system[..], &others, &["malloc", "memory"]].concat());
}

#[test]
fn formats_into_new_strings() {
    let others = ["malloc", "memory", "texts", "output_reads", "errno"];
    compare("asprintf", &[&["stdio_alloc", "stdio_format"], &others[..]].concat());
}

#[test]
fn named_semaphores() {
    let others = ["deadlines", "fill", "string", "output_reads", "errno"];
    compare(
        "semaphore",
        &[&["semaphore_named", "semaphore", "semaphore_destroy"], &others[..]].concat(),
    );
}

#[test]
fn memory_and_heap() {
    compare("memory", &["memory", "malloc", "string", "string_alloc", "errno"]);
}

#[test]
fn numbers_and_sorting() {
    compare("number", &["stdlib_number", "stdlib_sort", "errno"]);
}

#[test]
fn characters() {
    compare("ctype", &["ctype"]);
}

#[test]
fn rounding() {
    compare("math", &["math", "math_exact", "math_range"]);
}

#[test]
fn formats() {
    let others = ["texts", "malloc", "memory", "output_reads", "errno"];
    compare("format", &[&["stdio_format"], &others[..]].concat());
}

#[test]
fn scanning_options_and_sets_of_signals() {
    let streams = ["stdio_stream", "stdio_input", "descriptors", "fill", "errno", "output_reads"];
    compare(
        "scan",
        &[
            &["stdio_scan", "stdlib_float", "getopt", "signals", "signal_handlers", "deadlines"],
            &streams[..],
        ]
        .concat(),
    );
}

#[test]
fn pipes_and_event_counters() {
    let files = ["descriptors", "file_io", "poll", "sockets", "fill", "errno", "output_reads"];
    compare("pipe", &[&files[..], &["deadlines", "malloc", "memory", "string"]].concat());
}

#[test]
fn locks_semaphores_once_and_keys() {
    let pthread = ["pthread_mutex", "pthread_attr", "pthread_cond", "pthread_rwlock"];
    let others = ["pthread_once", "pthread_keys", "pthread_schedule", "semaphore", "errno"];
    let ends = ["pthread_robust", "thread_end", "deadlines", "fill", "output_reads"];
    let destroys = ["pthread_cond_destroy", "semaphore_destroy"];
    compare("lock", &[&pthread[..], &others, &ends, &destroys].concat());
}

#[test]
fn threads_of_c11() {
    let c11 =
        ["c11_mutex", "c11_cond", "pthread_cond_destroy", "c11_thread", "c11_join", "c11_tss"];
    let pthread =
        ["pthread_mutex", "pthread_cond", "pthread_keys", "pthread_thread", "pthread_join"];
    let others = ["thread_states", "thread_end", "deadlines", "fill", "output_reads", "errno"];
    compare("c11", &[&c11[..], &pthread, &others].concat());
}

#[test]
fn barriers_spin_locks_joins_and_extensions() {
    let own = [
        "pthread_barrier",
        "pthread_barrier_destroy",
        "pthread_spin",
        "pthread_tryjoin",
        "pthread_extra",
    ];
    let others = [
        "pthread_thread",
        "pthread_join",
        "thread_states",
        "thread_end",
        "deadlines",
        "fill",
        "string",
    ];
    compare("threads", &[&own[..], &others, &["output_reads", "errno"]].concat());
}

#[test]
fn signals_and_changes_of_files_by_descriptor() {
    let others = ["descriptors", "file_io", "fill", "output_reads", "errno"];
    compare("events", &[&["signalfd", "inotify"], &others[..]].concat());
}

#[test]
fn message_queues() {
    let others = ["descriptors", "deadlines", "fill", "string", "output_reads", "errno"];
    compare("queue", &[&["message_queues"], &others[..]].concat());
}

#[test]
fn multibyte_characters() {
    let others = ["texts", "malloc", "memory", "ctype", "output_reads", "errno"];
    compare("multibyte", &[&["multibyte"], &others[..]].concat());
}

#[test]
fn expansions_and_children() {
    let others = ["malloc", "memory", "fill", "output_reads", "errno"];
    compare("expansion", &[&["expansions", "children"], &others[..]].concat());
}

#[test]
fn streams_in_memory() {
    let streams = ["stdio_memory", "stdio_stream", "stdio_input", "stdio_unget", "stdio_alloc"];
    let others = ["texts", "descriptors", "malloc", "memory", "string", "fill", "output_reads"];
    compare("memory_stream", &[&streams[..], &others, &["stdio_format", "errno"]].concat());
}

#[test]
fn trees_tables_and_lists() {
    compare("search", &["search", "malloc", "memory", "string", "errno"]);
}

#[test]
fn interfaces_of_the_network() {
    let others = ["malloc", "memory", "fill", "output_reads", "errno"];
    compare("interface", &[&["interfaces"], &others[..]].concat());
}

#[test]
fn walks_through_folders() {
    let others = ["malloc", "memory", "fill", "output_reads", "errno"];
    compare("walk", &[&["walks"], &others[..]].concat());
}
