//! Static analyses of the program model.
