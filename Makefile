# Everything a contributor runs. Needs make and Python 3.11 or newer; nothing has to be installed by hand.

# The first interpreter that is new enough and can make environments.
FIND_PYTHON = for one in python3 python3.14 python3.13 python3.12 python3.11; do \
	"$$one" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$one" && exit; done
PYTHON ?= $(shell $(FIND_PYTHON))
BIN = .venv/bin

.PHONY: setup demo demo-browser test coverage lint types bench clean

setup: .venv/dev.stamp

# Askfirst itself and what it needs to run.
.venv/runtime.stamp: pyproject.toml
	@test -n "$(PYTHON)" || { echo "expected Python 3.11 or newer with its venv module on the PATH, found none;" \
		"install it, or name one: make PYTHON=/path/to/python3.11 setup" >&2; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

# What its tests and checks need beside that.
.venv/dev.stamp: .venv/runtime.stamp
	$(BIN)/python -m pip install --quiet --group dev
	@touch $@

demo: .venv/runtime.stamp
	$(BIN)/askfirst demo

# The same, answered on pages.
demo-browser: .venv/runtime.stamp
	$(BIN)/askfirst demo --browser

test: setup
	$(BIN)/python -m pytest -n auto --dist worksteal

# Every module of the pure part is covered completely by the test file of its own name.
coverage: setup
	$(BIN)/python tests/own_coverage.py

lint: setup
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

# Every public name has a type that its users' checkers can read; needs `npm ci` in tests/peers.
types: setup
	PATH="$(CURDIR)/$(BIN):$$PATH" tests/peers/node_modules/.bin/pyright --verifytypes askfirst --ignoreexternal

# Ratios against a peer, measured side by side; needs a quiet machine, so no test runs them.
bench: setup
	@set -e; for one in benchmarks/[a-z]*.py; do echo "== $$one"; $(BIN)/python "$$one"; done

clean:
	rm -rf .venv tests/peers/node_modules
