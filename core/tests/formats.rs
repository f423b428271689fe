//! Every fixture under `tests/formats`: a host's text, and beside it the session that has to come out of it.
//!
//! A fixture is `<format>/<story>.json` or `.jsonl`; what is expected is `<format>/<story>.native.json`, read by a person and
//! never made right by hand: `UPDATE=1` writes it anew. Damaged twins of each fixture are read too.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use counterfoil::transcript::{parse, to_json, FORMATS};
use counterfoil::{Session, Turn};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A host's text.
struct Fixture {
    format: String,
    path: PathBuf,
    text: String,
}

impl Fixture {
    /// How often it is damaged, where that is so many times for a fixture of the usual length: a long text takes longer
    /// to read, so that short ones are damaged more often in its place.
    fn steps(&self, usual: usize) -> usize {
        const LENGTH: usize = 1500;
        (usual * LENGTH / self.text.len()).clamp(usual / 5, usual * 3)
    }
}

fn fixtures() -> Vec<Fixture> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("tests/formats");
    let mut fixtures = Vec::new();
    for folder in sorted(&root).into_iter().filter(|path| path.is_dir()) {
        let format = folder.file_name().unwrap().to_string_lossy().into_owned();
        for path in sorted(&folder) {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if !name.ends_with(".native.json") {
                let text = std::fs::read_to_string(&path).unwrap();
                fixtures.push(Fixture { format: format.clone(), path, text });
            }
        }
    }
    assert!(!fixtures.is_empty(), "no fixtures under {}", root.display());
    fixtures
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn pretty(session: &Session) -> String {
    let value: Value = serde_json::from_str(&to_json(session)).unwrap();
    format!("{}\n", serde_json::to_string_pretty(&value).unwrap())
}

