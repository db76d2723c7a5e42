#!/bin/sh
# Fills corpus/read_llvm with LLVM text: the reader's own test programs as clang compiles them, whole and by function.
set -eu
cd "$(dirname "$0")"
clang=${CLANG:-clang-19}
corpus=corpus/read_llvm
tests=../crates/frontend/src/llvm/tests
mkdir -p "$corpus"
cp "$tests/sample.ll" "$corpus/sample.ll"
for source in "$tests"/programs/*.c; do
    name=$(basename "$source" .c)
    for bits in 32 64; do
        for options in "-O0" "-O0 -g" "-O2"; do
            out="$corpus/$name-$bits$(echo "$options" | tr -d ' ').ll"
            # shellcheck disable=SC2086
            "$clang" -m$bits $options -w -S -emit-llvm -fno-discard-value-names "$source" -o "$out"
        done
    done
done
# Single lines make good small inputs: each global, declaration and metadata node, and functions around one instruction.
awk '/^[@%!$]|^attributes|^target/ { n++; print > ("'"$corpus"'/line" n ".ll") }' "$tests/sample.ll"
awk '/^  [a-z%]/ && !/(br|switch|phi|ret|label) / {
    n++; file = "'"$corpus"'/instruction" n ".ll"
    print "define void @f() {\n" $0 "\n  ret void\n}" > file; close(file) }' "$corpus"/control-64-O2.ll
ls "$corpus" | wc -l
