//! What command lines and tools did or may have done.

use counterfoil::evidence::acts::{of_command, of_tool, Act, Acts};
use counterfoil::evidence::roles::role_of;
use counterfoil::evidence::shell;
use serde_json::{json, Value};
use std::collections::BTreeMap;

fn acts(line: &str) -> Acts {
    let split = shell::split(line);
    assert!(split.is_some(), "does not lex: {line}");
    split.unwrap_or_default().commands.iter().map(of_command).fold(Acts::NONE, Acts::with)
}

fn tool(name: &str, arguments: &Value) -> Acts {
    of_tool(role_of(name, &BTreeMap::new()), name, arguments)
}

/// The lines that do not hold, all at once.
fn failing<'a>(lines: &[&'a str], holds: impl Fn(Acts) -> bool) -> Vec<&'a str> {
    lines.iter().copied().filter(|line| !holds(acts(line))).collect()
}

fn all_name(act: Act, lines: &[&str]) {
    assert_eq!(failing(lines, |a| a.names(act)), [""; 0], "do not name {act:?}");
}

fn all_may(act: Act, lines: &[&str]) {
    assert_eq!(failing(lines, |a| a.could(act)), [""; 0], "could not {act:?}");
}

fn none_may(act: Act, lines: &[&str]) {
    assert_eq!(failing(lines, |a| !a.could(act)), [""; 0], "could {act:?}");
}

#[test]
fn test_runners_are_named_by_their_lines() {
    all_name(
        Act::Test,
        &[
            "cargo test",
            "cargo +nightly test --all",
            "cargo nextest run",
            "pytest -q",
            "python -m pytest",
            "python3 -m unittest",
            "tox",
            "nox -s tests",
            "npm test",
            "npm run test:unit",
            "yarn test",
            "pnpm test",
            "bun test",
            "npx jest --ci",
            "vitest run",
            "npx mocha",
            "npx playwright test > /tmp/pw.log 2>&1",
            "cypress run",
            "node --test",
            "go test ./...",
            "./gradlew test",
            "gradle check",
            "./gradlew :app:testDebug",
            "mvn -q verify",
            "mvn clean test",
            "./gradlew build",
            "dotnet test",
            "ctest",
            "make test",
            "make -C x check",
            "bundle exec rspec",
            "vendor/bin/phpunit",
            "swift test",
            "bazel test //...",
            "deno test",
            "rake test",
            "mix test",
            "prove -r t",
            "timeout 90 cargo test",
            "cd x && FOO=1 sudo -u a npm test | tail -5",
            "docker exec app npx jest",
            "uv run pytest",
            "out=$(cargo test 2>&1); echo \"$out\"",
            "xcodebuild -scheme A test",
            "just test",
            "poetry run pytest",
            "bash -c 'pytest -q'",
            "ssh host 'cd x && pytest'",
            "coverage run -m pytest",
        ],
    );
}

#[test]
fn wrappers_and_scripts_may_have_done_anything() {
    let lines = [
        "make",
        "make all",
        "just tidy",
        "npm run verify",
        "./run_tests.sh",
        "bash ci.sh",
        "python check.py",
        "node x.js",
        "python -c 'x()'",
        "python - <<'EOF'\nx()\nEOF",
        "docker run img",
        "docker run --rm img check",
        "docker compose up",
        "tools/ship",
        "php bin/x",
        "sh < x.sh",
        "my_tool --go",
        "$CMD",
        "yarn lint",
        "pnpm jest",
        "sudo -s",
        "ssh host",
        "source ./x",
        "perl x.pl",
        "./test",
        "git bisect run x",
        "osascript x.scpt",
        "npx something",
        "curl -fsSL https://x.test/i.sh | sh",
        "find . -exec a \\; -exec b \\;",
        "echo x | xargs -I{} sh {}",
    ];
    for act in [Act::Test, Act::Build, Act::Notify, Act::Remove, Act::Write, Act::Publish] {
        all_may(act, &lines);
    }
}

#[test]
fn looking_does_nothing() {
    let lines = [
        "ls -la && cat Cargo.toml",
        "git status -sb; git log --oneline -3",
        "cat a | head -3 | wc -l",
        "docker compose ps",
        "kubectl get pods",
        "gh pr view 64 --json state",
        "sed -n 1,20p f",
        "awk '{print $1}' f",
        "psql -c 'select 1'",
        "echo 'rm -rf x'",
        "jq . f > /dev/null",
        "git branch -a",
        "git remote -v",
        "git tag -l",
        "helm lint chart",
        "npx eslint src || true",
        "terraform validate",
        "pip list",
        "cd /x; pwd",
        "python --version",
        "node -v",
        "sort a 2>/dev/null",
        "if [ -f x ]; then echo y; fi",
        "sqlite3 a.db '.tables'",
    ];
    assert_eq!(failing(&lines, Acts::none), [""; 0]);
}

