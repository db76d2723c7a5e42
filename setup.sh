#!/usr/bin/env bash
# Installs what is missing (Debian and Ubuntu), builds raddle and checks an example with a real bug.
#   ./setup.sh                everything
#   ./setup.sh --install      only install what is missing
set -euo pipefail
cd "$(dirname "$0")"

say() { printf '\n== %s\n' "$*"; }

as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

# clang 15 or newer: opaque pointers in LLVM IR.
has_clang() {
    local name version
    for name in clang-{30..15} clang; do
        command -v "$name" >/dev/null || continue
        version=$("$name" -dumpversion 2>/dev/null) || continue
        [ "${version%%.*}" -ge 15 ] && return 0
    done
    return 1
}

install_missing() {
    local wanted=()
    has_clang || wanted+=("$(clang_package)")
    command -v c++ >/dev/null || wanted+=(g++)
    [ -e /usr/include/pthread.h ] || wanted+=(libc6-dev)
    # Headers for --32; other systems may name them differently, and raddle works without.
    if [ "$(uname -m)" = x86_64 ] && [ ! -e /usr/include/x86_64-linux-gnu/gnu/stubs-32.h ] &&
        [ ! -e /usr/include/gnu/stubs-32.h ]; then
        wanted+=(libc6-dev-i386)
    fi
    # The tests compare raddle's own solver with these; raddle itself does without.
    command -v z3 >/dev/null || wanted+=(z3)
    command -v cvc5 >/dev/null || wanted+=(cvc5)
    command -v berkeley-abc >/dev/null || wanted+=(berkeley-abc)
    command -v lbt >/dev/null || wanted+=(lbt)
    command -v cargo >/dev/null || command -v curl >/dev/null || wanted+=(curl ca-certificates)
    if [ ${#wanted[@]} -gt 0 ]; then
        if ! command -v apt-get >/dev/null; then
            echo "please install: ${wanted[*]} (names of Debian packages)" >&2
            exit 1
        fi
        say "installing ${wanted[*]}"
        as_root env DEBIAN_FRONTEND=noninteractive apt-get update -q
        as_root env DEBIAN_FRONTEND=noninteractive \
            apt-get install -y -q --no-install-recommends "${wanted[@]}"
    fi
    if ! command -v cargo >/dev/null && [ -f "$HOME/.cargo/env" ]; then . "$HOME/.cargo/env"; fi
    if ! command -v cargo >/dev/null; then
        say "installing Rust (https://rustup.rs)"
        curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs |
            sh -s -- -y --profile minimal --component clippy --component rustfmt
        . "$HOME/.cargo/env"
    fi
}

# Debian 12 calls a new enough clang by its number; later releases have one as `clang`.
clang_package() {
    local number
    for number in 19 21 20 18 17 16 15; do
        if apt-cache show "clang-$number" >/dev/null 2>&1; then
            echo "clang-$number"
            return
        fi
    done
    # No package lists yet: what Debian 12 has.
    echo clang-19
}

if ! command -v cargo >/dev/null && [ -f "$HOME/.cargo/env" ]; then . "$HOME/.cargo/env"; fi
install_missing
[ "${1:-}" = --install ] && exit 0

say "building (a few minutes the first time)"
cargo build --release --locked

say "checking examples/lock_order.c"
status=0
"${CARGO_TARGET_DIR:-target}/release/raddle" check examples/lock_order.c || status=$?
if [ "$status" -ne 1 ]; then
    echo "expected a finding (exit code 1), got exit code $status" >&2
    exit 1
fi
say "raddle works: ${CARGO_TARGET_DIR:-target}/release/raddle"
