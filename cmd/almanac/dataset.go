package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	encjson "almanac/internal/encode/json"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// datasetCmd is `almanac dataset` with its commands.
type datasetCmd struct {
	folder

	List        listCmd        `cmd:"" help:"List the datasets."`
	Show        showCmd        `cmd:"" help:"Show what is known of a dataset: its metadata and its dimensions."`
	Vintages    vintagesCmd    `cmd:"" help:"List the vintages of a dataset, oldest first."`
	Restore     restoreCmd     `cmd:"" help:"Publish an earlier vintage again, as a new version."`
	Remove      removeCmd      `cmd:"" help:"Take a dataset out of the catalog. Its ID is never given to another."`
	Prune       pruneCmd       `cmd:"" help:"Delete old vintages."`
	Set         setCmd         `cmd:"" help:"Set a dataset's metadata and the codes of its default series."`
	Quarantined quarantinedCmd `cmd:"" help:"List the updates that were not published, because they take too much away."`
	Accept      acceptCmd      `cmd:"" help:"Publish the update of a dataset that is in quarantine."`
	Reject      rejectCmd      `cmd:"" help:"Discard the update of a dataset that is in quarantine."`
}

// openStore opens a store, which must be there: whoever looks at datasets in a
// folder without any has mistaken the folder, and nothing is to be made in it.
func openStore(ctx context.Context, dir string) (*store.Store, error) {
	for _, part := range []string{"catalog.db", "vintages"} {
		if _, err := os.Stat(filepath.Join(dir, part)); err == nil {
			return store.Open(ctx, store.Options{Dir: dir})
		}
	}
	return nil, fmt.Errorf("there is no store in %s: almanac import %s FILE makes one", dir, flagText("--data", dir))
}

// with runs do on the open store.
func (c *datasetCmd) with(ctx context.Context, do func(*store.Store) error) error {
	s, err := openStore(ctx, c.Data)
	if err != nil {
		return err
	}
	defer s.Close()
	return do(s)
}

type listCmd struct{}

// Run lists the catalog.
func (*listCmd) Run(ctx context.Context, c *datasetCmd, out streams) error {
	return c.with(ctx, func(s *store.Store) error {
		held, err := heldByDataset(ctx, s)
		if err != nil {
			return err
		}
		table := tabwriter.NewWriter(c.human(out), 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "ID\tCODE\tVERSION\tUPDATED\tSERIES\tOBSERVATIONS\tNAME")
		for _, e := range s.Catalog().Entries {
			v, err := s.Vintage(ctx, e.ID)
			if err != nil {
				return err
			}
			fmt.Fprintf(table, "%d\t%s\t%s\t%s\t%d\t%d\t%s\n",
				e.ID, e.Code, v.Version, v.LastUpdate.Format("2006-01-02"), v.Series, v.Observations, e.Name)
			if c.JSON {
				if err := writeMeta(ctx, s, v, held[e.ID], out.stdout); err != nil {
					return err
				}
			}
		}
		if c.JSON {
			return nil
		}
		if err := table.Flush(); err != nil || len(held) == 0 {
			return err
		}
		_, err = fmt.Fprintf(out.stderr, "%d in quarantine: almanac dataset quarantined %s\n", len(held), flagText("--data", c.Data))
		return err
	})
}

type showCmd struct {
	ID int `arg:"" help:"The dataset's ID."`
}

// Run shows one dataset.
func (c *showCmd) Run(ctx context.Context, d *datasetCmd, out streams) error {
	return d.with(ctx, func(s *store.Store) error {
		v, err := s.Vintage(ctx, c.ID)
		if err != nil {
			return err
		}
		held, err := s.Held(ctx, c.ID)
		if err != nil {
			return err
		}
		if d.JSON {
			return writeMeta(ctx, s, v, held, out.stdout)
		}
		return showText(v, held, out.stdout)
	})
}

