// Bench measures the built almanac from outside and compares it with a bare
// handler that only writes the same bytes.
//
// Three processes run on loopback: the server (the real binary on a generated
// store), the bare handler (net/http with all responses in a map) and this program,
// which sends the requests. For each case it first captures the server's response
// to every request; the bare handler serves these. Then both receive the requests in
// turn, round after round. The ratio is
//
//	CPU time of the bare handler per request ÷ CPU time of the server per request
//
// as the operating system counts it for each process: 1 would be a server that
// does no more work than net/http. Every response is compared with the captured one.
//
//	go run ./bench               print the report
//	go run ./bench -quick        a small store, one round
//	go run ./bench -binary PATH  measure another build; to compare two, run them in
//	                             turns with -quick -rounds 5 -requests 5000
//	go run ./bench -charts       only one section, here the charts
//	go run ./bench -case '(a)'   only the cases with this text in their names
//
// The in-memory server, for the case (a) only, is a plain net/http program that has the
// same data in arrays and writes the same JSON anew for each request (bench/memory.go).
//
// Charts are drawn by the server and by other libraries on Node, in turn on one
// core. Without Node the report says that the libraries were not measured.
//
// The measured binary fills the generated stores. They are kept in $ALMANAC_BENCH
// (by default a folder below the system's temporary one) for the next run with a
// binary of the same path.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"sync/atomic"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// sections are the parts of the report. Each has a flag that measures it alone.
var sections = []struct {
	name, heading string
	measure       func(*harness) string
}{
	{"cases", "CPU time per request, compared with a bare handler", (*harness).measureCases},
	{"imports", "Import of large files", (*harness).measureImports},
	{"sync", "Keeping datasets up to date", (*harness).measureSync},
	{"meter", "Keys and the meter", (*harness).measureMeter},
	{"search", "Search", (*harness).measureSearch},
	{"charts", "Charts, compared with other libraries", (*harness).measureCharts},
	{"pages", "Pages in a browser", (*harness).measurePages},
	{"scale", "Many datasets", (*harness).measureScale},
}

type failure struct{ error }

// check ends the run if err is not nil. [catch] returns the error.
func check(err error) {
	if err != nil {
		panic(failure{err})
	}
}

// must is like [check] for a call that also returns a value.
func must[T any](value T, err error) T {
	check(err)
	return value
}

// catch calls work and returns the error that ended it.
func catch(work func()) (err error) {
	defer func() {
		switch problem := recover().(type) {
		case nil:
		case failure:
			err = problem.error
		default:
			panic(problem)
		}
	}()
	work()
	return nil
}

// bareHandler is the only argument of the child process that is the bare handler.
const bareHandler = "bare-handler"

// run measures the sections and prints them, or serves as one of the servers
// that are measured beside Almanac.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	return catch(func() {
		switch {
		case len(args) == 1 && args[0] == bareHandler:
			serveBare(os.Stdin, stderr)
			return
		case len(args) > 1 && args[0] == memoryServer:
			serveMemory(args[1], args[2:], stderr)
			return
		case len(args) == 2 && args[0] == fileServer:
			serveFile(args[1], stderr)
			return
		}
		must(io.WriteString(stdout, newHarness(ctx, args, stderr).report()))
	})
}

// size controls how much is generated and drawn.
type size struct {
	queries  int           // of the case (a)
	datasets int           // in the main store, besides the large ones
	big      int           // series in the one large dataset
	million  int           // observations in each of the datasets that are read whole
	catalog  int           // datasets in the store for catalogue pages
	watched  int           // datasets that are kept up to date
	imported int           // observations in each of the large files
	scale    int           // datasets of 2000 observations in the large store
	span     time.Duration // time for which each contender draws charts in a round
}

var (
	fullSize  = size{10_000, 1000, 136_000, 1_000_000, 100_000, 10_000, 6_000_000, 100_000, 700 * time.Millisecond}
	quickSize = size{50, 5, 400, 5_000, 150, 20, 6_000, 120, 20 * time.Millisecond}
)

// harness contains the options and the state of a run.
type harness struct {
	size
	quick      bool
	rounds     int
	requests   int             // a round, for small responses
	binary     string          // to measure
	data       string          // folder of the offices' files, if there is one
	judgements string          // folder of what offices offer, with judged questions
	chosen     map[string]bool // sections; all if empty
	only       string          // text in the names of the cases to measure; all if empty
	dir        string          // for everything that is generated
	stores     string          // folder of the stores that the binary has filled
	ctx        context.Context
	self       string // this program, to start the bare handler
	log        io.Writer
	seed       uint64       // for the next order of requests
	drawn      atomic.Int64 // charts requested
}

func newHarness(ctx context.Context, args []string, log io.Writer) *harness {
	h := &harness{size: fullSize, chosen: map[string]bool{}, ctx: ctx, self: must(os.Executable()), log: log}
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(log)
	flags.StringVar(&h.dir, "dir", cmp.Or(os.Getenv("ALMANAC_BENCH"), filepath.Join(os.TempDir(), "almanac-bench")), "folder of generated stores")
	flags.StringVar(&h.binary, "binary", "", "the binary to measure (default: built from ./cmd/almanac)")
	flags.StringVar(&h.data, "data", cmp.Or(os.Getenv("ALMANAC_TESTDATA"), "../shared/data"), "folder of the offices' files")
	flags.StringVar(&h.judgements, "judgements", "", "folder of what offices offer, with judged questions (default: search beside the folder of -data)")
	flags.BoolVar(&h.quick, "quick", false, "a small store and one short round, as a smoke test")
	flags.IntVar(&h.rounds, "rounds", 0, "rounds of each case (default 5, or 1 with -quick)")
	flags.IntVar(&h.requests, "requests", 0, "requests a round (default 30000, or 200 with -quick)")
	flags.StringVar(&h.only, "case", "", "measure only the section cases, and of it the cases with this text in their names")
	for _, s := range sections {
		flags.BoolFunc(s.name, "measure only: "+s.heading, func(string) error { h.chosen[s.name] = true; return nil })
	}
	check(flags.Parse(args))
	if h.only != "" {
		h.chosen["cases"] = true
	}
	h.judgements = cmp.Or(h.judgements, filepath.Join(filepath.Dir(h.data), "search"))
	rounds, requests := 5, 30_000
	if h.quick {
		h.size, rounds, requests = quickSize, 1, 200
	}
	h.rounds, h.requests = cmp.Or(h.rounds, rounds), cmp.Or(h.requests, requests)
	h.dir = must(filepath.Abs(h.dir))
	check(os.MkdirAll(h.dir, 0o755))
	if h.binary == "" {
		h.binary = filepath.Join(h.dir, "almanac")
		h.command(nil, "env", "CGO_ENABLED=0", "go", "build", "-o", h.binary, "almanac/cmd/almanac")
	}
	h.binary = must(filepath.Abs(h.binary))
	h.stores = filepath.Join(h.dir, fmt.Sprintf("stores-%08x", crc32.ChecksumIEEE([]byte(h.binary))))
	return h
}
