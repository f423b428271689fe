//! Runners' summaries: one that passes, one that fails, one in which nothing ran; and what only looks like them.
#![allow(clippy::unwrap_used, clippy::panic)]

use counterfoil::evidence::outcome::{all_tests, build, checks, gives, pass_words, summary_text, tests, Kind};
use Kind::{Failed, NoneRun, Passed};

/// An output, how it ended, how many passed and failed (-1 where it does not say), and the quote; an empty quote is
/// the output itself.
type Vector = (&'static str, Kind, i64, i64, &'static str);

#[rustfmt::skip]
const RUNS: &[Vector] = &[
    // pytest
    ("===== 3 failed, 39 passed in 2.1s =====", Failed, 39, 3, "3 failed, 39 passed in 2.1s"),
    ("..... [100%]\n47 passed in 88.31s (0:01:28)\n", Passed, 47, -1, "47 passed in 88.31s (0:01:28)"),
    ("\x1b[32m\x1b[1m4 passed\x1b[0m\x1b[32m in 0.61s\x1b[0m", Passed, 4, -1, "4 passed in 0.61s"),
    ("2 passed, 1 skipped, 3 warnings in 1.00s", Passed, 2, -1, ""),
    ("=== 1 failed, 2 errors in 0.30s ===", Failed, -1, 3, "1 failed, 2 errors in 0.30s"),
    ("collected 0 items\n\n=== no tests ran in 0.01s ===", NoneRun, -1, -1, "no tests ran in 0.01s"),
    ("!!!!!!!! Interrupted: 1 error during collection !!!!!!!!", Failed, -1, -1,
     "Interrupted: 1 error during collection"),
    ("5 deselected in 0.10s", NoneRun, -1, -1, ""),
    ("2 failed, 9 passed", Failed, 9, 2, ""),
    // unittest
    ("..\n-----\nRan 12 tests in 0.100s\n\nOK (skipped=2)\n", Passed, 10, -1, "Ran 12 tests in 0.100s"),
    ("Ran 12 tests in 0.100s\n\nFAILED (failures=1, errors=2)", Failed, 9, 3, "FAILED (failures=1, errors=2)"),
    ("Ran 0 tests in 0.000s\n\nOK", NoneRun, 0, -1, "Ran 0 tests in 0.000s"),
    ("Ran 0 tests in 0.000s\n\nNO TESTS RAN", NoneRun, -1, -1, "Ran 0 tests in 0.000s"),
    // cargo test, nextest
    ("running 12 tests\ntest result: ok. 12 passed; 0 failed; 0 ignored; 73 filtered out", Passed, 12, 0,
     "test result: ok. 12 passed; 0 failed; 0 ignored; 73 filtered out"),
    ("test result: ok. 3 passed; 0 failed\ntest result: FAILED. 1 passed; 2 failed\ntest result: ok. 0 passed; 0 failed",
     Failed, 4, 2, "test result: FAILED. 1 passed; 2 failed"),
    ("test result: ok. 0 passed; 0 failed; 0 ignored", NoneRun, 0, 0, ""),
    ("     Summary [   0.012s] 14 tests run: 14 passed, 0 skipped", Passed, 14, -1,
     "Summary [ 0.012s] 14 tests run: 14 passed, 0 skipped"),
    ("Summary [ 0.012s] 14/20 tests run: 13 passed, 1 failed, 0 skipped", Failed, 13, 1, ""),
    ("error: no tests to run", NoneRun, -1, -1, ""),
    // jest, vitest
    ("Test Suites: 1 failed, 1 total\nTests:       3 failed, 8 passed, 11 total\nSnapshots:   1 passed, 1 total",
     Failed, 8, 3, "Tests: 3 failed, 8 passed, 11 total"),
    ("Test Suites: 2 passed, 2 total\nTests:       19 passed, 19 total", Passed, 19, -1, "Tests: 19 passed, 19 total"),
    ("Test Suites: 1 failed, 2 passed, 3 total\nTests: 8 passed, 8 total", Failed, 8, -1,
     "Test Suites: 1 failed, 2 passed, 3 total"),
    ("No tests found, exiting with code 1", NoneRun, -1, -1, ""),
    (" Test Files  1 failed | 3 passed (4)\n      Tests  2 failed | 10 passed (12)\n", Failed, 10, 2,
     "Tests 2 failed | 10 passed (12)"),
    (" Test Files  4 passed (4)\n      Tests  12 passed (12)", Passed, 12, -1, "Tests 12 passed (12)"),
    ("No test files found, exiting with code 1", NoneRun, -1, -1, ""),
    // mocha, node --test
    ("  12 passing (30ms)\n  1 pending\n", Passed, 12, -1, "12 passing (30ms)"),
    ("  12 passing (30ms)\n  2 failing\n\n  1) a\n", Failed, 12, 2, "2 failing"),
    ("  0 passing (1ms)", NoneRun, 0, -1, "0 passing (1ms)"),
    ("ℹ tests 12\nℹ suites 0\nℹ pass 11\nℹ fail 1\nℹ skipped 0", Failed, 11, 1, "ℹ fail 1"),
    ("# tests 12\n# pass 12\n# fail 0", Passed, 12, 0, "# tests 12"),
    ("# tests 0\n# pass 0\n# fail 0", NoneRun, 0, 0, "# tests 0"),
    // go test
    ("ok  \texample.org/a/b\t0.018s\nok  \texample.org/c\t(cached)", Passed, -1, -1, "ok example.org/c (cached)"),
    ("--- FAIL: TestTare (0.00s)\n    a_test.go:3: no\nFAIL\nFAIL\texample.org/a\t0.02s", Failed, -1, -1,
     "FAIL example.org/a 0.02s"),
    ("ok example.org/a 0.018s [no tests to run]", NoneRun, -1, -1, ""),
    ("{\"Action\":\"pass\",\"Package\":\"a\",\"Elapsed\":0.1}", Passed, -1, -1, ""),
    ("{\"Action\":\"fail\",\"Package\":\"a\",\"Test\":\"T\"}\n{\"Action\":\"fail\",\"Package\":\"a\"}", Failed, -1, -1,
     "{\"Action\":\"fail\",\"Package\":\"a\"}"),
    // mvn surefire, JUnit, gradle
    ("[INFO] Tests run: 4, Failures: 0, Errors: 0, Skipped: 1, Time elapsed: 0.1 s - in A\n[INFO] Tests run: 4, \
      Failures: 0, Errors: 0, Skipped: 1", Passed, 3, 0, "Tests run: 4, Failures: 0, Errors: 0, Skipped: 1"),
    ("[ERROR] Tests run: 12, Failures: 1, Errors: 1, Skipped: 0", Failed, 10, 2,
     "Tests run: 12, Failures: 1, Errors: 1, Skipped: 0"),
    ("Tests run: 0, Failures: 0, Errors: 0, Skipped: 0", NoneRun, 0, 0, ""),
    ("OK (12 tests)", Passed, 12, -1, ""),
    ("[        12 tests successful      ]\n[         1 tests failed          ]", Failed, 12, 1, "[ 1 tests failed ]"),
    ("12 tests completed, 1 failed", Failed, 11, 1, ""),
    // ctest, dotnet
    ("100% tests passed, 0 tests failed out of 12", Passed, 12, 0, ""),
    ("67% tests passed, 4 tests failed out of 12", Failed, 8, 4, ""),
    ("No tests were found!!!", NoneRun, -1, -1, ""),
    ("0 tests passed, 0 tests failed out of 0", NoneRun, 0, 0, ""),
    ("Passed!  - Failed:     0, Passed:    12, Skipped:     0, Total:    12", Passed, 12, 0,
     "Passed! - Failed: 0, Passed: 12, Skipped: 0, Total: 12"),
    ("Failed! - Failed: 1, Passed: 11, Skipped: 0, Total: 12", Failed, 11, 1, ""),
    ("Test Run Failed.\nTotal tests: 12\n     Passed: 11\n     Failed: 1", Failed, 11, 1, "Failed: 1"),
    ("No test is available in /x.dll.", NoneRun, -1, -1, ""),
    // rspec, phpunit
    ("12 examples, 0 failures, 1 pending", Passed, 11, 0, ""),
    ("12 examples, 2 failures", Failed, 10, 2, ""),
    ("0 examples, 0 failures", NoneRun, 0, 0, ""),
    ("OK (57 tests, 199 assertions)", Passed, 57, -1, ""),
    ("ERRORS!\nTests: 57, Assertions: 199, Errors: 2.", Failed, 55, 2, "Tests: 57, Assertions: 199, Errors: 2."),
    ("No tests executed!", NoneRun, -1, -1, ""),
    // swift test
    ("Test Suite 'All tests' failed\nExecuted 14 tests, with 2 failures", Failed, 12, 2,
     "Executed 14 tests, with 2 failures"),
    ("Executed 14 tests, with 0 failures (0 unexpected) in 0.1 (0.2) seconds", Passed, 14, 0, ""),
    ("Executed 0 tests, with 0 failures", NoneRun, 0, 0, ""),
    ("✔ Test run with 14 tests passed after 0.001 seconds.", Passed, 14, -1,
     "Test run with 14 tests passed after 0.001 seconds."),
    ("Test run with 14 tests failed after 0.001 seconds with 2 issues.", Failed, -1, -1, ""),
    // TAP
    ("TAP version 13\n1..3\nok 1 - a\nok 2 - b # SKIP no\nok 3", Passed, 2, 0, "1..3"),
    ("1..2\nok 1 - a\nnot ok 2 - b", Failed, 1, 1, "not ok 2 - b"),
    ("1..0 # SKIP nothing", NoneRun, 0, 0, ""),
    // bun, deno
    (" 12 pass\n 0 fail\n 30 expect() calls\nRan 12 tests across 2 files. [1.2s]", Passed, 12, 0, "12 pass"),
    (" 11 pass\n 1 fail\nRan 12 tests across 2 files.", Failed, 11, 1, "1 fail"),
    (" 0 pass\n 0 fail\nRan 0 tests across 0 files.", NoneRun, 0, 0, "0 pass"),
    ("ok | 12 passed | 0 failed (30ms)", Passed, 12, 0, ""),
    ("FAILED | 11 passed | 1 failed (30ms)", Failed, 11, 1, ""),
    ("ok | 0 passed | 0 failed (1ms)", NoneRun, 0, 0, ""),
    // ExUnit, minitest, prove
    ("14 tests, 0 failures", Passed, 14, 0, ""),
    ("3 doctests, 14 tests, 1 failure", Failed, 16, 1, ""),
    ("0 tests, 0 failures", NoneRun, 0, 0, ""),
    ("12 runs, 30 assertions, 1 failures, 0 errors, 0 skips", Failed, 11, 1, ""),
    ("12 runs, 30 assertions, 0 failures, 0 errors, 2 skips", Passed, 10, 0, ""),
    ("0 runs, 0 assertions, 0 failures, 0 errors, 0 skips", NoneRun, 0, 0, ""),
    ("t/a.t .. ok\nAll tests successful.\nFiles=1, Tests=12\nResult: PASS", Passed, -1, -1, "Result: PASS"),
    ("Result: FAIL", Failed, -1, -1, ""),
    ("Result: NOTESTS", NoneRun, -1, -1, ""),
    // playwright, cypress
    ("Running 23 tests using 2 workers\n\n  23 passed (40.1s)", Passed, 23, -1, "23 passed (40.1s)"),
    ("  1 failed\n    [chromium] › a.spec.ts:24:5 › rejects\n  22 passed (40.1s)", Failed, 22, 1, "1 failed"),
    ("Running 2 tests using 1 worker\n  2 failed\n    a.spec.ts", Failed, -1, 2, "2 failed"),
    ("Error: No tests found", NoneRun, -1, -1, ""),
    ("│ Tests:        3 │\n│ Passing:      2 │\n│ Failing:      1 │", Failed, 2, 1, "Failing: 1"),
    ("✔  All specs passed!    00:12   3  3", Passed, -1, -1, "All specs passed! 00:12 3 3"),
    // tox, nox and others
    ("  py311: OK (2.3 seconds)\n  congratulations :) (3.2 seconds)", Passed, -1, -1, "congratulations :) (3.2 seconds)"),
    ("evaluation failed :( (3.2 seconds)", Failed, -1, -1, ""),
    ("nox > Session tests failed.", Failed, -1, -1, ""),
    ("nox > Session tests was successful.", Passed, -1, -1, ""),
    ("[  PASSED  ] 11 tests.\n[  FAILED  ] 1 test, listed below:", Failed, 11, 1, "[ FAILED ] 1 test, listed below:"),
    ("00:01 +1: a\r00:02 +12: All tests passed!", Passed, 12, -1, "00:02 +12: All tests passed!"),
    ("4 tests passed", Passed, 4, -1, ""),
    ("1 test failed", Failed, -1, 1, ""),
    ("** TEST FAILED **", Failed, -1, -1, ""),
];

