//! Replacement of terms within terms.
//!
//! Idea: one bottom-up pass with an explicit stack; each term is rebuilt once through its
//! constructor, so the rules apply to the new arguments. Replacements are simultaneous: what is put
//! in is not searched again.

use rustc_hash::FxHashMap;

use crate::node::TermId;
use crate::pool::Terms;

impl Terms {
    /// The terms `roots` with each key of `map` replaced by its value. Widths must agree.
    pub fn substitute(&mut self, roots: &[TermId], map: &FxHashMap<TermId, TermId>) -> Vec<TermId> {
        let mut done = map.clone();
        for (&from, &to) in map {
            assert_eq!(self.width(from), self.width(to), "a replacement has the same width");
        }
        let mut stack: Vec<TermId> = Vec::new();
        for &root in roots {
            stack.push(root);
            while let Some(&t) = stack.last() {
                if done.contains_key(&t) {
                    stack.pop();
                    continue;
                }
                let pending = stack.len();
                stack.extend(self.args(t).iter().filter(|arg| !done.contains_key(arg)));
                if stack.len() == pending {
                    let rebuilt = self.with_replaced_args(t, &done);
                    done.insert(t, rebuilt);
                    stack.pop();
                }
            }
        }
        roots.iter().map(|root| done[root]).collect()
    }

    fn with_replaced_args(&mut self, t: TermId, done: &FxHashMap<TermId, TermId>) -> TermId {
        let arity = self.op(t).arity();
        let mut args = self.node(t).args;
        let mut changed = false;
        for arg in args.iter_mut().take(arity) {
            let new = done[arg];
            changed |= new != *arg;
            *arg = new;
        }
        if changed { self.rebuild(t, args) } else { t }
    }
}
