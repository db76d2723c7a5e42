//! Hooks: what library functions do only in programs that use something else as well.
//!
//! A thread that ends calls destructors, but only where there is thread-specific data; a wait is a
//! point of cancellation, but only where somebody cancels. Model files name such functions as
//! primitives (`raddle.h`); a call of one is a call of the model function of that name if the
//! program uses a file that switches it on, and nothing (or 0) otherwise, so that programs do not
//! pay for what they do not use. A program uses a file if it refers to a function in it, or to one
//! whose model does.

use raddle_ir::{Callee, FuncId, Op, Property};

use super::body::Body;
use super::calls::{Arguments, result_width};
use super::compute::{Parts, constant, one};
use super::context::Context;
use super::entry::registers_ends;
use super::refusal::Lowered;
use super::unit::Origin;
use crate::llvm::ast::Item;
use crate::llvm::types::TypeId;

const KEYS: &str = "pthread_keys.c";
const ROBUST: &str = "pthread_robust.c";
const CANCEL: &str = "pthread_cancel.c";
const TRY_JOIN: &str = "pthread_tryjoin.c";
const CLEANUP: &str = "pthread_cleanup.c";
const SIGNAL_FD: &str = "signalfd.c";
const ACTIONS: &str = "signals.c";
const HANDLERS: &str = "signal_handlers.c";
const INOTIFY: &str = "inotify.c";
const MULTIBYTE: &str = "multibyte.c";
const MEMORY: &str = "stdio_memory.c";
const BUFFER: &str = "stdio_buffer.c";
const UNGET: &str = "stdio_unget.c";
const JOIN: &str = "pthread_join.c";
const C11_JOIN: &str = "c11_join.c";
const SIGNALS: &str = "sending_signals.c";

/// Hooks, with the model files that switch each of them on.
const HOOKS: &[(&str, &[&str])] = &[
    ("__raddle_thread_begins", &[JOIN, C11_JOIN, TRY_JOIN, CANCEL, SIGNALS]),
    ("__raddle_thread_main", &[KEYS, ROBUST, CANCEL, TRY_JOIN]),
    ("__raddle_thread_cleanup", &[KEYS, ROBUST, CANCEL, TRY_JOIN]),
    ("__raddle_destroy_values", &[KEYS]),
    ("__raddle_release_robust", &[ROBUST]),
    ("__raddle_may_be_robust", &[ROBUST]),
    ("__raddle_robust_taken", &[ROBUST]),
    ("__raddle_robust_released", &[ROBUST]),
    ("__raddle_note_end", &[CANCEL, TRY_JOIN]),
    ("__raddle_cleanup_handlers", &[CLEANUP, CANCEL]),
    ("__raddle_handler_begins", &[CANCEL]),
    ("__raddle_handler_ends", &[CANCEL]),
    ("__raddle_barriers_end", &["pthread_barrier_destroy.c"]),
    ("__raddle_conds_end", &["pthread_cond_destroy.c"]),
    ("__raddle_semaphores_end", &["semaphore_destroy.c"]),
    ("__raddle_may_cancel", &[CANCEL]),
    ("__raddle_cancel_pending", &[CANCEL]),
    ("__raddle_cancel_point", &[CANCEL]),
    ("__raddle_signal_point", &[ACTIONS, HANDLERS]),
    ("__raddle_signal_sent", &[ACTIONS, HANDLERS]),
    ("__raddle_signal_sent_to", &[ACTIONS, HANDLERS]),
    ("__raddle_signal_read", &[SIGNAL_FD]),
    ("__raddle_inotify_read", &[INOTIFY]),
    ("__raddle_new_encoding", &[MULTIBYTE]),
    ("__raddle_in_memory", &[MEMORY]),
    ("__raddle_memory_getc", &[MEMORY]),
    ("__raddle_memory_close", &[MEMORY]),
    ("__raddle_buffer_use", &[BUFFER]),
    ("__raddle_pushed_back", &[UNGET]),
];

/// Hooks that the end of the last thread needs, where a thread may end while `main` does not return.
const LAST: &[&str] = &[
    "__raddle_thread_main",
    "__raddle_thread_cleanup",
    "__raddle_last_begins",
    "__raddle_last_ends",
];

/// Whether a name is that of a hook.
pub(crate) fn is_hook(name: &str) -> bool {
    HOOKS.iter().any(|(hook, _)| *hook == name) || LAST.contains(&name)
}

impl Context {
    /// The function of a hook, if the program switches it on.
    pub(crate) fn hook(&mut self, name: &str) -> Option<FuncId> {
        let files =
            HOOKS.iter().find(|(hook, _)| *hook == name).map_or(&[][..], |(_, files)| files);
        let by_file = files.iter().any(|file| self.uses_model(file));
        let by_end = || LAST.contains(&name) && self.last_thread_matters();
        if !(by_file || by_end()) {
            return None;
        }
        match self.model(name)? {
            (unit, Item::Function(index)) => Some(self.function(unit, index)),
            (_, Item::Global(_) | Item::Alias(_)) => None,
        }
    }
}

impl Context {
    /// Whether it can be seen that the program ends with its last thread: `main` may end without a return,
    /// and at the end of the program something is looked at or called.
    fn last_thread_matters(&self) -> bool {
        let ends = ["pthread_exit", "thrd_exit", "pthread_cancel"];
        let mut user = self.units.iter().filter(|unit| unit.origin == Origin::User);
        let looked_at = [Property::Leaks, Property::LostMemory];
        (looked_at.iter().any(|p| self.checked.contains(*p)) || registers_ends(self))
            && user.any(|unit| ends.iter().any(|name| unit.module.function(name).is_some()))
    }
}

impl Body<'_, '_> {
    pub(crate) fn call_hook(
        &mut self,
        name: &str,
        args: &Arguments<'_>,
        result: TypeId,
    ) -> Lowered<Parts> {
        let width = result_width(self.unit, result)?;
        let Some(function) = self.cx.hook(name) else {
            return Ok(width.map_or_else(Parts::new, |width| one(constant(0, width))));
        };
        let mut list = Vec::new();
        for i in 0..args.len() {
            list.push(self.argument(args, i)?);
        }
        let dst = width.map(|width| self.register(width));
        self.push(Op::Call { dst, callee: Callee::Direct(function), args: list });
        Ok(dst.map_or_else(Parts::new, |dst| one(raddle_ir::Operand::Reg(dst))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hooks_are_functions_of_models_and_their_files_exist() {
        for hook in LAST {
            assert!(raddle_models::find(hook).is_some(), "{hook}");
        }
        for (hook, files) in HOOKS {
            assert!(raddle_models::find(hook).is_some(), "{hook}");
            for file in *files {
                assert!(raddle_models::all().iter().any(|f| f.name == *file), "{file}");
            }
        }
    }
}
