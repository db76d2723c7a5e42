//! Prints what the analyses find in C files, with times: `cargo run --example facts -- FILE…`
//! (`-m32` first for 32-bit programs).

use std::path::PathBuf;
use std::time::Instant;

use raddle_analysis::sharing::{Role, WHOLE};
use raddle_analysis::{
    CallGraph, FunctionEffects, Locks, Loops, Object, PointsTo, Reach, Sharing, Threads, objects,
};
use raddle_frontend::{Options, load};
use raddle_ir::{Cfg, Program, Property};

fn main() {
    let mut options =
        Options { checked: [Property::Unreach].into_iter().collect(), ..Options::default() };
    for arg in std::env::args().skip(1) {
        if arg == "-m32" {
            options.pointer_bits = 32;
            continue;
        }
        match load(&[PathBuf::from(&arg)], &options) {
            Ok(loaded) => analyse(&arg, &loaded.program),
            Err(e) => println!("{arg}: {e}"),
        }
    }
}

fn analyse(file: &str, program: &Program) {
    let start = Instant::now();
    let points_to = PointsTo::new(program);
    let points_to_time = start.elapsed();
    let graph = CallGraph::new(program, &points_to);
    let threads = Threads::new(program, &points_to, &graph);
    let sharing = Sharing::new(program, &points_to, &threads);
    let sharing_time = start.elapsed();
    let effects = FunctionEffects::new(program, &points_to, &graph);
    let loops = Loops::new(program, &points_to, &graph, &effects);
    let loops_time = start.elapsed();
    let reach = Reach::new(program, &graph);
    let locks = Locks::new(program, &points_to, &graph, &threads);
    let all_time = start.elapsed();
    println!(
        "{file}: {} instructions, {} objects; points-to {points_to_time:?}, +sharing {sharing_time:?}, \
         +loops {loops_time:?}, all {all_time:?}",
        objects::instructions(program).count(),
        points_to.objects().len(),
    );
    for class in threads.classes() {
        println!("  threads in {}: {:?}", program.function(class.entry).name, class.multiplicity);
    }
    for o in points_to.objects().ids().skip(1) {
        let name = match points_to.objects().get(o) {
            Object::Global(g) => program.global(g).name.clone(),
            Object::Alloc(at, _) => format!(
                "object of {}:{}",
                program.function(at.func).name,
                program.show_place(program.place(at))
            ),
            Object::Function(_) | Object::Unknown => continue,
        };
        let role = sharing.role(o, WHOLE);
        if role != Role::Local {
            println!("  {name}: {role:?}");
        }
    }
    let wild: Vec<String> =
        sharing.wild().iter().map(|&at| program.show_place(program.place(at))).collect();
    println!(
        "  {} accesses through unknown addresses: {:?}",
        wild.len(),
        &wild[..wild.len().min(5)]
    );
    for f in program.function_ids() {
        let cfg = Cfg::new(program.function(f));
        for l in 0..cfg.loops.len() {
            println!(
                "  loop {l} of {}: bound {:?}, pure {}, checks {}",
                program.function(f).name,
                loops.bound(f, l),
                loops.is_pure(f, l),
                reach.block(f, cfg.loops[l].head)
            );
        }
    }
    let shared = objects::instructions(program).filter(|(at, op)| {
        raddle_analysis::sharing::memory_use(program.function(at.func), op).is_some_and(|u| {
            !op_is_lock(op) && sharing.may_access_shared(&points_to, at.func, u.addr, u.bytes)
        })
    });
    let (mut all, mut protected) = (0, 0);
    for (at, _) in shared {
        all += 1;
        protected += usize::from(!locks.held(at).is_empty());
    }
    println!("  {all} accesses of shared memory, {protected} with a mutex held");
}

fn op_is_lock(op: &raddle_ir::Op) -> bool {
    use raddle_ir::Op;
    matches!(op, Op::Lock { .. } | Op::Unlock { .. } | Op::TryLock { .. })
}
