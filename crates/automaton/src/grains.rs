//! How objects are divided: the largest parts by which all accesses to an object are aligned.
//!
//! Invariant: the size of an object is a multiple of its parts, and no part has more than 16 bytes.
//! Accesses through pointers of unknown origin are not looked at: they end the automaton.

use raddle_analysis::Facts;
use raddle_ir::Program;

/// For each object of the points-to analysis the bytes by which accesses are aligned, 0 if there
/// are none.
pub fn grains(program: &Program, facts: &Facts) -> Vec<u64> {
    let table = facts.points_to.objects();
    let mut grains = vec![0; table.len()];
    for inside in facts.points_to.instances() {
        let func = facts.points_to.instance(inside).func;
        for (_, op) in raddle_analysis::objects::instructions_of(program, func) {
            let Some(usage) = op.memory_use(program.function(func)) else { continue };
            let Some(bytes) = usage.bytes else { continue };
            for (object, offset) in facts.points_to.locations_in(inside, usage.addr) {
                let grain = &mut grains[object.index()];
                *grain = gcd(*grain, gcd(bytes, offset.unwrap_or(0)));
            }
        }
    }
    for name in table.ids() {
        let grain = &mut grains[name.index()];
        if *grain != 0
            && let Some(size) = table.size(name)
        {
            *grain = gcd(*grain, size);
        }
        if *grain > 16 {
            *grain = gcd(*grain, 16);
        }
    }
    grains
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