// writeMeta writes the metadata of the interface with what the command line
// adds to it. held is what waits in quarantine, nil if nothing does.
func writeMeta(ctx context.Context, s *store.Store, v *store.Vintage, held *store.Held, w io.Writer) error {
	vintages, err := s.Vintages(ctx, v.Dataset.ID)
	if err != nil {
		return err
	}
	meta, _ := bytes.CutSuffix(encjson.Meta(v), []byte("}"))
	waits := ""
	if held != nil {
		text, err := json.Marshal(held)
		if err != nil {
			return err
		}
		waits = `,"quarantined":` + string(text)
	}
	_, err = fmt.Fprintf(w, `%s,"vintages":%d,"series":%d,"observations":%d%s}`+"\n", meta, len(vintages), v.Series, v.Observations, waits)
	return err
}

// codesShown is how many codes of a dimension are named on the terminal.
const codesShown = 8

// showText shows a dataset to people, and what waits of it in quarantine.
func showText(v *store.Vintage, held *store.Held, w io.Writer) error {
	d := v.Dataset
	lines := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(lines, "id\t%d\ncode\t%s\nname\t%s\nsource\t%s\n", d.ID, d.Code, d.Name, d.Source.Name)
	for _, line := range [][2]string{
		{"description", d.Description}, {"source_url", d.SourceURL}, {"metadata_url", d.MetadataURL},
		{"licence", d.Licence}, {"attribution", d.Attribution},
	} {
		if line[1] != "" {
			fmt.Fprintf(lines, "%s\t%s\n", line[0], line[1])
		}
	}
	fmt.Fprintf(lines, "version\t%s\nlast update\t%s\n", v.Version, v.LastUpdate.Format("2006-01-02T15:04:05-0700"))
	fmt.Fprintf(lines, "holds\t%d series, %d observations, %s to %s\n", v.Series, v.Observations, v.Oldest, v.Newest)
	for i, dim := range d.Dimensions {
		fmt.Fprintf(lines, "dim%d\t%s\n", i+1, dimensionText(dim))
	}
	fmt.Fprintf(lines, "geography\t%s\n", dimensionText(d.Geography))
	for _, f := range d.Fixed {
		fmt.Fprintf(lines, "fixed\t%s (%s): %s (%s)\n", f.Label, f.ID, f.Code.Label, f.Code.ID)
	}
	if held != nil {
		fmt.Fprintf(lines, "quarantined\tsince %s, lacks %s\n", toMinute(held.Since), held.Lacks())
	}
	return lines.Flush()
}

func dimensionText(dim stat.Dimension) string {
	var codes []string
	for _, c := range dim.Codes[:min(len(dim.Codes), codesShown)] {
		if c.Label == c.ID {
			codes = append(codes, c.ID)
			continue
		}
		codes = append(codes, fmt.Sprintf("%s (%s)", c.Label, c.ID))
	}
	if len(dim.Codes) > codesShown {
		codes = append(codes, "…")
	}
	return fmt.Sprintf("%s (%s), codes: %d: %s", dim.Label, dim.ID, len(dim.Codes), strings.Join(codes, ", "))
}

type vintagesCmd struct {
	ID int `arg:"" help:"The dataset's ID."`
}

// Run lists the vintages of one dataset.
func (c *vintagesCmd) Run(ctx context.Context, d *datasetCmd, out streams) error {
	return d.with(ctx, func(s *store.Store) error {
		vintages, err := s.Vintages(ctx, c.ID)
		if err != nil {
			return err
		}
		table := tabwriter.NewWriter(out.stdout, 0, 0, 2, ' ', 0)
		if !d.JSON {
			fmt.Fprintln(table, "VERSION\tIMPORTED\tSERIES\tOBSERVATIONS\tADDED\tREVISED\tREMOVED")
		}
		for _, v := range vintages {
			if d.JSON {
				if err := writeJSON(out.stdout, v); err != nil {
					return err
				}
				continue
			}
			fmt.Fprintf(table, "%s\t%s\t%d\t%d\t%d\t%d\t%d\n", v.Version, v.Imported.Format("2006-01-02 15:04:05"),
				v.Series, v.Observations, v.Added, v.Revised, v.Removed)
		}
		return table.Flush()
	})
}
