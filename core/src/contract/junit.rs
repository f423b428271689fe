//! Test reports in JUnit's XML, as most runners write it.
//!
//! A document type is refused: it can name other files, and entities that grow without end.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use roxmltree::{Document, Node, ParsingOptions};

/// What became of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// None of the others.
    Passed,
    /// It has a `failure` or an `error`, at any depth.
    Failed,
    /// It has a `skipped` and neither of these.
    Skipped,
}

/// One test as reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Case {
    /// `classname::name`.
    pub(crate) key: String,
    /// What became of it.
    pub(crate) state: State,
}

/// What a report says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Report {
    /// The tests, in order; one that ran twice is here twice.
    pub(crate) cases: Vec<Case>,
    /// Where the totals that a suite gives are not those of its tests.
    pub(crate) disagreement: Option<String>,
    /// How many failures and errors stand outside every test.
    pub(crate) outside: usize,
}

impl Report {
    /// How many tests ended so.
    pub(crate) fn count(&self, state: State) -> usize {
        self.cases.iter().filter(|case| case.state == state).count()
    }
}

/// Why a report was not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unread {
    /// A rule of safety forbids it.
    Refused(String),
    /// It is no report.
    Malformed(String),
}

/// The most attributes of an element, declarations of namespaces in a report, and elements.
const ATTRIBUTES: usize = 64;
const NAMESPACES: usize = 64;
const NODES: u32 = 1 << 21;

/// Reads a report.
pub(crate) fn parse(text: &str) -> Result<Report, Unread> {
    bounded(text)?;
    let options = ParsingOptions { allow_dtd: false, nodes_limit: NODES, ..ParsingOptions::default() };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let document = Document::parse_with_options(text, options).map_err(|error| match error {
        roxmltree::Error::DtdDetected => Unread::Refused("has a document type".into()),
        roxmltree::Error::NodesLimitReached => Unread::Refused("has more elements than are read".into()),
        error => Unread::Malformed(format!("is not XML: {error}")),
    })?;
    let root = document.root_element();
    if !matches!(root.tag_name().name(), "testsuites" | "testsuite") {
        return Err(Unread::Malformed("is no report: its first element is neither testsuites nor testsuite".into()));
    }
    Ok(read(root))
}

/// The parser compares every attribute of an element with every other, and hands all namespaces down, so that a report made of
/// them alone would take the square of its size. No runner writes more than a few of either.
fn bounded(text: &str) -> Result<(), Unread> {
    let mut rest = text;
    let mut namespaces = 0;
    while let Some(at) = rest.find('<') {
        rest = rest.get(at..).unwrap_or_default();
        let closing = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")];
        if let Some((open, close)) = closing.iter().find(|(open, _)| rest.starts_with(open)) {
            let inside = rest.get(open.len()..).unwrap_or_default();
            rest = inside.find(close).and_then(|end| inside.get(end..)).unwrap_or_default();
            continue;
        }
        let (tag, behind) = tag(rest);
        // In a tag, outside quotes, an equals sign stands for one attribute.
        let (mut attributes, mut quote) = (0, None);
        for byte in tag.bytes() {
            match (quote, byte) {
                (None, b'=') => attributes += 1,
                (None, b'"' | b'\'') => quote = Some(byte),
                (Some(open), byte) if open == byte => quote = None,
                _ => {}
            }
        }
        namespaces += tag.matches("xmlns").count();
        if attributes > ATTRIBUTES || namespaces > NAMESPACES {
            return Err(Unread::Refused("has more attributes in an element, or more namespaces, than are read".into()));
        }
        rest = behind;
    }
    Ok(())
}

/// The text up to the `>` that closes a tag, and what follows.
fn tag(text: &str) -> (&str, &str) {
    let mut quote = None;
    for (at, byte) in text.bytes().enumerate() {
        match (quote, byte) {
            (None, b'>') => return text.split_at(at + 1),
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), byte) if open == byte => quote = None,
            _ => {}
        }
    }
    (text, "")
}

