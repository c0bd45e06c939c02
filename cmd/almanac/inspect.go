package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/importer"
	"almanac/internal/source"
	"almanac/internal/stat"
	"almanac/internal/store"
	"almanac/internal/update"
)

type inspectCmd struct {
	Data string `type:"folder" placeholder:"DIR" help:"Folder of a store, to use the labels of earlier imports."`
	services
	readFlags
	jsonFlag
	network
	Files []string `arg:"" name:"file" help:"Files to inspect: plain, compressed with gzip, or in a zip archive; or folders of them. Also datasets of offices (eurostat:une_rt_m) and URLs of files."`
}

func (c *inspectCmd) Run(ctx context.Context, atExit *cleanups, p printer) error {
	s, err := c.openStore(ctx, atExit)
	if err != nil {
		return err
	}
	im, err := importer.New(s, c.options())
	if err != nil {
		return usageError{err}
	}
	names, _, err := expandFolders(ctx, p, c.Files)
	if err != nil {
		return err
	}
	failed := false
	files, refs := splitRefs(names)
	for _, name := range slices.Concat(files, refs) {
		var found []importer.Inspection
		if !slices.Contains(refs, name) {
			found = im.Inspect(ctx, name)
		} else if found, err = c.inspectRef(ctx, atExit, s, name); err != nil {
			found = []importer.Inspection{importer.RefusedInspection(name, err)}
		}
		for _, i := range found {
			failed = failed || i.Error != ""
			if err := c.printInspection(p, i); err != nil {
				return err
			}
		}
	}
	if failed {
		return errReported
	}
	return nil
}

// inspectRef downloads a dataset of an office, or a file, and inspects it.
func (c *inspectCmd) inspectRef(ctx context.Context, atExit *cleanups, s *store.Store, text string) (found []importer.Inspection, err error) {
	sources, err := c.table(c.Data, "", nil)
	if err != nil {
		return nil, err
	}
	ref, err := sources.ParseRef(text)
	if err != nil {
		return nil, err
	}
	folder, err := temporaryFolder(atExit, "almanac-inspect-")
	if err != nil {
		return nil, err
	}
	download, err := sources.Server(ref.Office).Fetch(ctx, source.Request{Code: ref.Code, Folder: folder})
	if err != nil {
		return nil, err
	}
	options := c.options()
	office, _ := sources.Office(ref.Office)
	update.CompleteOptions(&options, download, office)
	im, err := importer.New(s, options)
	if err != nil {
		return nil, err
	}
	for _, file := range download.Companions {
		im.Inspect(ctx, file) // keeps the code lists
	}
	for _, file := range download.Data {
		for _, i := range im.Inspect(ctx, file) {
			i.File, i.Error = text, strings.ReplaceAll(i.Error, file, text)
			found = append(found, i)
		}
	}
	return found, nil
}

// openStore opens the store of --data, or a temporary one.
func (c *inspectCmd) openStore(ctx context.Context, atExit *cleanups) (*store.Store, error) {
	if c.Data != "" {
		return openStore(ctx, atExit, c.in(c.Data))
	}
	dir, err := temporaryFolder(atExit, "almanac-inspect-")
	if err != nil {
		return nil, err
	}
	s, err := store.Open(ctx, store.Options{Dir: dir})
	return closeAtExit(atExit, s, err)
}

func (c *inspectCmd) printInspection(p printer, i importer.Inspection) (err error) {
	found := c.ways(cmp.Or(c.Data, "data"), i.File, i.Readings, c.network.given()...)
	switch {
	case p.json:
		return p.object(struct {
			importer.Inspection
			ways
		}{i, found})
	case i.Error != "":
		_, err = fmt.Fprint(p.stderr, printable("refused: "+i.Error+"\n"+found.text()))
	default:
		_, err = fmt.Fprint(p.stdout, printable(inspectionText(i)))
	}
	return err
}

