package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"time"

	"almanac/internal/source"
	"almanac/internal/source/offices"
	"almanac/internal/watch"
)

type sourceCmd struct {
	Data string `type:"folder" placeholder:"DIR" help:"Folder of the store, for the additional offices in its sources.json."`
	services
	jsonFlag
	network

	List     sourceListCmd     `cmd:"" help:"List the known offices."`
	Show     sourceShowCmd     `cmd:"" help:"Show an office's server: its address, limits and quirks."`
	Check    sourceCheckCmd    `cmd:"" help:"Ask the offices for a small list and a small dataset, and show what works."`
	Datasets sourceDatasetsCmd `cmd:"" help:"List the datasets that an office offers."`
	Set      sourceSetCmd      `cmd:"" help:"Set whether whole datasets of a source are handed out."`
	Refresh  sourceRefreshCmd  `cmd:"" help:"Read what the offices offer, for the search."`
}

func (s *sourceCmd) ProvideTable() (*offices.Table, error) { return s.table(s.Data, "", nil) }

type sourceListCmd struct{}

// officeLine is an office with the time when its server last sent a usable response, and
// what its list of contents contained when it was last read.
type officeLine struct {
	source.Office
	LastSeenWorking time.Time `json:"last_seen_working,omitzero"`
	*offeredLine
	Licence *sourceLicence `json:"licence"`
}

// offeredLine describes a list of what a source offers.
type offeredLine struct {
	Offered int       `json:"offered"` // datasets
	Listed  time.Time `json:"listed,omitzero"`
	From    string    `json:"listed_from,omitempty"` // name of the table, if it is not from the office
	Failure string    `json:"list_error,omitempty"`  // of the last try
}

// lastWorked returns when a server last sent a usable response, to a check, an update, or a
// request for its list.
func lastWorked(last watch.Probe, l *offeredLine) time.Time {
	if l != nil && l.From == "" && l.Listed.After(last.Worked) {
		return l.Listed
	}
	return last.Worked
}

// offeredText and listedText describe the list in two columns.
func (l officeLine) offeredText() string {
	if l.offeredLine == nil || l.Listed.IsZero() {
		return "-"
	}
	return strconv.Itoa(l.Offered)
}

func (l officeLine) listedText() string {
	switch {
	case l.offeredLine == nil:
		return "-"
	case l.Failure != "" && l.Listed.IsZero():
		return "failed"
	}
	return l.Listed.Format(time.DateOnly)
}

// worked describes when the office was last seen working.
func (l officeLine) worked() string {
	switch {
	case !l.LastSeenWorking.IsZero():
		return l.LastSeenWorking.Format(time.DateOnly)
	case l.Untried:
		return "untried"
	}
	return "-"
}

// Run lists the offices, and below them the other sources whose datasets are offered.
func (*sourceListCmd) Run(ctx context.Context, s *sourceCmd, atExit *cleanups, table *offices.Table, p printer) error {
	lines, err := officeLines(ctx, atExit, s.in(s.Data), table)
	if err != nil {
		return err
	}
	return printList(p, "ID\tKIND\tWORKED\tOFFERED\tLISTED\tLICENCE\tADDRESS\tNAME", lines, func(l officeLine) string {
		return fmt.Sprintf("%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s", l.ID, cmp.Or(l.Kind, "-"), l.worked(), l.offeredText(), l.listedText(), l.Licence.text(), printable(l.Address), printable(l.Name))
	})
}

func officeLines(ctx context.Context, atExit *cleanups, at installation, table *offices.Table) (lines []officeLine, err error) {
	checks, err := lastChecks(ctx, atExit, at)
	if err != nil {
		return nil, err
	}
	offered, err := lastLists(ctx, atExit, at)
	if err != nil {
		return nil, err
	}
	catalog, err := settings(ctx, atExit, at)
	if err != nil {
		return nil, err
	}
	for _, o := range table.Offices() {
		lines = append(lines, officeLine{o, lastWorked(checks[o.ID], offered[o.ID]), offered[o.ID], licenceOf(catalog, o.ID, o.Name)})
		delete(offered, o.ID)
	}
	for _, id := range slices.Sorted(maps.Keys(offered)) { // of tables
		lines = append(lines, officeLine{Office: source.Office{ID: id}, offeredLine: offered[id], Licence: licenceOf(catalog, id, id)})
	}
	return lines, nil
}

// lastLists returns the lists of an installation by source; none if there is no
// installation.
func lastLists(ctx context.Context, atExit *cleanups, at installation) (map[string]*offeredLine, error) {
	lists := map[string]*offeredLine{}
	if at.dir == "" {
		return lists, nil
	}
	offers, err := openOffers(ctx, atExit, at)
	if err != nil {
		return nil, err
	}
	if offers == nil {
		return lists, nil
	}
	states, err := offers.Sources(ctx)
	for _, l := range states {
		lists[l.Source] = &offeredLine{Offered: l.Datasets, Listed: l.Listed, From: l.Origin, Failure: l.Error}
	}
	return lists, err
}

