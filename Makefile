# Everything that is made stays inside this folder: .venv, .cache and target (or CARGO_TARGET_DIR).

.DEFAULT_GOAL := help
.PHONY: demo test bench fuzz lint types clean help

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

export CARGO_TARGET_DIR := $(TARGET)
export PIP_CACHE_DIR := $(CACHE)/pip
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PYTHONPYCACHEPREFIX := $(CACHE)/pycache
export MYPY_CACHE_DIR := $(CACHE)/mypy
export RUFF_CACHE_DIR := $(CACHE)/ruff

demo: $(VENV)/wheel ## Build the wheel and check a bundled session
	@$(BIN)/python scripts/demo.py

test: $(VENV)/tools $(VENV)/wheel ## Run every check and every test, then sum up
	@$(BIN)/python scripts/check.py

bench: $(VENV)/wheel ## Measure time and memory as ratios
	@$(CARGO) run --quiet --release -p counterfoil --example bench -- "$(WHEELS)"

fuzz: ## Run the property tests for FUZZ_SECONDS (60)
	@FUZZ_SECONDS=$${FUZZ_SECONDS:-60} scripts/fuzz.sh

lint: $(VENV)/tools ## Run the formatters and linters only
	@$(BIN)/python scripts/check.py --lint

types: $(VENV)/tools ## Write the schemas and Python types anew
	@UPDATE=1 $(BIN)/python scripts/generate.py

clean: ## Remove everything that was made
	rm -rf $(VENV) .cache fuzz/target fuzz/corpus fuzz/artifacts python/src/counterfoil/_core*.so
	$(CARGO) clean

help: ## Show the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1 \2/p' Makefile | awk '{ printf "  make %-7s", $$2; $$1 = $$2 = ""; print }'

$(VENV)/ready:
	@test -n "$(PYTHON)" || { echo "counterfoil needs Python 3.10 or newer. Name one: make PYTHON=/path/to/python3 demo"; exit 1; }
	@command -v $(CARGO) >/dev/null || { echo "counterfoil needs Rust 1.85 or newer: https://rustup.rs"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
		{ echo "This Python cannot make a virtual environment. On Debian and Ubuntu: apt install python3-venv"; exit 1; }
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
	@echo "building the wheel"
	@rm -f "$(WHEELS)"/counterfoil-*.whl
	@cd python && $(BIN)/maturin build --quiet --release --out "$(WHEELS)" --interpreter $(BIN)/python
	@$(BIN)/python -m pip install --quiet --force-reinstall --no-deps --no-index "$(WHEELS)"/counterfoil-*.whl
	@touch $@
