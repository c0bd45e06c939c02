# `make` lists the targets. They need only Go; the race detector also needs a C
# compiler.

STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
CYCLONEDX = github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.9.0
GOVULNCHECK = golang.org/x/vuln/cmd/govulncheck@v1.9.0

.DEFAULT_GOAL := help

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: build
build: ## build the static binary ./almanac
	CGO_ENABLED=0 go build -trimpath -o almanac ./cmd/almanac

# Builds are reproducible: they contain no local paths and no time, and the
# version comes from git alone.
VERSION = $(shell git describe --tags --always --dirty)
COMMIT = $(shell git rev-parse HEAD)
PLATFORMS = linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64

.PHONY: release
release: ## build static binaries for six systems, with a list of their parts and checksums, in build/release
	@rm -rf build/release; mkdir -p build/release
	@set -e; for platform in $(PLATFORMS); do \
		os=$${platform%/*}; arch=$${platform#*/}; suffix=; if [ $$os = windows ]; then suffix=.exe; fi; \
		file=build/release/almanac-$(VERSION)-$$os-$$arch$$suffix; echo $$file; \
		CGO_ENABLED=0 GOOS=$$os GOARCH=$$arch go build -trimpath -buildvcs=false \
			-ldflags '-s -w -X main.release=$(VERSION) -X main.commit=$(COMMIT)' -o $$file ./cmd/almanac; done
	@go run $(CYCLONEDX) app -json -licenses -std -noserial -main cmd/almanac -output build/release/almanac-$(VERSION).cdx.json .
	@cd build/release && { sha256sum almanac-* 2>/dev/null || shasum -a 256 almanac-*; } > SHA256SUMS

.PHONY: dev
dev: ## serve the sample data on 127.0.0.1:8080
	go run ./cmd/almanac serve --demo

.PHONY: test
test: ## run all tests that this machine can run
	go test ./...

.PHONY: check
# Build, vet and staticcheck share what is compiled for the first of them.
check: export CGO_ENABLED = 0
check: export GOFLAGS = -trimpath
check: fmt-check build ## run the checks of CI besides the tests: format, static binary, vet, staticcheck
	go vet ./...
	go run $(STATICCHECK) ./...

# The database may be another one, such as a copy: make vuln VULNDB=file:///…
VULNDB = https://vuln.go.dev

.PHONY: vuln
vuln: ## list the known vulnerabilities that the program can reach
	go run $(GOVULNCHECK) -db $(VULNDB) ./cmd/almanac

.PHONY: fmt-check
fmt-check: ## fail if a file is not formatted with gofmt
	@unformatted=$$(gofmt -l .); if [ -n "$$unformatted" ]; then \
		echo "not formatted (run: gofmt -w .):"; echo "$$unformatted"; exit 1; fi

.PHONY: race
race: ## run the tests of all packages under the race detector
	CGO_ENABLED=1 go test -race -timeout 30m ./...

# The folders of packages with concurrency: whatever serves, stores, fetches and searches. The
# commands start what these provide, and the kinds of servers fetch with internal/source/fetch.
RACED = internal/access internal/agent internal/api internal/demand internal/importer internal/notice internal/offer internal/people internal/search internal/source/fetch internal/database internal/store internal/update internal/watch

.PHONY: raced
raced: ## list the packages that CI tests under the race detector
	@go list $(RACED:%=./%/...)

.PHONY: values
# Each test that calls SkipUnderRace or SkipLargeUnderRace, in its own package. Compiled as
# for check, which follows in CI.
values: export CGO_ENABLED = 0
values: export GOFLAGS = -trimpath
values: ## run the tests that are too slow under the race detector, without it, and those with PostgreSQL
	@files=$$(grep -rlE --include='*_test.go' 'stattest\.Skip(Large)?UnderRace\(' $(RACED)); \
	names=$$(awk '/^func Test/ { name = $$2; sub(/\(.*/, "", name) } /stattest\.Skip(Large)?UnderRace\(/ { print name }' $$files | sort -u | paste -sd'|' -); \
	go test -vet=off -run "^($$names)$$" $$(dirname $$files | sort -u | sed 's,^,./,')
	go test -vet=off $$(grep -rlE --include='*_test.go' 'postgres\.Run\(' internal | xargs -n1 dirname | sort -u | sed 's,^,./,') -postgres

.PHONY: clients
clients: ## install the programs of others that the tests of clients run
	clients/install.sh

.PHONY: compare
compare: ## compare the output of this build with another one: make compare OTHER=PATH
	ALMANAC_OTHER=$(abspath $(OTHER)) go test -count=1 -run TestTranscripts -v ./cmd/almanac

.PHONY: soak
soak: ## run the long versions of tests: kills, full disks, many clients, random values
	ALMANAC_SOAK=1 go test -count=1 -timeout 3h $$(grep -rlE --include='*_test.go' '(stattest.Rounds|property.Check)\(' clients cmd internal | xargs -n1 dirname | sort -u | sed 's,^,./,')

.PHONY: arch
arch: ## test only the layout rules
	go test ./internal/archtest/

.PHONY: fuzz
fuzz: ## fuzz each parser for FUZZTIME (default 20s)
	@FUZZTIME=$${FUZZTIME:-20s}; for dir in $$(grep -rl --include='*_test.go' '^func Fuzz' . | xargs -n1 dirname | sort -u); do \
		for name in $$(grep -hoE '^func Fuzz[A-Za-z0-9_]*' $$dir/*_test.go | cut -c6-); do \
			echo "$$dir $$name"; go test -run '^$$' -fuzz "^$$name\$$" -fuzztime "$$FUZZTIME" "$$dir" || exit 1; \
		done; done

.PHONY: bench
bench: ## compare the server with a bare handler and write docs/benchmarks.md
	@mkdir -p build
	go run ./bench > build/benchmarks.md
	mv build/benchmarks.md docs/benchmarks.md

.PHONY: replay
replay: ## imitate the offices' servers with the real files of the tests
	go run ./replay

.PHONY: gallery
gallery: ## draw all charts of the tests on one page, build/gallery/index.html
	go run ./gallery

.PHONY: clean
clean: ## remove built files
	rm -rf almanac build
