#!/usr/bin/env bash
# Seeded property tests on stable Rust; libFuzzer besides, where nightly and cargo-fuzz are installed.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${FUZZ_SECONDS:-60}

FUZZ_SECONDS=$seconds cargo test --quiet --release -p counterfoil --test fuzz -- --nocapture --test-threads=1

if cargo +nightly fuzz --version >/dev/null 2>&1; then
    for target in $(cargo +nightly fuzz list); do
        echo "libFuzzer: $target"
        cargo +nightly fuzz run "$target" -- -max_total_time="$seconds" -max_len=65536 -print_final_stats=0
    done
else
    echo "libFuzzer: skipped, it needs nightly Rust and cargo-fuzz"
fi
