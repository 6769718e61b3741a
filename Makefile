PYTHON ?= python3
BIN := .venv/bin

.PHONY: help demo test sync verbs queries lock format browser screenshots faults citus conformance check format bench endings names salience bench-first bench-server docs docs-version docs-serve pictures \
	release clean

help:  ## what there is to run
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/'

.venv/ready: pyproject.toml requirements-dev.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install -q --disable-pip-version-check 'uv>=0.9,<1'
	$(BIN)/uv pip install -q --compile-bytecode --python $(BIN)/python --require-hashes -r requirements-dev.txt
	$(BIN)/uv pip install -q --python $(BIN)/python --no-deps -e .
	@touch $@

demo: .venv/ready  ## play the travel concierge on a fresh file
	$(BIN)/bethink demo

test: .venv/ready browser  ## run every test
	$(BIN)/pytest -n auto --maxprocesses 4 --dist loadscope

browser:  ## find Chromium, with which the dashboard is tested, or install it
	@sh tools/browser.sh

screenshots: .venv/ready browser  ## take the pictures of the dashboard that the docs show
	BETHINK_WRITE_PICTURES=1 $(BIN)/pytest tests/e2e/test_pictures.py

faults: .venv/ready  ## kill writers, servers and migrations, and let many processes write at once
	BETHINK_FAULT_KILLS=60 BETHINK_FAULT_COMMITS=500 $(BIN)/pytest tests/faults

CITUS_TESTS = tests/storage/test_conformance.py tests/storage/test_isolation.py tests/storage/test_groups.py \
	tests/storage/test_copy.py tests/storage/test_postgresql.py tests/memory tests/faults/test_processes.py \
	tests/server/test_stores.py tests/server/test_tenants.py tests/server/test_process.py tests/server/test_attacks.py

citus: .venv/ready  ## run what a cluster must do on one that is given, empty: CITUS=postgresql://postgres@coordinator/empty
	@test -n "$(CITUS)" || { echo "name the cluster: make citus CITUS=postgresql://postgres@coordinator/empty"; exit 2; }
	BETHINK_TEST_CLUSTER="$(CITUS)" $(BIN)/pytest -p no:xdist -k "postgres or Postgres or isolation or groups" $(CITUS_TESTS)

conformance: .venv/ready  ## run what frameworks publish as tests against Bethink; ONLY="langgraph strands" some of them
	$(BIN)/python -m conformance.run $(ONLY)

check: .venv/ready  ## format, lint, types, layers, calls that only POSIX has
	$(BIN)/python tools/make_sync.py --check
	$(BIN)/python tools/make_verbs.py --check
	$(BIN)/python tools/make_queries.py --check
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/python tools/portable.py
	$(BIN)/pyright
	$(BIN)/lint-imports

bench: .venv/ready  ## measure beside others, and write docs/benchmarks.md; QUICK=1 in minutes, LOCOMO=FILE, WITH="--skip mem0"
	$(BIN)/python bench/run.py $(if $(QUICK),--quick) $(if $(LOCOMO),--locomo $(LOCOMO)) $(WITH)

