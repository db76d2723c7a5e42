//! The program model: types, instructions, source places.
