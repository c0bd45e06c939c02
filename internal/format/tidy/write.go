package tidy

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"time"

	"almanac/internal/stat"
)

// Write writes a dataset as a tidy file that reads back as the same dataset and
// observations, without what the importer and the store add to a dataset (its ID,
// fixed dimensions, dropped labels, a default). The caller must not pass codes that
// the dataset lacks, or texts that the format cannot hold, such as a code that ends
// with a space.
func Write(w io.Writer, d *stat.Dataset, observations []stat.Observation) error {
	if d.Code == "" || d.Source.ID == "" {
		return errors.New("the dataset has no Code or no Source.ID, which a tidy file needs")
	}
	axes, attributes := fileAxes(d), usedAttributes(observations)
	records := headerRecords(d, axes, len(observations))
	var names []string
	for _, a := range axes {
		names = append(names, a.dim.ID)
	}
	names = append(names, colPeriod, colValue)
	for _, a := range attributes {
		names = append(names, a.column)
	}
	records = append(records, names)
	for i, o := range observations {
		record, err := rowRecord(d, axes, o)
		if err != nil {
			return fmt.Errorf("observation %d: %w", i+1, err)
		}
		for _, a := range attributes {
			record = append(record, a.text(o))
		}
		records = append(records, record)
	}
	return csv.NewWriter(w).WriteAll(records)
}

// fileAxis is an axis of the file, with its place in the key.
type fileAxis struct {
	dim *stat.Dimension
	key int
}

// fileAxes returns the axes in the source's order, including the geography.
func fileAxes(d *stat.Dataset) (axes []fileAxis) {
	all := d.Axes()
	for _, key := range d.SourceOrder() {
		if all[key].ID != "" { // of a dataset without a geography it is empty
			axes = append(axes, fileAxis{all[key], key})
		}
	}
	return axes
}

func headerRecords(d *stat.Dataset, axes []fileAxis, rows int) [][]string {
	records := [][]string{{magic, version}}
	add := func(name string, cells ...string) {
		if cells[0] != "" {
			records = append(records, trimEnd(append([]string{name}, cells...)))
		}
	}
	add("#source", d.Source.ID, d.Source.Name, d.Source.URL)
	add("#dataset", d.Code, d.Name)
	for _, name := range []string{"description", "source_url", "metadata_url", "licence", "attribution"} {
		add("#"+name, *d.Text(name))
	}
	add("#unit", d.Unit)
	if !d.Updated.IsZero() {
		add("#updated", d.Updated.Format(time.RFC3339Nano))
	}
	add("#rows", strconv.Itoa(rows))
	for _, a := range axes {
		switch a.dim.Role {
		case stat.RoleGeo:
			add("#geography", a.dim.ID, a.dim.Label)
		case stat.RoleOther:
			add("#dimension", a.dim.ID, a.dim.Label)
		default:
			add("#dimension", a.dim.ID, a.dim.Label, string(a.dim.Role))
		}
		for _, c := range a.dim.Codes {
			add("#code", c.ID, c.Label, c.Unit)
		}
		add("#total", a.dim.Total)
	}
	return records
}

func rowRecord(d *stat.Dataset, axes []fileAxis, o stat.Observation) ([]string, error) {
	var record []string
	for _, a := range axes {
		position := o.Key[a.key]
		if position < 0 || int(position) >= len(a.dim.Codes) {
			return nil, fmt.Errorf("%q has no code at position %d", a.dim.ID, position)
		}
		record = append(record, a.dim.Codes[position].ID)
	}
	record = append(record, cmp.Or(d.PeriodLabels[o.Period], o.Period.SDMX()))
	value := ""
	if !math.IsNaN(o.Value) {
		value = strconv.FormatFloat(o.Value, 'f', -1, 64)
	}
	return append(record, value), nil
}

type attribute struct {
	column string
	text   func(stat.Observation) string
}

// usedAttributes returns the optional columns that are not empty.
func usedAttributes(observations []stat.Observation) []attribute {
	all := []attribute{
		{colStatus, func(o stat.Observation) string { status, _ := o.Flags.Split(); return status }},
		{colConf, func(o stat.Observation) string { _, conf := o.Flags.Split(); return conf }},
		{colNote, func(o stat.Observation) string { return o.Note }},
		{colUnit, func(o stat.Observation) string { return o.Unit }},
	}
	return slices.DeleteFunc(all, func(a attribute) bool {
		return !slices.ContainsFunc(observations, func(o stat.Observation) bool { return a.text(o) != "" })
	})
}