/// An element that is open while the tree is walked.
struct Open<'a, 'input> {
    node: Node<'a, 'input>,
    holds: Holds,
}

enum Holds {
    /// A suite: what was counted before it.
    Suite([usize; 4]),
    /// A case: which, how many failures and errors it has, and whether anything says that it was skipped.
    Case { at: usize, signs: usize, is_skipped: bool },
}

/// What the walk has found so far, and what is open.
struct Walk<'a, 'input> {
    report: Report,
    /// Tests, failed ones, skipped ones, and failures and errors.
    totals: [usize; 4],
    open: Vec<Open<'a, 'input>>,
}

fn read(root: Node<'_, '_>) -> Report {
    let report = Report { cases: Vec::new(), disagreement: None, outside: 0 };
    let mut walk = Walk { report, totals: [0; 4], open: Vec::new() };
    for node in root.descendants().filter(Node::is_element) {
        walk.close(Some(node));
        // A name in another case is a mistake of its writer, and no reason to overlook a failure.
        match node.tag_name().name().to_ascii_lowercase().as_str() {
            "testsuites" | "testsuite" => walk.open.push(Open { node, holds: Holds::Suite(walk.totals) }),
            "testcase" => walk.case(node),
            "failure" | "error" => walk.sign(),
            "skipped" => {
                if let Some(Open { holds: Holds::Case { is_skipped, .. }, .. }) = walk.open.last_mut() {
                    *is_skipped = true;
                }
            }
            _ => {}
        }
    }
    walk.close(None);
    walk.report
}

impl<'a, 'input> Walk<'a, 'input> {
    /// Opens a case, which has passed until something in it says otherwise.
    fn case(&mut self, node: Node<'a, 'input>) {
        let part = |name| node.attribute(name).unwrap_or_default();
        let key = [part("classname"), part("name")].join("::");
        let is_skipped = matches!(part("status"), "notrun" | "skipped" | "disabled");
        let holds = Holds::Case { at: self.report.cases.len(), signs: 0, is_skipped };
        self.totals[0] += 1;
        self.report.cases.push(Case { key, state: State::Passed });
        self.open.push(Open { node, holds });
    }

    /// Counts a failure or an error, of the case that it is in, however deep, or of none.
    fn sign(&mut self) {
        self.totals[3] += 1;
        match self.open.last_mut() {
            Some(Open { holds: Holds::Case { signs, .. }, .. }) => *signs += 1,
            _ => self.report.outside += 1,
        }
    }

    /// Ends what the next element is not in: says what became of a case, and compares what a suite says with what was in it.
    fn close(&mut self, next: Option<Node<'_, '_>>) {
        let is_over = |open: &Open<'_, '_>| next.is_none_or(|node| open.node.range().end <= node.range().start);
        while self.open.last().is_some_and(is_over) {
            match self.open.pop() {
                Some(Open { holds: Holds::Case { at, signs, is_skipped }, .. }) => self.end(at, signs, is_skipped),
                Some(Open { node, holds: Holds::Suite(before) }) if self.report.disagreement.is_none() => {
                    let inside = [0, 1, 2, 3].map(|at: usize| self.totals[at] - before[at]);
                    self.report.disagreement = disagreement(node, inside);
                }
                _ => {}
            }
        }
    }

    fn end(&mut self, at: usize, found: usize, is_skipped: bool) {
        let state = match (found, is_skipped) {
            (1.., _) => State::Failed,
            (0, true) => State::Skipped,
            (0, false) => State::Passed,
        };
        self.totals[1] += usize::from(state == State::Failed);
        self.totals[2] += usize::from(state == State::Skipped);
        if let Some(case) = self.report.cases.get_mut(at) {
            case.state = state;
        }
        // What failed in a case inside another failed in that one too.
        if let Some(Open { holds: Holds::Case { signs, .. }, .. }) = self.open.last_mut() {
            *signs += found;
        }
    }
}

