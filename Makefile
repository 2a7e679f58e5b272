# Rollforward: every task of the repository. Needs Python 3.11 or newer, and make.
# requirements.lock is renewed after a change of pyproject.toml, with uv from any place:
#   uv pip compile --universal --python-version 3.11 --generate-hashes --extra dev \
#     --no-header -q -o requirements.lock pyproject.toml

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready

.PHONY: help run up test long check hands evaluator mutants bench sim sim-guards kill soak clean

help:  ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1|/p' Makefile | awk -F'|' '{ printf "  make %-10s %s\n", $$1, $$2 }'

run: $(READY)  ## Play a tournament of bots and check it: PLAYERS=27 SEATS=9 SEED=1
	@$(BIN)/rollforward run $(if $(PLAYERS),--players $(PLAYERS)) \
		$(if $(SEATS),--seats $(SEATS)) $(if $(SEED),--seed $(SEED))

up: $(READY)  ## Keep the platform running and print its addresses
	@$(BIN)/rollforward up

test: $(READY)  ## Run all tests, against real engines
	@$(BIN)/pytest -n 2 --dist loadfile --no-loadscope-reorder

long: $(READY)  ## Run the tests that take a minute each: cancelling under kills, lost quorums
	@$(BIN)/pytest -m long

check: $(READY)  ## Lint, format, types, layers and tidiness
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/pytest -q tests/tidy

hands: $(READY)  ## Prove the engine on all recorded hands and beside PokerKit: HANDS=2000 SEED=1
	@$(BIN)/python -m tests.hands $(if $(HANDS),--hands $(HANDS)) $(if $(SEED),--seed $(SEED))

evaluator: $(READY)  ## Count all five-card hands, and compare a million of seven cards
	@$(BIN)/python -m tests.hands.evaluator $(if $(HANDS),--hands $(HANDS)) \
		$(if $(SEED),--seed $(SEED))

mutants: $(READY)  ## Break the engine on purpose and see its tests fail: SAMPLE=100 SEED=1
	@$(BIN)/python -m tests.mutants $(if $(SAMPLE),--sample $(SAMPLE)) \
		$(if $(SEED),--seed $(SEED))

bench: $(READY)  ## Measure side by side with the peers, into build/bench.json
	@$(BIN)/python -m tests.bench

sim: $(READY)  ## Play simulated worlds: SEED=1 SEEDS=300 SIZE=small (staged, double, rebuys, series, whole) JOBS=2
	@$(BIN)/python -m tests.simulation $(if $(SEED),--seed $(SEED)) \
		$(if $(SEEDS),--seeds $(SEEDS)) $(if $(SIZE),--size $(SIZE)) $(if $(JOBS),--jobs $(JOBS))

sim-guards: $(READY)  ## Take each guard away: some simulated seed must see it
	@$(BIN)/python -m tests.simulation --guards

kill: $(READY)  ## Kill each service at each of its commits in a hand: SEED=20 ONLY=table-12-after
	@$(BIN)/python -m tests.kill $(if $(SEED),--seed $(SEED)) $(if $(ONLY),--only $(ONLY)) \
		$(if $(JOBS),--together $(JOBS))

soak: $(READY)  ## Play to the end while all is killed at random: PLAYERS=200 SEED=1 SECONDS=3
	@$(BIN)/python -m tests.soak $(if $(PLAYERS),--players $(PLAYERS)) \
		$(if $(SEED),--seed $(SEED)) $(if $(SECONDS),--seconds $(SECONDS))

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
