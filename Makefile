# Everything that is made stays inside this folder: .venv, .cache, npm and target (or CARGO_TARGET_DIR). Only Chromium, which
# the tests of the browser need, comes from the system's packages, where root may install it.

.DEFAULT_GOAL := help
.PHONY: demo test accuracy bench fuzz lint types clean help

CARGO ?= cargo
# The first Python that is new enough; `make PYTHON=/path/to/python3` names another.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python3.10; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null && { echo $$p; break; }; done)

TARGET := $(abspath $(if $(CARGO_TARGET_DIR),$(CARGO_TARGET_DIR),target))
WHEELS := $(TARGET)/wheels
VENV := .venv
BIN := $(CURDIR)/$(VENV)/bin
CACHE := $(CURDIR)/.cache
SOURCES := $(shell find core/src bindings-py python/src -type f \( -name '*.rs' -o -name '*.toml' -o -name '*.py' -o -name '*.pyi' \)) \
	Cargo.toml Cargo.lock python/pyproject.toml python/README.md

NPM_SOURCES := $(shell find core/src bindings-wasm npm/src -type f \( -name '*.rs' -o -name '*.toml' -o -name '*.ts' \) -not -path '*/core/counterfoil*') \
	Cargo.toml Cargo.lock npm/package.json npm/tsconfig.json npm/README.md scripts/npm.mjs
BINDGEN := $(shell sed -n 's/^wasm-bindgen = "=\(.*\)"/\1/p' bindings-wasm/Cargo.toml)

export CARGO_TARGET_DIR := $(TARGET)
export PIP_CACHE_DIR := $(CACHE)/pip
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PYTHONPYCACHEPREFIX := $(CACHE)/pycache
export MYPY_CACHE_DIR := $(CACHE)/mypy
export RUFF_CACHE_DIR := $(CACHE)/ruff

demo: $(VENV)/wheel $(CACHE)/npm.made ## Build the packages and check a bundled session
	@$(BIN)/python scripts/demo.py

test: $(VENV)/tools $(VENV)/wheel $(CACHE)/npm.made $(CACHE)/chromium.made ## Run every check and every test, then sum up
	@$(BIN)/python scripts/check.py

accuracy: ## Score the labelled sets and write docs/accuracy.md
	@$(CARGO) run --quiet --release -p counterfoil --example accuracy -- --gate --write

bench: $(VENV)/wheel $(CACHE)/npm.made ## Measure time and memory as ratios
	@$(BIN)/python scripts/bench.py "$(WHEELS)"

fuzz: ## Run the property tests for FUZZ_SECONDS (60)
	@FUZZ_SECONDS=$${FUZZ_SECONDS:-60} scripts/fuzz.sh

lint: $(VENV)/tools $(CACHE)/node-modules.made ## Run the formatters and linters only
	@$(BIN)/python scripts/check.py --lint

types: $(VENV)/tools ## Write the schemas, the types of Python and TypeScript, and the licences of others anew
	@UPDATE=1 $(BIN)/python scripts/generate.py
	@UPDATE=1 $(BIN)/python scripts/notices.py

clean: ## Remove everything that was made
	rm -rf $(VENV) .cache npm/node_modules npm/dist npm/src/core npm/LICENSE-* npm/THIRD-PARTY.txt fuzz/target fuzz/corpus fuzz/artifacts python/src/counterfoil/_core*.so
	$(CARGO) clean

help: ## Show the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1 \2/p' Makefile | awk '{ printf "  make %-9s", $$2; $$1 = $$2 = ""; print }'

