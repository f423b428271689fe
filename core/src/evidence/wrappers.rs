//! Programs that run another command named on their own line.

use super::shell::Simple;
use alloc::borrow::{Cow, ToOwned};
use alloc::string::String;
use alloc::vec::Vec;
use core::str::SplitAsciiWhitespace;

/// What a command runs besides itself.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Inside {
    /// Nothing that its line names.
    Nothing,
    /// One command of these words.
    Words(Vec<String>),
    /// A line of shell.
    Text(String),
}

/// How the wrapped command is found behind a wrapper.
struct Wrapper {
    /// The program and its subcommands.
    name: &'static str,
    /// Its options that take a value as the next word.
    valued: &'static str,
    /// How many words stand before the wrapped command: a host, a container, a duration.
    skip: usize,
    /// The rest is a line of shell, not words.
    text: bool,
}

const fn words(name: &'static str, valued: &'static str, skip: usize) -> Wrapper {
    Wrapper { name, valued, skip, text: false }
}

const fn text(name: &'static str, valued: &'static str, skip: usize) -> Wrapper {
    Wrapper { name, valued, skip, text: true }
}

const CONTAINER: &str = "-u --user -e --env -w --workdir -v --volume -p --publish --name --network --net --entrypoint \
    --mount --env-file --platform -l --label -m --memory --cpus --gpus --add-host --hostname -h --index --detach-keys \
    --shm-size --restart --pull";
const COMPOSE: &str = "-u --user -e --env -w --workdir -v --volume -p --publish --name --index --entrypoint";

const WRAPPERS: &[Wrapper] = &[
    words("arch", "", 0),
    words("builtin", "", 0),
    words("bun x", "", 0),
    words("bundle exec", "", 0),
    words("bunx", "", 0),
    words("caffeinate", "-t -w", 0),
    words("chronic", "", 0),
    words("command", "", 0),
    words("conda run", "-n --name -p --prefix --cwd", 0),
    words("coverage run", "--source --omit --include --rcfile --data-file", 0),
    words("cross-env", "", 0),
    words("devbox run", "", 0),
    words("direnv exec", "", 1),
    words("docker compose exec", COMPOSE, 1),
    words("docker compose run", COMPOSE, 1),
    words("docker container exec", CONTAINER, 1),
    words("docker exec", CONTAINER, 1),
    words("docker run", CONTAINER, 1),
    words("docker-compose exec", COMPOSE, 1),
    words("docker-compose run", COMPOSE, 1),
    words("doas", "-u -C", 0),
    words("dotenv", "-e -f", 0),
    words("doppler run", "", 0),
    words("env", "-u -C --unset --chdir", 0),
    words("exec", "-a", 0),
    words("gtimeout", "-s -k --signal --kill-after", 1),
    words("hatch run", "-e", 0),
    words("ionice", "-c -n -p", 0),
    words("kubectl exec", "-c --container -n --namespace --context", 1),
    words("mise exec", "", 0),
    words("mise x", "", 0),
    words("nice", "-n --adjustment", 0),
    words("nix develop", "", 0),
    words("nocorrect", "", 0),
    words("nohup", "", 0),
    words("npm exec", "-w --workspace -p --package", 0),
    words("npx", "-p --package", 0),
    words("op run", "--env-file", 0),
    words("parallel", "-j --jobs", 0),
    words("pdm run", "-p", 0),
    words("pipenv run", "", 0),
    words("pipx run", "--spec --python", 0),
    words("pixi run", "-e", 0),
    words("pnpm dlx", "-p --package", 0),
    words("pnpm exec", "-F --filter -C --dir", 0),
    words("podman exec", CONTAINER, 1),
    words("podman run", CONTAINER, 1),
    words("poetry run", "-C -P", 0),
    words("pyenv exec", "", 0),
    words("rbenv exec", "", 0),
    words("rye run", "", 0),
    words("script", "", 1),
    words("setsid", "", 0),
    words("stdbuf", "-i -o -e", 0),
    words("strace", "-o -e -p -s", 0),
    words("sudo", "-u -g -h -p -C -r -t -U -D -R -T --user --group --chdir", 0),
    words("time", "-f -o", 0),
    words("timeout", "-s -k --signal --kill-after", 1),
    words("unbuffer", "", 0),
    words("uv run", "-p --python --with --extra --group --project --directory --package --env-file --index", 0),
    words("uv tool run", "-p --python --with --from", 0),
    words("uvx", "-p --python --with --from", 0),
    words("winpty", "", 0),
    words("wsl", "-d -u", 0),
    words("xargs", "-I -n -P -L -d -E -s -a --max-args --max-procs --delimiter", 0),
    words("xvfb-run", "-s -e -n -f", 0),
    words("yarn dlx", "-p --package", 0),
    words("yarn exec", "", 0),
    text("cmd", "", 0),
    text("eval", "", 0),
    text("hyperfine", "-w -r -n -N --warmup --runs", 0),
    text("multipass exec", "", 1),
    text("ssh", "-i -p -o -l -F -J -L -R -D -b -c -E -e -I -m -O -Q -S -W -w", 1),
    text("vagrant ssh -c", "", 0),
    text("watch", "-n --interval", 0),
];

