package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"almanac/internal/diskreserve"
	"almanac/internal/importer"
	"almanac/internal/stat"
	"almanac/internal/update"
)

type readFlags struct {
	Labels   string  `placeholder:"DIR" help:"Folder or file with the office's dictionaries and structures. Imports remember it for the office."`
	Source   string  `placeholder:"NAME" help:"The office; default: as the file states it."`
	Code     string  `placeholder:"CODE" help:"The dataset's code; default: from the file or its name."`
	Country  string  `placeholder:"CC" help:"The area of a file that has no geography: any code of an area, such as DE or EA20."`
	Period   string  `placeholder:"P" help:"The period of a file that has no time dimension."`
	Geo      string  `placeholder:"DIM" help:"The dimension to use as geography."`
	NoGeo    bool    `name:"no-geo" help:"The numbers describe no area. Imports remember it for the dataset."`
	Mapping  string  `placeholder:"TEXT" help:"The meaning of the columns of a plain table, such as 'geo=Country, period=Year, value=Amount'; see docs/formats.md."`
	Encoding string  `placeholder:"NAME" help:"The encoding of text that is not UTF-8 and does not declare one, such as windows-1252 or shift_jis."`
	Decimal  decimal `placeholder:".|," help:"The decimal sign, if the file is ambiguous."`
}

func (r *readFlags) options() importer.Options {
	return importer.Options{
		Labels: r.Labels, Source: r.Source, Code: r.Code, Country: r.Country, Period: r.Period,
		Geo: r.Geo, NoGeo: r.NoGeo, Mapping: r.Mapping, Encoding: r.Encoding, Decimal: string(r.Decimal),
	}
}

type importCmd struct {
	Data string `required:"" type:"folder" placeholder:"DIR" help:"Folder of the store; created if it does not exist."`
	services
	readFlags
	Name        string `placeholder:"TEXT" help:"The dataset's name."`
	Description string `placeholder:"TEXT" help:"The dataset's description."`
	SourceURL   string `name:"source-url" placeholder:"URL" help:"The dataset's page on the office's website."`
	MetadataURL string `name:"metadata-url" placeholder:"URL" help:"The office's documentation of the dataset."`
	Updated     moment `placeholder:"TIME" help:"When the office updated the dataset."`
	Accept      bool   `help:"Also publish updates that would go into quarantine because too much is missing."`
	jsonFlag
	network
	Files []string `arg:"" name:"file" help:"Files to import: plain, compressed with gzip, or in a zip archive; or folders of them. Also datasets of offices (eurostat:une_rt_m) and URLs of files."`
}

// Validate refuses flags that only make sense for one file.
func (c *importCmd) Validate() error { return c.checkFiles(c.Files) }

func (c *importCmd) checkFiles(files []string) error {
	if len(files) > 1 && (c.Code != "" || c.Name != "") {
		return errors.New("--code and --name apply to one dataset; use them with a single file")
	}
	return nil
}

// Run imports the files. A refused file does not stop the others.
func (c *importCmd) Run(ctx context.Context, atExit *cleanups, p printer) error {
	options := c.options()
	options.Name, options.Description, options.Updated = c.Name, c.Description, c.Updated.Time
	options.SourceURL, options.MetadataURL, options.Accept = c.SourceURL, c.MetadataURL, c.Accept
	if err := options.Check(); err != nil { // before a store is created
		return usageError{err}
	}
	names, hasFolder, err := expandFolders(ctx, p, c.Files)
	if err != nil {
		return err
	}
	if err := c.checkFiles(names); err != nil {
		return usageError{err}
	}
	s, err := createStore(ctx, atExit, c.in(c.Data).store())
	if err != nil {
		return err
	}
	_ = diskreserve.Keep(c.Data) // a server says if it cannot be made
	bar := &bar{terminal: terminalOf(p.stderr)}
	options.Progress, options.Starting = bar.show, bar.start
	var all []importer.Outcome
	var writeErr error
	options.Report = func(o importer.Outcome) {
		bar.end()
		all = append(all, o)
		found := c.ways(c.Data, o.File, o.Readings, c.otherFlags()...)
		writeErr = errors.Join(writeErr, p.outcome(suggested{o, found}, outcomeText(o)+found.text(), isFailure(o)))
	}
	im, err := importer.New(s, options)
	if err != nil {
		return err
	}
	files, refs := splitRefs(names)
	im.Import(ctx, files...)
	bar.end()
	if len(refs) > 0 && ctx.Err() == nil {
		if err := c.importRefs(ctx, atExit, p, update.Options{Store: s, Import: options}, refs); err != nil {
			return err
		}
	}
	switch {
	case ctx.Err() != nil:
		return errors.New("interrupted: the remaining files were not read")
	case writeErr != nil:
		return writeErr
	}
	if hasFolder {
		fmt.Fprintln(p.stderr, countOutcomes(all))
	}
	return c.printNextStep(p, all)
}

