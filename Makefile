# `make` alone lists the verbs.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready

help: ## list the verbs
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 16

$(READY): requirements.txt pyproject.toml clients/python/pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed: make PYTHON=/path/to/python3.11"; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable clients/python --editable .
	@touch $@

setup: $(READY) ## make the environment in .venv

test: $(READY) ## run the tests: a few minutes
	$(BIN)/pytest

check: $(READY) ## lint, types, import directions
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

generate: $(READY) ## generate messages, stubs and descriptors from proto/
	$(BIN)/python -m tools.generate

lock: $(READY) ## pin every dependency anew
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url --extra run --group dev pyproject.toml --output-file requirements.txt

.PHONY: help setup test check generate lock