/// Options of programs, before their subcommand, that take a value as the next word.
const VALUED: &[(&str, &str)] = &[
    ("bun", "--cwd"),
    ("bundle", "--gemfile"),
    ("cargo", "-C -Z --config --manifest-path --color"),
    ("cmake", "-S -B -G -D"),
    ("docker", "-H --host --context -c --config -l --log-level -f --file -p --project-name --profile --env-file --project-directory"),
    ("docker-compose", "-f --file -p --project-name --profile --env-file --project-directory"),
    ("dotnet", ""),
    ("gh", "-R --repo"),
    ("git", "-C -c --git-dir --work-tree --namespace"),
    ("go", "-C"),
    ("gradle", "-p --project-dir -b -c -g -I -x"),
    ("gradlew", "-p --project-dir -b -c -g -I -x"),
    ("helm", "-n --namespace --kube-context --kubeconfig"),
    ("just", "-f --justfile -d --working-directory"),
    ("kubectl", "-n --namespace --context --kubeconfig -s --server --cluster --user"),
    ("make", "-C -f -I -o -W --directory --file"),
    ("mvn", "-f --file -pl -P -s -gs -rf"),
    ("mvnw", "-f --file -pl -P -s -gs -rf"),
    ("npm", "--prefix -w --workspace -C"),
    ("pnpm", "-C --dir -F --filter"),
    ("podman", "--connection --url"),
    ("swift", "--package-path"),
    ("xcodebuild", "-project -workspace -scheme -destination -configuration -sdk -derivedDataPath -target -arch \
        -resultBundlePath -testPlan -only-testing -skip-testing -jobs -xcconfig"),
    ("yarn", "--cwd"),
];

/// Shells: `-c` is followed by a line.
const SHELLS: &[&str] = &["ash", "bash", "dash", "fish", "ksh", "sh", "zsh"];

/// A program's name without its folder, extension and version, in lower case: `/usr/bin/python3.12` is `python`.
pub(super) fn program(word: &str) -> Cow<'_, str> {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    let small = name.bytes().all(|b| b.is_ascii() && !b.is_ascii_uppercase());
    if small {
        Cow::Borrowed(named(name))
    } else {
        Cow::Owned(named(&name.to_lowercase()).to_owned())
    }
}

/// A name in lower case without extension and version.
fn named(name: &str) -> &str {
    for end in [".exe", ".cmd", ".bat"] {
        if let Some(short) = name.strip_suffix(end) {
            return short;
        }
    }
    for versioned in ["python", "pip", "gcc-", "clang-", "php", "ruby"] {
        if let Some(rest) = name.strip_prefix(versioned) {
            if !rest.is_empty() && rest.chars().all(|c| c.is_ascii_digit() || c == '.') {
                return versioned.trim_end_matches('-');
            }
        }
    }
    match name {
        "gmake" => "make",
        "nodejs" => "node",
        _ => name,
    }
}

/// The words of a pattern behind the program's name; none where it is another program's.
pub(super) fn behind<'p>(pattern: &'p str, name: &str) -> Option<SplitAsciiWhitespace<'p>> {
    match pattern.as_bytes().get(name.len()) {
        Some(b' ') | None => pattern.strip_prefix(name).map(str::split_ascii_whitespace),
        Some(_) => None,
    }
}

fn among(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|w| w == word)
}

