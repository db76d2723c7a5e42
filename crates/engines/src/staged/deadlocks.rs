//! The time of a deadlock, as a point of the order.
//!
//! Who stands where and what that means is said in [`crate::bounded::deadlocks`]. Here the order
//! gets a unit D of its own for the time of the deadlock: everything that a thread did before it
//! ended or came to its point is before D, and what it read to find out that it cannot pass is
//! after D. Since nobody writes after D, those reads see the memory of the deadlock. In a local
//! deadlock other threads may go on: then what a waiting thread reads comes from writes before D,
//! but for lock words, which nobody else can change.

use raddle_sat::Lit;
use raddle_summary::{EventKind, Skeleton, Wait};
use raddle_term::Terms;
use rustc_hash::FxHashSet;

use super::compose::{Axioms, Pseudo, pseudo_thread};
use super::contexts::Contexts;
use super::order::Order;
use crate::bounded::before::Unit;
use crate::bounded::deadlocks::{self, Goal};
use crate::bounded::scene::Scene;

/// The unit that stands for the time of a deadlock.
pub fn time(skeleton: &Skeleton, local: bool) -> Unit {
    let what = if local { Pseudo::LocalDeadlock } else { Pseudo::GlobalDeadlock };
    (pseudo_thread(skeleton, what), 0)
}

/// Encodes all deadlocks. To be called before the first solve.
pub fn encode(
    scene: Scene,
    terms: &mut Terms,
    axioms: &mut Axioms,
    contexts: Option<&Contexts>,
) -> Vec<Goal> {
    let skeleton = scene.skeleton;
    let mut goals = deadlocks::encode(scene, terms, axioms.order.as_mut());
    let data = data_writes(skeleton);
    for goal in &mut goals {
        let now = time(skeleton, goal.local);
        let Axioms { order, sources, .. } = axioms;
        for ended in &goal.ended {
            assert!(!goal.local, "who waits for a lock has not ended");
            let last = skeleton.threads[ended.thread.index()].units - 1;
            order.guarded_edge(ended.ended, (ended.thread, last), now);
        }
        for point in &goal.points {
            let wait = &skeleton.waits[point.wait];
            stands_at(order.as_mut(), wait, point.stands, now);
            if !goal.local {
                continue;
            }
            // Other threads may go on after that time: what they write then is not what blocks.
            let read = sources.get(&(wait.thread, wait.unit)).into_iter().flatten();
            for &(reads_from, write) in read.filter(|(_, w)| data.contains(w)) {
                let both = order.new_lit();
                order.clause(&[!point.stands, !reads_from, both]);
                order.guarded_edge(both, write, now);
            }
        }
        if let Some(contexts) = contexts {
            goal.some = contexts.within(order.as_mut(), goal.some, now);
        }
    }
    goals
}

/// Orders what a thread did before a point before `now`, and what it reads there after it.
fn stands_at(order: &mut dyn Order, wait: &Wait, here: Lit, now: Unit) {
    assert!(wait.unit > 0, "the first unit of a thread is its existence");
    order.guarded_edge(here, (wait.thread, wait.unit - 1), now);
    if wait.reads {
        order.guarded_edge(here, now, (wait.thread, wait.unit));
    }
}

/// The units that write something other than lock words.
fn data_writes(skeleton: &Skeleton) -> FxHashSet<Unit> {
    let writes = skeleton.events.iter().filter(|e| e.kind == EventKind::Write && !e.lock);
    writes.map(|e| (e.thread, e.unit)).collect()
}
