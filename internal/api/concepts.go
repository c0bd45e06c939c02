package api

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/defaults"
	"almanac/internal/request"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// conceptSummary is a measure of the table of well-known datasets, with the datasets here that have it.
type conceptSummary struct {
	ID         string          `json:"id"`
	Label      string          `json:"label"`
	Unit       string          `json:"unit"` // the family of units
	Definition string          `json:"definition"`
	Series     []conceptSeries `json:"series"`
}

// conceptSeries is the series of a dataset that measures a concept.
type conceptSeries struct {
	ID         int               `json:"id"`
	Source     string            `json:"source"`
	SourceName string            `json:"source_name,omitempty"`
	Code       string            `json:"dataset_code"`
	Name       string            `json:"dataset_name"`
	Codes      map[string]string `json:"codes"`            // dim1 … dim8
	Remark     string            `json:"remark,omitempty"` // its unit, and how it differs
}

// concepts replies with the measures that datasets here have.
func (x *exchange) concepts() (*reply, error) {
	p, err := bind[request.Concepts](x)
	if err != nil {
		return nil, err
	}
	catalog := x.api.opts.Store.Catalog()
	l, err := request.ParseCatalog(catalog, &request.Catalog{Country: p.Country}, nil)
	if err != nil {
		return nil, err
	}
	isListed := map[int]bool{}
	for _, at := range l.Positions {
		isListed[catalog.Entries[at].ID] = true
	}
	list := []conceptSummary{}
	for _, c := range x.api.conceptsHere(catalog) {
		c.Series = slices.DeleteFunc(slices.Clone(c.Series), func(s conceptSeries) bool { return !isListed[s.ID] })
		if len(c.Series) > 0 && (len(p.Concept) == 0 || slices.Contains(p.Concept, c.ID)) {
			list = append(list, c)
		}
	}
	text, err := json.Marshal(list)
	if err != nil {
		return nil, fmt.Errorf("encoding concepts: %w", err)
	}
	return constantReply(append(appendNotices(append([]byte(`{"data":`), text...), l.Notices), '}')), nil
}

type conceptsKey struct{}

// conceptsHere returns the measures that datasets of a catalogue have, in the order of the table.
func (a *API) conceptsHere(catalog *store.Catalog) []conceptSummary {
	return catalog.Memo(conceptsKey{}, func() any {
		var list []conceptSummary
		for _, c := range defaults.Concepts() {
			one := conceptSummary{ID: c.ID, Label: c.Label, Unit: c.Unit, Definition: c.Definition}
			for i := range c.Series {
				for k := range catalog.Entries {
					e := &catalog.Entries[k]
					has := slices.ContainsFunc(one.Series, func(s conceptSeries) bool { return s.ID == e.ID })
					if has || !c.Series[i].Covers(e.Source, e.Code) {
						continue
					}
					if s, ok := a.conceptSeries(e, &c.Series[i]); ok {
						one.Series = append(one.Series, s)
					}
				}
			}
			list = append(list, one)
		}
		return list
	}).([]conceptSummary)
}

// conceptSeries returns the series of a dataset that a row of the table means: its codes, and those of the default series for
// dimensions that the row does not name. ok is false if the dataset lacks one of them or cannot be read, which must not hide
// the others.
func (a *API) conceptSeries(e *store.Entry, row *defaults.Series) (s conceptSeries, ok bool) {
	v, err := a.opts.Store.Vintage(context.Background(), e.ID) // for all callers
	if err != nil {
		return s, false
	}
	usual, err := v.Default()
	if err != nil || usual == nil {
		return s, false
	}
	s = conceptSeries{ID: e.ID, Source: e.Source, SourceName: e.SourceName, Code: e.Code, Name: e.Name, Codes: map[string]string{}, Remark: row.Remark}
	for axis := range v.Dataset.Dimensions {
		d := &v.Dataset.Dimensions[axis]
		code := d.Codes[usual.Key[axis]].ID
		if wanted := row.Codes[strings.ToLower(d.ID)]; wanted != nil {
			at := slices.IndexFunc(wanted, func(id string) bool {
				return slices.ContainsFunc(d.Codes, func(c stat.Code) bool { return c.ID == id })
			})
			if at < 0 {
				return s, false
			}
			code = wanted[at]
		}
		s.Codes["dim"+strconv.Itoa(axis+1)] = cmp.Or(code, d.Codes[usual.Key[axis]].Label)
	}
	return s, true
}
