# Everything here runs in a virtual environment of its own, .venv, made on first use
# and brought up to date whenever pyproject.toml changes.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PEERS := .venv-peers
# A file of tests stays on one process: its tests share what they have compiled.
PYTEST := $(BIN)/python -m pytest --numprocesses auto --dist loadfile
PIP := $(BIN)/python -m pip install -q --disable-pip-version-check
OUT ?= results/quick

PUBLISHED := results/published

.PHONY: help report publish test lint plain boundscheck pytest coverage soak bench bench-peers clean

help:
	@echo "make report       does holding middle cards help? plays it and writes the page"
	@echo "make publish      plays every question in full, which takes hours, into reports/published"
	@echo "make test         style, types, import rule, tests"
	@echo "make soak         the long tests"
	@echo "make coverage     which lines of the kernels the small tests reach"
	@echo "make boundscheck  the small tests with array bounds checked"
	@echo "make bench        speed, as a table and as JSON"
	@echo "make bench-peers  the same beside other programs, in an environment of their own"
	@echo "make clean        removes the environments and build leftovers; results stay"

# A .venv whose Python is gone (an upgrade, a copied folder) is made anew.
define venv
$(BIN)/python -c "" 2>/dev/null || rm -rf $(VENV)
test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
endef

$(VENV)/installed: pyproject.toml
	@$(venv)
	$(PIP) -e .
	@touch $@

$(VENV)/installed-test: pyproject.toml
	@$(venv)
	$(PIP) -e ".[test]"
	@touch $@

$(PEERS)/installed: pyproject.toml
	$(PYTHON) -m venv --clear $(PEERS)
	$(PEERS)/bin/python -m pip install -q --disable-pip-version-check -e . open_spiel rlcard
	@touch $@

report: $(VENV)/installed
	$(BIN)/cooncan run experiments/hold-middle-cards.toml --quick --out $(OUT)
	$(BIN)/cooncan report $(OUT) --out $(OUT)/report.html
	@echo "The answer: $(OUT)/report.html (open it in a browser)"

# An interrupted run goes on. What is kept: pages, tables as CSV, manifests.
publish: $(VENV)/installed
	$(BIN)/cooncan run experiments/*.toml --out $(PUBLISHED) --resume
	$(BIN)/cooncan report $(PUBLISHED) --out $(PUBLISHED)/index.html
	rm -rf reports/published && mkdir reports/published
	tar -C $(PUBLISHED) --exclude='*.parquet' --exclude='*.svg' --exclude='*.png' -cf - . | tar -C reports/published -xf -

test: lint plain boundscheck pytest

lint: $(VENV)/installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# The kernels as plain Python.
plain: $(VENV)/installed-test
	NUMBA_DISABLE_JIT=1 $(PYTEST) -q -m plain

# Bounds checks are compiled in, so no function compiled without them may be reused.
boundscheck: $(VENV)/installed-test
	cache=$$(mktemp -d) && trap 'rm -rf "$$cache"' EXIT && \
	NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR="$$cache" $(PYTEST) -q -m plain

pytest: $(VENV)/installed-test
	$(PYTEST)

soak: $(VENV)/installed-test
	$(BIN)/python -m pytest -m soak

coverage: $(VENV)/installed-test
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m coverage run -m pytest -q -m plain
	$(BIN)/python -m coverage report

bench: $(VENV)/installed
	$(BIN)/python -m benchmarks

bench-peers: $(PEERS)/installed
	$(PEERS)/bin/python -m benchmarks --peers

clean:
	rm -rf $(VENV) $(PEERS) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .coverage
