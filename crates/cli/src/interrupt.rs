//! Ctrl-C and SIGTERM end a run with what is known so far.
//!
//! The process that searches has a flag that both signals set, and that its watch looks at
//! ([`crate::watch`]). A signal to the process that waits for it ([`crate::supervise`]) comes along
//! by way of the child's standard input, which ends then. Whoever sends a second signal does not
//! want to wait.

use std::io::Read;
use std::process::ChildStdin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use signal_hook::consts::TERM_SIGNALS;
use signal_hook::flag;
use signal_hook::iterator::Signals;

/// What a shell expects of a program that was interrupted.
const EXIT_INTERRUPTED: i32 = 130;

/// A flag that is set when the run shall end; also when `supervised` and standard input ends.
pub fn flag(supervised: bool) -> anyhow::Result<&'static AtomicBool> {
    let stop: &'static Arc<AtomicBool> = Box::leak(Box::default());
    for &signal in TERM_SIGNALS {
        // The second one finds the flag set.
        flag::register_conditional_shutdown(signal, EXIT_INTERRUPTED, Arc::clone(stop))?;
        flag::register(signal, Arc::clone(stop))?;
    }
    if supervised {
        thread::spawn(move || {
            let mut byte = [0];
            while std::io::stdin().read(&mut byte).is_ok_and(|n| n > 0) {}
            stop.store(true, Ordering::Relaxed);
        });
    }
    Ok(stop)
}

/// Ends the child's standard input at the first signal.
pub fn pass_on(stdin: Option<ChildStdin>) -> anyhow::Result<()> {
    let mut signals = Signals::new(TERM_SIGNALS)?;
    thread::spawn(move || {
        signals.forever().next();
        drop(stdin);
        // Somebody is impatient: so is the child.
        signals.forever().next();
        std::process::exit(EXIT_INTERRUPTED);
    });
    Ok(())
}
