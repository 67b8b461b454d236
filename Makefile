# Two commands: `make run` and `make test`. Each sets up what is missing first.
PY ?= python3.11
export UV_NO_MANAGED_PYTHON=1
export PYTHONDONTWRITEBYTECODE=
BIN := .venv/bin

.PHONY: run test suite thorough faults setup lock lint clean

setup: .venv/.ready

.venv/.ready: requirements.lock pyproject.toml
	PY=$(PY) sh deploy/setup.sh
	touch $@

run: setup
	$(BIN)/solon run examples --cell extractive

# Lint beside the tests: mypy takes half a minute of one core where it has no cache yet.
test: setup
	$(MAKE) -j 2 lint suite

# Each behaviour by a test that costs little. ALL=1, which is what CI runs: the tests marked `slow` as well.
# worksteal: the first process has the flow tests, which wait for others, so three keep two cores busy; the others take
# over what it leaves.
ALL ?=
suite: setup
	$(BIN)/python -m pytest -q -n 3 --dist worksteal -m "not faults and not thorough$(if $(ALL),, and not slow)"

# Every leaf, every seed, every start of a process: more of what `make test` shows by an example of each.
thorough: setup
	$(BIN)/python -m pytest -q -n 3 --dist worksteal -m "thorough and not faults"

# What kills processes in mid-run and takes minutes: tests marked so, and the whole fault bench.
faults: setup
	$(BIN)/python -m pytest -q -m faults
	$(BIN)/solon bench faults

lint: setup
	$(BIN)/ruff check --no-cache .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

lock:
	uv lock
	uv export --format requirements.txt --no-emit-project --no-header --all-groups -o requirements.lock

clean:
	rm -rf .venv .solon .bootstrap .mypy_cache .ruff_cache .pytest_cache
