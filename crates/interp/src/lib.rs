//! The concrete interpreter, replay and exhaustive exploration.
