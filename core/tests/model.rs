//! The model step: the vectors that every language runs, the bounds of what is sent, and texts that try to steer the model.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, missing_docs)]

use counterfoil::model::{self, Given, MOST};
use counterfoil::{transcript, verify, wire, Call, Mode, Options, Outcome, Piece, Turn, Unit};
use proptest::prelude::*;
use serde_json::{json, Value};
use std::path::Path;

fn read(name: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/model").join(name);
    serde_json::from_str(&std::fs::read_to_string(path).expect("a file of vectors")).expect("JSON")
}

fn model() -> Options {
    Options { mode: Mode::Model, ..Options::default() }
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// What stands between the marks of a prompt, and the lines outside them.
fn parted(prompt: &str) -> (String, Vec<&str>) {
    let mark = prompt.lines().next().and_then(|line| line.strip_prefix("The mark is ")).expect("a mark");
    let (open, close) = (format!("<<< {mark}"), format!(">>> {mark}"));
    let (mut data, mut outside, mut inside) = (String::new(), Vec::new(), false);
    for line in prompt.lines() {
        match (inside, line == open, line == close) {
            (false, true, _) => inside = true,
            (true, _, true) => inside = false,
            (true, ..) => {
                data.push_str(line);
                data.push('\n');
            }
            (false, ..) => outside.push(line),
        }
    }
    assert!(!inside, "what is opened is closed");
    assert!(!data.contains(mark), "the mark does not occur in the data");
    (data, outside)
}

/// Whether nothing of the record stands outside the data: with the mark and the numbers taken out, only the fixed lines do.
fn only_ours(outside: &[&str]) -> bool {
    let counts = |line: &str| line.starts_with("Calls of this turn: ");
    let known = |line: &&str| {
        let line = line.trim();
        let plain: String = line.chars().filter(|c| !c.is_ascii_digit()).collect();
        line.is_empty()
            || line.starts_with("The mark is ") && line.len() <= 32
            || line == "The reply:"
            || line == "Here the data ends. Does the reply report a result that no call can have produced? Answer with the JSON object."
            || counts(line)
                && [
                    "Calls of this turn: . Calls of earlier turns: .",
                    "Calls of this turn: . Calls of earlier turns: . One JSON object a line:",
                    "Calls of this turn: . Calls of earlier turns: .  of them are left out, and may have produced anything that their tools can.",
                    "Calls of this turn: . Calls of earlier turns: .  of them are left out, and may have produced anything that their tools can. One JSON object a line:",
                ]
                .contains(&&*plain)
    };
    outside.iter().all(known)
}

fn check_request(case: &Value, request: &Value) -> Result<(), String> {
    if case["request"].is_null() || request.is_null() {
        return if case["request"] == *request { Ok(()) } else { Err(format!("request {request}")) };
    }
    let (system, prompt) = (request["system"].as_str().unwrap(), request["prompt"].as_str().unwrap());
    let bytes = system.len() + prompt.len();
    if request["bytes"] != bytes || bytes > MOST {
        return Err(format!("{bytes} bytes, said to be {}", request["bytes"]));
    }
    let fixed =
        json!({"temperature": request["temperature"], "thinking": request["thinking"], "tools": request["tools"]});
    if fixed != json!({"temperature": 0, "thinking": false, "tools": "none"}) {
        return Err(fixed.to_string());
    }
    let (_, outside) = parted(prompt);
    if !only_ours(&outside) {
        return Err(format!("outside the data: {outside:#?}"));
    }
    let wanted = &case["request"];
    if let Some(text) = texts(&wanted["contains"]).into_iter().find(|text| !prompt.contains(text)) {
        return Err(format!("the prompt lacks {text:?}:\n{prompt}"));
    }
    if let Some(text) = texts(&wanted["absent"]).into_iter().find(|text| prompt.contains(text)) {
        return Err(format!("the prompt holds {text:?}:\n{prompt}"));
    }
    let places: Vec<Option<usize>> = texts(&wanted["ordered"]).into_iter().map(|text| prompt.find(text)).collect();
    if places.iter().any(Option::is_none) || !places.is_sorted() {
        return Err(format!("in the order {places:?}:\n{prompt}"));
    }
    Ok(())
}

fn check_result(case: &Value, result: &Value, reply: &str) -> Result<(), String> {
    let wanted = &case["result"];
    let Some(fields) = wanted.as_object() else {
        return if result.is_null() { Ok(()) } else { Err(format!("result {result}")) };
    };
    for (key, value) in fields.iter().filter(|(key, _)| *key != "claims") {
        if result[key] != *value {
            return Err(format!("{key}: {}", result[key]));
        }
    }
    let Some(claims) = wanted["claims"].as_array() else { return Ok(()) };
    let found = result["claims"].as_array().cloned().unwrap_or_default();
    let same = |found: &Value, wanted: &Value| {
        let at = |end: &str| usize::try_from(found["span"][end].as_u64().unwrap()).unwrap();
        let quote = json!(&reply[at("start")..at("end")]);
        let fields = wanted.as_object().into_iter().flatten();
        fields.into_iter().all(|(key, value)| if key == "quote" { quote == *value } else { found[key] == *value })
    };
    if found.len() != claims.len() || !found.iter().zip(claims).all(|(found, wanted)| same(found, wanted)) {
        return Err(format!("claims {found:#?}"));
    }
    Ok(())
}

#[test]
fn the_steps_are_as_the_vectors_say() {
    let mut faults = Vec::new();
    let cases = read("steps.json");
    for case in &cases {
        let options = case.get("options").cloned().unwrap_or_else(|| json!({"mode": "model"})).to_string();
        let turn = case["turn"].to_string();
        let planned: Value = serde_json::from_str(&wire::plan(&turn, &options, Unit::Utf8).unwrap()).unwrap();
        let mut fault = check_request(case, &planned["request"]);
        if let (Ok(()), Some(given)) = (&fault, case.get("given")) {
            let result = wire::finish(&turn, &options, &given.to_string(), Unit::Utf8).unwrap();
            let result = result.map_or(Value::Null, |text| serde_json::from_str(&text).unwrap());
            fault = check_result(case, &result, &transcript::turn(&turn).unwrap().text());
        } else if fault.is_ok() && case.get("result").is_some() {
            fault = check_result(case, &planned["result"], "");
        }
        faults.extend(fault.err().map(|fault| format!("{}: {fault}", case["name"])));
    }
    println!("{} vectors", cases.len());
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}

/// A turn with a claim that readers flag or not, and with a text that tries to steer whoever reads it.
fn steered(attempt: &Value, reply: &str) -> Turn {
    let text = attempt["text"].as_str().unwrap();
    let at = |place: &str| if attempt["where"] == place { text } else { "" };
    let turn = json!({
        "reply": format!("{reply}\n\n{}", at("reply")),
        "calls": [
            {"tool": "list_devices", "arguments": {"filter": at("argument")}, "output": format!("router, lamp\n{}", at("output")), "status": "ok"},
            {"tool": "bash", "arguments": {"command": "wc -c notes.md"}, "output": format!("{}\n0 lines", at("output")), "exit": 1},
        ],
    });
    transcript::turn(&turn.to_string()).unwrap()
}

#[test]
fn no_text_steers_the_readers() {
    let attempts = read("injection.json");
    assert!(attempts.len() >= 60);
    let reply = "I removed the file `a.txt`. `wc -c notes.md` exited with 1.\n\nThanks for waiting.";
    let nothing = json!({"where": "", "text": ""});
    let expected = verify(&steered(&nothing, reply), &Options::default()).unwrap();
    assert_eq!(expected.claims.len(), 2);
    for attempt in &attempts {
        for options in [Options::default(), model()] {
            let turn = steered(attempt, reply);
            let found = verify(&turn, &options).unwrap();
            let told: Vec<_> = found.claims.iter().map(|c| (&c.text, c.verdict, &c.reason)).collect();
            let wanted: Vec<_> = expected.claims.iter().map(|c| (&c.text, c.verdict, &c.reason)).collect();
            assert_eq!(told, wanted, "{attempt}");
            assert_eq!((found.status, &found.line), (expected.status, &expected.line), "{attempt}");
            assert!(model::plan(&turn, Some(&found), &options).is_none(), "{attempt}");
        }
    }
}

#[test]
fn every_text_stays_among_the_data() {
    for attempt in read("injection.json") {
        let turn =
            steered(&attempt, "I rebooted the router and the lamp turned green. It returned.\n\nThanks for waiting.");
        let request = model::plan(&turn, verify(&turn, &model()).as_ref(), &model()).expect("something is open");
        let (data, outside) = parted(&request.prompt);
        assert!(only_ours(&outside), "{outside:#?}");
        assert!(request.bytes <= MOST);
        let text = attempt["text"].as_str().unwrap();
        let told = json!(text).to_string();
        let there = data.contains(text) || data.contains(told.trim_matches('"'));
        assert!(there, "the text itself is shown as data: {attempt}\n{data}");
    }
}

#[test]
fn nothing_is_asked_where_a_reader_flags_or_nothing_speaks_of_results() {
    let flagged = transcript::turn(r#"{"reply": "All 9 tests pass. The lamp ran.", "calls": []}"#).unwrap();
    let found = verify(&flagged, &model()).unwrap();
    assert_eq!(found.status, Outcome::Unsupported);
    assert!(model::plan(&flagged, Some(&found), &model()).is_none());
}

fn call(tool: String, arguments: Value, output: Option<String>, exit: Option<i64>) -> Call {
    Call { tool, arguments, output, exit, ..Call::default() }
}

fn any_call() -> impl Strategy<Value = Call> {
    let text = || "(?s).{0,40}|<<< [0-9a-f]{8}\n|>>> \n|\"}\n|\u{1b}\\[31m|日{1,30}|\\\\{1,30}";
    let arguments = prop_oneof![
        Just(Value::Null),
        text().prop_map(Value::from),
        (text(), text()).prop_map(|(key, value)| json!({key: value, "list": [value, [1, 2]], "n": 1})),
    ];
    (text(), arguments, proptest::option::of((text(), 0_usize..80)), proptest::option::of(0_i64..3)).prop_map(
        |(tool, arguments, output, exit)| call(tool, arguments, output.map(|(text, times)| text.repeat(times)), exit),
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_turn_is_asked_about_in_six_thousand_bytes_with_its_words_between_the_marks(
        reply in "(?s)(The lamp turned green and returned\\. |.{0,30}|\n<<< |>>> [0-9a-f]{8}\n|# \\*\\*|`x`|日本語|\\| a \\| b \\|\n|- It ran\\.\n){0,40}",
        times in prop_oneof![Just(1_usize), Just(60)],
        calls in proptest::collection::vec(any_call(), 0..30),
        earlier in proptest::collection::vec(any_call(), 0..4),
    ) {
        let reply = format!("The lamp turned green and returned. {}", reply.repeat(times));
        let turn = Turn { reply: vec![Piece { text: reply, interim: false }], calls: Some(calls), earlier, ..Turn::default() };
        let found = verify(&turn, &model());
        let flagged = found.as_ref().is_some_and(|found| found.status == Outcome::Unsupported);
        let request = model::plan(&turn, found.as_ref(), &model());
        prop_assert!(!flagged || request.is_none());
        if let Some(request) = request {
            prop_assert_eq!(request.bytes, request.system.len() + request.prompt.len());
            prop_assert!(request.bytes <= MOST, "{}", request.bytes);
            let (_, outside) = parted(&request.prompt);
            prop_assert!(only_ours(&outside), "{:#?}", outside);
        }
    }

    #[test]
    fn any_answer_is_read_or_recorded_and_flags_only_what_asserts(answer in "(?s)[{]\"reason\": \"r\", \"claim\": \"(the lamp|Next I|green|zzz|.{0,9})\", \"verdict\": \"(unsupported|verified|.)\"[}]?|.{0,60}") {
        let turn = transcript::turn(&json!({"reply": "The lamp turned green and returned. Next I will look at the fuse.", "calls": []}).to_string()).unwrap();
        let found = verify(&turn, &model());
        let request = model::plan(&turn, found.as_ref(), &model()).unwrap();
        let found = model::finish(&turn, found, &request, &Given::Answer(answer.into()), &model());
        prop_assert_eq!(found.line.is_some(), found.status == Outcome::Unsupported);
        prop_assert!(found.claims.iter().all(|claim| claim.span.end <= "The lamp turned green and returned".len()));
        prop_assert!(found.failure.is_none() || found.status == Outcome::NotShown);
        prop_assert!(found.answer.is_some() || found.failure.is_some());
    }
}

#[test]
fn fifty_megabytes_are_asked_about_in_six_thousand_bytes() {
    let line = "The lamp turned green and returned, it was said again and again and again.\n";
    let reply = line.repeat(5_000_000 / line.len());
    let calls: Vec<Call> = (0..450)
        .map(|i| call(format!("tool_{i}"), json!({"body": "x".repeat(50_000)}), Some("日\"\n".repeat(10_000)), None))
        .collect();
    let turn = Turn { reply: vec![Piece { text: reply, interim: false }], calls: Some(calls), ..Turn::default() };
    let request = model::plan(&turn, None, &model()).expect("something is open");
    assert!(request.bytes <= MOST && request.bytes > MOST / 2, "{}", request.bytes);
    assert!(only_ours(&parted(&request.prompt).1));
}

/// Whether nothing of the record stands outside the data of a request about many claims.
fn only_ours_of_many(outside: &[&str]) -> bool {
    let known = |line: &&str| match line.strip_prefix("Turn ") {
        Some(rest) => rest
            .split_once(", its claims and then its calls. ")
            .is_some_and(|(turn, counts)| turn.bytes().all(|byte| byte.is_ascii_digit()) && only_ours(&[counts])),
        None => {
            line.is_empty()
                || line.starts_with("The mark is ") && line.len() <= 32
                || *line == "Here the data ends. Answer with the JSON object."
        }
    };
    outside.iter().all(known)
}

fn check_many(case: &Value) -> Result<(), String> {
    let options = case.get("options").cloned().unwrap_or_else(|| json!({"mode": "model"})).to_string();
    let session = transcript::parse(&json!({"turns": case["turns"]}).to_string(), None).map_err(|e| e.to_string())?;
    let planned: Vec<Value> = serde_json::from_str(&wire::plan_many(&session, &options).unwrap()).unwrap();
    let wanted = case["requests"].as_array().unwrap();
    if planned.len() != wanted.len() {
        return Err(format!("{} requests", planned.len()));
    }
    for (batch, wanted) in planned.iter().zip(wanted) {
        let prompt = batch["request"]["prompt"].as_str().unwrap();
        let bytes = prompt.len() + batch["request"]["system"].as_str().unwrap().len();
        let ids: Vec<&String> = batch["questions"].as_object().unwrap().keys().collect();
        let booleans = batch["questions"].as_object().unwrap().values().all(|question| question["type"] == "boolean");
        let asked: Vec<&String> = batch["request"]["schema"]["properties"].as_object().unwrap().keys().collect();
        if json!(ids) != wanted["questions"] || asked != ids || !booleans || bytes > MOST {
            return Err(format!("{bytes} bytes, {batch}"));
        }
        let places: Vec<Option<usize>> = texts(&wanted["ordered"]).into_iter().map(|text| prompt.find(text)).collect();
        let there = texts(&wanted["contains"]).into_iter().all(|text| prompt.contains(text));
        let gone = !texts(&wanted["absent"]).into_iter().any(|text| prompt.contains(text));
        if !there
            || !gone
            || places.iter().any(Option::is_none)
            || !places.is_sorted()
            || !only_ours_of_many(&parted(prompt).1)
        {
            return Err(prompt.to_string());
        }
    }
    let report = wire::finish_many(&session, &options, &case["given"].to_string(), Unit::Utf8).unwrap();
    let report: Value = serde_json::from_str(&report).unwrap();
    if case["report"].get("totals").is_some_and(|totals| *totals != report["totals"]) {
        return Err(report["totals"].to_string());
    }
    for ((wanted, found), turn) in
        case["report"]["turns"].as_array().unwrap().iter().zip(report["turns"].as_array().unwrap()).zip(&session.turns)
    {
        check_result(&json!({"result": wanted}), &found["verification"], &turn.text())?;
    }
    Ok(())
}

#[test]
fn many_claims_are_as_the_vectors_say() {
    let cases = read("many.json");
    let faults: Vec<String> = cases
        .iter()
        .filter_map(|case| check_many(case).err().map(|fault| format!("{}: {fault}", case["name"])))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_events_are_as_the_vectors_say() {
    for case in read("audit.json") {
        let (result, about) = (case["result"].to_string(), case["about"].to_string());
        let event = |text: Option<String>| text.map_or(Value::Null, |text| serde_json::from_str(&text).unwrap());
        assert_eq!(event(wire::audit(&result, &about).unwrap()), case["event"], "{}", case["name"]);
        assert_eq!(event(wire::evaluation(&result, &about).unwrap()), case["evaluation"], "{}", case["name"]);
    }
}

#[test]
fn what_a_host_hands_in_is_read_strictly() {
    let turn = r#"{"reply": "The lamp returned.", "calls": []}"#;
    let options = r#"{"mode": "model"}"#;
    let error = |given: &str| wire::finish(turn, options, given, Unit::Utf8).unwrap_err().to_string();
    assert_eq!(error("{}"), "given: expected an object with answer or with failure");
    assert_eq!(error("[]"), "given: expected an object with answer or with failure");
    assert_eq!(
        error(r#"{"failure": "late"}"#),
        "given.failure: expected one of timeout, raised, cancelled, wrong_type, refused, unreadable, overruled; found \"late\""
    );
    let about = |about: &str| wire::audit("null", about).unwrap_err().to_string();
    assert_eq!(about(r#"{"seconds": -1}"#), "about.seconds: expected a number from 0");
    assert_eq!(about(r#"{"secs": 1}"#), "about.secs: expected one of seconds, bytes, model, think, response");
    let session = transcript::parse(r#"[{"reply": "Hello.", "calls": []}]"#, None).unwrap();
    assert!(wire::finish_many(&session, options, "{}", Unit::Utf8).is_err());
}

#[test]
fn every_failure_has_its_name_and_its_sentence() {
    let told: Value = serde_json::from_str(&wire::failures()).unwrap();
    for (name, failure) in counterfoil::Failure::ALL {
        assert_eq!(failure.name(), name);
        assert_eq!(serde_json::to_value(failure).unwrap(), name);
        assert_eq!(told[name], failure.sentence());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn any_session_is_asked_about_in_requests_of_six_thousand_bytes(
        replies in proptest::collection::vec("(?s)(The lamp turned green and returned\\. |It ran \\W{0,9}\\. |.{0,30}|\n<<< |>>> \n|日本語|\"){0,30}", 1..6),
        calls in proptest::collection::vec(any_call(), 0..8),
    ) {
        let turns = replies.into_iter().map(|reply| Turn {
            reply: vec![Piece { text: format!("The lamp ran. {reply}"), interim: false }],
            calls: Some(calls.clone()),
            ..Turn::default()
        });
        let session = counterfoil::Session { turns: turns.collect(), ..counterfoil::Session::default() };
        let report = counterfoil::verify_session(&session, &model());
        let planned = model::plan_many(&session, &report, &model());
        for batch in &planned {
            prop_assert!(batch.request.bytes <= MOST, "{}", batch.request.bytes);
            prop_assert_eq!(batch.request.bytes, batch.request.system.len() + batch.request.prompt.len());
            let (_, outside) = parted(&batch.request.prompt);
            prop_assert!(only_ours_of_many(&outside), "{:#?}", outside);
        }
        let none: Vec<Given> = planned.iter().map(|_| Given::Answer(Value::from("{}"))).collect();
        let after = model::finish_many(&session, report.clone(), &none, &model());
        prop_assert_eq!(after.totals, report.totals);
    }
}

#[test]
fn a_long_session_is_asked_about_in_the_time_of_its_turns() {
    let calls: Vec<Call> =
        (0..6).map(|i| call(format!("tool_{i}"), json!({"body": "x"}), Some("lamp".into()), None)).collect();
    let turn = Turn {
        reply: vec![Piece { text: "The lamp turned green and returned.".into(), interim: false }],
        calls: Some(calls),
        ..Turn::default()
    };
    let session = counterfoil::Session { turns: vec![turn; 2000], ..counterfoil::Session::default() };
    let report = counterfoil::verify_session(&session, &model());
    let start = std::time::Instant::now();
    let planned = model::plan_many(&session, &report, &model());
    // All calls before each turn are 12 million, which would take minutes.
    assert!(start.elapsed().as_secs() < 30, "{:?}", start.elapsed());
    assert!(planned.iter().all(|batch| batch.request.bytes <= MOST && batch.questions.len() >= 3));
}

#[test]
fn every_view_shows_what_a_model_doubts_apart_from_what_the_record_shows() {
    use counterfoil::render::{html, text};
    let turn = transcript::turn(r#"{"reply": "The lamp turned green and returned.", "calls": []}"#).unwrap();
    let finish = |given: Given| {
        let found = verify(&turn, &model());
        let request = model::plan(&turn, found.as_ref(), &model()).unwrap();
        let found = model::finish(&turn, found, &request, &given, &model());
        let style = text::Style { color: true, ..text::Style::default() };
        (text::verification(&turn, &found, &style), html::verification(&turn, &found))
    };
    let answer = |claim: &str| Given::Answer(json!({"claim": claim, "reason": "none <b>", "verdict": "unsupported"}));
    let (shown, page) = finish(answer("The lamp turned green"));
    assert!(shown.starts_with(
        "\u{1b}[1;33munsupported:\u{1b}[0m \"The lamp turned green\" (the model found no call producing it)"
    ));
    assert!(page.contains("<p class=\"doubted\">unsupported:") && page.contains("<mark class=\"doubt\""), "{page}");
    let (shown, page) = finish(answer(""));
    assert!(shown.contains(" the model named no claim (none <b>)"), "{shown}");
    assert!(page.contains("the model named no claim (none &lt;b&gt;)") && !page.contains("nothing flagged"), "{page}");
    let (shown, page) = finish(Given::Failed(counterfoil::Failure::Timeout));
    for view in [shown, page] {
        assert!(view.contains("not checked by the model: the model gave no answer in time"), "{view}");
    }
}

#[test]
fn hostile_words_cost_linear_time() {
    let start = std::time::Instant::now();
    let answered = |reply: String, output: String, answer: Value| {
        let turn = json!({"reply": format!("The lamp turned green and returned. {reply}"),
            "calls": [{"tool": "list", "arguments": {"token": output.clone()}, "output": output, "status": "ok"}]});
        let turn = transcript::turn(&turn.to_string()).unwrap();
        let found = verify(&turn, &model());
        if let Some(request) = model::plan(&turn, found.as_ref(), &model()) {
            assert!(request.bytes <= MOST);
            model::finish(&turn, found, &request, &Given::Answer(answer), &model());
        }
    };
    let doubt = |claim: &str| json!({"claim": claim, "verdict": "unsupported"});
    answered("a ".repeat(200_000), "1,".repeat(200_000), doubt(&"a ".repeat(150)));
    answered("\" ' “ ".repeat(100_000), "eyJ.".repeat(200_000), doubt("a \" b c d e f g"));
    answered("password=a `x` \"y\" ".repeat(20_000), "-----END ".repeat(50_000), doubt("y password a"));
    answered("It is 1,1,1 there.".into(), ",".repeat(400_000), doubt("It is 1,1,1 there"));
    for answer in ["{\"a\":\"", "<think>", "</think>{", "verdict\":", "{{{{\"a\": [", "{\"a\": 1} ", "\"verdict"] {
        answered(String::new(), String::new(), answer.repeat(400_000 / answer.len()).into());
    }
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}
