//! Time and memory limits that hold even if an engine does not come back.
//!
//! The work runs in a thread of its own (its stack grows with nothing but the depth of nested calls
//! and loops of the program, which summaries bound); the main thread waits for its answer and looks
//! at clock and memory in between. An engine is given a deadline a little before the user's limit;
//! if it has not answered shortly before the limit itself, the main thread stops waiting and the
//! process ends. A limit on the address space (`ulimit -v`) counts as a memory limit, because an
//! allocation that fails would abort the process without a word.
//! Limits: memory is what the kernel reports for this process (not for clang), read every few
//! milliseconds; where there is no `/proc`, only time is limited.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

pub use raddle_engines::STACK;

/// How often limits are looked at.
const INTERVAL: Duration = Duration::from_millis(20);

/// The limits of a run.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// When the engine should answer.
    pub soft: Option<Instant>,
    /// When the verdict must be out.
    pub hard: Option<Instant>,
    /// Resident memory in kilobytes.
    pub resident: Option<u64>,
    /// Address space in kilobytes.
    pub address_space: Option<u64>,
    /// The process that waits for this one.
    pub parent: Option<u32>,
    /// Set when the user does not want to wait any longer.
    pub stop: Option<&'static AtomicBool>,
}

impl Limits {
    /// Limits from seconds (0 for none) and megabytes (`None` for nine tenths of the machine, 0 for
    /// none).
    pub fn new(start: Instant, seconds: f64, megabytes: Option<u64>) -> Limits {
        let margin = (seconds * 0.03).clamp(0.05, 1.0);
        let at = |early: f64| {
            let after = Duration::try_from_secs_f64((seconds - early).max(0.001)).ok()?;
            start.checked_add(after).filter(|_| seconds > 0.0)
        };
        let resident = match megabytes {
            Some(0) => None,
            Some(megabytes) => Some(megabytes.saturating_mul(1024)),
            None => kilobytes("/proc/meminfo", "MemTotal:").map(|total| total / 10 * 9),
        };
        let address_space = address_space_limit().map(|limit| limit - (limit / 16).min(128 << 10));
        Limits {
            soft: at(margin),
            hard: at(margin / 4.0),
            resident,
            address_space,
            parent: None,
            stop: None,
        }
    }

    /// The bytes that the process may use, if there is a limit.
    pub fn memory(&self) -> Option<u64> {
        let least = [self.resident, self.address_space].into_iter().flatten().min();
        least.map(|kilobytes| kilobytes.saturating_mul(1024))
    }

    fn memory_exceeded(&self) -> bool {
        let over = |limit: Option<u64>, key| {
            limit
                .is_some_and(|limit| kilobytes("/proc/self/status", key).is_some_and(|n| n > limit))
        };
        over(self.resident, "VmRSS:") || over(self.address_space, "VmSize:")
    }
}

/// Reads a line such as `VmRSS:  1234 kB`.
fn kilobytes(file: &str, key: &str) -> Option<u64> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|l| l.strip_prefix(key))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Resident memory of this process in bytes, where the kernel tells.
pub fn resident() -> Option<u64> {
    kilobytes("/proc/self/status", "VmRSS:").map(|n| n * 1024)
}

/// The limit on the address space in kilobytes, if there is one.
pub fn address_space_limit() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/limits").ok()?;
    let line = text.lines().find_map(|l| l.strip_prefix("Max address space"))?;
    let bytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(bytes / 1024)
}

/// How the work ended.
pub enum End<T> {
    /// With a result.
    Done(T),
    /// The time is up.
    Time,
    /// The memory is used up.
    Memory,
    /// By a signal.
    Interrupted,
    /// The parent process is gone.
    Orphan,
    /// It panicked: message, place and backtrace.
    Panic(String),
}

/// Runs the work in its own thread, under the limits; `show` gets its messages.
pub fn run<T: Send + 'static, M: Send + 'static>(
    limits: &Limits,
    work: impl FnOnce(Sender<M>) -> T + Send + 'static,
    mut show: impl FnMut(M),
) -> End<T> {
    let (result_sender, result) = channel();
    let (message_sender, messages) = channel();
    let panic_text = record_panics();
    let spawned = thread::Builder::new().name("work".into()).stack_size(STACK).spawn(move || {
        let outcome = catch_unwind(AssertUnwindSafe(|| work(message_sender)));
        // The receiver is gone only if the limits struck first.
        let _ = result_sender.send(outcome);
    });
    if let Err(error) = spawned {
        return End::Panic(format!("no thread with a stack of {STACK} bytes: {error}"));
    }
    loop {
        match result.recv_timeout(wait_time(limits)) {
            Ok(Ok(value)) => {
                messages.try_iter().for_each(show);
                return End::Done(value);
            }
            Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => {
                let text = panic_text.lock().map(|text| text.clone()).unwrap_or_default();
                return End::Panic(text);
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        messages.try_iter().for_each(&mut show);
        if limits.hard.is_some_and(|hard| Instant::now() >= hard) {
            return End::Time;
        }
        if limits.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return End::Interrupted;
        }
        if limits.memory_exceeded() {
            return End::Memory;
        }
        if limits.parent.is_some_and(|parent| parent != std::os::unix::process::parent_id()) {
            return End::Orphan;
        }
    }
}

fn wait_time(limits: &Limits) -> Duration {
    let left = limits.hard.map(|hard| hard.saturating_duration_since(Instant::now()));
    left.map_or(INTERVAL, |left| left.min(INTERVAL))
}

/// Keeps the text of a panic instead of printing it at once.
fn record_panics() -> Arc<Mutex<String>> {
    let text = Arc::new(Mutex::new(String::new()));
    let copy = Arc::clone(&text);
    std::panic::set_hook(Box::new(move |info| {
        let trace = std::backtrace::Backtrace::capture();
        if let Ok(mut text) = copy.lock() {
            *text = format!("{info}\n{trace}");
        }
    }));
    text
}
