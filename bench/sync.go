package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// syncRun is how long it takes to keep many datasets up to date: from an office
// that gives their files at addresses, served by this program in the role
// "office".
type syncRun struct {
	datasets, cells int
	first, second   round
	idle, busy      []time.Duration // of answers of the catalog, sorted; busy: during the first round
}

// round is one `almanac sync`.
type round struct {
	took time.Duration
	peak int64 // bytes of memory
	syncSummary
}

// syncSummary is the last line of `almanac sync --json`.
type syncSummary struct {
	Items     int `json:"items"`
	Created   int `json:"created"`
	Updated   int `json:"updated"`
	Unchanged int `json:"unchanged"`
	Refused   int `json:"refused"`
	Failed    int `json:"failed"`
	Postponed int `json:"postponed"`
}

// runOffice is the role "office": the files of a folder under their names, with
// Last-Modified and 304, and nothing else.
func runOffice(ctx context.Context, args []string, stderr io.Writer) error {
	if len(args) != 1 {
		return errors.New("the role office takes a folder")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: http.FileServer(http.Dir(args[0])), ReadHeaderTimeout: time.Minute}
	go func() {
		<-ctx.Done()
		_ = server.Close()
	}()
	fmt.Fprintf(stderr, "listening on http://%s\n", l.Addr())
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// syncOnly measures the keeping up to date and nothing else.
func (h *harness) syncOnly(ctx context.Context, stdout io.Writer) error {
	r := &report{options: h.o}
	if err := h.sync(ctx, nil, r); err != nil {
		return err
	}
	var section strings.Builder
	r.sync.write(&section)
	return h.hand(stdout, syncHeading, section.String())
}

// sync watches all files of an office and makes two rounds: one in which all of
// them come, while a server on the same store answers the catalog, and one in
// which nothing has changed.
func (h *harness) sync(ctx context.Context, _ *stores, r *report) (err error) {
	run := &syncRun{cells: manyCells}
	r.sync = run
	files, err := h.smallFiles()
	if err != nil {
		return err
	}
	run.datasets = len(files)
	fmt.Fprintf(h.log, "synchronising %d datasets of %d observations\n", len(files), manyCells)
	if err := writeContents(files); err != nil {
		return err
	}
	office, err := start(ctx, h.self, "office", filepath.Dir(files[0]))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, office.stop()) }()
	dir, err := os.MkdirTemp(h.o.dir, "sync-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := watchOffice(ctx, h.o.almanac, dir, office.url); err != nil {
		return err
	}
	p, err := h.serve(ctx, dir)
	if err != nil {
		return err
	}
	defer func() { _ = p.stop() }()
	// So that the page of the catalog has its length: the first tenth, imported by
	// hand, and so of other sources.
	if err := h.importAll(ctx, dir, files[:len(files)/10], nil); err != nil {
		return err
	}
	if run.idle, err = askCatalog(ctx, p.url, time.After(min(5*time.Second, time.Duration(len(files))*time.Millisecond))); err != nil {
		return err
	}
	over := make(chan time.Time)
	synced := make(chan error, 1)
	go func() {
		defer close(over)
		synced <- h.syncOnce(ctx, dir, &run.first)
	}()
	run.busy, err = askCatalog(ctx, p.url, over)
	if err = errors.Join(err, <-synced); err != nil {
		return err
	}
	if done := run.first.Created + run.first.Unchanged; done != len(files) {
		return fmt.Errorf("the first round brought %d datasets of %d: %+v", done, len(files), run.first.syncSummary)
	}
	if err := h.syncOnce(ctx, dir, &run.second, "many"); err != nil {
		return err
	}
	if run.second.Unchanged != len(files) {
		return fmt.Errorf("the second round found %d of %d datasets unchanged: %+v", run.second.Unchanged, len(files), run.second.syncSummary)
	}
	return nil
}

// writeContents writes the office's list of datasets, beside the files.
func writeContents(files []string) error {
	return writeWhole(filepath.Join(filepath.Dir(files[0]), "contents.tsv"), func(w io.Writer) error {
		for _, f := range files {
			if _, err := fmt.Fprintf(w, "%s\tMade up, %s\n", filepath.Base(f), filepath.Ext(f)); err != nil {
				return err
			}
		}
		return nil
	})
}

// watchOffice adds an office to the table of an installation and watches all
// that it has.
func watchOffice(ctx context.Context, almanac, dir, url string) error {
	table, err := json.Marshal(map[string]any{"offices": []map[string]string{{
		"id": "many", "name": "Many datasets", "kind": "files", "address": url,
		"contents": url + "/contents.tsv", "data": url + "/{code}",
	}}})
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "sources.json"), table, 0o644); err != nil {
		return err
	}
	out, err := exec.CommandContext(ctx, almanac, "watch", "add", "--data", dir, "--networks", "127.0.0.1/32", "many:*").CombinedOutput()
	if err != nil {
		return fmt.Errorf("watching: %w\n%s", err, out)
	}
	return nil
}

// syncOnce makes one round; with references over all that they stand for, due
// or not.
func (h *harness) syncOnce(ctx context.Context, dir string, r *round, refs ...string) error {
	args := []string{"sync", "--data", dir, "--networks", "127.0.0.1/32", "--json"}
	for _, ref := range refs {
		args = append(args, ref+":*")
	}
	cmd := exec.CommandContext(ctx, h.o.almanac, args...)
	cmd.Stderr = h.log
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		return err
	}
	var last []byte
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		last = append(last[:0], lines.Bytes()...)
	}
	err = errors.Join(lines.Err(), cmd.Wait())
	r.took, r.peak = time.Since(begin), peakOf(cmd)
	if err != nil {
		return fmt.Errorf("almanac sync: %w\n%s", err, last)
	}
	return json.Unmarshal(last, &r.syncSummary)
}
