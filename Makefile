# Every target sets up what it needs; `make check` is the one command that checks all.
# ARGS is passed on: make test ARGS="-k ledger -x", make run ARGS="serve --port 8080".

PYTHON ?= python3
BIN := .venv/bin
RUN_READY := .venv/.run-ready
READY := .venv/.ready
DOCS_READY := .venv/.docs-ready
AUDIT := .venv/audit
AUDIT_READY := .venv/.audit-ready
SOURCES := $(wildcard simulator tests tools benchmarks run_sim.py docs/conf.py docs/site)
TYPED := $(wildcard simulator tests tools benchmarks)
ARGS ?=

export define SHA256
import hashlib, pathlib, sys
for name in sys.argv[1:]:
    print(hashlib.sha256(pathlib.Path(name).read_bytes()).hexdigest(), "", name)
endef

.PHONY: run test compiled pictures ecosystem check format fmt lint types imports pythons lowest bench bench-peers conformance soak fuzz simulate mutants audit licences docs dist clean
.NOTPARALLEL:

run: $(RUN_READY)
	$(BIN)/python run_sim.py $(ARGS)

# What a change of the product needs at once. Three workers, also on two cores: some tests wait for a process. An idle one
# takes over tests of another.
test: $(READY) compiled
	$(BIN)/python -m pytest -n 3 --dist worksteal $(ARGS)

# Once, and not by each of the processes that tests start, which may be forbidden to write what they compile.
compiled: $(READY)
	$(BIN)/python -m compileall -q simulator

# Tests that drive another program for long: a browser, Node, containers, a proxy, whole test runs, the pages of the documentation
# as readers follow them. A test whose tool is not on this machine is skipped, loudly. By file, because what a file installs or
# builds is there once.
ecosystem: $(READY)
	$(BIN)/python -m pytest -n 3 --dist loadfile tests/ecosystem $(ARGS)

# Every page of the console, wide and on a phone, light and dark, in build/pictures; ARGS=--docs also writes docs/pictures.
# ARGS=--commands takes what the commands print in a terminal of 80 columns instead; that needs tmux.
pictures: $(READY)
	$(BIN)/python -m tools.pictures $(ARGS)

check: format lint types imports test

# With other Pythons what may differ between them, and with the lowest versions that pyproject.toml allows what `make test` runs,
# each in an environment of its own in .cache/environments. make lowest ARGS=tests/gateway runs a part. A lock of lowest
# versions that fits pyproject.toml: make lowest ARGS=lock.
pythons: $(READY)
	$(BIN)/python -m tools.environments 3.12 3.13 $(ARGS)

lowest: $(READY)
	$(BIN)/python -m tools.environments $(if $(filter lock,$(ARGS)),lock,lowest $(ARGS))

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

# Beside other simulators and mock servers, which are installed from their registries into .cache/peers; needs Node, npm and wrk.
# make bench-peers ARGS=fronts compares HTTP servers in front of giftsim's application; ARGS=probes tries what they can do.
bench-peers: $(READY)
	PYTHONPATH=simulator:. $(BIN)/python -m benchmarks.peers $(ARGS)

# Our HTTP server and others held against RFC 9110 and RFC 9112; prints where one differs. ARGS=--write also generates
# docs/reference/http-conformance.md.
conformance: $(READY)
	$(BIN)/python -m tools.conformance $(ARGS)

# Ten minutes by default: make soak ARGS="--minutes 60 --seed 7". Ends with status 1 if anything was lost.
soak: $(READY)
	$(BIN)/python -m tools.soak $(ARGS)

# Random inputs, by contract and by byte, for ten minutes: make fuzz ARGS="--minutes 60 --seed 7". What fails is kept in
# tools/fuzz/corpus, and a test runs it from then on. The sequences that are compared with the models of tests/models,
# and nothing else: make fuzz ARGS="--models --rounds 5".
fuzz: $(READY)
	$(BIN)/python -m tools.fuzz $(ARGS)

# The whole process on one thread, with simulated threads, network, disk and time, for seeds on and on. One seed again:
# make simulate ARGS="--seed 17"; for an hour: make simulate ARGS="--minutes 60".
simulate: $(READY)
	PYTHONPATH=simulator:. $(BIN)/python -m tests.simulation $(ARGS)

# The product broken in each of the named ways of tools/mutants/tables; what no test notices is printed. Of a dozen:
# make mutants ARGS="--sample 12 --seed 7". After an interruption: make mutants ARGS=--resume.
mutants: $(READY)
	$(BIN)/python -m tools.mutants $(ARGS)

# Licences, a software bill of materials in build/audit, and known vulnerabilities. ARGS=--strict also fails if no data about
# vulnerabilities can be reached.
audit: $(READY) $(AUDIT_READY)
	$(BIN)/python -m tools.audit --tools $(AUDIT)/bin $(ARGS)

# Brings docs/reference/licences.md up to date with the installed packages.
licences: $(READY)
	$(BIN)/python -m tools.audit.licences

# The site is in build/docs/index.html. A warning, a broken local link or a request to another host fails the build.
# SITE=build/site/0.2.0 makes it one of several versions that stand beside each other: a reader chooses.
SITE ?= build/docs
docs: $(READY) $(DOCS_READY)
	$(BIN)/python -m tools.docgen --check
	$(BIN)/python -m sphinx -W --keep-going -n -q -E -d build/doctrees -b html docs $(SITE)
	$(BIN)/python -m tests.docs.site_check $(SITE)

# Wheel and sdist in dist/, with their hashes. The same sources give the same bytes; SOURCE_DATE_EPOCH sets the date of the files.
dist: $(RUN_READY)
	@rm -rf dist
	@$(BIN)/python -m hatchling build
	@cd dist && $(CURDIR)/$(BIN)/python -c "$$SHA256" *

clean:
	rm -rf build dist .cache .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find $(SOURCES) -name __pycache__ -type d -prune -exec rm -rf {} +

# The environment is brought up to a lock whenever the lock or the package's own description is newer than it.
$(RUN_READY): requirements-run.lock requirements-uv.lock pyproject.toml
	@$(PYTHON) tools/set_up.py run
	@touch $@

$(READY): requirements.lock $(RUN_READY)
	@$(PYTHON) tools/set_up.py test
	@touch $@

$(DOCS_READY): requirements-docs.lock $(READY)
	@$(PYTHON) tools/set_up.py docs
	@touch $@

# The tools of the audit have an environment of their own, so that they are not part of what they look at.
$(AUDIT_READY): requirements-audit.lock $(READY)
	@$(PYTHON) tools/set_up.py audit
	@touch $@
