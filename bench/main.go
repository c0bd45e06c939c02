// Bench measures the built almanac from outside, beside a handler that has
// nothing to do but write the same bytes.
//
// Three kinds of processes meet on loopback: the server (the real binary on a
// generated store), the bare handler (net/http with every answer ready in a
// map; this program in the role "bare") and the load generator (this program
// in the role "load"). For each case the server is first asked every query
// once, and what it answers is what the bare handler will serve. Then both
// are asked in turn, round after round, and the figure is
//
//	CPU time of the bare handler a request ÷ CPU time of the server a request
//
// as the operating system counts it for each process: 1 would be a server
// whose whole work is net/http's. Every answer's status and length is checked,
// and every sixteenth body.
//
//	go run ./bench                            print the tables
//	go run ./bench -write docs/benchmarks.md  and write them down
//	go run ./bench -quick                     a small store, one round
//	go run ./bench -meter                     only what keys and the meter cost
//	go run ./bench -files                     only how fast the offices' files are read
//	go run ./bench -sync                      only how fast many datasets are kept up to date
//	go run ./bench -charts                    only how fast charts are drawn
//	go run ./bench -pictures docs/img/charts  draw the charts that are compared
//
// Charts are measured in another way: this program in the role "paint", and
// other libraries on Node, draw the same numbers in turns on one core. Where
// there is no Node, they are left out and the report says so.
//
// Generated stores are kept in $ALMANAC_BENCH (a folder below the system's
// temporary one if it is not set) and used again by the next run.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
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

// run dispatches to the role that the first argument names.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	if len(args) > 0 {
		switch args[0] {
		case "bare":
			return runBare(ctx, args[1:], stderr)
		case "load":
			return runLoad(ctx, args[1:], stdout)
		case "paint":
			return runPaint(args[1:], os.Stdin, stdout)
		case "crowd":
			return runCrowd(args[1:], stdout)
		case "read":
			return runRead(ctx, args[1:], stdout)
		case "office":
			return runOffice(ctx, args[1:], stderr)
		}
	}
	o, err := parseOptions(args, stderr)
	if err != nil {
		return err
	}
	return runAll(ctx, o, stdout, stderr)
}

// options are the sizes of a run.
type options struct {
	dir      string        // where stores and binaries are kept
	almanac  string        // the binary to measure; built if empty
	write    string        // file for the report, if any
	only     string        // names of cases; empty: everything
	data     string        // folder of the offices' files, if there is one
	pictures string        // folder to draw the compared charts into, and nothing else
	meter    bool          // only keys and the meter are measured
	files    bool          // only the reading of files is measured
	sync     bool          // only the keeping up to date is measured
	charts   bool          // only charts are measured
	alone    bool          // charts are measured without other libraries
	span     time.Duration // that each contender draws charts for in a round
	rounds   int
	requests int // a round, for small answers
	queries  int // distinct ones, where a case has that many
	seed     uint64
	size     size
}

// size says how large the generated stores are.
type size struct {
	Datasets int // in the main store, beside the large ones
	Big      int // series in the one large dataset
	Million  int // observations in each of the datasets that are read whole
	Catalog  int // datasets in the catalog store
	Cells    int // in each of the generated files that are read
	Files    int // small ones that are imported at once
}

var (
	full  = size{Datasets: 1000, Big: 136_000, Million: 1_000_000, Catalog: 100_000, Cells: 1_000_000, Files: 10_000}
	quick = size{Datasets: 5, Big: 400, Million: 5_000, Catalog: 250, Cells: 5_000, Files: 20}
)

func parseOptions(args []string, stderr io.Writer) (options, error) {
	o := options{size: full, span: 700 * time.Millisecond}
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&o.dir, "dir", os.Getenv("ALMANAC_BENCH"), "where generated stores are kept")
	flags.StringVar(&o.almanac, "almanac", "", "the binary to measure (default: built from ./cmd/almanac)")
	flags.StringVar(&o.write, "write", "", "file to write the tables to, as Markdown")
	flags.StringVar(&o.data, "data", os.Getenv("ALMANAC_TESTDATA"), "folder of the offices' files (default ../shared/data)")
	flags.IntVar(&o.rounds, "rounds", 5, "rounds of each case")
	flags.IntVar(&o.requests, "requests", 30_000, "requests a round")
	flags.IntVar(&o.queries, "queries", 10_000, "distinct queries of a case")
	flags.IntVar(&o.size.Catalog, "catalog", full.Catalog, "datasets in the store of the catalog pages")
	flags.StringVar(&o.only, "only", "", "the cases to measure, such as (a),(f); all if empty")
	flags.Uint64Var(&o.seed, "seed", 2026, "seed of the queries")
	flags.BoolVar(&o.meter, "meter", false, "measure only keys and the meter; -write then replaces that section of the file")
	flags.BoolVar(&o.files, "files", false, "measure only how files are read; -write then replaces that section of the file")
	flags.BoolVar(&o.sync, "sync", false, "measure only how datasets are kept up to date; -write then replaces that section of the file")
	flags.BoolVar(&o.charts, "charts", false, "measure only how fast charts are drawn; -write then replaces that section of the file")
	flags.StringVar(&o.pictures, "pictures", "", "folder to draw the compared charts into; nothing is measured")
	short := flags.Bool("quick", false, "a small store, one short round: to see that it works")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if *short {
		o.size, o.rounds, o.requests, o.queries = quick, 1, 200, 50
		o.alone, o.span = true, 20*time.Millisecond
	}
	if o.dir == "" {
		o.dir = filepath.Join(os.TempDir(), "almanac-bench")
	}
	if o.data == "" {
		o.data = filepath.Join("..", "shared", "data")
	}
	var err error
	if o.dir, err = filepath.Abs(o.dir); err != nil {
		return o, err
	}
	return o, os.MkdirAll(o.dir, 0o755)
}
