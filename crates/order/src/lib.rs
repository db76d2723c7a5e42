//! The theory of event orders, as a propagator.
