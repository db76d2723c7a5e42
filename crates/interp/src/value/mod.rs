//! Values: exact evaluation ([`arith`], [`float`]) and how C prints them ([`show`]).

pub mod arith;
pub mod float;
pub mod show;
