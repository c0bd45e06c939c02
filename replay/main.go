// Command replay replaces the offices' servers where they cannot be reached. It
// serves the offices' real files, from $ALMANAC_TESTDATA or else ../shared/data,
// under their own paths on the loopback interface, and writes their addresses to a file:
//
//	go run ./replay
//	almanac source datasets eurostat --search gdp --sources build/sources.json --networks 127.0.0.0/8
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"almanac/internal/source"
	"almanac/internal/source/fetch"
	"almanac/internal/source/offices"
	"almanac/internal/source/replay"
	"almanac/internal/source/replay/dbnomicstest"
	"almanac/internal/source/replay/eurostattest"
	"almanac/internal/source/replay/ghotest"
	"almanac/internal/source/replay/jsonstattest"
	"almanac/internal/source/replay/plaintest"
	"almanac/internal/source/replay/pxwebtest"
	"almanac/internal/source/replay/sdmxtest"
	"almanac/internal/source/replay/worldbanktest"
)

// pxwebCells is the limit of cells in a response. It is low, so that real tables are
// fetched in parts.
const pxwebCells = 100_000

// newHandlers returns the replays, by kind of server if one replay serves all offices of
// the kind, otherwise by office ID. Requests for datasets without a real file fail with
// 404.
func newHandlers(dir string) (map[string]http.Handler, error) {
	dbnomics, err1 := dbnomicstest.New(dir)
	gho, err2 := ghotest.New(dir)
	pxweb, err3 := pxwebtest.New(dir, pxwebCells)
	worldbank, err4 := worldbanktest.New(dir)
	all := map[string]http.Handler{
		"dbnomics": dbnomics, "eurostat": eurostattest.New(dir), "files": plaintest.New(dir), "gho": gho,
		"jsonstat": jsonstattest.New(dir), "pxweb": pxweb, "statcan": sdmxtest.StatCan(dir), "worldbank": worldbank,
	}
	for id, office := range sdmxtest.Offices(dir) {
		all[id] = office
	}
	return all, errors.Join(err1, err2, err3, err4)
}

const out = "build/sources.json" // the offices' addresses

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, cmp.Or(os.Getenv("ALMANAC_TESTDATA"), "../shared/data")); err != nil {
		fmt.Fprintln(os.Stderr, "replay:", err)
		os.Exit(1)
	}
}

// run serves the files in the folder data until ctx ends.
func run(ctx context.Context, data string) error {
	if _, err := os.Stat(data); err != nil {
		return fmt.Errorf("reading the files of the offices: %w", err)
	}
	client, err := fetch.New(fetch.Options{})
	if err != nil {
		return err
	}
	table, err1 := offices.NewTable(client, nil)
	handlers, err2 := newHandlers(data)
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	servers := map[string]*replay.Server{}
	for name, handler := range handlers {
		servers[name] = replay.Serve(handler)
		defer servers[name].Close()
	}
	var replayed struct {
		Offices []source.Office `json:"offices"`
	}
	for _, o := range table.Offices() {
		server := cmp.Or(servers[o.ID], servers[o.Kind])
		if server == nil {
			continue
		}
		for _, address := range []*string{&o.Address, &o.Contents, &o.Data} {
			*address = server.Move(*address)
		}
		replayed.Offices = append(replayed.Offices, o)
		fmt.Printf("%-12s %s\n", o.ID, o.Address)
	}
	text, err := json.MarshalIndent(replayed, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(out, append(text, '\n'), 0o644); err != nil {
		return err
	}
	fmt.Printf("\nstart Almanac with: --sources %s --networks 127.0.0.0/8\n", out)
	<-ctx.Done()
	return nil
}
