package importer

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"almanac/internal/stat"
)

// Inspection describes what an import would store of one dataset of a file.
type Inspection struct {
	File   string `json:"file"`   // as given by the caller
	Format string `json:"format"` // empty if it is unknown
	Error  string `json:"error"`  // why the file would be refused; the other fields are then empty
	// Readings are those of [Outcome.Readings].
	Readings [][]stat.Suggestion `json:"-"`

	ID      int    `json:"id"`      // of the stored dataset; 0 if it is new
	Version string `json:"version"` // the stored dataset's current version

	Source     string      `json:"source"`
	Code       string      `json:"code"`
	Name       string      `json:"name"`
	Unit       string      `json:"unit,omitempty"`
	LastUpdate string      `json:"last_update,omitempty"` // by the source, RFC 3339
	Dimensions []Axis      `json:"dimensions"`            // including geography, in the source's order
	Fixed      []string    `json:"fixed,omitempty"`       // dimensions with one code that are not in the key: "freq = A"
	Periods    []Periods   `json:"periods"`
	Series     int         `json:"series"`
	Counts     Counts      `json:"observations"`
	Flags      []FlagCount `json:"flags"`
	WithNotes  int         `json:"with_notes"` // observations that have a note
	Notes      []stat.Note `json:"notes"`
	Preview    []Cell      `json:"preview"` // some cells, from the first to the last
}

// Axis describes a dimension in an [Inspection].
type Axis struct {
	Dim   string      `json:"dim"` // dim1 … dim8, or "geography"
	ID    string      `json:"id"`
	Label string      `json:"label"`
	Role  stat.Role   `json:"role"`
	Total string      `json:"total,omitempty"`
	Codes []stat.Code `json:"codes"`
}

// Periods describes the periods of one frequency.
type Periods struct {
	Frequency string      `json:"frequency"`
	First     stat.Period `json:"first"`
	Last      stat.Period `json:"last"`
	Count     int         `json:"count"`
}

// FlagCount is the number of observations with a flag.
type FlagCount struct {
	Flag  string `json:"flag"`
	Count int    `json:"count"`
}

// Inspect describes what an import of a file would store, without storing it.
func (im *Importer) Inspect(ctx context.Context, path string) []Inspection {
	found, err := im.inspectFile(ctx, path)
	if err != nil {
		return []Inspection{RefusedInspection(path, im.completeReadings(ctx, path, err))}
	}
	return found
}

// RefusedInspection is the inspection of a file that cannot be read.
func RefusedInspection(file string, err error) Inspection {
	o := refusal(file, err)
	return Inspection{File: file, Format: o.Format, Error: o.Error, Readings: o.Readings, Dimensions: []Axis{}, Periods: []Periods{}, Flags: []FlagCount{}, Notes: []stat.Note{}, Preview: []Cell{}}
}

func (im *Importer) inspectFile(ctx context.Context, path string) ([]Inspection, error) {
	raw, err := im.openFile(ctx, path)
	if err != nil {
		return nil, err
	}
	defer raw.Close()
	defer im.dictionaries.discardCurrent()
	defer im.closeTables()
	f, err := im.open(raw)
	if err != nil {
		return nil, err
	}
	if len(f.data) == 0 {
		if _, err := im.readWholeDictionaries(ctx, f.codeLists); err != nil {
			return nil, err
		}
		im.dictionaries.confirmCurrent() // for files inspected later
		return nil, f.errNoData()
	}
	tables, err := im.read(ctx, f)
	if err != nil {
		return nil, err
	}
	if err := im.complete(ctx, tables); err != nil {
		return nil, err
	}
	var found []Inspection
	for _, t := range tables {
		if err := t.draft.Check(ctx, im.publishOptions(t)); err != nil {
			return nil, formatError{t.format, err}
		}
		i := inspectionOf(t)
		if i.Preview, err = previewOf(t); err != nil {
			return nil, formatError{t.format, err}
		}
		found = append(found, i)
	}
	im.dictionaries.confirmCurrent()
	return found, nil
}

func inspectionOf(t *table) Inspection {
	d, sum := t.dataset, t.summary
	i := Inspection{
		File: t.files, Format: t.format, Source: d.Source.ID, Code: d.Code, Name: d.Name, Unit: d.Unit,
		Series: sum.Series, Counts: t.counts(), WithNotes: sum.Notes, Notes: t.report.Notes(),
		Periods: periodsOf(sum.Periods), Flags: []FlagCount{},
	}
	if !d.Updated.IsZero() {
		i.LastUpdate = d.Updated.Format(time.RFC3339)
	}
	if t.stored != nil {
		i.ID, i.Version = t.stored.Dataset.ID, t.stored.Version
	}
	for _, at := range d.SourceOrder() {
		name := fmt.Sprint("dim", at+1)
		if at == len(d.Dimensions) {
			name = "geography"
		}
		axis := d.Axes()[at]
		i.Dimensions = append(i.Dimensions, Axis{Dim: name, ID: axis.ID, Label: axis.Label, Role: axis.Role, Total: axis.Total, Codes: axis.Codes})
	}
	for _, f := range d.Fixed {
		i.Fixed = append(i.Fixed, f.ID+" = "+f.Code.ID)
	}
	for _, flag := range slices.Sorted(maps.Keys(sum.Flags)) {
		i.Flags = append(i.Flags, FlagCount{flag, sum.Flags[flag]})
	}
	return i
}

func periodsOf(all []stat.Period) []Periods {
	groups := make([]Periods, stat.Day+1)
	for _, p := range all {
		g := &groups[p.Frequency()]
		if g.Count == 0 {
			g.Frequency, g.First = p.Frequency().String(), p
		}
		g.Last = p
		g.Count++
	}
	return slices.DeleteFunc(groups, func(g Periods) bool { return g.Count == 0 })
}
