//! Pure loop iterations, found while running (definition: `ir::cfg`).
//!
//! Each activation remembers its last arrival at the head of each loop it is in: the live
//! registers, the thread's counters of effects, the objects it owns. An iteration is pure if it comes
//! back with all of that as it was. A write that leaves memory as it was is no effect: cutting it
//! out of an execution changes no state on the way (so a spin lock that stores 1 to a word that is 1
//! spins purely).

use std::rc::Rc;

use raddle_ir::BlockId;

use crate::memory::Memory;
use crate::state::{Code, Marks, Thread, Visit};
use crate::step::Arrival;

/// Records that a thread went from block `from` to block `to`. `None` if `to` heads no loop.
pub fn arrive(
    code: &Code<'_>,
    thread: &mut Thread,
    memory: &Memory,
    from: BlockId,
    to: BlockId,
) -> Option<Arrival> {
    let id = thread.id;
    let marks = thread.marks;
    let frame = thread.frames.last_mut()?;
    let shape = code.shape(frame.func);
    let live_regs = shape.live_at_head[to.index()].as_ref()?;
    let live: Vec<u128> = live_regs.iter().map(|r| frame.regs[r.index()]).collect();
    let owned: Vec<_> = memory.owned_by(id).cloned().collect();
    let position = frame.loops.iter().position(|v| v.head == to);
    if !shape.cfg.is_back_edge(from, to) {
        let visit = Visit { head: to, iterations: 0, live, marks, owned, waited: None };
        match position {
            Some(i) => frame.loops[i] = visit,
            None => frame.loops.push(visit),
        }
        return Some(Arrival { head: to, iterations: 0, pure: false, vain: false });
    }
    let Some(position) = position else {
        // The loop was entered while nobody watched.
        let visit = Visit { head: to, iterations: 1, live, marks, owned, waited: None };
        frame.loops.push(visit);
        return Some(Arrival { head: to, iterations: 1, pure: false, vain: false });
    };
    let last = &frame.loops[position];
    let rested = live == last.live
        && marks.effects == last.marks.effects
        && same_objects(&owned, &last.owned);
    let waits = marks.waits - last.marks.waits;
    // One release, one acquisition.
    let once = (rested && waits == 2).then_some(marks.wait_mutex);
    let pure = rested && (waits == 0 || once.is_some_and(|m| waits_in_vain(last, marks, m)));
    let waited = marks.entered.filter(|_| waits > 0).or(once);
    let iterations = last.iterations + 1;
    frame.loops[position] = Visit { head: to, iterations, live, marks, owned, waited };
    Some(Arrival { head: to, iterations, pure, vain: pure && waits > 0 })
}

/// Whether the thread might as well have acquired the mutex with which it waited later: it has waited
/// in the iteration before, too, and either done nothing after that or come to this wait in the same way.
/// (A plain lock might come later, too; but where it waits is told when it waits for ever.)
fn waits_in_vain(last: &Visit, now: Marks, mutex: u64) -> bool {
    last.waited == Some(mutex)
        && (last.marks.entered == Some(mutex) || now.looks_before_wait == last.marks.looks)
}

fn same_objects(a: &[Rc<crate::memory::Object>], b: &[Rc<crate::memory::Object>]) -> bool {
    a.len() == b.len()
        && a.iter()
            .zip(b)
            .all(|(x, y)| Rc::ptr_eq(x, y) || (x.base == y.base && x.same_contents(y)))
}
