//! The failure of a task that runs tests, told by what ran the task, where no runner sums its run up.

use super::lines;
use crate::text::span::Span;

/// Whether a line says that a task for tests failed.
fn says(text: &str) -> bool {
    let make = || {
        let rest = ["make: ", "gmake: "].iter().find_map(|start| text.strip_prefix(start));
        let nested = || text.strip_prefix("make[").and_then(|rest| rest.split_once("]: ")).map(|(_, rest)| rest);
        let target = rest.or_else(nested).and_then(|rest| rest.strip_prefix("*** ["))?;
        let (target, rest) = target.split_once(']')?;
        let target = target.rsplit([' ', ':', '/']).next().unwrap_or(target);
        Some(target.contains("test") && rest.starts_with(" Error ") && !rest.contains("ignored"))
    };
    let npm = ["npm ERR! Test failed", "npm error Test failed", "ELIFECYCLE Test failed"];
    let just = ["error: Recipe `test` failed", "task: Failed to run task \"test\""];
    make().unwrap_or(false) || npm.iter().chain(&just).any(|start| text.starts_with(start))
}

/// The last line that says so, unless something tells of a pass.
pub(super) fn task(output: &str) -> Option<Span> {
    let mut last = None;
    let begins = |line: &[u8]| matches!(line, [b'm' | b'g' | b'n' | b'e' | b't' | b'E' | 0xe2, ..]);
    lines::each(output, begins, |line| {
        if says(line.text) {
            last = Some(line.span);
        }
    });
    last.filter(|_| !super::pass_words(output))
}

#[cfg(test)]
mod tests {
    use super::task;

    #[test]
    fn a_task_for_tests_that_failed() {
        for output in [
            "make: *** [test] Error 2",
            "running\nmake[1]: *** [Makefile:9: unit-test] Error 1\n",
            "npm ERR! Test failed.  See above for more details.",
            "error: Recipe `test` failed on line 4 with exit code 1",
        ] {
            assert!(task(output).is_some(), "{output}");
        }
        for output in [
            "make: *** [build] Error 2",
            "make: [test] Error 1 (ignored)",
            "make: *** No rule to make target 'test'.  Stop.",
            "12 ok, all passed\nmake: *** [test] Error 2",
            "a log says make: *** [test] Error 2",
        ] {
            assert!(task(output).is_none(), "{output}");
        }
    }
}