/// The places of a command's words that are no options, the program's own left out.
pub(super) fn positionals<'a>(name: &'a str, words: &'a [String]) -> impl Iterator<Item = (usize, &'a str)> {
    let valued = VALUED.iter().find(|(p, _)| *p == name).map_or("", |(_, list)| list);
    let mut value = false;
    words.iter().enumerate().skip(1).filter_map(move |(i, word)| {
        if core::mem::take(&mut value) {
            return None;
        }
        if word.starts_with('-') || (word.starts_with('+') && name == "cargo") {
            value = among(valued, word);
            return None;
        }
        Some((i, word.as_str()))
    })
}

/// What the command runs besides itself, where its own line or its input names it.
pub(super) fn inside(simple: &Simple) -> Inside {
    let Some(first) = simple.words.first() else { return Inside::Nothing };
    let name = program(first);
    let rest = &simple.words[1..];
    if SHELLS.contains(&name.as_ref()) {
        return shell(rest, simple.input.as_ref());
    }
    match name.as_ref() {
        "find" => return after(rest, &["-exec", "-execdir", "-ok", "-okdir"], &[";", "+"]),
        "python" | "py" | "pypy" => return module(rest),
        "su" => return line_after(rest, &["-c", "--command"]),
        "nix-shell" => return line_after(rest, &["--run", "--command"]),
        "powershell" | "pwsh" => return line_after(rest, &["-command", "-c", "-Command"]),
        "command" if rest.first().is_some_and(|w| w == "-v" || w == "-V") => return Inside::Nothing,
        "nix" => return after(rest, &["-c", "--command"], &[]),
        _ => {}
    }
    let Some((wrapper, from)) = find(&name, &simple.words) else { return Inside::Nothing };
    let start = wrapped(wrapper, &simple.words, from);
    match simple.words.get(start..) {
        Some(rest) if !rest.is_empty() && wrapper.text => Inside::Text(rest.join(" ")),
        Some(rest) if !rest.is_empty() => Inside::Words(rest.to_vec()),
        _ => match &simple.input {
            Some(input) if name == "ssh" => Inside::Text(input.clone()),
            _ => Inside::Nothing,
        },
    }
}

