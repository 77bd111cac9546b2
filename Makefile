# The commands of this project, explained in docs/testing.md. `make help` lists them.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
AUDIT := .venv-audit
PEERS := .venv-peers
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: run test quick coverage check landed format bench peers load torture audit lock help clean

run: $(VENV)/run ## the site with the real registry, in demo mode, on http://127.0.0.1:8000
	$(BIN)/urn-registry init --demo
	$(BIN)/urn-registry serve --demo

test: $(if $(ARGS),$(VENV)/dev,check) ## every check and test, or some tests: make test ARGS="tests/web -k sign"
	$(BIN)/python -m tests.run $(ARGS)

quick: $(VENV)/dev ## the tests of packages without I/O
	$(BIN)/python -m tests.run $(addprefix tests/,identifiers grammar registration workflow messages exports)

coverage: $(VENV)/dev ## which lines and branches of app the tests reach; takes half as long again
	$(BIN)/python -m pytest -q -n auto -m "not browser and not cost" --cov=app --cov-branch --cov-report=term:skip-covered

check: $(VENV)/dev ## format, lint, types, layers, page templates, language, regular expressions, migrations
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/djlint --check --lint --quiet templates
	$(BIN)/python -m tests.prose
	$(BIN)/python -m tests.attack.patterns
	$(BIN)/python -m tests.store.landed

landed: $(VENV)/dev ## mark the newest migrations as released, so they're never edited
	$(BIN)/python -m tests.store.landed --add

format: $(VENV)/dev ## format the code and the templates
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/djlint --reformat --quiet templates

bench: $(VENV)/dev ## benchmarks, as ratios to a baseline or a peer
	$(BIN)/python -m tests.bench

peers: $(PEERS)/made ## the ARK software that `make bench` compares with, in its own environment

load: $(VENV)/dev ## load test: three hosts, eight clients, both databases; p50, p99, errors, memory
	$(BIN)/python -m tests.load $(ARGS)

# Tests that `make test` leaves out or runs with a sample of their cases.
THINNED = $(shell grep -rlE "torture.conftest import|pytest.mark.slow" tests --include=test_*.py \
  | grep -v ^tests/torture)
torture: $(VENV)/dev ## races and property tests with their full case counts; ARGS=tests for every test
	TORTURE=yes $(BIN)/python -m tests.run $(or $(ARGS),tests/torture $(THINNED))

# pip-audit exits with 1 in both cases, but writes its list only if it found vulnerabilities.
audit: $(AUDIT)/made ## known vulnerabilities in dependencies (error 1); error 3 if PyPI's advisories can't be read
	@status=0; for lock in requirements.lock requirements-dev.lock; do echo "$$lock"; \
	  rm -f $(AUDIT)/found; \
	  if $(AUDIT)/bin/pip-audit --strict --require-hashes --disable-pip --progress-spinner off \
	    --cache-dir $(AUDIT)/cache --timeout 30 --output $(AUDIT)/found -r $$lock; then continue; fi; \
	  if [ -s $(AUDIT)/found ]; then cat $(AUDIT)/found; status=1; \
	    echo "make audit: $$lock has known vulnerabilities, listed above." >&2; \
	  else [ $$status = 1 ] || status=3; \
	    echo "make audit: $$lock could not be audited. Fix the error above and run it again." >&2; \
	  fi; \
	done; exit $$status

lock: $(VENV)/dev ## update the locked dependencies
	$(BIN)/pip install --quiet uv
	$(BIN)/uv pip compile pyproject.toml $(LOCK) --group build -o requirements.lock
	$(BIN)/uv pip compile pyproject.toml $(LOCK) --group build --group dev -o requirements-dev.lock
	echo "pip-audit>=2.9" | $(BIN)/uv pip compile - $(LOCK_ALONE) -o requirements-audit.lock
	printf '%s\n' arklet gunicorn 'psycopg[binary]' | \
	  $(BIN)/uv pip compile - $(LOCK_ALONE) -o requirements-peers.lock
LOCK_ALONE := --quiet --no-strip-extras --upgrade --universal --generate-hashes --no-header --no-emit-index-url --python-version 3.11
LOCK := $(filter-out --python-version 3.11,$(LOCK_ALONE)) --extra postgresql

# A separate environment, so that the audited packages can't change the auditor.
$(AUDIT)/made: requirements-audit.lock
	test -x $(AUDIT)/bin/python || $(PYTHON) -m venv $(AUDIT)
	$(AUDIT)/bin/pip install --quiet --require-hashes -r requirements-audit.lock
	touch $@

$(PEERS)/made: requirements-peers.lock
	test -x $(PEERS)/bin/python || $(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/pip install --quiet --require-hashes -r requirements-peers.lock
	touch $@

$(VENV)/run: requirements.lock pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --require-hashes -r requirements.lock
	$(BIN)/pip install --quiet --no-deps --no-build-isolation -e .
	touch $@

$(VENV)/dev: requirements-dev.lock $(VENV)/run
	$(BIN)/pip install --quiet --require-hashes -r requirements-dev.lock
	touch $@

clean: ## remove environments, caches and build output
	rm -rf $(VENV) $(AUDIT) $(PEERS) .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage dist

help: ## list these commands
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10