#[test]
fn the_summary_of_every_runner_is_read() {
    let n = |count: i64| u64::try_from(count).ok();
    for (output, kind, passed, failed, quote) in RUNS {
        let summary = tests(output).unwrap_or_else(|| panic!("nothing read in {output:?}"));
        let quote = if quote.is_empty() { output } else { quote };
        assert_eq!(
            (summary.kind, summary.passed, summary.failed, summary_text(&summary, output).as_str()),
            (*kind, n(*passed), n(*failed), *quote),
            "{output:?}"
        );
    }
}

#[test]
fn a_log_line_with_failed_or_error_is_no_failing_run() {
    for output in [
        "2026-03-03 upload failed, retrying",
        "3 failed",
        "2 fail",
        "2 failing",
        "Passed: 3\nFailed: 2",
        "error: something failed",
        "ERROR 500 for /tests",
        "uploaded 10 files, 2 failed",
        "10 succeeded, 2 failed",
        "10 succeeded, 2 failed in 3s",
        "3 errors, 2 warnings",
        "total 24",
        "1 chart(s) linted, 0 chart(s) failed",
        "Job finished: 3 failed, 4 queued",
        "FAIL",
        "FAILED",
        "not ok 2 - b",
        "# fail 3",
        "src/a.py:12: 3 failed, 39 passed in 2.1s",
        "    12\t3 failed, 39 passed in 2.1s",
        "test_failed_login PASSED",
        "The tests failed yesterday.",
        "webpack compiled with 3 errors in 500 ms",
        "FAIL src/cart.test.ts",
        "100 total, 3 failed",
    ] {
        let read = tests(output);
        assert!(!read.is_some_and(|s| s.kind == Failed), "{output:?} gave {read:?}");
    }
}