#[test]
fn a_fixture_is_told_by_its_keys_and_read_as_it_stands_beside_it() {
    let mut wrong = Vec::new();
    for Fixture { format, path, text } in fixtures() {
        let session = parse(&text, None).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let detected = session.format.as_ref().unwrap();
        assert_eq!(detected.name, format, "{}: taken for another format by {:?}", path.display(), detected.evidence);
        let named = parse(&text, Some(&format)).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(named.turns, session.turns, "{}: naming the format changes what is read", path.display());
        let expected = path.with_extension("native.json");
        let shown = pretty(&session);
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(&expected, &shown).unwrap();
        } else if std::fs::read_to_string(&expected).ok().as_deref() != Some(shown.as_str()) {
            wrong.push(format!("{}\n{shown}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "read otherwise than expected (UPDATE=1 rewrites):\n{}", wrong.join("\n"));
}

#[test]
fn every_format_has_fixtures() {
    let seen: BTreeSet<String> = fixtures().into_iter().map(|fixture| fixture.format).collect();
    let named: BTreeSet<String> = FORMATS.iter().map(|format| format.name.to_string()).collect();
    assert_eq!(seen, named);
}

#[test]
fn native_json_reads_back_as_the_same_turns() {
    for Fixture { path, text, .. } in fixtures() {
        let session = parse(&text, None).unwrap();
        let again = parse(&to_json(&session), Some("native")).unwrap();
        assert_eq!(again.turns, session.turns, "{}", path.display());
    }
}

/// Words that belong to one turn alone.
fn marks(turns: &[Turn]) -> Vec<(usize, String)> {
    let mut marks: Vec<(usize, String)> = Vec::new();
    for (i, turn) in turns.iter().enumerate() {
        let replies = turn.reply.iter().map(|piece| piece.text.clone());
        let ids = turn.calls.iter().flatten().filter_map(|call| call.id.clone());
        marks.extend(replies.chain(ids).filter(|mark| mark.len() > 3).map(|mark| (i, mark)));
    }
    let once = |mark: &str| marks.iter().filter(|(_, other)| other.contains(mark)).count() == 1;
    marks.iter().filter(|(_, mark)| once(mark)).cloned().collect()
}

/// The turns of the whole text that a turn of its damaged twin holds words of.
fn origins(turn: &Turn, marks: &[(usize, String)]) -> BTreeSet<usize> {
    let reply = turn.text();
    let ids: Vec<&str> = turn.calls.iter().flatten().filter_map(|call| call.id.as_deref()).collect();
    let held = |mark: &str| reply.contains(mark) || ids.contains(&mark);
    marks.iter().filter(|(_, mark)| held(mark)).map(|(i, _)| *i).collect()
}

/// Reads a damaged text: it gives turns or an error, and two turns become one only where the record says that it has a gap.
/// It is read once more under the name of its format where its keys no longer tell that.
fn read_damaged(fixture: &Fixture, text: &str, marks: &[(usize, String)], how: impl Fn() -> String) {
    for format in [None, Some(fixture.format.as_str())] {
        let Ok(session) = parse(text, format) else { continue };
        let told = session.format.as_ref().is_some_and(|detected| detected.name == fixture.format);
        for turn in &session.turns {
            let origins = origins(turn, marks);
            assert!(
                origins.len() < 2 || !turn.gaps.none(),
                "{} {}: the turns {origins:?} became one without a word of it",
                fixture.path.display(),
                how()
            );
        }
        if told {
            break;
        }
    }
}

/// A small generator of numbers, the same on every machine.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % sides.max(1)
    }
}

#[test]
fn a_text_that_is_cut_anywhere_never_makes_one_turn_of_two() {
    let mut dice = Dice(3);
    for fixture in fixtures() {
        let marks = marks(&parse(&fixture.text, None).unwrap().turns);
        let step = fixture.text.len() / fixture.steps(150) + 1;
        let first = dice.roll(step);
        for end in (first..fixture.text.len()).step_by(step).filter(|end| fixture.text.is_char_boundary(*end)) {
            read_damaged(&fixture, &fixture.text[..end], &marks, || format!("cut at {end}"));
            read_damaged(&fixture, &fixture.text[end..], &marks, || format!("cut before {end}"));
        }
    }
}

#[test]
fn entries_that_are_doubled_or_shuffled_are_survived() {
    let mut dice = Dice(7);
    for fixture in fixtures() {
        let marks = marks(&parse(&fixture.text, None).unwrap().turns);
        let lines: Vec<&str> = fixture.text.lines().collect();
        for _ in 0..fixture.steps(20) {
            let mut doubled = lines.clone();
            let at = dice.roll(lines.len());
            doubled.insert(at, lines[at]);
            read_damaged(&fixture, &doubled.join("\n"), &marks, || format!("with line {} twice", at + 1));
            let mut shuffled = lines.clone();
            for i in (1..shuffled.len()).rev() {
                shuffled.swap(i, dice.roll(i + 1));
            }
            let _ = parse(&shuffled.join("\n"), None);
        }
    }
}

/// Every place in a value, as a list of steps.
fn places(value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let mut stack = vec![(String::new(), value)];
    while let Some((path, value)) = stack.pop() {
        match value {
            Value::Array(items) => stack.extend(items.iter().enumerate().map(|(i, v)| (format!("{path}/{i}"), v))),
            Value::Object(map) => stack
                .extend(map.iter().map(|(k, v)| (format!("{path}/{}", k.replace('~', "~0").replace('/', "~1")), v))),
            _ => {}
        }
        found.push(path);
    }
    found
}

#[test]
fn values_of_a_wrong_type_never_make_one_turn_of_two() {
    let odd = [
        Value::Null,
        Value::from(3),
        Value::from("x"),
        Value::from(true),
        serde_json::json!([]),
        serde_json::json!({}),
        serde_json::json!([[1]]),
    ];
    let mut dice = Dice(11);
    for fixture in fixtures() {
        let marks = marks(&parse(&fixture.text, None).unwrap().turns);
        let whole: Option<Value> = serde_json::from_str(&fixture.text).ok();
        let lines = whole.is_none();
        let values: Vec<Value> = match whole {
            Some(value) => vec![value],
            None => fixture.text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect(),
        };
        let places: Vec<Vec<String>> = values.iter().map(places).collect();
        let mut text: Vec<String> = values.iter().map(Value::to_string).collect();
        for _ in 0..fixture.steps(200) {
            let at = dice.roll(values.len());
            let place = &places[at][dice.roll(places[at].len())];
            let odd = &odd[dice.roll(odd.len())];
            let mut value = values[at].clone();
            value.pointer_mut(place).unwrap().clone_from(odd);
            let whole = core::mem::replace(&mut text[at], value.to_string());
            read_damaged(&fixture, &text.join(if lines { "\n" } else { "" }), &marks, || {
                format!("with {odd} at {at}{place}")
            });
            text[at] = whole;
        }
    }
}
