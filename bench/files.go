package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// fileReport is what was measured of reading files.
type fileReport struct {
	formats []formatRun
	many    manyRun
}

// formatRun is how one large file is read, alone and as an import.
type formatRun struct {
	generated
	size    int64
	readers map[string][]reading // "ours", and the name of a library that takes the file apart and does no more
	imports []importRun
}

// reading is one pass over a file in a process of its own, on one core.
type reading struct {
	Cells int           // observations, or what the library counts
	CPU   time.Duration // user and system
	Peak  int64         // bytes of memory
}

// filesOnly measures how files are read and nothing else, and prints their
// section.
func (h *harness) filesOnly(ctx context.Context, stdout io.Writer) error {
	r := &report{options: h.o}
	if err := h.files(ctx, nil, r); err != nil {
		return err
	}
	var section strings.Builder
	r.files.write(&section)
	return h.hand(stdout, filesHeading, section.String())
}

// files measures how generated files of several formats are read, and how
// many small ones are imported while a server is asked.
func (h *harness) files(ctx context.Context, _ *stores, r *report) error {
	r.files = &fileReport{}
	for _, g := range generatedFiles {
		run, err := h.readFormat(ctx, g)
		if err != nil {
			return fmt.Errorf("reading %s: %w", g.name, err)
		}
		r.files.formats = append(r.files.formats, run)
	}
	many, err := h.importMany(ctx)
	r.files.many = many
	if err != nil {
		return fmt.Errorf("importing many files: %w", err)
	}
	return nil
}

// readFormat measures one large file: the reader alone beside the library, in
// turn, then the whole import.
func (h *harness) readFormat(ctx context.Context, g generated) (formatRun, error) {
	run := formatRun{generated: g, readers: map[string][]reading{}}
	path, err := h.generate(g)
	if err != nil {
		return run, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return run, err
	}
	run.size = info.Size()
	fmt.Fprintf(h.log, "reading %s, %d MB\n", g.what, run.size/1e6)
	contenders := []string{"ours"}
	if g.library != "" {
		contenders = append(contenders, g.library)
	}
	for range h.o.rounds {
		for _, name := range contenders {
			one, err := h.readOnce(ctx, path, name)
			if err != nil {
				return run, err
			}
			run.readers[name] = append(run.readers[name], one)
		}
		slices.Reverse(contenders)
		imported, err := h.importOnce(ctx, path)
		if err != nil {
			return run, err
		}
		run.imports = append(run.imports, imported)
	}
	return run, nil
}

// generate writes a file, if it is not there already.
func (h *harness) generate(g generated) (string, error) {
	dir := filepath.Join(h.o.dir, "files")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	path := filepath.Join(dir, fmt.Sprintf("%d-%s", h.o.size.Cells, g.name))
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	return path, writeWhole(path, func(w io.Writer) error { return g.write(w, h.o.size.Cells) })
}

// readOnce reads a file in a process of its own.
func (h *harness) readOnce(ctx context.Context, path, reader string) (r reading, err error) {
	cmd := exec.CommandContext(ctx, h.self, "read", path, reader)
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	cmd.Stderr = h.log
	out, err := cmd.Output()
	if err != nil {
		return r, fmt.Errorf("%s: %w", reader, err)
	}
	return r, json.Unmarshal(out, &r)
}

// writeWhole writes a file under another name first, so that none is left by
// half.
func writeWhole(path string, write func(io.Writer) error) error {
	f, err := os.Create(path + ".part")
	if err != nil {
		return err
	}
	err = write(f)
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return err
	}
	return os.Rename(path+".part", path)
}
