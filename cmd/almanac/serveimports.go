package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"syscall"
	"time"

	"almanac/internal/importprocess"
	"almanac/internal/store"
	"almanac/internal/update"
)

// importFlags are the flags of the imports of a server.
type importFlags struct {
	ImportMemory size          `default:"0" placeholder:"SIZE" help:"Memory of each import of --sync and --on-demand, which runs in a process of its own; default: all together half of the available memory."`
	ImportTime   time.Duration `default:"2h" placeholder:"DURATION" help:"Time of each of these imports, after which its process is ended; 0: any. Default: 2h."`
}

// minImportMemory is little, but enough for small files.
const minImportMemory = 64 << 20

func (f *importFlags) check() error {
	if f.ImportMemory != 0 && f.ImportMemory < minImportMemory {
		return errors.New("--import-memory must be at least 64MiB")
	}
	if f.ImportTime < 0 {
		return errors.New("--import-time must be a duration such as 30m, or 0 for any")
	}
	return nil
}

// inProcesses has an updater import into a store in processes of their own.
func (f *importFlags) inProcesses(at installation, o update.Options) update.Options {
	n, memory := store.ProcessesForImports(runtime.GOMAXPROCS(0), int64(f.ImportMemory))
	o.Imports = n
	o.Processes = &importprocess.Pool{
		Memory: memory, Time: f.ImportTime,
		Args: []string{"sync", "import", "--data", at.dir, "--memory", strconv.FormatInt(memory, 10)},
		// Not as flags: others can see these, and addresses of databases may have a password.
		Variables: []string{"ALMANAC_DATABASE=" + at.Database, "ALMANAC_BLOBS=" + at.Blobs, fmt.Sprintf("ALMANAC_BLOB_CACHE=%d", at.BlobCache)},
	}
	return o
}

// observeEvents counts each finished item, and logs it unless nothing changed. The updater itself
// logs that an office is unavailable.
func (c *serveCmd) observeEvents(log *slog.Logger) func(update.Event) {
	return func(e update.Event) {
		c.imports.add(e)
		if e.Stage != update.Finished || e.Entry == nil || e.Entry.Status == "unchanged" {
			return
		}
		attributes := []any{"ref", e.Ref, "status", e.Entry.Status, "took", e.Entry.Took.Round(time.Millisecond).String()}
		if e.Entry.Error != "" {
			log.Warn("updating a dataset failed", append(attributes, "error", e.Entry.Error)...)
			return
		}
		log.Info("dataset updated", append(attributes, "dataset", e.Entry.Dataset, "version", e.Entry.Version,
			"added", e.Entry.Added, "revised", e.Entry.Revised, "removed", e.Entry.Removed)...)
	}
}

// syncImportCmd is the process of an import, which a server starts.
type syncImportCmd struct {
	Memory int64 `required:"" env:"-" placeholder:"BYTES" help:"Memory that the process may take."`
}

// Run does one import. A stopped server ends it, not a signal: systemd and terminals send signals
// to all processes, but the server gives imports some time.
func (c *syncImportCmd) Run(ctx context.Context, f *folder, atExit *cleanups, out streams) error {
	signal.Ignore(os.Interrupt, syscall.SIGTERM)
	ctx = context.WithoutCancel(ctx)
	if err := importprocess.Bound(c.Memory); err != nil {
		return err
	}
	s, err := f.ProvideStore(ctx, atExit)
	if err != nil {
		return err
	}
	return importprocess.Serve(ctx, s, os.Stdin, out.stdout, func() { os.Exit(exitFailed) })
}
