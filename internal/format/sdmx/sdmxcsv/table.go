package sdmxcsv

import (
	"fmt"
	"slices"
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/format/sdmx"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// table is a dataset being read.
type table struct {
	*file
	*sdmx.Table

	dimensions []column
	time       *column  // nil: the caller states the period
	values     []column // and their bounds
	attributes []column
	isGuess    bool // no structure is known

	style   text.Style
	numbers []sdmx.Number // of the current record
	updated string        // the last text of a time of update
	text    []byte        // of the current period
}

// newTable returns the dataset that begins with the current record.
func (f *file) newTable() (*table, error) {
	t := &table{file: f}
	agency, code, title := f.identity(f.name)
	assembled := assemble.New(f.ctx, f.in.Name)
	assembled.Report.Merge(&f.encoding)
	f.encoding = stat.Report{}
	d := assembled.Dataset
	d.Source, d.Name = sdmx.FindOffice(f.in.Source, agency), title
	assembled.SetCode(code, f.in.Code)
	if f.nameAt >= 0 {
		d.Name = strings.Clone(f.cell(f.nameAt))
	}
	// Eurostat has files whose headings are IDs and whose cells are "ID: label".
	f.hasLabels = f.hasLabels || title != ""
	if c := f.column("FREQ"); c != nil && f.kind == version1 {
		cell := f.cells[c.at]
		f.hasLabels = f.hasLabels || len(cell) > 3 && cell[1:3] == ": "
	}
	return t, t.makeTable(assembled)
}

// makeTable decides what the columns are and makes the dimensions and attributes.
func (t *table) makeTable(assembled *assemble.Table) (err error) {
	d := assembled.Dataset
	known := t.in.Known(d.Source.ID).Structure(d.Code)
	if err := t.chooseColumns(d.Source.ID, known); err != nil {
		return err
	}
	var dims []stat.Dimension
	var ids []string
	for _, c := range t.dimensions {
		dims = append(dims, stat.Dimension{ID: c.id, Label: c.label, Role: c.role})
		ids = append(ids, c.id)
	}
	if err := t.findStyle(assembled.Report); err != nil {
		return err
	}
	if t.Table, err = sdmx.NewTable(assembled, &t.in, known, dims, t.measures()); err != nil {
		return err
	}
	noTime := stat.BadFile(stat.Position{Line: 1}, "none of the columns %s holds periods: state the period of the whole file", t.ids())
	if t.Observation.Period, err = t.FilePeriod(t.time != nil, t.in.Period, noTime); err != nil {
		return err
	}
	if t.isGuess {
		t.NoteGuess(ids)
	}
	t.makeAttributes()
	return nil
}

// makeAttributes finds a place for the attributes. Only the first unit and the first
// multiplier count.
func (t *table) makeAttributes() {
	isUnit := func(c column) bool { return assemble.AttributeOf(c.id) == assemble.AttributeUnit }
	has := map[assemble.Attribute]bool{assemble.AttributeUnit: slices.ContainsFunc(t.dimensions, isUnit)}
	for i := range t.attributes {
		c := &t.attributes[i]
		kind := assemble.AttributeOf(c.id)
		isOnce := kind == assemble.AttributeUnit || kind == assemble.AttributeMultiplier
		if kind == assemble.AttributeOther || isOnce && has[kind] {
			continue
		}
		has[kind] = true
		c.attribute = t.Attribute(c.id)
		if strings.EqualFold(c.id, "OBS_FLAG") {
			c.attribute.List = "obs_flag"
		}
		if c.hasSeveral && t.valueSep != 0 {
			c.attribute.Separators = string(t.valueSep)
		}
	}
}

// measures returns the dimension that tells the columns of numbers apart; nil for one.
func (t *table) measures() *stat.Dimension {
	t.numbers = make([]sdmx.Number, len(t.values))
	var codes []stat.Code
	for _, c := range t.values {
		if c.isBound {
			return new(assemble.Estimates())
		}
		codes = append(codes, stat.Code{ID: c.id, Label: c.label})
	}
	return sdmx.Measures(codes)
}

// findStyle decides how numbers are written. In files with commas between cells they
// have a decimal point; other files may come from a country with decimal commas.
func (t *table) findStyle(report *stat.Report) error {
	t.style = sdmx.PlainStyle
	if t.in.Decimal == "" && t.sep == ',' {
		return nil
	}
	s, err := t.survey()
	if err != nil {
		return err
	}
	if t.style, err = s.style.Style(t.in.Decimal); err == nil && t.style != sdmx.PlainStyle {
		report.Add(stat.NoteNumberStyle, 1, fmt.Sprintf("decimal sign %q", t.style.Decimal))
	}
	return err
}
