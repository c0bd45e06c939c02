package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/format/office"
	"almanac/internal/licence"
	"almanac/internal/source/offices"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// sourceLicence is what is known of the terms of an office's data, and whether the host of
// the installation hands out whole datasets.
type sourceLicence struct {
	Name           string                 `json:"name,omitempty"`
	URL            string                 `json:"url,omitempty"`
	Attribution    string                 `json:"attribution,omitempty"`
	Redistribution licence.Redistribution `json:"redistribution"`
	StatedAt       string                 `json:"stated_at,omitempty"`
	Seen           string                 `json:"seen,omitempty"`
	Note           string                 `json:"note,omitempty"`
	Bulk           *bool                  `json:"bulk,omitempty"` // false: not handed out
}

// settings returns the catalogue of an installation, which has the settings of
// sources; an empty one if there is no store.
func settings(ctx context.Context, atExit *cleanups, at installation) (*store.Catalog, error) {
	if at.dir == "" {
		return &store.Catalog{}, nil
	}
	if exists, err := store.Exists(ctx, at.store()); err != nil || !exists {
		return &store.Catalog{}, err
	}
	s, err := openStore(ctx, atExit, at)
	if err != nil {
		return nil, err
	}
	return s.Catalog(), nil
}

// licenceOf returns the licence of the datasets of a server.
func licenceOf(c *store.Catalog, id, name string) *sourceLicence {
	source := cmp.Or(office.Find(name).ID, id)
	l, _ := licence.Of(source)
	line := &sourceLicence{l.Name, l.URL, l.Attribution, l.Redistribution, l.StatedAt, l.Seen, l.Note, nil}
	if !c.AllowsBulk(source) {
		line.Bulk = new(bool)
	}
	return line
}

// text describes the licence in a column.
func (l *sourceLicence) text() string {
	text := cmp.Or(l.Name, string(l.Redistribution))
	if l.Bulk != nil {
		text += ", no bulk"
	}
	return text
}

// fields describe the licence in lines.
func (l *sourceLicence) fields() [][2]string {
	bulk := ""
	if l.Bulk != nil {
		bulk = "whole datasets are not handed out"
	}
	return [][2]string{
		{"licence", l.Name}, {"licence text", l.URL}, {"redistribution", string(l.Redistribution)}, {"attribution", l.Attribution},
		{"terms stated at", l.StatedAt}, {"terms read", l.Seen}, {"note on terms", l.Note}, {"bulk", bulk},
	}
}

type sourceSetCmd struct {
	ID   string `arg:"" help:"The office's ID, as shown by source list, or the source of a dataset."`
	Bulk *bool  `required:"" help:"Whether to hand out whole datasets of the source; false stops that."`
}

func (c *sourceSetCmd) Run(ctx context.Context, s *sourceCmd, atExit *cleanups, table *offices.Table, p printer) error {
	if s.Data == "" {
		return usageError{fmt.Errorf("missing --data with the folder of the store")}
	}
	st, err := openStore(ctx, atExit, s.in(s.Data))
	if err != nil {
		return err
	}
	source, err := findSource(st.Catalog(), table, c.ID)
	if err != nil {
		return err
	}
	if err := st.SetBulk(ctx, source, *c.Bulk); err != nil {
		return err
	}
	text := fmt.Sprintf("source %s: whole datasets are %s", source, map[bool]string{true: "handed out", false: "not handed out"}[*c.Bulk])
	note := noteOnSource(st.Catalog(), source)
	if note != "" {
		text += "\nnote: " + note
	}
	return p.result(struct {
		Source string `json:"source"`
		Bulk   bool   `json:"bulk"`
		Note   string `json:"note,omitempty"`
	}{source, *c.Bulk, note}, text)
}

// noteOnSource says that no dataset has a source, and which sources have datasets that name the same
// office, to which a setting of the source does not apply; empty if there is nothing to say.
func noteOnSource(c *store.Catalog, source string) string {
	hasDatasets := false
	others := map[string][]string{} // datasets by their source
	for i := range c.Entries {
		e := &c.Entries[i]
		switch {
		case e.Source == source:
			hasDatasets = true
		case strings.EqualFold(e.SourceName, source) || office.Find(e.SourceName).ID == source:
			others[e.Source] = append(others[e.Source], strconv.Itoa(e.ID))
		}
	}
	var notes []string
	if !hasDatasets {
		notes = append(notes, fmt.Sprintf("no dataset has the source ID %s yet", source))
	}
	for _, id := range slices.Sorted(maps.Keys(others)) {
		notes = append(notes, fmt.Sprintf("datasets that name this office have the source ID %s, so the setting does not apply to them: %s; almanac source set %[1]s sets it for all datasets with that ID",
			id, strings.Join(others[id], ", ")))
	}
	return strings.Join(notes, "; ")
}

// findSource returns the ID of the source that an office's ID or a source's own ID names.
func findSource(c *store.Catalog, table *offices.Table, id string) (string, error) {
	if o, err := findOffice(table, id); err == nil {
		return cmp.Or(office.Find(o.Name).ID, o.ID), nil
	}
	for i := range c.Entries {
		if c.Entries[i].Source == id {
			return id, nil
		}
	}
	return "", stat.Errorf(stat.NotFound, "there is no source %q; almanac source list shows the offices, and almanac dataset list the sources of datasets", id)
}
