//! Library functions as C bodies.