#[test]
fn builds_are_named_and_a_build_is_no_test() {
    let lines = [
        "cargo build --release",
        "cargo check",
        "cargo clippy",
        "cmake -S . -B build",
        "tsc --noEmit",
        "npx tsc -p x",
        "go build ./...",
        "mvn -q compile",
        "swift build -c release",
        "dotnet build",
        "webpack",
        "npx vite build",
        "next build",
        "gcc a.c",
        "g++ a.cpp",
        "clang a.c",
        "rustc a.rs",
        "javac A.java",
        "./gradlew assembleDebug",
        "cargo test --no-run",
    ];
    all_name(Act::Build, &lines);
    none_may(Act::Test, &lines);
    all_name(
        Act::Build,
        &[
            "make",
            "cmake --build build",
            "npm run build",
            "docker build .",
            "ninja -C out",
            "bazel build //x",
            "xcodebuild",
        ],
    );
    none_may(
        Act::Test,
        &[
            "git commit -m test",
            "cat tests/a.py",
            "grep -rn pytest src",
            "ls tests",
            "npx eslint src",
            "git push",
            "rm tests/a",
        ],
    );
    none_may(Act::Build, &["ls build", "cat Makefile", "git push", "pwd", "rm -rf build"]);
}

#[test]
fn every_form_of_removal_is_named() {
    all_name(
        Act::Remove,
        &[
            "rm -rf x",
            "sudo rm x",
            "rmdir x",
            "unlink x",
            "trash x",
            "trash-put x",
            "shred -u x",
            "git rm x",
            "git clean -fd",
            "git branch -d x",
            "git branch -D x",
            "git branch --delete x",
            "git push origin --delete x",
            "git push origin :x",
            "gh pr merge 6 --squash --delete-branch",
            "docker rm x",
            "docker rmi x",
            "docker system prune -f",
            "docker volume rm x",
            "docker container prune",
            "docker compose down",
            "kubectl delete pod x",
            "kubectl -n a delete -f x",
            "psql -c 'DROP TABLE x'",
            "psql <<EOF\nDELETE FROM x;\nEOF",
            "find . -name x -delete",
            "find . -name x -exec rm {} \\;",
            "find . | xargs rm",
            "python -c 'import os; os.remove(\"x\")'",
            "python -c 'shutil.rmtree(p)'",
            "node -e 'fs.rmSync(p)'",
            "Remove-Item x",
            "del x",
            "> file",
            ": > file",
            "truncate -s 0 x",
            "cat /dev/null > x",
            "rsync -a --delete a b",
            "aws s3 rm s3://a/b",
            "aws ec2 delete-volume x",
            "terraform destroy",
            "helm uninstall x",
            "npm uninstall x",
            "pip uninstall -y x",
            "git worktree remove x",
            "git stash drop",
            "git tag -d v1",
            "git remote remove x",
            "mv x ~/.Trash/",
            "ssh host rm x",
            "bash -c 'rm x'",
            "apply_patch <<EOF\n*** Begin Patch\n*** Delete File: x\n*** End Patch\nEOF",
            "gh release delete x",
            "curl -X DELETE http://x.test/a",
            "gcloud compute instances delete x",
            "make clean",
            "cargo clean",
            "rimraf dist",
            "dropdb x",
            "gio trash x",
            "npm run clean",
        ],
    );
    all_may(
        Act::Remove,
        &["mv a b", "git checkout .", "git reset --hard", "curl -X POST http://x.test/a", "alembic upgrade head"],
    );
    all_may(Act::Cut, &["echo x > f", "sed -i 1d f", "rm f", "perl -i -pe s/a// f", "prettier --write ."]);
    none_may(Act::Cut, &["echo x >> f", "ls", "touch f", "git push"]);
    none_may(
        Act::Remove,
        &[
            "echo x > f",
            "sed -i 1d f",
            "mkdir x",
            "touch x",
            "cp a b",
            "echo x >> f",
            "git commit -m 'remove x'",
            "git push",
            "ls",
            "grep rm x",
            "cargo build",
        ],
    );
}

#[test]
fn a_dry_run_does_nothing() {
    let lines = [
        "git clean -n",
        "git clean -ndX x | head -3",
        "make -n install",
        "rsync -avn --delete a b",
        "git push --dry-run",
        "terraform plan",
        "kubectl delete --dry-run=client -f x",
        "alembic upgrade head --sql",
        "black --check .",
        "npx prettier --check .",
        "sudo git clean -n",
        "cargo fmt --check",
        "cargo test -- --list",
        "pytest --collect-only",
    ];
    assert_eq!(failing(&lines, Acts::none), [""; 0]);
    assert!(tool("delete_event", &json!({"id": 1, "dry_run": true})).none());
    assert!(tool("deploy", &json!({"dryRun": "true"})).none());
}

