//! From terms to clauses.
