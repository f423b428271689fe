//! Tests that a call writes: how many it holds the definitions of.

use alloc::vec;
use serde_json::Value;

/// How the line of a test's definition begins, in the languages that runners know.
#[rustfmt::skip]
const BEGINS: &[&str] = &[
    "#[rstest", "#[test", "#[tokio::test", "- (void)test", "@Test", "TEST(", "TEST_CASE(", "TEST_F(", "TEST_P(", "[Fact",
    "[Test", "[Theory", "async def test", "def test", "func Test", "func test", "it \"", "it '", "it(", "public function test",
    "specify ", "test \"", "test '", "test(", "testWidgets(",
];

/// Marks of one definition that makes many tests.
const MANY: &[&str] =
    &[".each(", ".each`", "InlineData", "parametrize", "ParameterizedTest", "rstest", "subTest(", "t.Run("];

/// As many as one definition may make.
const ANY: usize = 1 << 20;

/// How many tests the arguments of a call define; what an edit takes out is not counted.
pub fn tests_in(arguments: &Value) -> usize {
    let (mut open, mut all) = (vec![arguments], 0_usize);
    while let Some(value) = open.pop() {
        match value {
            Value::Array(items) => open.extend(items),
            Value::Object(map) => {
                open.extend(map.iter().filter(|(key, _)| !key.to_lowercase().contains("old")).map(|(_, value)| value));
            }
            Value::String(text) => all = all.saturating_add(defined(text)),
            _ => {}
        }
    }
    all
}

fn defined(text: &str) -> usize {
    // A patch marks the lines that it adds.
    let begins = |line: &str| {
        let line = line.trim_start().trim_start_matches('+').trim_start();
        BEGINS.iter().any(|begin| line.starts_with(begin))
    };
    let all = text.lines().filter(|line| begins(line)).count();
    let many = all > 0 && MANY.iter().any(|mark| text.contains(mark));
    if many {
        ANY
    } else {
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn definitions_of_tests_are_counted() {
        assert_eq!(
            tests_in(
                &json!({"path": "a", "content": "def test_a():\n    pass\n\ndef helper(): pass\ndef test_b(): 1"})
            ),
            2
        );
        assert_eq!(
            tests_in(
                &json!({"old_string": "#[test]\nfn a() {}", "new_string": "#[test]\nfn a() {}\n#[test]\nfn b() {}"})
            ),
            2
        );
        assert_eq!(tests_in(&json!({"patch": "+  it('adds', () => {\n+  it('takes', () => {\n   it.skip"})), 2);
        assert_eq!(tests_in(&json!({"content": "a line\nno test here"})), 0);
        assert!(tests_in(&json!({"content": "@pytest.mark.parametrize('n', range(9))\ndef test_a(n): pass"})) > 9);
    }
}
