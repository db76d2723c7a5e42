//! What cannot be lowered: it becomes an `Unsupported` instruction, never a skip.

/// Why something is not modelled, in words that fit after "not supported:".
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Refusal(pub String);

/// The result of lowering something.
pub(crate) type Lowered<T> = Result<T, Refusal>;

/// Refuses.
pub(crate) fn refuse<T>(what: impl Into<String>) -> Lowered<T> {
    Err(Refusal(what.into()))
}
