package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// cold measures the first answer that needs a dataset: the server is started
// anew, and each dataset is asked for one series, over one connection.
func (h *harness) cold(ctx context.Context, s *stores, r *report) error {
	random := rand.New(rand.NewPCG(h.o.seed, 3))
	var small []string
	for _, d := range s.Small {
		small = append(small, d.query(random))
	}
	for range h.o.rounds {
		for _, c := range []struct {
			times *[]outcome
			uris  []string
		}{{&r.cold, small}, {&r.coldBig, []string{s.Big.query(random)}}} {
			o, err := h.coldRound(ctx, s, c.uris)
			if err != nil {
				return fmt.Errorf("first answers: %w", err)
			}
			*c.times = append(*c.times, o)
		}
	}
	return nil
}

func (h *harness) coldRound(ctx context.Context, s *stores, uris []string) (outcome, error) {
	list := gets(uris)
	answers, err := h.serve(ctx, s.Main)
	if err != nil {
		return outcome{}, err
	}
	err = capture(ctx, answers.url, list, http.StatusOK)
	if err := errors.Join(err, answers.stop()); err != nil {
		return outcome{}, err
	}
	file := filepath.Join(h.o.dir, "exchanges.gob")
	defer os.Remove(file)
	if err := save(file, list); err != nil {
		return outcome{}, err
	}
	p, err := h.serve(ctx, s.Main)
	if err != nil {
		return outcome{}, err
	}
	defer func() { _ = p.stop() }()
	return h.load(ctx, workload{name: "cold", connections: 1, requests: len(list)}, p, file)
}

// readiness measures the time from start to the first answer of /readyz with
// the large catalog.
func (h *harness) readiness(ctx context.Context, s *stores, r *report) error {
	for range h.o.rounds {
		begin := time.Now()
		p, err := h.serve(ctx, s.Catalog)
		if err != nil {
			return err
		}
		err = p.healthy(ctx)
		r.ready = append(r.ready, time.Since(begin))
		if err := errors.Join(err, p.stop()); err != nil {
			return err
		}
	}
	slices.Sort(r.ready)
	return nil
}

// importRun is one import of a real file on one core.
type importRun struct {
	cells, stored int
	wall, cpu     time.Duration
	peak          int64 // bytes of memory
	vintage, dir  int64 // bytes on disk: the observations' file, and all
}

// imports measures how a large real file is read, on one core.
func (h *harness) imports(ctx context.Context, _ *stores, r *report) error {
	file := filepath.Join(h.o.data, "eurostat", "tsv-new", "estat_nama_10_gdp.tsv.gz")
	if _, err := os.Stat(file); err != nil {
		fmt.Fprintf(h.log, "no import is measured: %v\n", err)
		return nil
	}
	for range h.o.rounds {
		run, err := h.importOnce(ctx, file)
		if err != nil {
			return fmt.Errorf("importing %s: %w", file, err)
		}
		r.imports = append(r.imports, run)
	}
	return nil
}

func (h *harness) importOnce(ctx context.Context, file string) (run importRun, err error) {
	dir, err := os.MkdirTemp(h.o.dir, "import-")
	if err != nil {
		return run, err
	}
	defer os.RemoveAll(dir)
	args := []string{h.o.almanac, "import", "--data", dir, "--json", file}
	if _, err := exec.LookPath("taskset"); err == nil {
		args = append([]string{"taskset", "-c", "0"}, args...)
	}
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	begin := time.Now()
	status, err := reportOf(cmd)
	if err != nil {
		return run, err
	}
	run.wall = time.Since(begin)
	run.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	run.peak = peakOf(cmd)
	run.cells, run.stored = status.Observations.Read, status.Observations.Stored
	run.vintage, run.dir, err = sizes(dir)
	return run, err
}

// peakOf is the most memory that a process which has ended had, in bytes.
func peakOf(cmd *exec.Cmd) int64 {
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		return usage.Maxrss << 10
	}
	return 0
}

// imported is the line that `almanac import --json` prints for a dataset.
type imported struct {
	Status       string
	ID           int
	Observations struct{ Read, Stored int }
}

// reportOf runs an import and reads its line.
func reportOf(cmd *exec.Cmd) (line imported, err error) {
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return line, fmt.Errorf("%s: %w: %s%s", strings.Join(cmd.Args, " "), err, stderr.Bytes(), stdout.Bytes())
	}
	if err := json.Unmarshal(stdout.Bytes(), &line); err != nil {
		return line, fmt.Errorf("%s printed %q: %w", strings.Join(cmd.Args, " "), stdout.Bytes(), err)
	}
	return line, nil
}

// importSparse imports the real partner dataset into the main store, if the
// offices' files are there.
func importSparse(ctx context.Context, o options, dir string) (id int, err error) {
	file := filepath.Join(o.data, "eurostat", "tsv-new", "tran_r_rapa.tsv")
	if _, err := os.Stat(file); err != nil {
		return 0, nil
	}
	line, err := reportOf(exec.CommandContext(ctx, o.almanac, "import", "--data", dir, "--json", file))
	return line.ID, err
}

// sizes adds up what a store with one dataset takes: the file of its
// observations, and everything.
func sizes(dir string) (vintage, all int64, err error) {
	err = filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		all += info.Size()
		if filepath.Ext(name) == ".parquet" {
			vintage += info.Size()
		}
		return nil
	})
	return vintage, all, err
}
