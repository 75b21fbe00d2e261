# `make` alone lists the verbs.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready
RULES := tests/games tests/kit tests/test_wire.py

help: ## list the verbs
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 16

$(READY): requirements.txt pyproject.toml clients/python/pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed: make PYTHON=/path/to/python3.11"; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable clients/python --editable .
	@touch $@

setup: $(READY) ## make the environment in .venv

run: $(READY) ## store, service and front door on http://127.0.0.1:8080, until Ctrl-C
	@exec $(BIN)/python -m service

test: $(READY) ## run the tests: a few minutes
	$(BIN)/pytest $(RULES) --numprocesses=auto --cov=service.games --cov=service.kit --cov=service.wire --cov-branch --cov-fail-under=100
	$(BIN)/pytest $(RULES:%=--ignore=%)

fuzz: $(READY) ## send 100,000 requests of every kind and judge each answer: five to ten minutes
	$(BIN)/python -m tests.fuzz --requests 100000

torture: $(READY) ## kill and freeze processes while 400 games are played, three ways: about six minutes
	$(BIN)/python -m tests.torture

bench: $(READY) ## measure, beside a baseline in the same run: some minutes on a quiet machine
	$(BIN)/python -m tests.bench

tournament: $(READY) ## let steady bots play among random ones, for the tables in the rooms' READMEs: some minutes
	$(BIN)/python -m tests.tournament

check: $(READY) ## lint, types, import directions
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

laws: $(READY) ## hold thousands of random games of every kind to the laws: an hour
	LAWS_GAMES=5000 $(BIN)/pytest tests/games/test_laws.py --timeout=7200

golden: $(READY) ## write the golden logs anew; read the difference before you commit it
	$(BIN)/python -m tests.games.golden

generate: $(READY) ## generate messages, descriptors and descriptions from proto/ and the settings
	$(BIN)/python -m tools.generate

release-protos: generate ## take the protos as released: later ones must not break their users
	cp deploy/envoy/api.binpb proto/released.binpb

lock: $(READY) ## pin every dependency anew
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url --extra run --group dev pyproject.toml --output-file requirements.txt

.PHONY: help setup run test fuzz torture bench tournament check laws golden generate release-protos lock
