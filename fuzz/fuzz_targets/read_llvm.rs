//! The reader of LLVM text on arbitrary bytes.
//!
//! Two properties: no input makes it panic; and what it accepts, it can write and read again as the same text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use raddle_frontend::llvm::types::TypeId;
use raddle_frontend::llvm::{parse, print};

fuzz_target!(|text: &[u8]| {
    let Ok(module) = parse(text) else { return };
    for id in 0..module.types.len() as u32 {
        let _ = module.layout.size_of(&module.types, TypeId(id));
    }
    let written = print::module(&module);
    // What the tree does not keep cannot be written.
    if written.contains("unsupported \"") {
        return;
    }
    match parse(written.as_bytes()) {
        Ok(again) => {
            assert_eq!(print::module(&again), written, "the text changed on the second reading")
        }
        Err(error) => panic!("cannot read what was written: {error}\n{written}"),
    }
});
