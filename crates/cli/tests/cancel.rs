//! A search can be ended from outside: every engine comes back soon, and never with a wrong answer.

use std::time::{Duration, Instant};

use raddle_engines::{Budget, EngineRow, Given, Host, Settings, Task, Verdict, rows};
use raddle_ir::{Program, Property, PropertySet};

/// Four threads that multiply without a lock: more interleavings than anybody can run, and sums
/// of products that no solver decides soon.
const ENDLESS: &str = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n\
    atomic_int x;\n\
    void *f(void *a) { for (int i = 0; i < 1000; i++) x = x * x + 3 * i + 1; return a; }\n\
    int main(void) { pthread_t t[4]; for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, f, 0);\n\
    for (int i = 0; i < 4; i++) pthread_join(t[i], 0);\n\
    assert(x != 123456789); return 0; }\n";

/// How long a search goes on before it is cancelled, and how long it may still take: an engine
/// looks up every few milliseconds, the rest allows for a busy machine.
const BEFORE: Duration = Duration::from_millis(1500);
const AFTER: Duration = Duration::from_secs(30);

fn program() -> Program {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("endless.c");
    std::fs::write(&path, ENDLESS).expect("writes");
    let checked = PropertySet::EMPTY.with(Property::Assertions);
    let options = raddle_frontend::Options { checked, ..Default::default() };
    let mut loaded = raddle_frontend::load(&[path], &options).expect("it compiles");
    raddle_properties::instrument(&mut loaded.program, checked);
    loaded.program
}

/// Runs an engine without a deadline and cancels it.
fn cancel(row: &EngineRow, program: &Program) {
    let budget = Budget::default();
    let mut engine = (row.make)(&Given::default(), &Host::default()).expect("no options");
    let settings = Settings::default();
    let task = Task { program, settings: &settings };
    let start = Instant::now();
    let outcome = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(BEFORE);
            budget.cancel();
        });
        engine.check(&task, &budget, &mut |_| {})
    });
    let took = start.elapsed();
    assert!(took >= BEFORE, "{}: decided in {took:?}, so nothing was cancelled", row.name);
    assert!(took < BEFORE + AFTER, "{}: {took:?}", row.name);
    let undecided = matches!(outcome.verdict, Verdict::Unknown(_) | Verdict::Bounded(_));
    assert!(undecided, "{}: {:?}", row.name, outcome.verdict);
}

#[test]
fn every_engine_can_be_cancelled() {
    // Engines recurse: a stack as in the tool itself.
    let work = || {
        let program = program();
        rows().for_each(|row| cancel(row, &program));
    };
    let worker = std::thread::Builder::new().stack_size(1 << 29).spawn(work).expect("starts");
    if let Err(panic) = worker.join() {
        std::panic::resume_unwind(panic);
    }
}
