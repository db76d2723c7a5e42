//! From a bounded program to its interference skeleton.