#[test]
#[rustfmt::skip]
fn builds_say_how_they_ended() {
    for (output, good, quote) in [
        ("  Compiling a\n    Finished `dev` profile [unoptimized] target(s) in 0.5s", true, "Finished `dev` profile [unoptimized] target(s) in 0.5s"),
        ("\x1b[1m\x1b[91merror[E0277]\x1b[0m: no\nerror: could not compile `a` (lib)", false, "error: could not compile `a` (lib)"),
        ("error: could not compile `a`\n    Finished `dev` profile", true, "Finished `dev` profile"),
        ("src/a.tsx(3,41): error TS2304: Cannot find name 'Q'.", false, ""),
        ("src/a.ts:3:41 - error TS2304: no\n\nFound 3 errors in 2 files.", false, "Found 3 errors in 2 files."),
        ("Found 0 errors. Watching for file changes.", true, ""),
        ("# example.org/a\n./a.go:12:3: undefined: q", false, "./a.go:12:3: undefined: q"),
        ("a.c:3:5: error: expected ';'", false, ""),
        ("/a/b.c:1:10: fatal error: x.h: No such file", false, ""),
        ("A.java:3: error: ';' expected", false, ""),
        ("make: *** [Makefile:3: a.o] Error 1", false, ""),
        ("CMake Error at CMakeLists.txt:3 (x):", false, ""),
        ("-- Build files have been written to: /b", true, ""),
        ("BUILD SUCCESSFUL in 3s", true, ""),
        ("BUILD FAILED in 3s", false, ""),
        ("[INFO] BUILD SUCCESS", true, "BUILD SUCCESS"),
        ("[INFO] BUILD FAILURE", false, "BUILD FAILURE"),
        ("✓ built in 1.20s", true, "built in 1.20s"),
        ("✓ Compiled successfully", true, "Compiled successfully"),
        ("Failed to compile.\n\n./a.ts", false, "Failed to compile."),
        ("webpack 5.9.0 compiled with 3 errors in 500 ms", false, ""),
        ("Build complete! (38.20s)", true, ""),
        ("Build succeeded.\n    0 Warning(s)", true, "Build succeeded."),
        ("Build FAILED.", false, ""),
        ("** BUILD SUCCEEDED **", true, ""),
        ("** BUILD FAILED **", false, ""),
        ("ERROR: failed to solve: process \"x\" did not complete", false, ""),
        ("Successfully tagged a:latest", true, ""),
        ("#9 naming to docker.io/library/a:1 done", true, ""),
    ] {
        let read = build(output).unwrap_or_else(|| panic!("nothing read in {output:?}"));
        let quote = if quote.is_empty() { output } else { quote };
        assert_eq!((read.kind == Passed, summary_text(&read, output).as_str()), (good, quote), "{output:?}");
    }
}

