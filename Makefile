# Rollforward: every task of the repository. Needs Python 3.11 or newer, and make.
# requirements.lock is renewed after a change of pyproject.toml, with uv from any place:
#   uv pip compile --universal --python-version 3.11 --generate-hashes --extra dev \
#     --no-header -q -o requirements.lock pyproject.toml

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready

.PHONY: help run up test check bench sim clean

help:  ## List the targets
	@sed -n 's/^\([a-z]*\):.*## /\1|/p' Makefile | awk -F'|' '{ printf "  make %-7s %s\n", $$1, $$2 }'

run: $(READY)  ## Play a tournament of bots and check it: PLAYERS=27 SEATS=9 SEED=1
	@$(BIN)/rollforward run $(if $(PLAYERS),--players $(PLAYERS)) \
		$(if $(SEATS),--seats $(SEATS)) $(if $(SEED),--seed $(SEED))

up: $(READY)  ## Keep the platform running and print its addresses
	@$(BIN)/rollforward up

test: $(READY)  ## Run all tests, against real engines
	@$(BIN)/pytest

check: $(READY)  ## Lint, format, types, layers and tidiness
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/pytest -q tests/tidy

bench: $(READY)  ## Measure side by side with the peers, into build/bench.json
	@$(BIN)/python -m tests.bench

sim: $(READY)  ## Run the simulations under virtual time
	@test -d tests/simulation || { echo "make sim: there are no simulations yet" >&2; exit 1; }
	@$(BIN)/pytest tests/simulation

clean:  ## Remove the environment, caches and everything built
	@rm -rf .venv build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis \
		.import_linter_cache
	@find services shared tests -name __pycache__ -type d -prune -exec rm -rf {} +

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Rollforward needs Python 3.11 or newer; name one: make PYTHON=python3.12" >&2; \
		exit 1; }
	@echo "Setting up .venv, once"
	@$(BIN)/python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
		|| $(PYTHON) -m venv --clear .venv
	@$(BIN)/python -m pip install -q --disable-pip-version-check \
		--require-hashes -r requirements.lock
	@$(BIN)/python -m pip install -q --disable-pip-version-check \
		--no-deps --no-build-isolation -e .
	@touch $@