type sourceShowCmd struct {
	ID string `arg:"" help:"The office's ID, as shown by source list."`
}

func (c *sourceShowCmd) Run(ctx context.Context, s *sourceCmd, atExit *cleanups, table *offices.Table, p printer) error {
	o, err := findOffice(table, c.ID)
	if err != nil {
		return err
	}
	checks, err := lastChecks(ctx, atExit, s.in(s.Data))
	if err != nil {
		return err
	}
	lists, err := lastLists(ctx, atExit, s.in(s.Data))
	if err != nil {
		return err
	}
	catalog, err := settings(ctx, atExit, s.in(s.Data))
	if err != nil {
		return err
	}
	line := officeLine{o, lastWorked(checks[o.ID], lists[o.ID]), lists[o.ID], licenceOf(catalog, o.ID, o.Name)}
	if p.json {
		return p.object(line)
	}
	return showOffice(p.stdout, line, checks[o.ID])
}

func findOffice(table *offices.Table, id string) (source.Office, error) {
	ref, err := table.ParseRef(id + ":any") // also accepts other spellings
	if err != nil || ref.Office == "" {
		return source.Office{}, fmt.Errorf("there is no source %q; almanac source list shows them", id)
	}
	o, _ := table.Office(ref.Office)
	return o, nil
}

func showOffice(w io.Writer, line officeLine, last watch.Probe) error {
	o := line.Office
	lines := newTable(w)
	every := func(e source.Interval) string { return spanText(time.Duration(e)) }
	cells := ""
	if o.Cells > 0 {
		cells = fmt.Sprint(o.Cells)
	}
	printFields(lines, [][2]string{
		{"id", o.ID}, {"name", o.Name}, {"kind", o.Kind}, {"version", o.Version}, {"address", o.Address}, {"website", o.Website},
		{"contents", o.Contents}, {"data", o.Data}, {"agency", o.Agency}, {"language", o.Language}, {"country", o.Country},
		{"cells per response", cells}, {"checked every", every(o.Check)}, {"pause", every(o.Pause)}, {"pause between downloads", every(o.DataPause)}, {"key", keyText(o)}, {"limits", o.Limits}, {"quirks", o.Quirks},
		{"sample", o.Sample}, {"last seen working", line.worked()}, {"last check", last.Error},
	})
	printFields(lines, line.Licence.fields())
	if l := line.offeredLine; l != nil {
		printFields(lines, [][2]string{{"datasets offered", line.offeredText()}, {"listed", line.listedText()}, {"listed from", l.From}, {"last list", l.Failure}})
	}
	return lines.Flush()
}

// keyText says how an office gets its key, and where people get one.
func keyText(o source.Office) string {
	if o.Key == nil {
		return ""
	}
	text := "in " + offices.KeyVariable(o.ID) + " or the file of secrets"
	if o.Key.From != "" {
		text += "; get one at " + o.Key.From
	}
	if o.Key.Optional {
		text += "; optional"
	}
	return text
}

type sourceDatasetsCmd struct {
	ID     string `arg:"" help:"The office's ID, as shown by source list."`
	Search string `placeholder:"WORDS" help:"Only datasets with these words in the code, the title or the theme."`
	Under  string `placeholder:"FOLDER" help:"Only datasets below this folder, theme or provider of the office."`
	Limit  int    `default:"0" placeholder:"N" help:"Maximum number of datasets; 0, the default, lists all."`
}

// Run prints the datasets of an office as they arrive.
func (c *sourceDatasetsCmd) Run(ctx context.Context, table *offices.Table, p printer) error {
	if c.Limit < 0 {
		return usageError{fmt.Errorf("--limit must be 0 or more, not %d; 0 lists all datasets", c.Limit)}
	}
	o, err := findOffice(table, c.ID)
	if err != nil {
		return err
	}
	listed := 0
	for e, err := range table.Server(o.ID).Contents(ctx, source.Filter{Search: c.Search, Under: c.Under}) {
		switch {
		case ctx.Err() != nil:
			return errors.New("interrupted: the list is incomplete")
		case err != nil:
			return err
		case c.Limit > 0 && listed == c.Limit:
			fmt.Fprintf(p.stderr, "there are more datasets; --limit is %d\n", c.Limit)
			return nil
		}
		listed++
		if err := printEntry(p, e); err != nil {
			return err
		}
	}
	if listed == 0 {
		fmt.Fprintln(p.stderr, "no dataset matches")
		return nil
	}
	fmt.Fprintf(p.stderr, "%s; to import one: almanac import --data DIR %s:CODE; to keep it up to date: almanac watch add --data DIR %[2]s:CODE\n",
		countOf(listed, "dataset"), o.ID)
	return nil
}

func printEntry(p printer, e source.Entry) error {
	if p.json {
		return p.object(e)
	}
	updated := "-"
	if !e.Updated.IsZero() {
		updated = e.Updated.UTC().Format(time.DateOnly)
	}
	_, err := fmt.Fprintf(p.stdout, "%-24s  %-10s  %s\n", printable(e.Code), updated, printable(e.Title))
	return err
}