/// The wrapper of this name and the place behind its own words.
fn find(name: &str, words: &[String]) -> Option<(&'static Wrapper, usize)> {
    let mut best: Option<(&'static Wrapper, usize, usize)> = None;
    for wrapper in WRAPPERS {
        let Some(mut parts) = behind(wrapper.name, name) else { continue };
        let mut at = 1;
        let mut length = 1;
        let mut places = positionals(name, words);
        let fits = parts.all(|part| {
            length += 1;
            places.next().is_some_and(|(i, word)| {
                at = i + 1;
                word == part
            })
        });
        if fits && best.is_none_or(|(_, _, l)| l < length) {
            best = Some((wrapper, at, length));
        }
    }
    best.map(|(wrapper, at, _)| (wrapper, at))
}

/// Where the wrapped command starts: behind the wrapper's options, assignments and own words.
fn wrapped(wrapper: &Wrapper, words: &[String], from: usize) -> usize {
    let mut at = from;
    let mut skip = wrapper.skip;
    while let Some(word) = words.get(at) {
        if word == "--" || (wrapper.name == "cmd" && word.starts_with('/')) {
            at += 1;
            if skip == 0 {
                break;
            }
        } else if word.starts_with('-') && word.len() > 1 {
            at += if among(wrapper.valued, word) { 2 } else { 1 };
        } else if matches!(wrapper.name, "env" | "sudo" | "cross-env" | "doas") && word.contains('=') {
            at += 1;
        } else if skip > 0 {
            skip -= 1;
            at += 1;
        } else {
            break;
        }
    }
    at
}

fn shell(rest: &[String], input: Option<&String>) -> Inside {
    for (i, word) in rest.iter().enumerate() {
        if !word.starts_with('-') && !word.starts_with('+') {
            // `bash -o pipefail -c …`: the option's name; else a script.
            if i > 0 && matches!(rest[i - 1].as_str(), "-o" | "+o" | "-eo" | "-euo" | "-exo" | "-euxo") {
                continue;
            }
            return Inside::Nothing;
        }
        if !word.starts_with("--") && word.contains('c') {
            // In `-euo pipefail -c` and `-c` alike the line is the next word that is no option.
            let line = rest.iter().skip(i + 1).find(|w| !w.starts_with('-') && w.as_str() != "pipefail");
            return line.map_or(Inside::Nothing, |l| Inside::Text(l.clone()));
        }
    }
    input.map_or(Inside::Nothing, |text| Inside::Text(text.clone()))
}

/// `python -m pytest` runs `pytest`.
fn module(rest: &[String]) -> Inside {
    for (i, word) in rest.iter().enumerate() {
        if word == "-m" {
            return rest.get(i + 1..).filter(|r| !r.is_empty()).map_or(Inside::Nothing, |r| Inside::Words(r.to_vec()));
        }
        let valued = i > 0 && matches!(rest[i - 1].as_str(), "-W" | "-X");
        if !word.starts_with('-') && !valued || word == "-c" || word == "-" {
            break;
        }
    }
    Inside::Nothing
}

fn after(rest: &[String], options: &[&str], ends: &[&str]) -> Inside {
    let Some(at) = rest.iter().position(|w| options.contains(&w.as_str())) else { return Inside::Nothing };
    let words: Vec<String> = rest.iter().skip(at + 1).take_while(|w| !ends.contains(&w.as_str())).cloned().collect();
    if words.is_empty() {
        Inside::Nothing
    } else {
        Inside::Words(words)
    }
}

fn line_after(rest: &[String], options: &[&str]) -> Inside {
    let Some(at) = rest.iter().position(|w| options.iter().any(|o| w.eq_ignore_ascii_case(o))) else {
        return Inside::Nothing;
    };
    match rest.get(at + 1..) {
        Some(words) if !words.is_empty() => Inside::Text(words.join(" ")),
        _ => Inside::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::super::shell::split;

    #[test]
    fn what_a_wrapper_runs_is_listed_behind_it() {
        for line in [
            "sudo -u a npm test",
            "sudo A=1 npm test",
            "env -u X A=1 npm test",
            "timeout -k 5 90 npm test",
            "time npm test",
            "nice -n 5 npm test",
            "nohup npm test",
            "echo a | xargs -n 1 npm test",
            "command npm test",
            "exec npm test",
            "bash -c 'cd x && npm test'",
            "bash -lc \"npm test\"",
            "sh -euo pipefail -c 'npm test'",
            "bash -o pipefail -c 'npm test'",
            "bash <<EOF\nnpm test\nEOF",
            "ssh -p 22 host 'npm test'",
            "ssh host npm test",
            "ssh host <<EOF\nnpm test\nEOF",
            "docker exec -it -w /x c npm test",
            "docker compose -f a.yml exec -T web npm test",
            "docker compose run --rm web npm test",
            "docker-compose exec web npm test",
            "docker run --rm -v a:b node:20 npm test",
            "podman exec c npm test",
            "kubectl -n x exec pod -c y -- npm test",
            "uv run npm test",
            "uv run --with x npm test",
            "poetry run npm test",
            "pipenv run npm test",
            "npx npm test",
            "npx -y npm test",
            "pnpm exec npm test",
            "bunx npm test",
            "bundle exec npm test",
            "find . -name x -exec npm test \\;",
            "eval 'npm test'",
            "sudo bash -c 'time npm test'",
            "su user -c 'npm test'",
            "wsl npm test",
            "cmd /c npm test",
            "pwsh -Command 'npm test'",
            "nix-shell --run 'npm test'",
            "nix develop -c npm test",
        ] {
            let found = split(line).unwrap_or_default();
            assert!(found.commands.iter().any(|c| c.text == "npm test"), "{line}: {found:?}");
        }
    }

    #[test]
    fn a_module_of_python_counts_as_the_program() {
        let found = split("python3.12 -u -m pytest -q").unwrap_or_default();
        assert_eq!(found.commands[1].text, "pytest -q");
        assert_eq!(split("python a.py -m x").unwrap_or_default().commands.len(), 1);
    }

    #[test]
    fn a_wrapper_without_a_command_wraps_nothing() {
        for line in ["env", "sudo -s", "ssh host", "xargs", "bash run.sh", "command -v npm", "time", "docker exec"] {
            let found = split(line).unwrap_or_default();
            assert!(found.commands.iter().all(|c| !c.wraps), "{line}");
        }
    }
}
