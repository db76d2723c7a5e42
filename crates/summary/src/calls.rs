//! Calls and what may be called.
//!
//! Idea: an address may be one of the functions that its term points to. Each is executed on a path
//! of its own, and the paths join after the call. An address that is none of them is a memory
//! error.

use raddle_ir::{Callee, FuncId, Operand, RegId, Unmodelled};
use raddle_term::TermId;

use crate::knowledge::ObjectKey;
use crate::merge::Returned;
use crate::step::Here;
use crate::walk::Walk;

impl Walk<'_> {
    /// Executes a call instruction.
    pub fn call_instruction(
        &mut self,
        here: &mut Here,
        dst: Option<RegId>,
        callee: Callee,
        args: &[Operand],
    ) -> bool {
        let args = self.operands(args, here.regs);
        let returned = match callee {
            Callee::Direct(f) => self.call(here.at, f, args, here.state.clone()),
            Callee::Indirect(f) => {
                let f = self.operand(f, here.regs);
                self.call_any(here, f, &args, dst)
            }
        };
        let Some(Returned { state, value }) = returned else { return false };
        *here.state = state;
        if let Some(dst) = dst {
            let width = self.width_of(here, dst);
            here.regs[dst.index()] = self.fit(value, width);
        }
        true
    }

    /// Calls whatever function has an address.
    fn call_any(
        &mut self,
        here: &mut Here,
        f: TermId,
        args: &[TermId],
        dst: Option<RegId>,
    ) -> Option<Returned> {
        let functions = self.callees(here, f)?;
        let mut joined = None;
        for (id, hit) in functions {
            let start = self.state_if(here.state, hit);
            if start.is_dead(&self.terms) {
                continue;
            }
            let Some(Returned { state, value }) = self.call(here.at, id, args.to_vec(), start)
            else {
                continue;
            };
            let value = dst.map(|dst| {
                let width = self.width_of(here, dst);
                self.fit(value, width)
            });
            joined = self.merge_returned(joined, Returned { state, value });
        }
        joined
    }

    /// The functions that an address may be, each with its condition; `None` if the thread ends
    /// here.
    pub fn callees(&mut self, here: &mut Here, f: TermId) -> Option<Vec<(FuncId, TermId)>> {
        let width = self.program.pointer_bits;
        let mut found: Vec<(FuncId, TermId)> = Vec::new();
        for &(o, _) in self.targets(f).iter() {
            if let ObjectKey::Function(id) = self.knowledge.object(o).key {
                let address = self.program.function(id).address;
                let address = self.terms.constant(u128::from(address), width);
                let hit = self.terms.eq(f, address);
                if !self.terms.is_false(hit) {
                    found.push((id, hit));
                }
            }
        }
        if found.is_empty() {
            if self.terms.as_const(f).is_some() {
                self.memory_fault(here.state, here.at);
            } else {
                self.unsupported(here.state, Unmodelled::UnknownCall, here.at);
            }
            return None;
        }
        let hits: Vec<TermId> = found.iter().map(|f| f.1).collect();
        let valid = self.terms.or_all(&hits);
        self.demand(here.state, valid, here.at).then_some(found)
    }
}
