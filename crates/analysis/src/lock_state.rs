//! The state of the lockset analysis: what was certainly locked, what was possibly unlocked.

use std::collections::BTreeSet;

use raddle_ir::GlobalId;

use crate::lock_names::Name;

/// A mutex: the global and the offset of its word.
pub type Mutex = (GlobalId, i64);

/// Mutexes that may have been unlocked.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Unlocked {
    /// Any.
    pub all: bool,
    /// Those with names.
    pub names: BTreeSet<Name>,
    /// Through addresses without a name: where they may lead (`None`: anywhere in the global).
    pub places: BTreeSet<(GlobalId, Option<i64>)>,
}

/// What has happened since the start of the function.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Flow {
    /// Certainly locked and still held.
    pub locked: BTreeSet<Name>,
    /// Possibly unlocked and not certainly locked again.
    pub unlocked: Unlocked,
}

/// A mutex is certainly held from here on.
pub(crate) fn lock(flow: &mut Flow, name: Name) {
    flow.locked.insert(name);
    flow.unlocked.names.remove(&name);
}

/// Two paths meet; whether the first had to give something up.
pub(crate) fn join(into: &mut Option<Flow>, from: Flow) -> bool {
    let Some(into) = into else {
        *into = Some(from);
        return true;
    };
    let before = (
        into.locked.len(),
        into.unlocked.names.len(),
        into.unlocked.places.len(),
        into.unlocked.all,
    );
    into.locked.retain(|n| from.locked.contains(n));
    into.unlocked.names.extend(from.unlocked.names);
    into.unlocked.places.extend(from.unlocked.places);
    into.unlocked.all |= from.unlocked.all;
    before
        != (
            into.locked.len(),
            into.unlocked.names.len(),
            into.unlocked.places.len(),
            into.unlocked.all,
        )
}

/// What is in both sets (`None` is everything); whether the first lost something.
pub(crate) fn meet<T: Ord>(into: &mut Option<BTreeSet<T>>, from: BTreeSet<T>) -> bool {
    let Some(into) = into else {
        *into = Some(from);
        return true;
    };
    let before = into.len();
    into.retain(|m| from.contains(m));
    before != into.len()
}

/// Whether two mutex words overlap.
pub(crate) fn near(a: i64, b: i64) -> bool {
    a.abs_diff(b) < 4
}