// suggested is an outcome with the commands that would import a refused file.
type suggested struct {
	importer.Outcome
	ways
}

// isServed reports whether the content of a file is served now.
func isServed(o importer.Outcome) bool {
	return o.Status != importer.Refused && o.Status != importer.Quarantined
}

// isFailure reports whether a file was not taken. One of codes alone was: they are stored.
func isFailure(o importer.Outcome) bool { return !isServed(o) && len(o.Codes) == 0 }

// outcomeText formats an outcome: a line, and one for each note.
func outcomeText(o importer.Outcome) string {
	if len(o.Codes) > 0 {
		return o.Error + "\n" + notesText(o.Notes)
	}
	if !isServed(o) {
		return fmt.Sprintf("%s: %s\n", o.Status, o.Error) + notesText(o.Notes)
	}
	var b strings.Builder
	n := o.Observations
	fmt.Fprintf(&b, "%s: %s, dataset %d (%s), version %s: %d series; of %d cells %d stored, %d missing, %d dropped\n",
		o.File, o.Status, o.ID, o.Code, o.Version, o.Series, n.Read, n.Stored, n.Missing, n.Dropped)
	if c := o.Changes; o.Status == importer.Updated {
		fmt.Fprintf(&b, "  changes since the previous version: %d added, %d revised, %d removed%s\n", c.Added, c.Revised, c.Removed, changedText(c.Changed))
	}
	return b.String() + notesText(o.Notes)
}

// changedText says what a version changed besides values: "; also labels and units".
func changedText(changed stat.Changed) string {
	if changed == "" {
		return ""
	}
	return "; also " + stat.JoinWords(changed.List())
}

func notesText(notes []stat.Note) string {
	var b strings.Builder
	for _, note := range notes {
		fmt.Fprintf(&b, "  note %s: %d", note.Kind, note.Count)
		if note.Drops {
			b.WriteString(" not stored")
		}
		if note.Example != "" {
			fmt.Fprintf(&b, ", for example %s", note.Example)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// printNextStep prints how to show what was stored. The error says that files were
// refused or quarantined.
func (c *importCmd) printNextStep(p printer, all []importer.Outcome) error {
	var stored []importer.Outcome
	for _, o := range all {
		if isServed(o) {
			stored = append(stored, o)
		}
	}
	switch {
	case len(stored) == 1:
		fmt.Fprintf(p.stderr, "to show it: almanac dataset show %s %d\n", flagText("--data", c.Data), stored[0].ID)
	case len(stored) > 1:
		fmt.Fprintf(p.stderr, "to list them: almanac dataset list %s\n", flagText("--data", c.Data))
	}
	if slices.ContainsFunc(all, isFailure) {
		return errReported
	}
	return nil
}

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
func (c *importCmd) importRefs(ctx context.Context, atExit *cleanups, p printer, o update.Options, refs []string) error {
	progress := newLive(p.stderr)
	report := o.Import.Report
	o.Import.Report = func(outcome importer.Outcome) { progress.above(func() { report(outcome) }) }
	o.Import.Progress, o.Import.Starting = nil, nil // progress shows both
	o.Notify = progress.note
	updater, _, err := c.openUpdater(ctx, atExit, c.in(c.Data), o)
	if err != nil {
		return err
	}
	progress.start()
	updater.Import(ctx, refs...)
	progress.end()
	return nil
}
