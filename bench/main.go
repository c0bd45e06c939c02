// Bench measures the built almanac from outside and compares it with a bare
// handler that only writes the same bytes.
//
// Three processes run on loopback: the server (the real binary on a generated
// store), the bare handler (net/http with all responses in a map; this program in
// the role "bare") and this program, which sends the requests. For each case this
// program first captures the server's response to every request; these are what
// the bare handler serves. Then both get the requests in turn, round after round.
// The figure is
//
//	CPU time of the bare handler per request ÷ CPU time of the server per request
//
// as the operating system counts it for each process: 1 would be a server that
// does no work besides net/http's. The status and length of every response are
// checked, and every sixteenth body.
//
//	go run ./bench                            print the tables
//	go run ./bench -write docs/benchmarks.md  and write them to the page
//	go run ./bench -quick                     a small store, one round
//	go run ./bench -binary PATH               measure another build; to compare two, run
//	                                          them in turns with -quick -rounds 5 -requests 5000
//	go run ./bench -files                     only one section, here the files
//	go run ./bench -pictures docs/img/charts  draw the compared charts
//
// Charts are measured differently: this program in the role "paint", and other
// libraries on Node, draw the same numbers in turn on one core. Without Node they
// are left out and the report says so.
//
// The measured binary fills the generated stores. They are kept in $ALMANAC_BENCH
// (by default a folder below the system's temporary one) for the next run, those
// of a -binary in a folder of their own.
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
	"strings"
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

// roles are the functions of this program's child processes.
var roles = map[string]func(ctx context.Context, args []string, stdin io.Reader, stdout io.Writer){
	"bare":  runBare,
	"read":  runRead,
	"paint": runPaint,
}

// sections are the parts of the page. Each has a flag that measures it alone.
var sections = []struct {
	name, heading string
	measure       func(*harness) string
}{
	{"cases", "CPU time a request, beside a bare handler", (*harness).measureCases},
	{"files", "Reading the offices' files", (*harness).measureFiles},
	{"sync", "Keeping datasets up to date", (*harness).measureSync},
	{"meter", "Keys and the meter", (*harness).measureMeter},
	{"charts", "Charts, beside other libraries", (*harness).measureCharts},
}

// failure is an error that ends the run.
type failure struct{ error }

// check ends the run if err is not nil. [catch] returns the error.
func check(err error) {
	if err != nil {
		panic(failure{err})
	}
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

// must is like [check] for a call that also returns a value.
func must[T any](value T, err error) T {
	check(err)
	return value
}

// run measures the sections and prints them, or runs the role named by the first
// argument.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	return catch(func() {
		if len(args) > 0 && roles[args[0]] != nil {
			roles[args[0]](ctx, args[1:], os.Stdin, stdout)
			return
		}
		h := newHarness(ctx, parseOptions(args, stderr), stderr)
		if h.pictures != "" {
			h.drawPictures()
			return
		}
		must(io.WriteString(stdout, h.report()))
	})
}

// report measures the sections, writes the page, and returns its new parts.
func (h *harness) report() string {
	page, measured := "", ""
	if len(h.only) > 0 && h.write != "" {
		page = string(must(os.ReadFile(h.write)))
	}
	for _, s := range sections {
		if len(h.only) == 0 || h.only[s.name] {
			heading := "## " + s.heading + "\n"
			text := heading + "\n" + s.measure(h) + "\n"
			page = replaceSection(page, heading, text)
			measured += text
		}
	}
	page = strings.TrimSpace(replaceSection(page, shortfallsHeading, shortfalls(page)+"\n")) + "\n"
	if len(h.only) == 0 {
		page = h.introduction() + page
		measured = page
	}
	if h.write != "" {
		check(os.WriteFile(h.write, []byte(page), 0o644))
	}
	return measured
}

// options control what is measured and for how long.
type options struct {
	dir      string          // where stores and binaries are kept
	binary   string          // to measure; built if empty
	data     string          // folder of the offices' files, if there is one
	write    string          // file of the report, if any
	pictures string          // folder to draw the compared charts into, without measuring
	only     map[string]bool // sections; all if empty
	quick    bool
	rounds   int
	requests int // a round, for small responses
	size
}

// size controls how much is generated.
type size struct {
	queries    int           // distinct ones, if a case has that many
	datasets   int           // in the main store, beside the large ones
	big        int           // series in the one large dataset
	million    int           // observations in each of the datasets that are read whole
	catalog    int           // datasets in the catalog store
	cells      int           // in each of the generated files that are read
	smallFiles int           // imported at once
	span       time.Duration // for which each contender draws charts in a round
}

var (
	fullSize  = size{10_000, 1000, 136_000, 1_000_000, 100_000, 1_000_000, 10_000, 700 * time.Millisecond}
	quickSize = size{50, 5, 400, 5_000, 250, 5_000, 20, 20 * time.Millisecond}
)

func parseOptions(args []string, stderr io.Writer) *options {
	o := &options{only: map[string]bool{}, size: fullSize}
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&o.dir, "dir", cmp.Or(os.Getenv("ALMANAC_BENCH"), filepath.Join(os.TempDir(), "almanac-bench")), "folder of generated stores")
	flags.StringVar(&o.binary, "binary", "", "the binary to measure (default: built from ./cmd/almanac)")
	flags.StringVar(&o.write, "write", "", "Markdown file to write the tables to; replaces only the measured sections")
	flags.StringVar(&o.data, "data", cmp.Or(os.Getenv("ALMANAC_TESTDATA"), "../shared/data"), "folder of the offices' files")
	flags.StringVar(&o.pictures, "pictures", "", "folder to draw the compared charts into; nothing is measured")
	flags.BoolVar(&o.quick, "quick", false, "a small store and one short round, as a smoke test")
	flags.IntVar(&o.rounds, "rounds", 0, "rounds of each case (default 5, or 1 with -quick)")
	flags.IntVar(&o.requests, "requests", 0, "requests a round (default 30000, or 200 with -quick)")
	for _, s := range sections {
		flags.BoolFunc(s.name, "measure only: "+s.heading, func(string) error { o.only[s.name] = true; return nil })
	}
	check(flags.Parse(args))
	rounds, requests := 5, 30_000
	if o.quick {
		o.size, rounds, requests = quickSize, 1, 200
	}
	o.rounds, o.requests = cmp.Or(o.rounds, rounds), cmp.Or(o.requests, requests)
	return o
}

// harness is the state of a run.
type harness struct {
	*options
	ctx       context.Context
	self      string // this program, for its other roles
	log       io.Writer
	stores    string // folder of the stores that the binary has filled
	seed      uint64 // of the next order of requests
	addresses int    // addresses used by requests
}

func newHarness(ctx context.Context, o *options, log io.Writer) *harness {
	o.dir = must(filepath.Abs(o.dir))
	check(os.MkdirAll(o.dir, 0o755))
	h := &harness{options: o, ctx: ctx, self: must(os.Executable()), log: log, stores: filepath.Join(o.dir, "stores")}
	if o.binary == "" {
		o.binary = filepath.Join(o.dir, "almanac")
		h.command("env", "CGO_ENABLED=0", "go", "build", "-o", o.binary, "almanac/cmd/almanac")
		return h
	}
	o.binary = must(filepath.Abs(o.binary))
	h.stores = fmt.Sprintf("%s-%08x", h.stores, crc32.ChecksumIEEE([]byte(o.binary)))
	return h
}