SALIENCE := training/salience/*.jsonl training/diaries/??.jsonl tests/lifecycle/distill/*.jsonl tests/lifecycle/distill/*.jsonl \
	src/bethink/evals/lifecycle/data/everyday_development.jsonl src/bethink/evals/lifecycle/data/chatter_development.jsonl

salience: .venv/ready  ## train anew what tells lasting clauses from others; MEMORYBANK=FILE adds that data set
	$(BIN)/python tools/train_salience.py $(SALIENCE) --more training/turns/*.jsonl --weight 6 --parts 0 \
		$(if $(MEMORYBANK),--memorybank $(MEMORYBANK)) --out .bench/salience
	$(BIN)/python tools/train_salience.py $(SALIENCE) src/bethink/evals/lifecycle/data/chatter_development.jsonl \
		--more training/turns/*.jsonl training/diaries/*-p*.jsonl --weight 9 --mean .bench/salience \
		$(if $(MEMORYBANK),--memorybank $(MEMORYBANK)) --out src/bethink/models/data

names: .venv/ready  ## train anew what knows the name of somebody at the beginning of a note
	$(BIN)/python tools/train_names.py --out src/bethink/models/data

endings: .venv/ready  ## train anew what tells that a note ends an older one, or says it again; MEMORYBANK=FILE adds that data set
	$(BIN)/python tools/train_endings.py $(if $(MEMORYBANK),--memorybank $(MEMORYBANK)) --out src/bethink/models/data
	$(BIN)/python tools/train_restatements.py --out src/bethink/models/data

bench-first: .venv/ready  ## measure first answers here and in an earlier revision: BEFORE=REVISION WITH="--large --rounds 3"
	$(BIN)/python bench/first_recall.py $(if $(BEFORE),--before $(BEFORE)) $(WITH)

bench-server: .venv/ready  ## measure the server beside a bare route, tenants and many callers; minutes, on a quiet machine
	$(BIN)/python bench/server.py --seconds 6
	$(BIN)/python bench/tenants.py
	$(BIN)/python bench/callers.py
	$(BIN)/python bench/callers.py --verb remember

format: .venv/ready  ## put every file in order
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

sync: .venv/ready  ## generate the blocking face from the asynchronous one
	$(BIN)/python tools/make_sync.py

verbs: .venv/ready  ## generate the table of the verbs from the docstrings of the asynchronous face
	$(BIN)/python tools/make_verbs.py

queries: .venv/ready  ## generate the typed queries from the statements and the migrations
	$(BIN)/python tools/make_queries.py

EXTRAS := agents anthropic guards imports langchain langgraph llm mcp mirror onnx pdf postgres server telemetry

lock: .venv/ready  ## pin what development installs; other frameworks have environments of their own
	$(BIN)/uv pip compile -q $(addprefix --extra ,$(EXTRAS)) --group dev --generate-hashes --no-header --python-version 3.11 --universal \
		-o requirements-dev.txt pyproject.toml

.venv-docs/ready: .venv/ready pyproject.toml
	$(BIN)/uv venv -q --allow-existing --python $(BIN)/python .venv-docs
	$(BIN)/uv pip install -q --python .venv-docs/bin/python --group docs -e '.[server,mcp]'
	@touch $@

docs: .venv-docs/ready  ## write the site into site/: every warning is an error, links and spelling are checked
	.venv-docs/bin/codespell --skip '*.svg,*.json' README.md CHANGELOG.md CONTRIBUTING.md docs examples
	NO_MKDOCS_2_WARNING=1 .venv-docs/bin/mkdocs build -q --strict

docs-version: .venv-docs/ready  ## keep the site of a version in the branch gh-pages: VERSION=0.1; PUSH=1 publishes it
	@test -n "$(VERSION)" || { echo "name the version: make docs-version VERSION=0.1"; exit 2; }
	NO_MKDOCS_2_WARNING=1 PATH="$(CURDIR)/.venv-docs/bin:$$PATH" mike deploy --update-aliases $(if $(PUSH),--push) $(VERSION) latest
	NO_MKDOCS_2_WARNING=1 PATH="$(CURDIR)/.venv-docs/bin:$$PATH" mike set-default $(if $(PUSH),--push) latest

pictures: .venv/ready  ## draw the pictures of the docs, record the demo, run the notebooks, list the examples
	$(BIN)/python tools/pictures.py
	$(BIN)/python tools/recording.py
	$(BIN)/python tools/notebook.py
	$(BIN)/python tools/docs_examples.py

docs-serve: .venv-docs/ready  ## show the site while it is being written
	NO_MKDOCS_2_WARNING=1 .venv-docs/bin/mkdocs serve

release: .venv/ready  ## build both archives, check them, install and use the wheel in clean environments
	$(BIN)/python tools/release.py

clean:  ## remove what make built
	rm -rf .venv .venv-docs site .bench .pytest_cache .ruff_cache .hypothesis dist build
