package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"almanac/internal/source"
)

type sourceCmd struct {
	Data string `type:"folder" placeholder:"DIR" help:"Folder of the store, for the additional offices in its sources.json."`
	jsonFlag
	network

	List     sourceListCmd     `cmd:"" help:"List the known offices."`
	Show     sourceShowCmd     `cmd:"" help:"Show an office's server: its address, limits and quirks."`
	Datasets sourceDatasetsCmd `cmd:"" help:"List the datasets that an office offers."`
}

func (s *sourceCmd) ProvideTable() (*source.Table, error) { return s.table(s.Data, "", nil) }

type sourceListCmd struct{}

func (*sourceListCmd) Run(table *source.Table, p printer) error {
	return printList(p, "ID\tKIND\tADDRESS\tNAME", table.Offices(), func(o source.Office) string {
		return fmt.Sprintf("%s\t%s\t%s\t%s", o.ID, o.Kind, printable(o.Address), printable(o.Name))
	})
}

type sourceShowCmd struct {
	ID string `arg:"" help:"The office's ID, as shown by source list."`
}

func (c *sourceShowCmd) Run(table *source.Table, p printer) error {
	o, err := findOffice(table, c.ID)
	if err != nil {
		return err
	}
	if p.json {
		return p.object(o)
	}
	return showOffice(p.stdout, o)
}

func findOffice(table *source.Table, id string) (source.Office, error) {
	ref, err := table.ParseRef(id + ":any") // also accepts other spellings
	if err != nil || ref.Office == "" {
		return source.Office{}, fmt.Errorf("there is no source %q; almanac source list shows them", id)
	}
	o, _ := table.Office(ref.Office)
	return o, nil
}

func showOffice(w io.Writer, o source.Office) error {
	lines := newTable(w)
	every := func(e source.Interval) string { return spanText(time.Duration(e)) }
	cells := ""
	if o.Cells > 0 {
		cells = fmt.Sprint(o.Cells)
	}
	printFields(lines, [][2]string{
		{"id", o.ID}, {"name", o.Name}, {"kind", o.Kind}, {"version", o.Version}, {"address", o.Address}, {"website", o.Website},
		{"contents", o.Contents}, {"data", o.Data}, {"agency", o.Agency}, {"language", o.Language}, {"country", o.Country},
		{"cells per response", cells}, {"checked every", every(o.Check)}, {"pause", every(o.Pause)}, {"pause between downloads", every(o.DataPause)}, {"limits", o.Limits}, {"quirks", o.Quirks},
	})
	return lines.Flush()
}

type sourceDatasetsCmd struct {
	ID     string `arg:"" help:"The office's ID, as shown by source list."`
	Search string `placeholder:"WORDS" help:"Only datasets with these words in the code, the title or the theme."`
	Under  string `placeholder:"FOLDER" help:"Only datasets below this folder, theme or provider of the office."`
	Limit  int    `default:"0" placeholder:"N" help:"Maximum number of datasets; 0, the default, lists all."`
}

// Run prints the datasets of an office as they arrive.
func (c *sourceDatasetsCmd) Run(ctx context.Context, table *source.Table, p printer) error {
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
