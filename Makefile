# Every target sets up what it needs; `make check` is the one command that checks all.
# ARGS is passed on: make test ARGS="-k ledger -x", make run ARGS="serve --port 8080".

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
SOURCES := $(wildcard simulator tests benchmarks run_sim.py)
TYPED := $(wildcard simulator tests benchmarks)
ARGS ?=

.PHONY: run test check format fmt lint types imports bench clean
.NOTPARALLEL:

run: $(READY)
	$(BIN)/python run_sim.py $(ARGS)

test: $(READY)
	$(BIN)/python -m pytest -n 2 $(ARGS)

check: format lint types imports test

format: $(READY)
	$(BIN)/ruff format --check $(SOURCES)

fmt: $(READY)
	$(BIN)/ruff check --fix --exit-zero --quiet $(SOURCES)
	$(BIN)/ruff format $(SOURCES)

lint: $(READY)
	$(BIN)/ruff check $(SOURCES)

types: $(READY)
	$(BIN)/mypy $(TYPED)

imports: $(READY)
	$(BIN)/lint-imports

bench: $(READY)
	$(BIN)/python -m benchmarks $(ARGS)

clean:
	rm -rf build dist .cache .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find $(SOURCES) -name __pycache__ -type d -prune -exec rm -rf {} +

# The environment is brought up to the lock whenever the lock or the package's own description is newer than it.
$(READY): requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "giftsim needs Python 3.11 or newer: make PYTHON=python3.x")'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install -qq --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation -e .
	$(BIN)/python -m compileall -q simulator
	touch $@