func inspectionText(i importer.Inspection) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", i.File, i.Format)
	fmt.Fprintf(&b, "  dataset     %s:%s, %s", i.Source, i.Code, i.Name)
	if i.ID > 0 {
		fmt.Fprintf(&b, " (stored as dataset %d, version %s)", i.ID, i.Version)
	}
	b.WriteByte('\n')
	if i.Unit != "" {
		fmt.Fprintf(&b, "  unit        %s\n", i.Unit)
	}
	if i.LastUpdate != "" {
		fmt.Fprintf(&b, "  updated     %s\n", i.LastUpdate)
	}
	for _, p := range i.Periods {
		fmt.Fprintf(&b, "  %-11s %s to %s, %s\n", p.Frequency, p.First, p.Last, countOf(p.Count, "period"))
	}
	n := i.Counts
	fmt.Fprintf(&b, "  cells       %d: %d with a value, %d missing, %d dropped; %d series\n", n.Read, n.Stored, n.Missing, n.Dropped, i.Series)
	if len(i.Flags) > 0 {
		b.WriteString("  flags      ")
		for _, f := range i.Flags {
			fmt.Fprintf(&b, " %s %d", f.Flag, f.Count)
		}
		b.WriteByte('\n')
	}
	if i.WithNotes > 0 {
		fmt.Fprintf(&b, "  notes       on %s\n", countOf(i.WithNotes, "observation"))
	}
	b.WriteByte('\n')
	table := newTable(&b)
	fmt.Fprintln(table, "  DIM\tID\tROLE\tCODES\tLABEL\tFIRST CODES")
	for _, d := range i.Dimensions {
		fmt.Fprintf(table, "  %s\t%s\t%s\t%d\t%s\t%s\n", d.Dim, d.ID, d.Role, len(d.Codes), d.Label, someCodes(d))
	}
	table.Flush()
	for _, f := range i.Fixed {
		fmt.Fprintf(&b, "  fixed       %s\n", f)
	}
	b.WriteString(notesText(i.Notes))
	b.WriteByte('\n')
	writePreview(&b, i)
	b.WriteByte('\n')
	return b.String()
}

// writePreview writes cells as they would be served: area, period, the dimensions' labels,
// value, unit and flags.
func writePreview(b *strings.Builder, i importer.Inspection) {
	hasUnit := slices.ContainsFunc(i.Preview, func(c importer.Cell) bool { return c.Unit != "" })
	hasFlags := slices.ContainsFunc(i.Preview, func(c importer.Cell) bool { return len(c.Flags) > 0 || c.Note != "" })
	table := newTable(b)
	row := func(values, geo, area, period, unit, flags string, dims []string) {
		cells := append([]string{geo, area, period}, dims...)
		cells = append(cells, values)
		if hasUnit {
			cells = append(cells, unit)
		}
		if hasFlags {
			cells = append(cells, flags)
		}
		fmt.Fprintln(table, "  "+strings.TrimRight(strings.Join(cells, "\t"), "\t"))
	}
	var dims []string
	for _, d := range i.Dimensions {
		if d.Dim != "geography" {
			dims = append(dims, clip(strings.ToUpper(d.ID)))
		}
	}
	row("VALUE", "GEO", "AREA", "PERIOD", "UNIT", "FLAGS", dims)
	for _, c := range i.Preview {
		value := "-"
		if c.Value != nil {
			value = strconv.FormatFloat(*c.Value, 'f', -1, 64)
		}
		var labels []string
		for _, l := range c.Labels {
			labels = append(labels, clip(l))
		}
		flags := strings.Join(c.Flags, " ")
		if c.Note != "" {
			flags = strings.TrimSpace(flags + " " + clip(c.Note))
		}
		row(value, cmp.Or(c.Geo, "-"), clip(c.Area), c.Period, clip(c.Unit), flags, labels)
	}
	table.Flush()
}

// someCodes lists the first codes of a dimension, and its total.
func someCodes(d importer.Axis) string {
	const most = 3
	var shown []string
	for _, c := range d.Codes[:min(most, len(d.Codes))] {
		shown = append(shown, codeText(c))
	}
	text := strings.Join(shown, ", ")
	if len(d.Codes) > most {
		text += ", …"
	}
	if d.Total != "" {
		text += " (total " + d.Total + ")"
	}
	return text
}

// codeText formats a code with its label; a long label is cut.
func codeText(c stat.Code) string {
	if c.Label == c.ID {
		return c.ID
	}
	return c.ID + " " + clip(c.Label)
}
