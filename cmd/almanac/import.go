package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"almanac/internal/importer"
	"almanac/internal/stat"
	"almanac/internal/store"
	"almanac/internal/update"
)

// reading are the flags that say how files are read.
type reading struct {
	Labels   string  `placeholder:"DIR" help:"Folder, or file, of the office's dictionaries and structures. An import remembers it, so later ones from the same office need not name it."`
	Source   string  `placeholder:"NAME" help:"The office, instead of what the file says."`
	Code     string  `placeholder:"CODE" help:"The dataset's code, instead of what the file or its name says."`
	Country  string  `placeholder:"CC" help:"The area of a file that has no geography: any code of an area, such as DE or EA20."`
	Period   string  `placeholder:"P" help:"The period of a file that has no time."`
	Geo      string  `placeholder:"DIM" help:"The dimension that is the geography."`
	Mapping  string  `placeholder:"TEXT" help:"What the columns of a plain table mean, such as 'geo=Country, period=Year, value=Amount'; see docs/formats.md."`
	Encoding string  `placeholder:"NAME" help:"The encoding of text that is no UTF-8 and does not declare one, such as windows-1252 or shift_jis."`
	Decimal  decimal `placeholder:".|," help:"The decimal sign, where the file allows both readings."`
}

// options are the flags as the importer takes them.
func (r *reading) options() importer.Options {
	return importer.Options{
		Labels: r.Labels, Source: r.Source, Code: r.Code, Country: r.Country, Period: r.Period,
		Geo: r.Geo, Mapping: r.Mapping, Encoding: r.Encoding, Decimal: string(r.Decimal),
	}
}

// importCmd is `almanac import`.
type importCmd struct {
	Data string `required:"" type:"folder" placeholder:"DIR" help:"Folder of the store; made if it is not there."`
	reading
	Name        string `placeholder:"TEXT" help:"The dataset's name."`
	Description string `placeholder:"TEXT" help:"What the dataset is about."`
	SourceURL   string `name:"source-url" placeholder:"URL" help:"Where the office shows the dataset."`
	MetadataURL string `name:"metadata-url" placeholder:"URL" help:"Where the office explains it."`
	Updated     moment `placeholder:"TIME" help:"When the office updated it."`
	Accept      bool   `help:"Publish also what takes so much away from its dataset that it would go into quarantine."`
	JSON        bool   `name:"json" help:"Print one JSON object a line for each dataset."`
	network
	Files []string `arg:"" name:"file" help:"Files to import: plain, packed with gzip, or in a zip archive. Also datasets on offices' servers (eurostat:une_rt_m), and addresses of files."`
}

// Validate refuses flags that cannot mean anything for several files.
func (c *importCmd) Validate() error {
	if len(c.Files) > 1 && (c.Code != "" || c.Name != "") {
		return errors.New("--code and --name are of one dataset: give one file with them")
	}
	return nil
}

// Run imports the files. One that is refused does not keep the others out.
func (c *importCmd) Run(ctx context.Context, open *closers, out streams) error {
	s, err := makeStore(ctx, open, store.Options{Dir: c.Data})
	if err != nil {
		return err
	}
	bar := newBar(out.stderr)
	var all []importer.Outcome
	var writing error
	options := c.options()
	options.Name, options.Description, options.Updated = c.Name, c.Description, c.Updated.Time
	options.SourceURL, options.MetadataURL = c.SourceURL, c.MetadataURL
	options.Accept = c.Accept
	options.Progress, options.Starting = bar.tell, bar.start
	options.Report = func(o importer.Outcome) {
		bar.end()
		all = append(all, o)
		writing = errors.Join(writing, c.report(out, o))
	}
	im, err := importer.New(s, options)
	if err != nil {
		return usageError{err}
	}
	files, refs := partRefs(c.Files)
	im.Import(ctx, files...)
	bar.end()
	if len(refs) > 0 && ctx.Err() == nil {
		if err := c.importRefs(ctx, open, out, update.Options{Store: s, Import: options}, refs); err != nil {
			return err
		}
	}
	switch {
	case ctx.Err() != nil:
		return errors.New("interrupted: the files that are left were not read")
	case writing != nil:
		return writing
	}
	return c.close(out, all)
}

// report tells of one dataset, or of a file that was refused.
func (c *importCmd) report(out streams, o importer.Outcome) error {
	if c.JSON {
		if err := writeJSON(out.stdout, o); err != nil {
			return err
		}
	}
	w := out.stdout
	if c.JSON || !serves(o) {
		w = out.stderr
	}
	_, err := fmt.Fprint(w, printable(outcomeText(o)))
	return err
}

// printable shows text from a file on a terminal: characters that would move
// the cursor or turn the writing around are replaced.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// serves reports whether what a file says is served now.
func serves(o importer.Outcome) bool {
	return o.Status != importer.Refused && o.Status != importer.Quarantined
}

// outcomeText is an outcome for people: a line, and one for each note.
func outcomeText(o importer.Outcome) string {
	if !serves(o) {
		return fmt.Sprintf("%s: %s\n", o.Status, o.Error) + notesText(o.Notes)
	}
	var b strings.Builder
	n := o.Observations
	fmt.Fprintf(&b, "%s: %s, dataset %d (%s), version %s: %d series; of %d cells %d stored, %d missing, %d dropped\n",
		o.File, o.Status, o.ID, o.Code, o.Version, o.Series, n.Read, n.Stored, n.Missing, n.Dropped)
	if c := o.Changes; o.Status == importer.Updated {
		fmt.Fprintf(&b, "  against the version before: %d added, %d revised, %d removed\n", c.Added, c.Revised, c.Removed)
	}
	return b.String() + notesText(o.Notes)
}

// notesText is a line for each note of a report.
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

// close says what to do next, and whether files were refused or quarantined.
func (c *importCmd) close(out streams, all []importer.Outcome) error {
	var stored []importer.Outcome
	for _, o := range all {
		if serves(o) {
			stored = append(stored, o)
		}
	}
	switch {
	case len(stored) == 1:
		fmt.Fprintf(out.stderr, "look at it with: almanac dataset show %s %d\n", flagText("--data", c.Data), stored[0].ID)
	case len(stored) > 1:
		fmt.Fprintf(out.stderr, "look at them with: almanac dataset list %s\n", flagText("--data", c.Data))
	}
	if len(stored) < len(all) {
		return errReported
	}
	return nil
}

// bar shows on a terminal how far the reading of a file is, how fast, and how
// much time is left. Elsewhere it shows nothing.
type bar struct {
	terminal io.Writer // nil: none
	file     string
	shown    *progressbar.ProgressBar
}

func newBar(w io.Writer) *bar {
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return &bar{terminal: f}
	}
	return &bar{}
}

func (b *bar) start(file string) { b.file, b.shown = filepath.Base(file), nil }

func (b *bar) tell(done, total int64) {
	if b.terminal == nil {
		return
	}
	if b.shown == nil {
		b.shown = progressbar.NewOptions64(total,
			progressbar.OptionSetWriter(b.terminal),
			progressbar.OptionSetDescription(b.file),
			progressbar.OptionShowBytes(true),
			progressbar.OptionSetPredictTime(true),
			progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionClearOnFinish(),
		)
	}
	_ = b.shown.Set64(done) // a bar that cannot be drawn is no reason to stop
}

func (b *bar) end() {
	if b.shown != nil {
		_ = b.shown.Clear()
	}
}