fn disagreement(suite: Node<'_, '_>, [tests, failed, skipped, signs]: [usize; 4]) -> Option<String> {
    let said = |name| suite.attribute(name).and_then(|text| text.trim().parse::<usize>().ok());
    let shown = |what: &str, said: usize, found: usize| {
        let name: String = suite.attribute("name").unwrap_or("without name").chars().take(80).collect();
        Some(format!("the suite {name:?} says {what}: {said}; its tests give {found}"))
    };
    // Some runners count the parts of a test as tests of their own. That hides nothing where failures and errors are counted too, and
    // agree.
    let counted = said("failures").is_some() && said("errors").is_some();
    if let Some(said) = said("tests").filter(|said| *said < tests || (*said > tests && !counted)) {
        return shown("tests", said, tests);
    }
    if let (failures @ Some(_), errors) | (failures, errors @ Some(_)) = (said("failures"), said("errors")) {
        let bad = failures.unwrap_or(0).saturating_add(errors.unwrap_or(0));
        // A test may have several: of its parts, or a failure and then an error.
        if bad < failed || bad > signs {
            return shown("failures and errors", bad, failed);
        }
    }
    // Some runners count the tests that are switched off apart.
    let switched_off = said("disabled").unwrap_or(0);
    let said = said("skipped")?;
    if said == skipped || said.saturating_add(switched_off) == skipped {
        return None;
    }
    shown("skipped", said, skipped)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    fn states(text: &str) -> Vec<(String, State)> {
        parse(text).unwrap().cases.into_iter().map(|case| (case.key, case.state)).collect()
    }

    #[test]
    fn a_test_has_passed_unless_something_says_otherwise() {
        let report = r#"<?xml version="1.0"?><testsuites><testsuite name="s" tests="6" failures="1" errors="1" skipped="2">
            <properties/><testcase classname="a.B" name="one" time="0.1"/>
            <testcase classname="a.B" name="two"><failure message="x">trace</failure></testcase>
            <testcase classname="a.B" name="three"><error/><skipped/></testcase>
            <testcase classname="a.B" name="four"><skipped/></testcase>
            <testcase name="five"><system-out><![CDATA[<failure/>]]></system-out><flakyFailure/></testcase>
            <testcase name="six" status="notrun"/></testsuite></testsuites>"#;
        let expected = [
            ("a.B::one", State::Passed),
            ("a.B::two", State::Failed),
            ("a.B::three", State::Failed),
            ("a.B::four", State::Skipped),
            ("::five", State::Passed),
            ("::six", State::Skipped),
        ];
        assert_eq!(states(report), expected.map(|(key, state)| (key.to_string(), state)));
        let report = parse(report).unwrap();
        assert_eq!(report.disagreement, None);
        assert_eq!((report.count(State::Passed), report.count(State::Failed)), (2, 2));
    }

    #[test]
    fn a_failure_counts_wherever_and_however_it_is_written() {
        let cases = [
            ("<testcase name='a'><properties><x><failure/></x></properties></testcase>", 0),
            ("<testcase name='a'><Failure/></testcase>", 0),
            ("<TestCase name='a'><ERROR/></TestCase>", 0),
            ("<testcase name='a'><x/><x><y/></x><error/></testcase>", 0),
            ("<testcase name='a'><failure/></testcase><error/>", 1),
        ];
        for (text, outside) in cases {
            let report = parse(&format!("<testsuite>{text}</testsuite>")).unwrap();
            assert_eq!((report.count(State::Failed), report.outside), (1, outside), "{text}");
        }
        let inner = "<testcase name='a'><testcase name='b'><failure/></testcase></testcase>";
        assert_eq!(parse(&format!("<testsuite>{inner}</testsuite>")).unwrap().count(State::Failed), 2);
        let outside = parse("<testsuite errors='1'><testcase name='a'/><Error/></testsuite>").unwrap();
        assert_eq!((outside.outside, outside.count(State::Passed), outside.disagreement), (1, 1, None));
    }

    #[test]
    fn totals_are_compared_suite_by_suite() {
        let case = "<testcase name='a'/>";
        let failing = "<testcase name='a'><failure/></testcase>";
        let both = "<testcase name='a'><failure/><error/></testcase>";
        let skipping = "<testcase name='a'><skipped/></testcase>";
        let cases = [
            (format!("<testsuite tests='1'>{case}</testsuite>"), true),
            (format!("<testsuite tests='2'>{case}</testsuite>"), false),
            (format!("<testsuite tests='5' failures='0' errors='0'>{case}</testsuite>"), true),
            (format!("<testsuite tests='5' failures='1' errors='0'>{case}</testsuite>"), false),
            (format!("<testsuite tests='0' failures='0' errors='0'>{case}</testsuite>"), false),
            (format!("<testsuite>{case}</testsuite>"), true),
            (format!("<testsuite tests='many'>{case}</testsuite>"), true),
            (format!("<testsuite failures='0'>{failing}</testsuite>"), false),
            (format!("<testsuite failures='1'>{case}</testsuite>"), false),
            (format!("<testsuite failures='1' errors='1'>{both}</testsuite>"), true),
            (format!("<testsuite failures='1' errors='0'>{both}</testsuite>"), true),
            (format!("<testsuite failures='1' errors='1'>{failing}</testsuite>"), false),
            (format!("<testsuite skipped='0'>{skipping}</testsuite>"), false),
            (format!("<testsuite skipped='0' disabled='1'>{skipping}</testsuite>"), true),
            (format!("<testsuites tests='2'><testsuite tests='1'>{case}</testsuite><testsuite tests='1'>{case}</testsuite></testsuites>"), true),
            (format!("<testsuites tests='2'><testsuite tests='2'>{case}</testsuite><testsuite tests='0'>{case}</testsuite></testsuites>"), false),
            (format!("<testsuite tests='2'><testsuite tests='1'>{case}</testsuite>{case}</testsuite>"), true),
            (format!("<testsuite tests='1'><testsuite tests='1'>{case}</testsuite>{case}</testsuite>"), false),
        ];
        for (text, agrees) in cases {
            assert_eq!(parse(&text).unwrap().disagreement.is_none(), agrees, "{text}");
        }
    }

    #[test]
    fn what_is_no_report_is_refused() {
        let texts = [
            "",
            "<testsuite>",
            "<html/>",
            "<!DOCTYPE a><testsuite/>",
            "<!DOCTYPE a [<!ENTITY b 'c'>]><testsuite name='&b;'/>",
            "<testsuite name='&b;'/>",
            "{}",
        ];
        for text in texts {
            assert!(parse(text).is_err(), "{text}");
        }
        assert_eq!(states("\u{feff}<testsuite/>"), []);
    }

    #[test]
    fn hostile_reports_take_no_time() {
        let many: Vec<String> = (0..200_000).map(|n| format!("a{n}='1'")).collect();
        assert!(parse(&format!("<testsuite {}/>", many.join(" "))).is_err());
        let spaces: Vec<String> = (0..60_000).map(|n| format!("<a xmlns:n{n}='{n}'>")).collect();
        assert!(parse(&format!("<testsuite>{}", spaces.concat())).is_err());
        for part in ["<a>", "<testsuite>", "<!--", "<", "<a b='", "<![CDATA[", "<testsuite/>", "&#65;", "<testcase>"] {
            let _ = parse(&format!("<testsuite>{}", part.repeat(200_000)));
        }
        let deep = format!("{}{}", "<testsuite>".repeat(200_000), "</testsuite>".repeat(200_000));
        assert_eq!(parse(&deep).unwrap().cases, []);
        let deep = format!(
            "<testsuite>{}{}</testsuite>",
            "<testcase><error>".repeat(200_000),
            "</error></testcase>".repeat(200_000)
        );
        assert_eq!(parse(&deep).unwrap().count(State::Failed), 200_000);
    }
}
