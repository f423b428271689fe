//! What known programs do, as data.
//!
//! A pattern is a program with its subcommands and options, `npm run test*` matching any word with that start
//! and `yarn $` only `yarn` without a subcommand. The pattern with the most words decides. A program that no
//! pattern names may have done anything, so leaving one out costs a finding and never accuses; listing a
//! program among those that do nothing is what needs care.

use super::acts::bits::*;
use super::acts::Acts;

const ANY: u16 = Acts::ANY.may;

/// Acts done, acts possible besides, and the commands of which both are true.
pub(super) type Row = (u16, u16, &'static [&'static str]);

/// How many patterns the table holds, and how many bytes they have.
const SIZE: (usize, usize) = {
    let (mut count, mut bytes) = (0, 0);
    let (mut row, mut i) = (0, 0);
    while row < TABLE.len() {
        (count, bytes) = (count + 1, bytes + TABLE[row].2[i].len());
        (row, i) = after(row, i);
    }
    // Places and rows are kept in small numbers.
    assert!(bytes <= u16::MAX as usize && TABLE.len() <= u8::MAX as usize);
    (count, bytes)
};

/// The place of the pattern behind one of the table.
const fn after(row: usize, i: usize) -> (usize, usize) {
    if i + 1 < TABLE[row].2.len() {
        (row, i + 1)
    } else {
        (row + 1, 0)
    }
}

/// Every pattern, sorted by its first byte, as one text with the place of each: a pointer to each costs more than the
/// patterns themselves.
struct Sorted {
    text: [u8; SIZE.1],
    /// Where each pattern ends; the next one starts there.
    ends: [u16; SIZE.0],
    /// The row of the table that each pattern is of, and what a row's patterns do.
    rows: [u8; SIZE.0],
    acts: [Acts; TABLE.len()],
    /// The number of the first pattern of each byte.
    starts: [u16; 257],
}

static SORTED: Sorted = {
    let mut sorted = Sorted {
        text: [0; SIZE.1],
        ends: [0; SIZE.0],
        rows: [0; SIZE.0],
        acts: [Acts::NONE; TABLE.len()],
        starts: [0; 257],
    };
    // First how many patterns and bytes come before those of each first byte.
    let mut bytes = [0; 257];
    let (mut row, mut i) = (0, 0);
    while row < TABLE.len() {
        let pattern = TABLE[row].2[i].as_bytes();
        sorted.starts[pattern[0] as usize + 1] += 1;
        bytes[pattern[0] as usize + 1] += pattern.len();
        (row, i) = after(row, i);
    }
    let mut byte = 0;
    while byte < 256 {
        sorted.starts[byte + 1] += sorted.starts[byte];
        bytes[byte + 1] += bytes[byte];
        byte += 1;
    }
    let mut next = sorted.starts;
    (row, i) = (0, 0);
    while row < TABLE.len() {
        let (did, may, patterns) = TABLE[row];
        let pattern = patterns[i].as_bytes();
        let first = pattern[0] as usize;
        let mut at = 0;
        while at < pattern.len() {
            sorted.text[bytes[first]] = pattern[at];
            bytes[first] += 1;
            at += 1;
        }
        let number = next[first] as usize;
        sorted.ends[number] = bytes[first] as u16;
        sorted.rows[number] = row as u8;
        sorted.acts[row] = Acts::of(did, may);
        next[first] += 1;
        (row, i) = after(row, i);
    }
    sorted
};

/// The patterns as text.
static TEXT: &str = match core::str::from_utf8(&SORTED.text) {
    Ok(text) => text,
    Err(_) => "",
};

