# Every target sets up what it needs in .venv; a fresh machine needs Python 3.11 or newer and make.
PYTHON ?= python3
BIN := .venv/bin
BASE := .venv/.base
# What a base installation and its build need; pip refuses a list that lacks one.
NEEDED := chardet click colorama cssselect idna jinja2 markupsafe numpy selectolax setuptools urllib3 webencodings
INSTALLED := .venv/.installed
PACKAGES := .venv/.packages
READY := .venv/.ready
COMPILED := pyproject.toml $(wildcard src/chaffinch/kernels/native/*.[ch])
BASELINES := .venv-baselines
RELEASE := .venv-release
SITE := .venv-site
GROUPS := $(patsubst requirements/plugins/%.in,%,$(wildcard requirements/plugins/*.in))
# One more than there are cores: some wait for a browser, a child or a limit of time.
WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
THREADED := $(addprefix tests/,assessment decision elements layout lists metadata methods output page reading \
  record segment siblings site)

.PHONY: help demo test slow plugins check migrate extras release audit site bench fuzz threads soak docs lock clean

help:  ## Show the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*##/\t/'

$(BASE): requirements/dev.txt
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed, not " + sys.version if sys.version_info < (3, 11) else 0)'
	@echo "An environment in .venv, with the packages that Chaffinch needs (35 MB to fetch) …"
	@$(PYTHON) -m venv .venv
	@awk -v names='$(NEEDED)' 'BEGIN {split(names, all); for (n in all) wanted[all[n]]} \
	  /^[a-z]/ {split($$0, parts, "=="); shown = parts[1] in wanted} shown' requirements/dev.txt > $@.txt
	@$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r $@.txt
	@touch $@

$(PACKAGES): $(BASE) requirements/dev.txt requirements/schemas.txt
	@echo "The packages of the tests (2 GB, once unpacked) …"
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes --no-deps -r requirements/schemas.txt
	touch $@

# Where there is no C compiler, Zig's of the package index is one. Python's headers have to be there.
ZIG := $(if $(shell command -v $${CC:-cc}),,.venv/.zig)

.venv/.zig: $(BASE)
	@echo "No C compiler is there: Zig's, of the package index (90 MB to fetch) …"
	@sed -n '/^ziglang==/,/[^\\]$$/p' requirements/release.txt > $@.txt
	@$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes --no-deps -r $@.txt
	@touch $@

$(INSTALLED): $(BASE) $(COMPILED) $(ZIG)
	@echo "Chaffinch itself, whose kernels are compiled …"
	@$(if $(ZIG),CC="$(CURDIR)/$(BIN)/python -m ziglang cc") \
	  $(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

$(READY): $(PACKAGES) $(INSTALLED)
	@touch $@

demo: $(INSTALLED)  ## A page before and after, and others in a line each; installs what that needs alone
	@$(BIN)/python examples/make_site.py build/example-site
	@$(BIN)/python examples/demo.py build/example-site

test: $(READY)  ## Run the tests but the slow ones, WORKERS=N at once (one more than there are cores)
	$(BIN)/pytest -n $(WORKERS) --dist loadscope --by-folder -m "not slow"

slow: $(READY)  ## Run the slow tests: browser, engines, kills, disks, growth
	$(BIN)/pytest -n $(WORKERS) --dist loadscope --by-folder -m slow

.venv-plugins/%/.ready: requirements/plugins/%.in $(COMPILED)
	$(PYTHON) -m venv .venv-plugins/$*
	.venv-plugins/$*/bin/pip install --quiet --disable-pip-version-check "setuptools>=80" -r requirements/plugins/$*.in
	.venv-plugins/$*/bin/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $@

plugins: $(GROUPS:%=.venv-plugins/%/.ready)  ## Run the tests of plug-ins with their real tools
	for group in $(GROUPS); do \
	  CHAFFINCH_PLUGINS=$$group .venv-plugins/$$group/bin/python -m pytest tests/plugins || exit 1; \
	done

check: $(READY)  ## Format, lint, types, floors, generated docs
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/cog --check -I . README.md README.zh.md docs/*.md

# readability-lxml 0.9 asks for an older chardet than Chaffinch, and runs with the newer.
$(BASELINES)/.ready: requirements/baselines.in $(COMPILED)
	$(PYTHON) -m venv $(BASELINES)
	$(BASELINES)/bin/pip install --quiet --disable-pip-version-check --upgrade "pip>=24.1" "setuptools>=80"
	$(BASELINES)/bin/pip install --quiet --disable-pip-version-check -r requirements/baselines.in
	$(BASELINES)/bin/pip install --quiet --disable-pip-version-check --no-deps readability-lxml==0.9
	$(BASELINES)/bin/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $@

$(BASELINES)/.migrate: $(BASELINES)/.ready requirements/migrate.in
	$(BASELINES)/bin/pip install --quiet --disable-pip-version-check -r requirements/migrate.in
	touch $@

migrate: $(BASELINES)/.migrate  ## Run each line of docs/migrate.md against the real libraries
	CHAFFINCH_MIGRATE=1 $(BASELINES)/bin/python -m pytest -q tests/migrate

$(RELEASE)/.ready: requirements/release.txt
	$(PYTHON) -m venv $(RELEASE)
	$(RELEASE)/bin/pip install --quiet --disable-pip-version-check --require-hashes -r requirements/release.txt
	touch $@

extras: $(RELEASE)/.ready  ## Resolve each extra with the oldest and the newest versions
	$(RELEASE)/bin/python release/extras.py

release: $(RELEASE)/.ready  ## Build and check sdist and wheel, changes, bill of materials, in dist/
	$(RELEASE)/bin/python release/artifacts.py $(if $(REPOSITORY),--repository $(REPOSITORY))

audit: $(RELEASE)/.ready  ## Ask advisory databases about locked versions, AUDIT='--require LOCK...'
	$(RELEASE)/bin/python release/audit.py $(AUDIT)

$(SITE)/.ready: requirements/site.txt
	$(PYTHON) -m venv $(SITE)
	$(SITE)/bin/pip install --quiet --disable-pip-version-check --require-hashes -r requirements/site.txt
	touch $@

site: $(SITE)/.ready  ## The docs as a site, in build/site; a broken link is an error
	$(SITE)/bin/python docs/build_site.py

bench: $(BASELINES)/.ready  ## Speed side by side with baselines (quality: docs/evaluation.md says how)
	$(BASELINES)/bin/python -m bench.speed.baselines

fuzz: $(READY)  ## PAGES=N hostile pages (a million; goes on where it was ended), the telling ones through everything
	$(BIN)/python -m bench.safety.fuzz $(if $(PAGES),--pages $(PAGES))

build/threads/.ready: $(PACKAGES) requirements/threads.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes --no-deps --upgrade \
	  --target build/threads -r requirements/threads.txt
	touch $@

threads: $(READY) build/threads/.ready  ## Run tests of the library in four threads at once
	PYTHONPATH=build/threads $(BIN)/pytest --parallel-threads=4 --iterations=1 $(THREADED)

soak: $(READY)  ## An hour: extractions, batch, requests, kills; memory, handles, threads and files flat
	$(BIN)/python -m bench.safety.soak

docs: $(READY)  ## Write the generated parts of the docs anew
	$(BIN)/chaffinch schema > docs/record.schema.json
	$(BIN)/cog -r -I . README.md README.zh.md docs/*.md

COMPILE := uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate \
  --custom-compile-command 'make lock'

lock:  ## Resolve the locked dependencies anew (needs uv)
	$(COMPILE) pyproject.toml --group dev --extra lxml --extra language --extra batch --extra crawl \
	  --extra render --extra ray --extra spark --extra mcp --upgrade -o requirements/dev.txt
	$(COMPILE) --group pyproject.toml:release -o requirements/release.txt
	$(COMPILE) --group pyproject.toml:site -o requirements/site.txt
	$(COMPILE) pyproject.toml --group build --extra mcp -o requirements/serve.txt
	$(COMPILE) pyproject.toml --group build --extra mcp --extra render -c requirements/serve.txt \
	  $$(sed -nE 's/^([A-Za-z0-9._-]+)==.*/--no-emit-package \1/p' requirements/serve.txt) -o requirements/serve-browser.txt

clean:  ## Remove what the targets made
	rm -rf .venv .venv-baselines .venv-plugins .venv-release .venv-site build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