#[test]
fn a_failing_test_or_check_is_no_failed_build() {
    for output in [
        "2 tests completed, 1 failed\n\nBUILD FAILED in 3s",
        "Execution failed for task ':app:test'.\nBUILD FAILED in 3s",
        "[ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0\n[INFO] BUILD FAILURE",
        "make: *** [Makefile:9: test] Error 1",
        "Found 3 errors in 2 files (checked 5 source files)",
        "Found 3 errors.",
        "a.py:3: error: Incompatible types",
        "main.go:12:3: undefined: q",
        "log: error: nothing",
        "at 12:30:05: error: x",
        "12:30:05: error: x",
        "error: test failed, to rerun pass `--lib`",
        "✖ 3 problems (3 errors, 0 warnings)",
    ] {
        assert!(!build(output).is_some_and(|s| s.kind == Failed), "{output:?} gave {:?}", build(output));
    }
}

#[test]
fn checkers_count_errors() {
    let failed = |output| checks(output).map(|s| s.kind == Failed);
    assert_eq!(failed("✖ 1 problem (0 errors, 1 warning)"), Some(false));
    assert_eq!(failed("✖ 3 problems (2 errors, 1 warning)"), Some(true));
    assert_eq!(failed("All checks passed!"), Some(false));
    assert_eq!(failed("Found 3 errors."), Some(true));
    assert_eq!(failed("Success: no issues found in 5 source files"), Some(false));
    assert_eq!(failed("Found 3 errors in 2 files (checked 5 source files)"), Some(true));
    assert_eq!(failed("0 errors, 0 warnings, 0 informations"), Some(false));
    assert_eq!(failed("2 errors, 0 warnings, 0 informations"), Some(true));
    assert_eq!(failed("[warn] a.ts\n[warn] Code style issues found in 2 files. Run Prettier to fix."), Some(true));
    assert_eq!(failed("All matched files use Prettier code style!"), Some(false));
    assert_eq!(
        failed("would reformat a.py\n3 files would be reformatted, 2 files would be left unchanged."),
        Some(true)
    );
    assert_eq!(failed("5 files would be left unchanged."), Some(false));
    assert_eq!(failed("5 files inspected, no offenses detected"), Some(false));
    assert_eq!(failed("5 files inspected, 2 offenses detected"), Some(true));
    assert_eq!(failed("3 errors happened"), None);
}

