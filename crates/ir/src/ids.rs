//! Typed indices: what one table's index means in another table is a type error.

/// Makes types of indices.
#[macro_export]
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u32);
        impl $name {
            /// The index as a table position.
            pub fn index(self) -> usize {
                self.0 as usize
            }
            /// The id of a table position.
            pub fn new(index: usize) -> Self {
                $name(u32::try_from(index).expect("tables have fewer than 2^32 entries"))
            }
        }
    )*};
}

ids! {
    /// A function of the program.
    FuncId
    /// A basic block of one function.
    BlockId
    /// A register (mutable local variable) of one function.
    RegId
    /// A global variable, also a constant such as a string literal.
    GlobalId
    /// A C type, for speaking about values.
    TypeId
    /// A source file.
    FileId
}
