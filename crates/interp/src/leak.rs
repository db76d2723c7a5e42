//! Heap objects that are left at the end.

use raddle_ir::Program;

use crate::finding::Leaked;
use crate::memory::{Life, ObjectKind};
use crate::state::State;

/// The live heap objects. One is `lost` if no chain of pointers leads to it from a live object that
/// is not on the heap or from a register of a thread that has not ended.
pub fn leaked(program: &Program, state: &State) -> Vec<Leaked> {
    let objects: Vec<_> = state.memory.objects().iter().filter(|o| o.life == Life::Live).collect();
    let is_heap: Vec<bool> = objects.iter().map(|o| o.kind == ObjectKind::Heap).collect();
    if !is_heap.contains(&true) {
        return Vec::new();
    }
    let index_of = |address: u64| {
        let i = objects.partition_point(|o| o.base <= address).checked_sub(1)?;
        (address - objects[i].base < objects[i].size.max(1)).then_some(i)
    };
    let registers = state.threads.iter().filter(|t| t.is_running());
    let registers = registers.flat_map(|t| &t.frames).flat_map(|f| &f.regs);
    let mut work: Vec<usize> = registers.filter_map(|v| index_of(*v as u64)).collect();
    work.extend((0..objects.len()).filter(|i| !is_heap[*i]));
    let mut reached = vec![false; objects.len()];
    while let Some(i) = work.pop() {
        if !std::mem::replace(&mut reached[i], true) {
            work.extend(objects[i].pointers(program.pointer_bytes()).filter_map(index_of));
        }
    }
    let heap = (0..objects.len()).filter(|i| is_heap[*i]);
    heap.map(|i| Leaked {
        allocated: objects[i].allocated,
        size: objects[i].size,
        lost: !reached[i],
    })
    .collect()
}
