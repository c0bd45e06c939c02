package main

import (
	"context"
	"os"
	"regexp"
	"time"

	"almanac/internal/importer"
	"almanac/internal/update"
)

// reference matches what names a dataset on an office's server, or an address.
// The drive of a path ("C:\…") has a single letter.
var reference = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9-]+:.`)

// partRefs parts the names of files from references. What looks like a reference
// and is the name of a file is that file.
func partRefs(given []string) (files, refs []string) {
	for _, name := range given {
		if _, err := os.Stat(name); err != nil && reference.MatchString(name) {
			refs = append(refs, name)
		} else {
			files = append(files, name)
		}
	}
	return files, refs
}

// importRefs fetches datasets from offices' servers and imports them. What became
// of each is told as of files, by the Report of the import's options.
func (c *importCmd) importRefs(ctx context.Context, open *closers, out streams, o update.Options, refs []string) error {
	shown := newLive(out.stderr, time.Now)
	tell := o.Import.Report
	o.Import.Report = func(outcome importer.Outcome) { shown.above(func() { tell(outcome) }) }
	o.Import.Progress, o.Import.Starting = nil, nil // what is shown tells of that
	o.Tell = shown.note
	keeper, _, err := c.openKeeper(ctx, open, c.Data, o)
	if err != nil {
		return err
	}
	shown.start()
	keeper.Import(ctx, refs...)
	shown.end()
	return nil
}
