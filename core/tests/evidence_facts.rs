//! What single calls are and did, and how they are shown.

use counterfoil::evidence::acts::Act;
use counterfoil::evidence::facts::Facts;
use counterfoil::evidence::roles::Role;
use counterfoil::{Call, Status};
use serde_json::{json, Value};
use std::collections::BTreeMap;

fn call(tool: &str, arguments: Value) -> Call {
    Call { tool: tool.into(), arguments, ..Call::default() }
}

fn bash(line: &str) -> Call {
    call("Bash", json!({ "command": line }))
}

fn with<R>(call: &Call, look: impl FnOnce(&Facts<'_>) -> R) -> R {
    look(&Facts::new(call, &BTreeMap::new()))
}

fn shown(call: &Call) -> String {
    Facts::new(call, &BTreeMap::new()).shown()
}

#[test]
fn the_command_line_is_found_in_every_shape_of_arguments() {
    for arguments in [
        json!({"command": "npm test"}),
        json!({"cmd": "npm test"}),
        json!({"script": "npm test"}),
        json!({"input": "npm test"}),
        json!({"keystrokes": "npm test"}),
        json!({"command": ["bash", "-lc", "npm test"]}),
        json!({"command": ["npm", "test"]}),
        json!({"command": "npm", "args": ["test"]}),
        json!({"commands": ["npm test"]}),
        json!(["bash", "-lc", "npm test"]),
        json!("npm test"),
    ] {
        let call = call("shell", arguments);
        with(&call, |f| {
            assert_eq!(f.line.as_deref(), Some("npm test"), "{}", call.arguments);
            assert!(f.acts.names(Act::Test), "{}", call.arguments);
            assert_eq!(f.shown(), "npm test");
        });
    }
}

#[test]
fn a_command_tool_without_a_line_breaks_nothing_and_may_have_done_anything() {
    for arguments in [
        Value::Null,
        json!({"restart": true}),
        json!({"command": 3}),
        json!({"command": ""}),
        json!([]),
        json!({"command": []}),
    ] {
        let call = call("bash", arguments);
        with(&call, |f| {
            assert!(f.acts.could(Act::Test), "{}", call.arguments);
            let _ = f.shown();
        });
    }
    assert_eq!(shown(&call("bash", json!({"restart": true}))), "bash(restart=true)");
}

#[test]
fn a_line_that_does_not_lex_may_have_done_anything() {
    with(&bash("echo 'open"), |f| {
        assert!(f.commands.is_empty());
        assert!(f.acts.could(Act::Remove));
    });
}

#[test]
fn an_editor_that_was_told_to_view_reads() {
    with(&call("str_replace_editor", json!({"command": "view", "path": "a"})), |f| {
        assert_eq!(f.role, Role::Read);
        assert!(f.acts.none());
    });
    with(&call("str_replace_editor", json!({"command": "create", "path": "a"})), |f| assert_eq!(f.role, Role::Write));
}

#[test]
fn an_unknown_tool_with_a_command_line_runs_it() {
    with(&call("my_box", json!({"command": "git status -sb"})), |f| {
        assert_eq!(f.role, Role::Command);
        assert!(f.acts.none());
    });
    with(&call("my_box", json!({"command": "reboot now"})), |f| assert_eq!(f.role, Role::Unknown));
}

#[test]
fn shell_lines_in_a_cell_are_commands_too() {
    with(&call("execute_ipython_cell", json!({"code": "x = 1\n!pytest -q\n"})), |f| {
        assert_eq!(f.role, Role::Code);
        assert!(f.acts.names(Act::Test));
    });
}

#[test]
fn a_call_succeeded_unless_it_is_known_that_it_did_not() {
    let base = bash("npm test");
    for (status, exit, expected) in [
        (Status::Ok, Some(0), true),
        (Status::Ok, None, true),
        (Status::Unknown, None, true),
        (Status::Ok, Some(1), false),
        (Status::Unknown, Some(2), false),
        (Status::Error, None, false),
        (Status::Error, Some(0), false),
        (Status::Denied, None, false),
        (Status::Declined, None, false),
        (Status::Timeout, None, false),
        (Status::Cancelled, None, false),
        (Status::Pending, None, false),
        (Status::Background, None, false),
    ] {
        let call = Call { status, exit, ..base.clone() };
        with(&call, |f| {
            assert_eq!(f.succeeded, expected, "{status:?} {exit:?}");
            assert!(f.acts.names(Act::Test));
        });
    }
}

#[test]
fn a_search_without_a_hit_and_a_difference_are_no_failures() {
    for line in ["grep -rn a src", "cd x && grep a b", "cat a | grep b", "rg x", "diff a b", "which x"] {
        let call = Call { exit: Some(1), output: Some(String::new()), ..bash(line) };
        assert!(with(&call, |f| f.succeeded), "{line}");
    }
    for line in ["npm test && grep a b", "grep a b && npm test", "./x | grep a", "rm a; grep a b", "ls nothing"] {
        let call = Call { exit: Some(1), output: Some(String::new()), ..bash(line) };
        assert!(!with(&call, |f| f.succeeded), "{line}");
    }
    let call = Call { exit: Some(2), output: Some("grep: x: No such file".into()), ..bash("grep a x") };
    assert!(!with(&call, |f| f.succeeded));
}

#[test]
fn without_an_exit_the_output_itself_may_say_that_nothing_ran() {
    let failed = |line: &str, output: &str| {
        let call = Call { output: Some(output.into()), status: Status::Ok, ..bash(line) };
        with(&call, |f| !f.succeeded)
    };
    assert!(failed("foo", "bash: foo: command not found"));
    assert!(failed("foo", "/bin/sh: 1: foo: command not found\n"));
    assert!(failed("npm test", "Exit code 1\nboom"));
    assert!(failed("npm test", "boom\n[Command finished with exit code 2]"));
    assert!(!failed("foo; npm test", "foo: command not found\n12 passed"));
    assert!(!failed("cat log", "the command was not found in the log"));
    assert!(!failed("./x; echo \"exit code: $?\"", "exit code: 3"));
    let call = Call {
        output: Some("There is no code from the last message".into()),
        ..call("code_execution", json!({"code": ""}))
    };
    assert!(!with(&call, |f| f.succeeded));
    let read = Call { output: Some("Exit code 1\n".into()), ..self::call("Read", json!({"file_path": "a"})) };
    assert!(with(&read, |f| f.succeeded));
}

#[test]
fn an_exit_that_is_not_recorded_may_have_been_any() {
    let may = |call: &Call, n| with(call, |f| f.may_have_exited(n));
    assert!(may(&bash("x"), 2));
    assert!(may(&Call { status: Status::Ok, ..bash("sudo ls") }, 2));
    assert!(!may(&Call { exit: Some(0), ..bash("sudo ls") }, 2));
    assert!(may(&Call { exit: Some(0), ..bash("npm test | tail") }, 2));
    assert!(may(&Call { exit: Some(0), ..bash("false || true") }, 1));
    assert!(!may(&Call { exit: Some(0), ..bash("ls | head") }, 2));
    assert!(!may(&Call { status: Status::Denied, ..bash("x") }, 2));
    assert!(!may(&Call { output: Some("Exit code 1\nx".into()), ..bash("ls x") }, 2));
    assert!(!may(&call("Read", json!({})), 1));
}

#[test]
fn a_call_is_shown_on_one_line_of_at_most_eighty_characters() {
    assert_eq!(shown(&bash("cd x &&\n\n   npm test")), "cd x && npm test");
    let long = shown(&bash(&"日本 ".repeat(60)));
    assert_eq!(long.chars().count(), 80);
    assert!(long.ends_with('…'));
    let form = shown(&call("inspect", json!({"what": "audit", "last": 5, "deep": {"a": [true, null]}})));
    assert!(form.starts_with("inspect(") && form.ends_with(')'), "{form}");
    assert!(form.contains("what=\"audit\"") && form.contains("last=5"), "{form}");
    assert_eq!(shown(&call("apply_patch", json!("a\nb"))), "apply_patch(\"a\\nb\")");
    assert_eq!(shown(&call("whoami", Value::Null)), "whoami()");
    let cut = shown(&call("notify", json!({"message": "x".repeat(10_000)})));
    assert_eq!(cut.chars().count(), 80);
}

#[test]
fn the_hosts_roles_win() {
    let roles = BTreeMap::from([("my_shell".to_owned(), Role::Command)]);
    let call = call("my_shell", json!({"line": 1, "cmd": "pytest"}));
    let facts = Facts::new(&call, &roles);
    assert_eq!(facts.role, Role::Command);
    assert!(facts.acts.names(Act::Test));
}

#[test]
fn no_argument_changes_a_role_that_the_host_gave() {
    for (role, arguments) in [
        (Role::Unknown, json!({"command": "git status"})),
        (Role::Look, json!({"cmd": "git status"})),
        (Role::Write, json!({"command": "view", "path": "a.md"})),
        (Role::Write, json!({"action": "list"})),
    ] {
        let call = call("frobnicate", arguments);
        let given = BTreeMap::from([("Frobnicate".to_owned(), role)]);
        assert_eq!(Facts::new(&call, &given).role, role);
    }
    let call = call("frobnicate", json!({"command": "git status"}));
    assert_eq!(Facts::new(&call, &BTreeMap::new()).role, Role::Command);
}
