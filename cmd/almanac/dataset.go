package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	encjson "almanac/internal/encode/json"
	"almanac/internal/stat"
	"almanac/internal/store"
)

type datasetCmd struct {
	folder

	List        listCmd        `cmd:"" help:"List the datasets."`
	Show        showCmd        `cmd:"" help:"Show the metadata and the dimensions of a dataset."`
	Vintages    vintagesCmd    `cmd:"" help:"List the vintages of a dataset, oldest first."`
	Restore     restoreCmd     `cmd:"" help:"Publish an earlier vintage again, as a new version."`
	Remove      removeCmd      `cmd:"" help:"Remove a dataset from the catalogue. Its ID is never given to another dataset."`
	Prune       pruneCmd       `cmd:"" help:"Delete old vintages."`
	Set         setCmd         `cmd:"" help:"Set a dataset's metadata and the codes of its default series."`
	Quarantined quarantinedCmd `cmd:"" help:"List updates that were not published because too much is missing."`
	Accept      acceptCmd      `cmd:"" help:"Publish the update of a dataset that is in quarantine."`
	Reject      rejectCmd      `cmd:"" help:"Discard the update of a dataset that is in quarantine."`
}

type datasetArg struct {
	ID int `arg:"" help:"The dataset's ID."`
}

type listCmd struct{}

func (*listCmd) Run(ctx context.Context, f *folder, s *store.Store, p printer) error {
	list, err := s.Quarantined(ctx)
	if err != nil {
		return err
	}
	held := map[int]*store.QuarantinedVintage{}
	for i := range list {
		held[list[i].ID] = &list[i]
	}
	table := newTable(p.stdout)
	fmt.Fprintln(table, "ID\tCODE\tVERSION\tUPDATED\tSERIES\tOBSERVATIONS\tNAME")
	for _, e := range s.Catalog().Entries {
		v, err := s.Vintage(ctx, e.ID)
		if err != nil {
			return err
		}
		if p.json {
			if err := writeMeta(ctx, s, v, held[e.ID], p.stdout); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintf(table, "%d\t%s\t%s\t%s\t%d\t%d\t%s\n",
			e.ID, e.Code, v.Version, v.LastUpdate.Format("2006-01-02"), v.Series, v.Observations, e.Name)
	}
	if p.json {
		return nil
	}
	if err := table.Flush(); err != nil || len(held) == 0 {
		return err
	}
	_, err = fmt.Fprintf(p.stderr, "%d in quarantine: almanac dataset quarantined %s\n", len(held), flagText("--data", f.Data))
	return err
}

type showCmd datasetArg

func (c *showCmd) Run(ctx context.Context, s *store.Store, p printer) error {
	v, err := s.Vintage(ctx, c.ID)
	if err != nil {
		return err
	}
	held, err := s.QuarantinedVintage(ctx, c.ID)
	if err != nil {
		return err
	}
	if p.json {
		return writeMeta(ctx, s, v, held, p.stdout)
	}
	return showText(v, held, p.stdout)
}

// writeMeta writes the metadata of the API and the command line's own fields.
// held is the update in quarantine, nil if there is none.
func writeMeta(ctx context.Context, s *store.Store, v *store.Vintage, held *store.QuarantinedVintage, w io.Writer) error {
	vintages, err := s.Vintages(ctx, v.Dataset.ID)
	if err != nil {
		return err
	}
	meta, err := encjson.Meta(v)
	if err != nil {
		return err
	}
	meta, _ = bytes.CutSuffix(meta, []byte("}"))
	quarantined := ""
	if held != nil {
		text, err := json.Marshal(held)
		if err != nil {
			return err
		}
		quarantined = `,"quarantined":` + string(text)
	}
	_, err = fmt.Fprintf(w, `%s,"vintages":%d,"series":%d,"observations":%d%s}`+"\n", meta, len(vintages), v.Series, v.Observations, quarantined)
	return err
}

const codesShown = 8

// showText prints a dataset, and its update in quarantine if held is not nil.
func showText(v *store.Vintage, held *store.QuarantinedVintage, w io.Writer) error {
	d := v.Dataset
	lines := newTable(w)
	fmt.Fprintf(lines, "id\t%d\ncode\t%s\nname\t%s\nsource\t%s\n", d.ID, d.Code, d.Name, d.Source.Name)
	printFields(lines, [][2]string{
		{"description", d.Description}, {"source_url", d.SourceURL}, {"metadata_url", d.MetadataURL},
		{"licence", d.Licence}, {"attribution", d.Attribution},
	})
	fmt.Fprintf(lines, "version\t%s\nlast update\t%s\n", v.Version, v.LastUpdate.Format("2006-01-02T15:04:05-0700"))
	if !d.NextUpdate.IsZero() {
		fmt.Fprintf(lines, "next update\t%s\n", d.NextUpdate.Format("2006-01-02T15:04:05-0700"))
	}
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

type vintagesCmd datasetArg

func (c *vintagesCmd) Run(ctx context.Context, s *store.Store, p printer) error {
	vintages, err := s.Vintages(ctx, c.ID)
	if err != nil {
		return err
	}
	return printList(p, "VERSION\tIMPORTED\tSERIES\tOBSERVATIONS\tADDED\tREVISED\tREMOVED", vintages, func(v stat.Vintage) string {
		return fmt.Sprintf("%s\t%s\t%d\t%d\t%d\t%d\t%d%s", v.Version, v.Imported.Format("2006-01-02 15:04:05"),
			v.Series, v.Observations, v.Added, v.Revised, v.Removed, changedText(v.Changed))
	})
}
