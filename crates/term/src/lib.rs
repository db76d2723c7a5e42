//! Hash-consed Booleans and bit-vectors.
