# Every target sets up what it needs. ARGS is passed on: make test ARGS="-k ledger -x", make run ARGS="serve --port 8080".
# Whatever else there is to run: python3 -m tools

PYTHON ?= python3
BIN := .venv/bin
RUN_READY := .venv/.run-ready
READY := .venv/.ready
DOCS_READY := .venv/.docs-ready
AUDIT_READY := .venv/.audit-ready
ARGS ?=

export define SHA256
import hashlib, pathlib, sys
for name in sys.argv[1:]:
    print(hashlib.sha256(pathlib.Path(name).read_bytes()).hexdigest(), "", name)
endef

.PHONY: run test check fmt docs ecosystem dist clean
.NOTPARALLEL:

run: $(RUN_READY)
	$(BIN)/python run_sim.py $(ARGS)

# What a change of the product needs at once. Three workers, also on two cores: some tests wait for a process. An idle one
# takes over tests of another. Compiled once, and not by each of the processes that tests start.
test: $(READY)
	$(BIN)/python -m compileall -q simulator
	$(BIN)/python -m pytest -n 3 --dist worksteal $(ARGS)

# The one command that must pass before a change is merged.
check: $(READY)
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/ruff check -q --preview --select PLW1514
	$(BIN)/mypy
	$(BIN)/mypy --platform win32 --cache-dir .mypy_cache/win32 simulator
	$(BIN)/mypy --platform darwin --cache-dir .mypy_cache/darwin simulator
	$(BIN)/lint-imports
	$(BIN)/actionlint -shellcheck= -pyflakes=
	$(BIN)/zizmor --offline -q .github action.yml
	@$(MAKE) --no-print-directory test

fmt: $(READY)
	$(BIN)/ruff check --fix --exit-zero --quiet
	$(BIN)/ruff format

# Tests that drive another program for long: a browser, Node, containers, a proxy, whole test runs, the pages of the documentation
# as readers follow them. A test whose tool is not on this machine is skipped, loudly. By file, because what a file installs or
# builds is there once.
ecosystem: $(READY)
	$(BIN)/python -m pytest -n 3 --dist loadfile tests/ecosystem $(ARGS)

# The site is in build/docs/index.html. A warning, a broken local link or a request to another host fails the build.
# SITE=build/site/0.2.0 makes it one of several versions that stand beside each other: a reader chooses.
# BASE=https://docs.example/giftsim is where it will be: then addresses in llms.txt, and a shared link's picture, are whole.
SITE ?= build/docs
BASE ?= $(GIFTSIM_DOCS_URL)
docs: $(READY) $(DOCS_READY)
	$(BIN)/python -m tools.docgen --check
	GIFTSIM_DOCS_URL="$(BASE)" $(BIN)/python -m sphinx -W --keep-going -n -q -E -d build/doctrees -b html docs $(SITE)
	$(BIN)/python -m tests.docs.site_check $(SITE)

# Wheel and sdist in dist/, with their hashes. The same sources give the same bytes; SOURCE_DATE_EPOCH sets the date of the files.
dist: $(RUN_READY)
	@rm -rf dist
	@$(BIN)/python -m hatchling build
	@cd dist && $(CURDIR)/$(BIN)/python -c "$$SHA256" *

clean:
	rm -rf build dist .cache .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name node_modules -prune -o -path ./.venv -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +

# The environment is brought up to a lock whenever the lock or the package's own description is newer than it.
$(RUN_READY): locks/run.lock locks/uv.lock pyproject.toml
	@$(PYTHON) tools/set_up.py run
	@touch $@

$(READY): locks/test.lock $(RUN_READY)
	@$(PYTHON) tools/set_up.py test
	@touch $@

$(DOCS_READY): locks/docs.lock $(READY)
	@$(PYTHON) tools/set_up.py docs
	@touch $@

# The tools of the audit have an environment of their own, so that they are not part of what they look at.
$(AUDIT_READY): locks/audit.lock $(READY)
	@$(PYTHON) tools/set_up.py audit
	@touch $@
