// Command replay stands in for the offices' servers, so that Almanac can be
// tried, and its commands be looked at, where no office can be reached: it serves
// the offices' real files under their own paths on the loopback, and writes a
// sources.json that leads there.
//
//	go run ./replay -data ../shared/data -out build/sources.json
//	almanac source datasets eurostat --search gdp --sources build/sources.json --networks 127.0.0.0/8
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"almanac/internal/source"
	"almanac/internal/source/fetch"
	"almanac/internal/source/replay"
)

// pxwebCells is how many cells a PxWeb server gives at once: so few that real
// tables are split.
const pxwebCells = 100_000

// kinds are the kinds of servers that are replayed for all their offices
// together: those of which there are no files answer that they have nothing.
var kinds = map[string]func(dir string) (http.Handler, error){
	"dbnomics":  func(dir string) (http.Handler, error) { return replay.NewDbnomics(dir) },
	"eurostat":  func(dir string) (http.Handler, error) { return replay.Eurostat(dir), nil },
	"files":     func(dir string) (http.Handler, error) { return replay.Plain(dir), nil },
	"gho":       func(dir string) (http.Handler, error) { return replay.NewGho(dir) },
	"jsonstat":  func(dir string) (http.Handler, error) { return replay.JSONStat(dir), nil },
	"pxweb":     func(dir string) (http.Handler, error) { return replay.NewPxWeb(dir, pxwebCells) },
	"worldbank": func(dir string) (http.Handler, error) { return replay.NewWorldbank(dir) },
}

// handlers are the replays by kind, or by the ID of an office where each office
// of a kind has its own.
func handlers(dir string) (map[string]http.Handler, error) {
	all := map[string]http.Handler{"statcan": replay.StatCan(dir)}
	for id, service := range replay.SDMXOffices(dir) {
		all[id] = service
	}
	for kind, open := range kinds {
		handler, err := open(dir)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", kind, err)
		}
		all[kind] = handler
	}
	return all, nil
}

func main() {
	data := flag.String("data", dataDir(), "folder of the offices' files")
	out := flag.String("out", "build/sources.json", "file for the offices' addresses")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *data, *out); err != nil {
		fmt.Fprintln(os.Stderr, "replay:", err)
		os.Exit(1)
	}
}

// dataDir is where the offices' files are by default.
func dataDir() string {
	if dir := os.Getenv("ALMANAC_TESTDATA"); dir != "" {
		return dir
	}
	return "../shared/data"
}

// run serves until ctx ends.
func run(ctx context.Context, data, out string) error {
	if _, err := os.Stat(data); err != nil {
		return fmt.Errorf("there are no files of offices: %w", err)
	}
	client, err := fetch.New(fetch.Options{})
	if err != nil {
		return err
	}
	table, err := source.NewTable(client, nil)
	if err != nil {
		return err
	}
	all, err := handlers(data)
	if err != nil {
		return err
	}
	servers := map[string]*replay.Server{}
	var led struct {
		Offices []source.Office `json:"offices"`
	}
	for _, o := range table.Offices() {
		name := o.ID
		if kinds[o.Kind] != nil {
			name = o.Kind
		}
		if all[name] == nil {
			continue
		}
		if servers[name] == nil {
			servers[name] = replay.Serve(all[name])
			defer servers[name].Close()
		}
		o = lead(o, servers[name].URL)
		led.Offices = append(led.Offices, o)
		fmt.Printf("%-12s %s\n", o.ID, o.Address)
	}
	text, err := json.MarshalIndent(led, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(out, append(text, '\n'), 0o644); err != nil {
		return err
	}
	fmt.Printf("\nuse them with: --sources %s --networks 127.0.0.0/8\n", out)
	<-ctx.Done()
	return nil
}

// lead leads an office's addresses to a server: the paths stay.
func lead(o source.Office, to string) source.Office {
	for _, address := range []*string{&o.Address, &o.Contents, &o.Data} {
		if _, rest, ok := strings.Cut(*address, "://"); ok {
			_, path, _ := strings.Cut(rest, "/")
			*address = to + "/" + path
		}
	}
	return o
}
