#!/usr/bin/env bash
# Seeded property tests on stable Rust; libFuzzer besides, where nightly and cargo-fuzz are installed.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${FUZZ_SECONDS:-60}

# Optimised, but with the checks for overflow that a release leaves out.
export CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS=true CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS=true
export CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_STRIP=none
FUZZ_SECONDS=$seconds cargo test --quiet --release -p counterfoil --features command --test fuzz -- --test-threads=1

[ "${1:-}" = "--stable" ] && exit 0
if cargo +nightly fuzz --version >/dev/null 2>&1; then
    for target in $(cargo +nightly fuzz list); do
        echo "libFuzzer: $target"
        cargo +nightly fuzz run "$target" -- -max_total_time="$seconds" -max_len=65536 -print_final_stats=0
    done
else
    echo "libFuzzer: skipped, it needs nightly Rust and cargo-fuzz"
fi
