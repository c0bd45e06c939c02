package main

import (
	"context"
	"os"
	"regexp"
	"time"

	"almanac/internal/importer"
	"almanac/internal/update"
)

// reference matches a dataset of an office, or a URL. It does not match a path
// with a drive ("C:\…"), which has a single letter.
var reference = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9-]+:.`)

// splitRefs separates the names of files from references. An existing file is
// never a reference.
func splitRefs(names []string) (files, refs []string) {
	for _, name := range names {
		if _, err := os.Stat(name); err != nil && reference.MatchString(name) {
			refs = append(refs, name)
		} else {
			files = append(files, name)
		}
	}
	return files, refs
}

// importRefs fetches datasets from offices and imports them. It reports each
// through the Report option, like a file.
func (c *importCmd) importRefs(ctx context.Context, open *closers, out streams, o update.Options, refs []string) error {
	display := newLive(out.stderr, time.Now)
	report := o.Import.Report
	o.Import.Report = func(outcome importer.Outcome) { display.above(func() { report(outcome) }) }
	o.Import.Progress, o.Import.Starting = nil, nil // display shows both
	o.Notify = display.note
	updater, _, err := c.openUpdater(ctx, open, c.Data, o)
	if err != nil {
		return err
	}
	display.start()
	updater.Import(ctx, refs...)
	display.end()
	return nil
}
