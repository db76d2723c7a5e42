//! The symbolic state of a thread on one path, without registers.

use std::collections::BTreeSet;
use std::rc::Rc;

use raddle_term::Terms;

use crate::holding::Holding;
use crate::memory::Memory;
use crate::path::Path;
use crate::protected::Facts;
use crate::purity::Entered;
use crate::skeleton::Held;

/// What a thread has done so far on one path.
#[derive(Clone)]
pub(crate) struct State {
    /// When it comes here.
    pub path: Path,
    /// Private memory.
    pub memory: Rc<Memory>,
    /// What the thread itself wrote to shared places.
    pub own: Rc<Memory>,
    /// What is in shared places that a held mutex protects.
    pub facts: Rc<Facts>,
    /// Other threads may run.
    pub concurrent: bool,
    /// Depth of atomic sections.
    pub atomic: u32,
    /// The unit of the current atomic section, if there is one.
    pub section: u32,
    /// Mutexes that are certainly held, sorted by address.
    pub locks: Rc<Vec<Held>>,
    /// The same and what may be held, by the terms of addresses.
    pub holding: Rc<Holding>,
    /// Numbers of threads that have certainly ended.
    pub joined: Rc<BTreeSet<u32>>,
    /// The last unit in which it did something that others can notice.
    pub last: u32,
    /// The mutex that it acquired there, if that is what it did.
    pub entered: Option<Entered>,
}

impl State {
    /// Nothing has happened.
    pub fn at_start() -> State {
        State {
            path: Path::default(),
            memory: Rc::default(),
            own: Rc::default(),
            facts: Rc::default(),
            concurrent: false,
            atomic: 0,
            section: 0,
            locks: Rc::default(),
            holding: Rc::default(),
            joined: Rc::default(),
            last: 0,
            entered: None,
        }
    }

    /// The same state on another path.
    pub fn on(&self, path: Path) -> State {
        State { path, ..self.clone() }
    }

    /// Whether no execution comes here.
    pub fn is_dead(&self, terms: &Terms) -> bool {
        self.path.is_false(terms)
    }

    /// Notes a mutex that was acquired in the section under way.
    pub fn acquire(&mut self, address: u64) {
        if let Err(place) = self.locks.binary_search_by_key(&address, |l| l.address) {
            let held = Held { address, since: self.section };
            Rc::make_mut(&mut self.locks).insert(place, held);
        }
        debug_assert!(self.locks.is_sorted_by_key(|l| l.address), "held mutexes are sorted");
    }

    /// Forgets a mutex that is released; whether it was certainly held.
    pub fn release(&mut self, address: u64) -> bool {
        match self.locks.binary_search_by_key(&address, |l| l.address) {
            Ok(place) => {
                Rc::make_mut(&mut self.locks).remove(place);
                true
            }
            Err(_) => false,
        }
    }
}

/// What is held on both of two paths. If it was acquired on them apart, events before they joined
/// are on one path only.
pub(crate) fn common_locks(a: &Rc<Vec<Held>>, b: &Rc<Vec<Held>>) -> Rc<Vec<Held>> {
    if a == b {
        return a.clone();
    }
    let both = a.iter().filter_map(|l| {
        let other = b.iter().find(|m| m.address == l.address)?;
        Some(Held { address: l.address, since: l.since.max(other.since) })
    });
    Rc::new(both.collect())
}

/// Who has ended on both of two paths.
pub(crate) fn common_joined(a: &Rc<BTreeSet<u32>>, b: &Rc<BTreeSet<u32>>) -> Rc<BTreeSet<u32>> {
    if a == b { a.clone() } else { Rc::new(a.intersection(b).copied().collect()) }
}
