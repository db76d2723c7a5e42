//! What critical sections rule out.
//!
//! Idea: two sections of one mutex never overlap. So for a read r under mutex m, (1) a write of another section
//! that is followed by another write to the same place in that section is never seen; (2) if r's own section has
//! written the place before r, no write of another section lies in between; (3) if r's own section has read the place before, and
//! only other sections of m write it, r finds the same value again and needs no reads-from of its own.
//! Two events are in one section if their thread has held the mutex since the same unit.
//! Invariant: a mutex counts only if nobody releases it without holding it and nobody overwrites its word.

use raddle_summary::{Event, EventKind, Skeleton};
use rustc_hash::FxHashSet;

/// The mutexes under which both events are in one section.
pub fn common(skeleton: &Skeleton, a: &Event, b: &Event) -> Vec<u64> {
    if a.thread != b.thread {
        return Vec::new();
    }
    let both = a.locks.iter().filter(|l| b.locks.contains(l));
    both.map(|l| l.address).filter(|&l| protects(skeleton, l)).collect()
}

/// Whether a thread certainly holds one of these mutexes at an event.
pub fn under(e: &Event, mutexes: &[u64]) -> bool {
    e.locks.iter().any(|l| mutexes.contains(&l.address))
}

/// Whether both events are under one mutex that excludes one while the other's thread is there.
pub fn exclude(skeleton: &Skeleton, a: &Event, b: &Event) -> bool {
    a.locks.iter().any(|l| under(b, &[l.address]) && protects(skeleton, l.address))
}

/// Whether holding a mutex keeps others out.
fn protects(skeleton: &Skeleton, mutex: u64) -> bool {
    !skeleton.broken_locks.contains(&0) && !skeleton.broken_locks.contains(&mutex)
}

/// Notes mutexes whose words are also written by ordinary stores (initialised again, say): they protect nothing.
pub fn note_overwritten(skeleton: &mut Skeleton) {
    let words: FxHashSet<u64> = skeleton
        .events
        .iter()
        .filter(|e| e.lock)
        .filter_map(|e| skeleton.terms.as_const(e.address).map(|k| k as u64))
        .collect();
    for i in 0..skeleton.events.len() {
        let e = &skeleton.events[i];
        if e.lock || e.kind == EventKind::Read {
            continue;
        }
        match skeleton.terms.as_const(e.address).map(|k| k as u64) {
            Some(at) => {
                let end = at + u64::from(e.bytes);
                let hit = (at.saturating_sub(3)..end).filter(|a| words.contains(a));
                skeleton.broken_locks.extend(hit);
            }
            None => {
                let objects: Vec<_> = e.targets.iter().map(|t| t.0).collect();
                let hit = skeleton
                    .events
                    .iter()
                    .filter(|l| l.lock && l.targets.iter().any(|t| objects.contains(&t.0)))
                    .filter_map(|l| skeleton.terms.as_const(l.address).map(|k| k as u64));
                let hit: Vec<u64> = hit.collect();
                skeleton.broken_locks.extend(hit);
            }
        }
    }
}
