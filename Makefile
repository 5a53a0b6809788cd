# `make` lists the targets. Each brings what it needs first, once: the stamps say what is there already.

HOST ?= 0.0.0.0
PORT ?= 8000
SERVE_ARGS ?=
PYTEST_ARGS ?=

SHELL := /bin/sh
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

BIN := .venv/bin
PYTHON := $(BIN)/python
RUNTIME := .venv/.ready-runtime
DEV := .venv/.ready-dev
WEB := .venv/.ready-web

# Drops the stamps of an environment that no longer fits this folder.
$(shell tools/setup forget)

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

# ── for league nights ─────────────────────────────────────────────────────────────────────────────────────────────

.PHONY: serve
serve: $(RUNTIME) ## serve Bookboard; PORT=, HOST= and SERVE_ARGS= change how
	@exec $(BIN)/bookboard serve --host $(HOST) --port $(PORT) $(SERVE_ARGS)

# ── for changing it ───────────────────────────────────────────────────────────────────────────────────────────────

.PHONY: test
test: system $(DEV) $(WEB) ## run all tests; PYTEST_ARGS= narrows them down
	@echo "── Testing the pages' parts"
	@tools/with-node node --test --test-reporter=dot tests/web/*.test.js
	@echo "── Testing everything else"
	@tools/with-node $(PYTHON) -m pytest -n auto --dist loadfile $(PYTEST_ARGS)

.PHONY: faults
faults: system $(DEV) ## break hubs and stores in every way there is a test for; SEED= repeats a run
	@FAULTS=all SEED=$${SEED:-$$(date +%s)} $(PYTHON) -m pytest tests/faults -n 2 $(PYTEST_ARGS)

.PHONY: other-browsers
other-browsers: system $(DEV) $(WEB) ## show the pages in the oldest Chromium that is promised, in one that is too old, and in WebKit
	@tools/setup other_browsers
	@BOOKBOARD_OTHER_BROWSERS=.venv/old-browsers $(PYTHON) -m pytest tests/e2e/test_other_browsers.py -n0 -v $(PYTEST_ARGS)

.PHONY: outages
outages: system $(DEV) ## let every request of every page fail in every way
	@BOOKBOARD_OUTAGES=all $(PYTHON) -m pytest tests/e2e/test_outages.py -n 2 -v $(PYTEST_ARGS)

.PHONY: proxies
proxies: system $(DEV) ## play behind a real nginx, and stop one of two hubs behind a real Caddy
	@tools/setup proxies
	@PROXIES=1 $(PYTHON) -m pytest -n0 tests/proxies $(PYTEST_ARGS)

.PHONY: soak
soak: system $(DEV) ## play 200 tables for SOAK_MINUTES=30 with faults at random, and look for leaks
	@$(PYTHON) -m tests.faults.soak

CHECKS := check-lint check-format check-types check-dead-code check-imports check-pages check-pages-format check-styles check-protocol check-asyncapi check-compose
.PHONY: check $(CHECKS)
check: $(CHECKS) ## run everything that reads the code without running it
	@echo "── All checks passed"

check-lint: $(DEV)
	@echo "── ruff check"
	@$(PYTHON) -m ruff check

check-format: $(DEV)
	@echo "── ruff format --check"
	@$(PYTHON) -m ruff format --check

check-types: $(DEV)
	@echo "── mypy"
	@$(PYTHON) -m mypy

check-dead-code: $(DEV)
	@echo "── vulture"
	@$(PYTHON) -m vulture

check-imports: $(DEV)
	@echo "── lint-imports"
	@$(PYTHON) -c "from importlinter.cli import lint_imports_command; lint_imports_command()" --no-cache --no-logo

check-pages: $(WEB)
	@echo "── tsc"
	@tools/with-node node_modules/.bin/tsc --noEmit

check-pages-format: $(WEB)
	@echo "── prettier --check"
	@tools/with-node node_modules/.bin/prettier --check --log-level warn .

check-styles: $(WEB)
	@echo "── stylelint, for what the promised browsers do not have"
	@tools/with-node node_modules/.bin/stylelint 'web/css/*.css'

check-protocol: $(DEV)
	@echo "── what is made from the protocol's messages"
	@$(PYTHON) -m tools.generate.typescript --check
	@$(PYTHON) -m tools.generate.protocol --check

check-asyncapi: $(WEB)
	@echo "── docs/asyncapi.yaml, by AsyncAPI's own parser"
	@tools/with-node node tools/check-asyncapi.cjs

check-compose: $(DEV)
	@echo "── docker-compose.yml"
	@$(PYTHON) -m check_jsonschema --builtin-schema vendor.compose-spec docker-compose.yml

.PHONY: deploy-check
deploy-check: $(DEV) check-compose ## let Caddy, systemd and the schemas of Compose and Kubernetes read the deployment's files
	@tools/setup proxies
	@tools/setup systemd
	@tools/deploy-check

.PHONY: format
format: $(DEV) $(WEB) ## put the code into its format
	@$(PYTHON) -m ruff check --fix-only --quiet
	@$(PYTHON) -m ruff format
	@tools/with-node node_modules/.bin/prettier --write --log-level warn .

.PHONY: types
types: $(DEV) ## regenerate the browser's types and the reference of the protocol
	@$(PYTHON) -m tools.generate.typescript
	@$(PYTHON) -m tools.generate.protocol

.PHONY: rules-docs
rules-docs: $(DEV) ## regenerate the reference of the rules after a declaration changed
	@$(PYTHON) -m tools.generate.rules

FUZZ_SEED ?= 0
FUZZ_EXAMPLES ?= 4000

.PHONY: fuzz
fuzz: $(DEV) ## throw random input at codecs, records and HTTP for some minutes; FUZZ_SEED=, FUZZ_EXAMPLES= change it
	@BOOKBOARD_FUZZ=$(FUZZ_EXAMPLES) $(PYTHON) -m pytest -n auto -p no:randomly --timeout 1800 \
	    --hypothesis-seed=$(FUZZ_SEED) tests/security/test_fuzz.py

.PHONY: commands
commands: $(DEV) ## send any commands to tables of any game and settings for some minutes
	@BOOKBOARD_COMMANDS=$${EXAMPLES:-3000} $(PYTHON) -m pytest -n0 --timeout 3600 tests/room/test_any_command.py $(PYTEST_ARGS)

.PHONY: attack
attack: system $(DEV) ## let each kind of stranger loose on a hub at play, and print what hands took
	@BOOKBOARD_ATTACK=each $(PYTHON) -m pytest -p no:randomly tests/security/test_attack.py $(PYTEST_ARGS)

.PHONY: mutants
mutants: $(DEV) ## plant faults in the rules and see that the tests find them
	@$(PYTHON) -m tests.mutation.run

.PHONY: coverage-table
coverage-table: $(DEV) ## regenerate the table of every rule and its tests
	@$(PYTHON) -m tests.coverage_table

BENCHES ?=

.PHONY: bench
bench: $(DEV) ## run the benchmarks, print what they measure, write the tables and charts of docs/performance.md
	@$(PYTHON) tests/bench/run.py $(BENCHES)

.PHONY: shots
shots: system $(DEV) ## play a night in a browser, keep its pictures in tests/artifacts/ and the README's in docs/
	@BOOKBOARD_SHOTS=tests/artifacts/shots $(PYTHON) -m pytest -q tests/e2e/test_night.py -k one
	@cp tests/artifacts/shots/hand-08-small.png docs/board.png

.PHONY: lock
lock: $(DEV) ## move constraints.txt to the newest releases that pyproject.toml allows
	@tools/lock

.PHONY: clean
clean: ## remove what the other targets have made, but no data
	rm -rf .venv node_modules build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage

# ── set-up ────────────────────────────────────────────────────────────────────────────────────────────────────────

$(RUNTIME): pyproject.toml constraints.txt
	@tools/setup runtime
	@touch $@

$(DEV): $(RUNTIME)
	@tools/setup dev
	@touch $@

$(WEB): $(DEV) package.json package-lock.json
	@tools/setup node_tools
	@touch $@

.PHONY: system
system:
	@tools/setup system