#[test]
fn words_of_success_count_unless_they_are_turned_round() {
    for output in
        ["all tests passed", "OK (12 tests)", "ok: 3 passed", "Match: True", "PASS", "✓ a", "Slice 3: 15/15 pass"]
    {
        assert!(pass_words(output), "{output}");
    }
    for output in ["", "0 passed", "not ok", "password", "no success", "failed"] {
        assert!(!pass_words(output), "{output}");
    }
}

#[test]
fn a_failing_suite_is_kept_among_many() {
    let mut output = "test result: ok. 1 passed; 0 failed\n".repeat(400);
    output.push_str("test result: FAILED. 0 passed; 1 failed\n");
    output.push_str("test result: ok. 1 passed; 0 failed\n");
    let all = all_tests(&output);
    assert_eq!((all.len(), all[255].kind), (256, Failed));
    let whole = tests(&output).unwrap();
    assert_eq!((whole.kind, whole.passed, whole.failed), (Failed, Some(401), Some(1)));
    assert!(gives(&output, 401) && gives(&output, 1) && !gives(&output, 7));
}

#[test]
fn the_quote_is_the_failing_line_with_counts() {
    let output = "test result: FAILED. 1 passed; 2 failed\n\nerror: test failed, to rerun pass `--lib`";
    let whole = tests(output).unwrap();
    assert_eq!(summary_text(&whole, output), "test result: FAILED. 1 passed; 2 failed");
}
