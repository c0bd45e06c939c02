package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// manyRun is the import of many small files while a server on the same store
// answers the catalog.
type manyRun struct {
	files, cells int
	took         time.Duration
	peak         int64
	idle, busy   []time.Duration // of answers of the catalog, sorted
}

// manyCells is how many observations each of the small files has.
const manyCells = 1000

// askEvery is the time between two questions to the catalog.
const askEvery = 5 * time.Millisecond

// importMany fills a store with a tenth of the files, starts a server, and
// measures its catalog idle and while all files are imported.
func (h *harness) importMany(ctx context.Context) (run manyRun, err error) {
	files, err := h.smallFiles()
	if err != nil {
		return run, err
	}
	fmt.Fprintf(h.log, "importing %d files of %d observations\n", len(files), manyCells)
	dir, err := os.MkdirTemp(h.o.dir, "many-")
	if err != nil {
		return run, err
	}
	defer os.RemoveAll(dir)
	if err := h.importAll(ctx, dir, files[:len(files)/10], nil); err != nil {
		return run, err
	}
	p, err := h.serve(ctx, dir)
	if err != nil {
		return run, err
	}
	defer func() { _ = p.stop() }()
	enough := time.After(min(5*time.Second, time.Duration(len(files))*time.Millisecond))
	if run.idle, err = askCatalog(ctx, p.url, enough); err != nil {
		return run, err
	}
	over := make(chan time.Time)
	imported := make(chan error, 1)
	go func() {
		defer close(over)
		imported <- h.importAll(ctx, dir, files, &run)
	}()
	run.busy, err = askCatalog(ctx, p.url, over)
	run.files, run.cells = len(files), len(files)*manyCells
	return run, errors.Join(err, <-imported)
}

// importAll imports files by one command.
func (h *harness) importAll(ctx context.Context, dir string, files []string, run *manyRun) error {
	cmd := exec.CommandContext(ctx, h.o.almanac, append([]string{"import", "--data", dir, "--json"}, files...)...)
	begin := time.Now()
	if err := cmd.Run(); err != nil {
		return err
	}
	if run != nil {
		run.took = time.Since(begin)
		run.peak = peakOf(cmd)
	}
	return nil
}

// askCatalog asks for a page of the catalog again and again, and returns how
// long the answers took.
func askCatalog(ctx context.Context, url string, until <-chan time.Time) ([]time.Duration, error) {
	var took []time.Duration
	tick := time.NewTicker(askEvery)
	defer tick.Stop()
	for {
		select {
		case <-until:
			slices.Sort(took)
			return took, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-tick.C:
		}
		begin := time.Now()
		resp, err := http.Get(url + "/api/datasets?limit=100")
		if err != nil {
			return nil, err
		}
		_, err = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		if err != nil || resp.StatusCode != http.StatusOK {
			return nil, fmt.Errorf("the catalog answers %s (%v)", resp.Status, err)
		}
		took = append(took, time.Since(begin))
	}
}

// smallFiles writes many small files of several formats, each a dataset of its
// own.
func (h *harness) smallFiles() ([]string, error) {
	dir := filepath.Join(h.o.dir, "files", fmt.Sprintf("many-%d", h.o.size.Files))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	var files []string
	for n := range h.o.size.Files {
		g := generatedFiles[n%len(generatedFiles)]
		path := filepath.Join(dir, fmt.Sprintf("%05d-%s", n, g.name))
		files = append(files, path)
		if _, err := os.Stat(path); err == nil {
			continue
		}
		err := writeWhole(path, func(w io.Writer) error {
			// Each file is a dataset of its own code.
			return g.write(&renamed{w, []byte("MADE_UP"), fmt.Appendf(nil, "MADE_UP_%05d", n)}, manyCells)
		})
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}