/// The patterns whose first word is this.
pub(super) fn naming(name: &str) -> impl Iterator<Item = (Acts, &'static str)> + '_ {
    let first = name.bytes().next().map(usize::from);
    let range = first.map_or(0..0, |b| usize::from(SORTED.starts[b])..usize::from(SORTED.starts[b + 1]));
    let mut end = range.start.checked_sub(1).map_or(0, |before| usize::from(SORTED.ends[before]));
    SORTED.ends[range.clone()].iter().zip(&SORTED.rows[range]).filter_map(move |(&next, &row)| {
        let start = end;
        end = usize::from(next);
        let behind = start + name.len();
        // Most patterns of the same first byte are told apart by where their first word ends.
        if behind > end || (behind < end && SORTED.text[behind] != b' ') {
            return None;
        }
        let pattern = TEXT.get(start..end).filter(|pattern| pattern.starts_with(name))?;
        Some((SORTED.acts[usize::from(row)], pattern))
    })
}

/// Every known program; the first comment of a group says what its programs have in common.
#[rustfmt::skip]
pub(super) const TABLE: &[Row] = &[
    // Nothing but looking.
    (
        0,
        0,
        &[
            "[", "[[", ":", "alias", "apropos", "base32", "base64", "basename", "bat", "batcat", "bc", "bg", "break",
            "cal", "cat", "cd", "cksum", "clear", "cloc", "cmp", "column", "comm", "command", "continue", "csvlook",
            "csvstat", "cut", "date", "declare", "delta", "df", "diff", "dig", "dir", "dirname", "dirs", "dmesg",
            "du", "echo", "egrep", "env", "exa", "exit", "expand", "export", "expr", "eza", "factor", "false", "fg",
            "fgrep", "file", "fold", "free", "getconf", "getent", "getopts", "goto", "groups", "hash", "head",
            "help", "hexdump", "history", "host", "hostname", "htop", "iconv", "id", "ifconfig", "info", "iostat",
            "ip", "ipconfig", "jobs", "join", "journalctl", "jq", "last", "ldd", "less", "let", "local", "locale",
            "locate", "log", "logname", "ls", "lsattr", "lsb_release", "lsblk", "lscpu", "lsof", "man", "md5",
            "md5sum", "mdfind", "mdls", "more", "netstat", "nl", "nm", "nproc", "nslookup", "numfmt", "objdump",
            "od", "otool", "pagesize", "paste", "pgrep", "ping", "pmset", "popd", "pr", "printenv", "printf", "ps",
            "pstree", "pushd", "pwd", "pwdx", "read", "readelf", "readlink", "readonly", "realpath", "return", "rev",
            "scc", "scroll_down", "scroll_up", "scutil", "sed", "seq", "set", "sha1sum", "sha256sum", "sha512sum",
            "shasum", "shift", "shopt", "size", "sleep", "sort", "ss", "stat", "strings", "stty", "sum", "sw_vers",
            "sysctl", "system_profiler", "tac", "tail", "test", "tokei", "top", "tput", "tr", "traceroute", "trap",
            "tree", "true", "tty", "type", "ulimit", "umask", "unalias", "uname", "uniq", "unset", "uptime",
            "vm_stat", "vmstat", "w", "wait", "wc", "whatis", "whereis", "which", "who", "whoami", "xmllint", "xxd",
            "yes", "zcat", "get-content", "get-childitem", "get-item", "get-location", "set-location",
            "select-object", "select-string", "where-object", "write-host", "write-output", "measure-object",
            "format-list", "format-table", "test-path", "open", "gofmt", "docker version", "docker info", "sort -c",
            "yq", "defaults read", "plutil -p", "unzip -l", "tar -t", "tar tf", "tar tvf", "tar tzf", "tar tzvf",
            "crontab -l", "systemctl status", "systemctl list*", "systemctl is-*", "systemctl show", "systemctl cat",
            "service status", "brew list", "brew info", "brew outdated",
        ],
    ),
    (
        0,
        0,
        &[
            "git blame", "git branch", "git cat-file", "git check-ignore", "git config", "git count-objects",
            "git describe", "git diff", "git for-each-ref", "git fsck", "git help", "git log", "git ls-files",
            "git ls-remote", "git ls-tree", "git merge-base", "git name-rev", "git reflog", "git remote",
            "git rev-list", "git rev-parse", "git shortlog", "git show", "git show-ref", "git stash list",
            "git stash show", "git status", "git tag -l", "git tag --list", "git var", "git version",
            "git whatchanged", "git worktree list", "git diff-tree", "git symbolic-ref", "git submodule status",
            "git bisect log", "git notes show",
        ],
    ),
    (
        0,
        0,
        &[
            "docker compose config", "docker compose logs", "docker compose ls", "docker compose ps",
            "docker compose top", "docker compose images", "docker container ls", "docker history",
            "docker image ls", "docker images", "docker inspect", "docker logs", "docker network ls",
            "docker network inspect", "docker port", "docker ps", "docker stats", "docker top", "docker volume ls",
            "docker volume inspect", "docker-compose config", "docker-compose logs", "docker-compose ps",
            "docker search", "podman ps", "podman images", "podman logs", "podman inspect", "kubectl api-resources",
            "kubectl cluster-info", "kubectl config", "kubectl describe", "kubectl diff", "kubectl events",
            "kubectl explain", "kubectl get", "kubectl logs", "kubectl rollout status", "kubectl rollout history",
            "kubectl top", "kubectl version", "kubectl wait", "helm get", "helm history", "helm lint", "helm list",
            "helm ls", "helm show", "helm status", "terraform output", "terraform providers", "terraform show",
            "terraform state list", "terraform state show", "terraform validate", "terraform version", "fly logs",
            "fly status", "fly info", "gh auth status", "gh issue list", "gh issue view", "gh pr diff", "gh pr list",
            "gh pr status", "gh pr view", "gh release list", "gh release view", "gh repo list", "gh repo view",
            "gh search", "gh status", "gh label list", "gh gist list", "gh gist view", "gh workflow list",
            "gh workflow view", "alembic current", "alembic heads", "alembic history", "alembic show", "k6 version",
        ],
    ),
    (
        0,
        0,
        &[
            "cargo metadata", "cargo search", "cargo tree", "cargo version", "cargo locate-project", "cargo pkgid",
            "rustup show", "rustup toolchain list", "go env", "go list", "go doc", "npm ls", "npm list", "npm view",
            "npm info", "npm outdated", "npm root", "npm config", "npm prefix", "npm search", "npm why",
            "npm explain", "npm version", "npm whoami", "npm audit", "npm fund", "npm pkg get", "pnpm ls",
            "pnpm list", "pnpm why", "pnpm outdated", "yarn list", "yarn why", "yarn info", "pip list", "pip show",
            "pip freeze", "pip check", "pip index", "pip config", "pip cache list", "uv pip list", "uv pip show",
            "uv pip freeze", "uv tree", "uv version", "poetry show", "poetry check", "poetry env info", "pipdeptree",
            "gem list", "bundle list", "apt list", "apt show", "apt search", "apt-cache", "apt policy", "dpkg -l",
            "dpkg -s", "dpkg -L", "rpm -q*", "conda list", "conda info", "json.tool", "site", "sysconfig",
            "platform", "just -l", "just --list", "just --summary", "just --show", "gradle tasks",
            "gradle dependencies", "gradle projects", "gradle properties", "gradlew tasks", "gradlew dependencies",
            "mvn dependency:tree", "dotnet list", "swift package describe", "swift package dump-package",
            "xcodebuild -list", "xcodebuild -showBuildSettings", "xcode-select -p", "rake -T", "nvm ls", "nvm list",
            "nvm current", "pyenv versions", "rbenv versions", "asdf list", "mise ls",
        ],
    ),
    // Linters: they read, and write only when told to fix.
    (
        0,
        0,
        &[
            "actionlint", "ansible-lint", "bandit", "biome", "biome check", "biome lint", "buf lint", "checkov",
            "cppcheck", "cspell", "eslint", "flake8", "golangci-lint", "hadolint", "jsonlint", "ktlint",
            "markdownlint", "markdownlint-cli2", "oxlint", "pycodestyle",
            "pydocstyle", "pyflakes", "pylint", "radon", "rubocop", "ruff", "ruff check", "shellcheck",
            "sqlfluff lint", "staticcheck", "stylelint", "swiftlint", "tflint", "vale", "vulture", "yamllint",
            "go vet", "composer validate", "desktop-file-validate",
        ],
    ),
    (0, T, &["mypy", "pyright", "pyre", "basedpyright", "ty check", "pytype", "promtool", "conftest", "kubeconform"]),
    (
        W,
        C,
        &[
            "autopep8", "biome --write", "biome check --write", "biome format", "black", "cargo fmt",
            "clang-format -i", "dart format", "deno fmt", "dprint fmt", "eslint --fix", "go fmt", "gofmt -w",
            "goimports -w", "isort", "nixfmt", "oxlint --fix", "prettier --write", "prettier -w", "pyupgrade",
            "rubocop -a", "rubocop -A", "ruff --fix", "ruff check --fix", "ruff format", "rustfmt", "shfmt -w",
            "standard --fix", "stylelint --fix", "stylua", "swiftformat", "taplo fmt", "terraform fmt", "yapf -i",
            "zig fmt",
        ],
    ),
    (
        0,
        W,
        &["prettier", "awk", "gawk", "mawk", "crontab", "code", "vim -c", "shfmt", "goimports", "clang-format", "yapf"],
    ),
    // Searching and fetching.
    (
        S,
        0,
        &[
            "ack", "ag", "fd", "fdfind", "find", "find_file", "git grep", "grep", "rg", "search_dir", "search_file",
            "ugrep", "zgrep", "sift", "pcregrep", "ripgrep",
        ],
    ),
    (
        F,
        W,
        &[
            "curl", "wget", "aria2c", "http", "https", "httpie", "xh", "lynx", "w3m", "links", "gh api", "git fetch",
            "git remote update", "go mod download", "cargo fetch", "pip download", "docker pull",
            "docker compose pull", "youtube-dl", "yt-dlp", "ollama pull", "dvc pull", "invoke-webrequest",
            "invoke-restmethod", "iwr", "irm",
        ],
    ),
    (
        F | W,
        P | R,
        &["git clone", "git pull", "git lfs pull", "gh repo clone", "gh release download", "gh run download"],
    ),
    // Tests.
    (
        T,
        B | W,
        &[
            "ava", "bats", "behat", "behave", "busted", "cargo bench", "cargo insta test", "cargo llvm-cov",
            "cargo miri test", "cargo mutants", "cargo nextest", "cargo t", "cargo tarpaulin", "cargo test",
            "codecept run", "cucumber", "cypress run", "dart test", "deno bench", "deno test", "doctest",
            "dotnet test", "flutter test", "forge test", "ginkgo", "go test", "gotestsum", "hardhat test", "jasmine",
            "jest", "karma start", "kuttl", "lein test", "mamba", "minitest", "mix test", "mocha", "ng test",
            "node --test", "nose2", "nosetests", "nx test", "paratest", "pest", "phpunit", "playwright test",
            "prove", "py.test", "pytest", "qunit", "rails test", "react-scripts test", "robot", "rspec", "sbt test",
            "stack test", "swift test", "tap", "tape", "testcafe", "trunk test", "turbo test", "unittest", "vitest",
            "web-test-runner", "wtr", "xcodebuild test", "xcrun simctl test", "zig test", "zig build test",
            "bun test", "busted", "cabal test", "ctest", "dune test", "dune runtest", "elm-test", "expecto",
            "ert-runner", "gleam test", "green", "moon test", "nx run-many test", "opa test", "pulumi test",
            "helm test", "molecule test", "cargo hack test", "cargo careful test", "trial", "xctest",
            "invoke-pester", "artisan test", "bundle rspec",
        ],
    ),
    (
        T | X,
        ANY,
        &[
            "bazel test", "buck test", "buck2 test", "composer test", "gradle check", "gradle test*",
            "gradlew check", "gradlew test*", "gradle connected*", "gradlew connected*", "hatch test", "just check",
            "just test*", "lerna run test", "make check*", "make test*", "meson test", "mage test", "ninja test",
            "ninja check", "nox", "npm run test*", "npm t", "npm test", "npm tst", "npm run check", "pants test",
            "pnpm run test*", "pnpm test*", "pnpm t", "rake", "rake spec*", "rake test*", "task test*", "tox",
            "turbo run test*", "yarn run test*", "yarn test*", "bun run test*", "deno task test*",
            "cargo xtask test", "tilt ci", "act", "pre-commit", "gh pr checks", "gh run view", "gh run watch",
            "gh run list", "earthly +test*", "doit test", "invoke test*", "inv test*", "cmake --target test",
        ],
    ),
    (
        T | B | X,
        ANY,
        &[
            "gradle build", "gradlew build", "mvn install", "mvn package", "mvn test", "mvn verify", "mvnw install",
            "mvnw package", "mvnw test", "mvnw verify", "mvn deploy", "ant test", "make all", "make ci",
            "nix flake check", "colcon test", "rebar3 ct", "rebar3 eunit", "stack build --test", "sbt testOnly",
        ],
    ),
    // Builds.
    (
        B,
        W,
        &[
            "astro build", "bun build", "c++", "cabal build", "cargo b", "cargo build", "cargo c", "cargo check",
            "cargo clippy", "cargo doc", "cargo install", "cargo rustc", "cargo zigbuild", "cargo ndk", "cc",
            "clang", "clang++", "cl", "compileall", "crystal build", "cython", "dart compile", "deno check",
            "deno compile", "dmd", "docusaurus build", "dotnet build", "dotnet publish", "dune build", "elm make",
            "emcc", "esbuild", "flutter build", "forge build", "g++", "gatsby build", "gcc", "gfortran", "ghc",
            "go build", "go install", "hugo", "javac", "jekyll build", "kotlinc", "latexmk", "ld", "lein compile",
            "link", "lualatex", "maturin", "maturin build", "maturin develop", "mdbook build", "mix compile",
            "mkdocs build", "msbuild", "nasm", "next build", "nest build", "ng build", "nuxt build", "ocamlopt",
            "parcel build", "pdflatex", "protoc", "buf generate", "py_compile", "pyinstaller", "python -m build",
            "build", "quarto render", "react-scripts build", "remix build", "rollup", "rustc", "sass", "sbt compile",
            "scons", "sphinx-build", "stack build", "svelte-check", "swift build", "swiftc", "tauri build",
            "trunk build", "tsc", "tsup", "turbo build", "typst", "tectonic", "vite build", "vue-tsc", "wasm-pack",
            "wasm-pack build", "webpack", "xelatex", "zig build", "solc", "hardhat compile", "electron-builder",
            "expo export", "cmake", "meson setup", "meson compile", "idf.py build", "pio run", "arduino-cli compile",
            "poetry build", "uv build", "hatch build", "pdm build", "flit build", "gem build", "helm package",
            "packer build", "mvn compile", "mvnw compile", "gradle assemble*", "gradlew assemble*",
            "gradle compile*", "gradlew compile*", "gradle bundle*", "gradlew bundle*", "gradle classes",
            "gradlew classes", "npm pack", "pnpm pack", "nx build",
        ],
    ),
    (
        B | X,
        ANY,
        &[
            "bazel build", "bazel run", "buck build", "buck2 build", "cargo make", "cmake --build", "docker build",
            "docker buildx", "docker compose build", "docker-compose build", "podman build", "buildah", "earthly",
            "just build*", "lerna run build", "make", "make build*", "nerdctl build", "ninja", "nix build",
            "nix-build", "nixos-rebuild", "npm run build*", "pnpm build*", "pnpm run build*", "rake build",
            "task build*", "turbo run build*", "xcodebuild", "yarn build*", "yarn run build*", "bun run build*",
            "xcodebuild build", "xcodebuild archive", "fastlane", "colcon build", "catkin_make", "ant", "cargo run",
            "cargo r", "go run", "go generate", "swift run", "dotnet run", "dotnet watch", "tsx", "ts-node",
            "zig run", "next dev", "vite", "npm run compile", "npm run tsc", "npm run typecheck",
            "npm run type-check", "deno task build*", "npm run dist", "make dist", "make compile",
            "docker compose up", "docker-compose up", "skaffold", "bazelisk", "pants",
        ],
    ),
    // Notifications.
    (
        N,
        0,
        &[
            "apprise", "dunstify", "espeak", "espeak-ng", "growlnotify", "kdialog", "mail", "mailx", "msg", "msmtp",
            "mutt", "neomutt", "new-burnttoastnotification", "send-mailmessage", "notify-send", "notify", "ntfy",
            "pushover", "s-nail", "say", "sendmail", "slackcat", "spd-say", "swaks", "telegram-send",
            "terminal-notifier", "wall", "write", "zenity", "xmessage", "alerter", "noti", "termux-notification",
            "toast", "wsl-notify-send", "aws ses", "aws sns",
        ],
    ),
    // Removal.
    (
        R,
        0,
        &[
            "del", "erase", "gio trash", "git branch -D", "git branch -d", "git branch --delete", "git prune",
            "git remote prune", "git commit --amend", "git fetch --prune", "git fetch -p", "git stash -u", "zip -d", "tar --delete", "crontab -r", "journalctl --vacuum*", "git remote remove", "git remote rm", "git rm", "git stash clear", "git stash drop", "git tag -d",
            "git tag --delete", "git worktree prune", "git worktree remove", "git clean", "git notes remove", "rd",
            "remove-item", "ri", "rimraf", "rip", "rm", "rmdir", "shred", "srm", "trash", "trash-empty", "trash-put",
            "trash-rm", "gtrash", "unlink", "wipe", "clear-content", "del-cli", "rmtrash", "cargo clean", "go clean",
            "git gc", "git submodule deinit", "git update-ref -d", "tmutil delete", "userdel", "groupdel", "deluser",
            "dropdb", "dropuser", "docker rm", "docker rmi", "docker compose down", "docker-compose down",
            "docker compose rm", "docker-compose rm", "git lfs prune", "brew cleanup", "npm cache clean",
            "pip cache purge", "uv cache clean", "apt clean", "apt-get clean", "apt autoremove",
            "apt-get autoremove", "flutter clean", "swift package clean", "dotnet clean",
        ],
    ),
    (
        R,
        ANY,
        &[
            "make clean*", "npm run clean*", "gradle clean", "gradlew clean", "mvn clean", "mvnw clean",
            "just clean*", "yarn clean", "pnpm clean", "rake clean*", "ninja -t clean", "bazel clean",
            "xcodebuild clean", "lein clean", "mix clean",
        ],
    ),
    (
        R | P,
        0,
        &[
            "git push --delete", "git push -d", "git push --prune", "gh --delete-branch",
            "gh pr merge --delete-branch", "gh pr merge -d", "gh pr close --delete-branch", "gh pr close -d",
            "npm unpublish", "helm uninstall", "helm delete", "terraform destroy", "tofu destroy", "pulumi destroy",
            "cdk destroy", "serverless remove", "sls remove", "vercel remove", "vercel rm", "fly destroy",
        ],
    ),
    (
        R | W,
        0,
        &[
            "npm uninstall", "npm rm", "npm remove", "npm un", "npm prune", "pnpm remove", "pnpm rm", "yarn remove",
            "bun remove", "pip uninstall", "uv pip uninstall", "uv remove", "poetry remove", "pdm remove",
            "cargo remove", "cargo uninstall", "apt remove", "apt purge", "apt-get remove", "apt-get purge",
            "brew uninstall", "brew remove", "brew rm", "dnf remove", "yum remove", "gem uninstall", "pacman -R*",
            "apk del", "snap remove", "flatpak uninstall", "choco uninstall", "rsync --delete",
            "rsync --delete-after", "rsync --remove-source-files", "tar --remove-files",
        ],
    ),
    // Files.
    (
        W,
        0,
        &[
            "add-content", "chgrp", "chmod", "chown", "convert", "cp", "csvcut", "ditto", "ffmpeg", "git add",
            "git init", "git stash", "install", "ln", "magick", "mkdir", "mkfifo", "mktemp", "new-item", "copy-item",
            "pandoc", "qrencode", "setfacl", "split", "ssh-keygen", "openssl", "tar", "tee", "touch", "unzip",
            "venv", "virtualenv", "wkhtmltopdf", "xattr", "zip", "zstd", "create", "insert", "7z", "sips", "plutil",
            "defaults write", "git config --global", "git config --local", "git remote add", "git remote set-url",
            "git branch -m", "git branch -M", "git worktree add", "git submodule add", "git submodule update",
            "npm init", "cargo init", "cargo new", "go mod init", "uv init", "uv venv", "poetry init", "poetry new",
            "swift package init", "dotnet new", "django-admin", "alembic init", "exiftool", "inkscape", "pdftotext",
            "tesseract", "gpg", "base64 -o", "csplit", "xz", "cargo generate-lockfile", "cargo update",
            "go mod tidy", "go get", "npm set", "npm pkg set", "pip-compile", "uv lock", "poetry lock",
        ],
    ),
    (
        W,
        C,
        &[
            "apply_patch", "applypatch", "ed", "ex", "edit", "sed -i", "sed --in-place", "gsed -i", "sd", "ruby -i",
            "perl -i", "set-content", "out-file", "sponge", "sqlite-utils", "unix2dos", "dos2unix", "xmlstarlet",
            "yq -i", "jq -i", "awk -i", "gawk -i", "comby -i", "xmllint --output", "scp",
        ],
    ),
    (
        W,
        R,
        &[
            "bzip2", "dd", "git apply", "git am", "git checkout", "git checkout-index", "git mv", "git restore",
            "git switch", "git stash pop", "git stash apply", "git stash push", "git reset", "git read-tree",
            "gunzip", "gzip", "move-item", "mv", "patch", "rename", "robocopy", "rsync", "sftp", "truncate",
            "git filter-branch", "git filter-repo", "git sparse-checkout", "git revert --abort", "git merge --abort",
            "git rebase --abort", "git cherry-pick --abort",
        ],
    ),
    // Packages: their install steps may build.
    (
        W,
        B | F | P,
        &[
            "apk add", "apt install", "apt-get install", "apt update", "apt-get update", "apt upgrade",
            "apt-get upgrade", "brew install", "brew update", "brew upgrade", "brew tap", "bun add", "bun install",
            "bundle install", "bundle", "cargo add", "cargo binstall", "choco install", "composer install",
            "composer require", "composer update", "conda create", "conda install", "conda env", "dnf install",
            "dotnet add", "dotnet restore", "dpkg -i", "gem install", "mix deps.get", "mamba install", "npm add",
            "npm ci", "npm i", "npm install", "npm update", "npm link", "npm dedupe", "npm audit fix", "pacman",
            "pdm add", "pdm install", "pip", "pip install", "pipenv install", "pipx install", "pnpm add",
            "pnpm install", "pnpm i", "pnpm update", "pod install", "poetry add", "poetry install", "poetry update",
            "poetry update", "rustup", "snap install", "swift package resolve", "swift package update", "uv add",
            "uv pip install", "uv sync", "uv tool install", "uv python", "winget install", "yarn add",
            "yarn install", "yarn $", "yum install", "playwright install", "asdf install", "mise install",
            "nvm install", "pyenv install", "terraform init", "tofu init", "git lfs install", "flutter pub",
            "dart pub", "cargo vendor", "helm repo", "helm dependency",
        ],
    ),
    // Changes outside the files.
    (
        P,
        W,
        &[
            "git commit", "git push", "git tag", "git lfs push", "git notes", "cargo publish", "cargo login",
            "npm publish", "pnpm publish", "yarn publish", "yarn npm publish", "npm deprecate", "npm dist-tag",
            "npm login", "twine upload", "uv publish", "poetry publish", "flit publish", "hatch publish", "gem push",
            "docker push", "docker tag", "docker login", "docker compose push", "podman push", "helm push",
            "kubectl", "kubectl apply", "kubectl create", "helm install", "helm upgrade", "helm rollback", "gh",
            "gh pr create", "gh pr merge", "gh pr close", "gh pr edit", "gh pr ready", "gh issue create",
            "gh issue close", "gh issue edit", "gh release create", "gh release upload", "gh repo create",
            "gh label create", "gh secret set", "gh variable set", "systemctl", "launchctl", "service", "kill",
            "pkill", "killall", "docker start", "docker stop", "docker restart", "docker kill",
            "docker compose start", "docker compose stop", "docker compose restart", "docker-compose stop",
            "docker-compose restart", "docker network create", "docker volume create", "docker network connect",
            "submit", "s3cmd", "rclone",
        ],
    ),
    (P, N, &["gh pr comment", "gh pr review", "gh issue comment", "glab", "git send-email", "git request-pull", "hub"]),
    (
        P | W,
        R,
        &[
            "git merge", "git rebase", "git cherry-pick", "git revert", "terraform apply", "tofu apply",
            "terraform import", "terraform state", "pulumi up",
        ],
    ),
    (
        P | X,
        ANY,
        &[
            "fly deploy", "flyctl deploy", "vercel", "netlify deploy", "firebase deploy", "gcloud", "aws", "az",
            "heroku", "wrangler", "serverless deploy", "sls deploy", "cdk deploy", "ansible-playbook", "ansible",
            "eb deploy", "railway", "render", "surge", "gh workflow", "gh run", "goreleaser", "semantic-release",
            "release-it", "npm run deploy*", "npm run release*", "make deploy*", "make release*", "make publish*",
            "just deploy*", "just release*", "cap", "kamal", "dokku", "alembic", "prisma", "flyway", "liquibase",
            "knex", "sequelize", "rails", "cargo release", "doctl", "oc",
        ],
    ),
    // Programs that run others which their line does not name.
    (
        X,
        ANY,
        &[
            "ash", "bash", "bun", "bun run", "cargo xtask", "composer", "composer run", "dash", "deno", "deno run",
            "deno task", "docker compose exec", "docker compose run", "docker exec", "docker run", "docker start",
            "docker-compose exec", "docker-compose run", "doit", "expect", "fish", "gradle", "gradlew", "groovy",
            "invoke", "inv", "iex", "ipython", "irb", "java", "julia", "jupyter", "just", "k6", "ksh", "lua",
            "luajit", "mage", "make", "mix", "mise run", "moon", "mvn", "mvnw", "node", "npm run", "npm exec",
            "npm start", "nx", "osascript", "papermill", "parallel", "perl", "php", "pnpm run", "podman run",
            "podman exec", "powershell", "pwsh", "pypy", "python", "rake", "Rscript", "rscript", "ruby",
            "runhaskell", "scala", "screen", "sh", "source", ".", "ssh", "su", "sudo", "swift", "task", "tclsh",
            "tmux", "turbo", "turbo run", "yarn run", "zsh", "wasmtime", "wine", "xargs", "dotnet", "dart run",
            "elixir", "erl", "nbconvert", "kubectl exec", "kubectl run", "docker compose", "docker", "podman",
        ],
    ),
];
