package importer

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"almanac/internal/stat"
)

// parts are datasets that wait, each with all its parts that have come so far.
type parts struct{ tables []*table }

// add takes in a table: as the next part of a dataset that is there already, or
// as a dataset of its own.
func (p *parts) add(t *table) error {
	for _, first := range p.tables {
		if first.key() == t.key() {
			return first.join(t)
		}
	}
	p.tables = append(p.tables, t)
	return nil
}

// take hands out what has waited.
func (p *parts) take() []*table {
	tables := p.tables
	p.tables = nil
	return tables
}

// join adds another part of the dataset.
func (t *table) join(next *table) error {
	at, err := sameCodes(t.dataset, next.dataset)
	if err != nil {
		return err
	}
	if err := t.writer.Append(next.writer, at); err != nil {
		return err
	}
	t.values += next.values
	t.report.Merge(next.report)
	if !strings.Contains(t.file, next.file) {
		t.file += ", " + next.file
	}
	if next.dataset.Updated.After(t.dataset.Updated) {
		t.dataset.Updated = next.dataset.Updated
	}
	for period, label := range next.dataset.PeriodLabels {
		if t.dataset.PeriodLabels == nil {
			t.dataset.PeriodLabels = map[stat.Period]string{}
		}
		t.dataset.PeriodLabels[period] = label
	}
	t.dataset.Undated = append(t.dataset.Undated, next.dataset.Undated...)
	t.shares = append(t.shares, next.shares...)
	switch {
	case t.partial != "" && next.partial != "" && whole(t.shares):
		t.partial = ""
	case t.partial != "" && next.partial != "":
		t.partial += "; " + next.partial
	default:
		t.partial += next.partial
	}
	return nil
}

// whole reports whether shares make up all that there is.
func whole(shares []stat.Share) bool {
	sort.Slice(shares, func(i, j int) bool { return shares[i].First < shares[j].First })
	next := 1
	for _, s := range shares {
		if s.First > next || s.Of != shares[0].Of {
			return false
		}
		next = max(next, s.Last+1)
	}
	return len(shares) > 0 && next > shares[0].Of
}

// sameCodes says for each code of a part, axis by axis, which code of the
// dataset it is; new ones are appended to the dataset. The error says that the
// structures differ, so that the two are not parts of one dataset.
func sameCodes(d, part *stat.Dataset) ([][]int32, error) {
	axes, theirs := d.Axes(), part.Axes()
	if !slices.EqualFunc(axes, theirs, func(a, b *stat.Dimension) bool { return a.ID == b.ID && a.Role == b.Role }) || d.Unit != part.Unit {
		return nil, stat.Errorf(stat.Refused, "two parts of dataset %s have different structures (%s and %s): import them under different codes (--code)",
			d.Code, structureText(d), structureText(part))
	}
	at := make([][]int32, len(axes))
	for i, axis := range axes {
		position := make(map[string]int32, len(axis.Codes))
		for n, c := range axis.Codes {
			position[c.ID] = int32(n)
		}
		for _, c := range theirs[i].Codes {
			n, ok := position[c.ID]
			if !ok {
				n = int32(len(axis.Codes))
				axis.Codes = append(axis.Codes, c)
			} else if axis.Codes[n].Label == "" {
				axis.Codes[n].Label = c.Label
			}
			at[i] = append(at[i], n)
		}
	}
	return at, nil
}

// structureText names the axes of a dataset: "FREQ, SEX, geo".
func structureText(d *stat.Dataset) string {
	var ids []string
	for _, axis := range d.Axes() {
		ids = append(ids, axis.ID)
	}
	text := strings.Join(ids, ", ")
	if d.Unit != "" {
		text += fmt.Sprintf(" in %s", d.Unit)
	}
	return text
}