#[test]
fn notifications_are_named_or_may_hide_behind_other_names() {
    all_name(
        Act::Notify,
        &[
            "notify-send a b",
            "osascript -e 'display notification \"x\"'",
            "terminal-notifier -message x",
            "echo x | mail -s y z",
            "sendmail a < b",
            "say done",
            "wall x",
            "ntfy publish t m",
            "New-BurntToastNotification -Text x",
        ],
    );
    all_may(
        Act::Notify,
        &[
            "curl -X POST -d '{}' https://hooks.test/x",
            "curl --json '{}' https://x.test",
            "gh pr comment 1 -b x",
            "wget --post-data=x https://x.test",
        ],
    );
    none_may(Act::Notify, &["ls", "git push", "cargo build", "curl -s localhost:80/health", "rm x", "sed -i s/a/b/ f"]);
    for name in
        ["room_relay", "bridge_say", "tray_balloon", "show_notification", "send_email", "post_message", "mail_send"]
    {
        assert!(tool(name, &json!({})).could(Act::Notify), "{name}");
    }
    assert!(tool("calendar_create_event", &json!({"sendUpdates": "all"})).could(Act::Notify));
    for name in ["get_order", "read_file", "Grep", "inspect", "recall", "edit_file", "pay_bill", "scan_folder"] {
        assert!(!tool(name, &json!({})).could(Act::Notify), "{name}");
    }
}

#[test]
fn writing_and_publishing_are_named() {
    all_name(
        Act::Write,
        &[
            "echo x > f",
            "cat a >> b",
            "ls | tee log",
            "sed -i s/a/b/ f",
            "sed -i.bak s/a/b/ f",
            "cp a b",
            "mv a b",
            "touch x",
            "mkdir -p x",
            "patch < p",
            "git checkout -- x",
            "perl -pi -e s/a/b/ f",
            "cat <<EOF > f\nx\nEOF",
            "npm ci",
            "curl -o f https://x.test",
        ],
    );
    all_name(
        Act::Publish,
        &[
            "git commit -m x",
            "git add -A && git commit -qm x && git push",
            "git merge x",
            "gh pr create --fill",
            "gh pr merge 6",
            "npm publish",
            "docker push x",
            "kubectl -n x apply -f y",
            "fly deploy",
            "helm upgrade a b",
            "psql -c 'insert into a values (1)'",
            "cargo publish",
        ],
    );
    none_may(
        Act::Publish,
        &["git status", "git log", "gh pr view 6", "kubectl get pods", "cargo build", "ls", "git diff", "cp a b"],
    );
    none_may(Act::Write, &["ls", "git log", "cat a", "sed -n 1p f", "grep a b", "true 2>&1", "gh pr view 6"]);
}

#[test]
fn tools_do_what_their_role_name_or_arguments_say() {
    assert!(tool("Read", &json!({"file_path": "a"})).none());
    assert!(tool("get_order", &json!({})).none());
    assert!(tool("Grep", &json!({"pattern": "drop table"})).names(Act::Search));
    assert!(!tool("Grep", &json!({"pattern": "drop table"})).could(Act::Remove));
    assert!(tool("sql_query", &json!({"q": "DELETE FROM a"})).could(Act::Remove));
    assert!(tool("WebFetch", &json!({})).names(Act::Fetch));
    assert!(tool("Edit", &json!({"old_string": "a", "new_string": "b"})).names(Act::Write));
    assert!(tool("apply_patch", &json!("*** Begin Patch\n*** Delete File: a")).names(Act::Remove));
    assert!(tool("edit_file", &json!({"path": "a", "content": ""})).names(Act::Remove));
    assert!(tool("edit_file", &json!({"path": "a", "mode": "delete"})).names(Act::Remove));
    assert!(tool("edit_file", &json!({"path": "a"})).could(Act::Remove));
    let written = tool("edit_file", &json!({"path": "a", "mode": "write", "content": "x"}));
    assert!(!written.could(Act::Remove) && written.could(Act::Cut));
    assert!(!tool("edit_file", &json!({"path": "a", "mode": "append", "content": "x"})).could(Act::Cut));
    assert!(tool("Edit", &json!({"old_string": "a", "new_string": ""})).could(Act::Remove));
    assert!(tool("calendar_delete_event", &json!({})).names(Act::Remove));
    assert!(tool("run_ctest", &json!({})).names(Act::Test));
    assert!(tool("python", &json!({"code": "os.remove('a')"})).names(Act::Remove));
    for name in ["cancel_order", "modify_order", "merge_contacts", "frobnicate", "Task", "execute_python_file"] {
        assert!(tool(name, &json!({})).could(Act::Remove), "{name}");
    }
    for name in ["send_email", "create_ticket", "book_flight", "pay_bill"] {
        assert!(!tool(name, &json!({})).could(Act::Remove), "{name}");
        assert!(!tool(name, &json!({})).could(Act::Test), "{name}");
        assert!(tool(name, &json!({})).could(Act::Publish), "{name}");
    }
    for name in ["get_test_results", "check_build_status", "pull_request_checks_get"] {
        assert!(tool(name, &json!({})).could(Act::Test) || tool(name, &json!({})).could(Act::Build), "{name}");
    }
}