$(VENV)/ready:
	@test -n "$(PYTHON)" || { echo "counterfoil needs Python 3.10 or newer. Name one: make PYTHON=/path/to/python3 demo"; exit 1; }
	@command -v $(CARGO) >/dev/null || { echo "counterfoil needs Rust 1.85 or newer: https://rustup.rs"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
		{ echo "This Python cannot make a virtual environment. On Debian and Ubuntu: apt install python3-venv"; exit 1; }
	@echo "The first run fetches and builds all that is needed into this folder; on two cores it takes about ten minutes."
	@echo "making $(VENV)"
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/maturin: $(VENV)/ready python/requirements-dev.txt
	@echo "installing maturin into $(VENV)"
	@$(BIN)/python -m pip install --quiet "$$(grep '^maturin==' python/requirements-dev.txt)"
	@touch $@

$(VENV)/tools: $(VENV)/maturin python/requirements-dev.txt
	@echo "installing the Python tools into $(VENV)"
	@$(BIN)/python -m pip install --quiet -r python/requirements-dev.txt
	@touch $@

$(VENV)/wheel: $(VENV)/maturin $(SOURCES)
	@echo "building the wheel$$(test -d "$(TARGET)/release" || echo '; the first time it takes some minutes, in which nothing is printed')"
	@mkdir -p $(CACHE); rm -f "$(WHEELS)"/counterfoil-*.whl
	@cd python && $(BIN)/maturin build --release --out "$(WHEELS)" --interpreter $(BIN)/python >$(CACHE)/wheel.log 2>&1 \
		|| { cat $(CACHE)/wheel.log; exit 1; }
	@$(BIN)/python -m pip install --quiet --force-reinstall --no-deps --no-index "$(WHEELS)"/counterfoil-*.whl
	@touch $@

# A home that cannot be built here is named and left out; the checks then say that they were skipped, and why.
$(CACHE)/npm.made: $(NPM_SOURCES) $(CACHE)/node-modules.made $(CACHE)/wasm-bindgen-$(BINDGEN).made
	@rm -f $@; if [ -s $(CACHE)/no-npm ]; then echo "npm package: skipped, $$(cat $(CACHE)/no-npm)"; \
		else echo "building the npm package; each of its five wasm files takes a minute or more" && node scripts/npm.mjs && touch $@; fi

$(CACHE)/node-modules.made: npm/package.json npm/package-lock.json
	@mkdir -p $(CACHE); rm -f $(CACHE)/no-npm; \
	if node -e 'process.exit(parseInt(process.versions.node, 10) < 20 ? 1 : 0)' 2>/dev/null; then \
		echo "installing the JavaScript tools into npm/node_modules"; \
		if (cd npm && npm install --silent --no-save); then touch $@; \
		else echo "npm could not install its tools" > $(CACHE)/no-npm; fi; \
	else echo "it needs Node 20 or newer" > $(CACHE)/no-npm; fi

$(CACHE)/wasm-bindgen-$(BINDGEN).made: $(CACHE)/node-modules.made
	@test -e $(CACHE)/node-modules.made || exit 0; rm -f $(CACHE)/no-npm; \
	{ test -d "$$(rustc --print sysroot)/lib/rustlib/wasm32-unknown-unknown" || rustup target add wasm32-unknown-unknown; } >/dev/null 2>&1 \
		|| { echo "it needs Rust's target wasm32-unknown-unknown" > $(CACHE)/no-npm; exit 0; }; \
	if ! $(CACHE)/wasm-bindgen/bin/wasm-bindgen --version 2>/dev/null | grep -q ' $(BINDGEN)$$'; then \
		echo "installing wasm-bindgen into .cache; this takes some minutes, once"; \
		$(CARGO) install --quiet wasm-bindgen-cli --version =$(BINDGEN) --root $(CACHE)/wasm-bindgen \
			|| { echo "wasm-bindgen $(BINDGEN) could not be installed" > $(CACHE)/no-npm; exit 0; }; \
	fi; touch $@

# Tried once. Where it cannot be had, the summary of the tests says what was skipped.
$(CACHE)/chromium.made:
	@mkdir -p $(CACHE); for name in "$$CHROMIUM" chromium chromium-browser google-chrome google-chrome-stable; do \
		command -v "$$name" >/dev/null 2>&1 && { touch $@; exit 0; }; done; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then echo "installing Chromium"; \
		{ apt-get update && apt-get install -y --no-install-recommends chromium; } >$(CACHE)/chromium.log 2>&1 || true; fi; touch $@
