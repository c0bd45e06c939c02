package json

import (
	"math"
	"strings"
	"time"

	"almanac/internal/geo"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// seriesEncoder writes series blocks. It is the innermost loop of the interface, so
// everything that does not depend on the observation is prepared in advance.
type seriesEncoder struct {
	dataset   *stat.Dataset
	rows      []rowText
	iso       []string // `,"period_iso":"2020-Q1","period_start":…` of each period, or nil
	options   SeriesOptions
	transform []byte // `,"transform":"change"` of derived values, or empty
	numbers   numberEncoder

	// areas has the areas of the current block as member names:
	// areas[ends[i-1]:ends[i]] is `,"Germany":` for the i-th.
	areas []byte
	ends  []int
	unit  []byte // `,"unit":"…"`, also with its code, or empty
}

// rowText has the first and last bytes of the rows of a period.
type rowText struct {
	head  string // `{"period":"2020","values":{`
	label string // `,"period_label":"1950-1955"`, mostly empty
}

type rowTextsKey struct{}

// rowTexts returns the texts of the periods of a vintage, built once. The heads share one
// string, because reading scattered memory is slow.
func rowTexts(v *store.Vintage) []rowText {
	return v.Memo(rowTextsKey{}, func() any {
		texts := make([]rowText, len(v.Periods))
		var heads strings.Builder
		ends := make([]int, len(v.Periods))
		for i, p := range v.Periods {
			heads.WriteString(`{"period":"` + p.String() + `","values":{`)
			ends[i] = heads.Len()
			if label := v.Dataset.PeriodLabels[p]; label != "" {
				texts[i].label = string(AppendString([]byte(`,"period_label":`), label))
			}
		}
		start := 0
		for i, end := range ends {
			texts[i].head = heads.String()[start:end]
			start = end
		}
		return texts
	}).([]rowText)
}

type isoTextsKey struct{}

// isoTexts returns the members of rows that have a period in ISO 8601, built once.
func isoTexts(v *store.Vintage) []string {
	return v.Memo(isoTextsKey{}, func() any {
		texts := make([]string, len(v.Periods))
		for i, p := range v.Periods {
			texts[i] = isoMembers(p)
		}
		return texts
	}).([]string)
}

// isoMembers returns the members that have a period in ISO 8601.
func isoMembers(p stat.Period) string {
	return `,"period_iso":"` + p.SDMX() + `","period_start":"` + p.Start().Format(time.DateOnly) + `","period_end":"` + p.End().Format(time.DateOnly) + `"`
}

// SeriesOptions say what series blocks have besides labels and values.
type SeriesOptions struct {
	Flags     bool   // flags and notes
	Codes     bool   // codes beside labels
	ISO       bool   // periods as ISO 8601 writes them, with their first and last days
	Decimals  bool   // how many decimals values have
	Transform string // how values are derived; empty for the office's own
}

// Series writes the series blocks of an extract of v as an array. isEmpty reports whether there
// are no blocks.
func (w *Writer) Series(v *store.Vintage, extract *stat.Extract, o SeriesOptions) (isEmpty bool, err error) {
	e := &w.series
	if e.transform = e.transform[:0]; o.Transform != "" {
		e.transform = AppendString(append(e.transform, `,"transform":`...), o.Transform)
	}
	e.dataset, e.rows, e.iso, e.options = v.Dataset, rowTexts(v), nil, o
	if o.ISO {
		e.iso = isoTexts(v)
	}
	w.Buf = append(w.Buf, '[')
	isEmpty = true
	for block, err := range extract.Blocks {
		if err != nil {
			return false, err
		}
		if !isEmpty {
			w.Buf = append(w.Buf, ',')
		}
		isEmpty = false
		w.Buf = e.appendHead(w.Buf, block)
		for row := range block.Periods {
			if row > 0 {
				w.Buf = append(w.Buf, ',')
			}
			w.Buf = e.appendRow(w.Buf, block, row)
			if err := w.Flush(); err != nil {
				return false, err
			}
		}
		w.Buf = append(w.Buf, ']', '}')
	}
	w.Buf = append(w.Buf, ']')
	return isEmpty, nil
}

// appendHead appends a block up to its first row, and prepares its areas and unit.
func (e *seriesEncoder) appendHead(buf []byte, block *stat.Block) []byte {
	e.areas, e.ends, e.unit = e.areas[:0], e.ends[:0], e.unit[:0]
	if unit := e.dataset.UnitOf(block.Key, block.Unit); unit != "" {
		e.unit = AppendString(append(e.unit, `,"unit":`...), unit)
		if e.options.Codes {
			e.unit = AppendText(e.unit, "unit_code", e.dataset.UnitCodeOf(block.Key, block.Unit))
		}
	}
	buf = append(buf, `{"series_key":{`...)
	buf = appendKey(buf, e.dataset, block.Key, e.options.Codes)
	buf = append(append(buf, '}'), e.transform...)
	buf = append(buf, `,"countries":[`...)
	for i, area := range block.Areas {
		start := len(e.areas)
		e.areas = AppendString(append(e.areas, ','), e.dataset.Geography.Codes[area].Label)
		if i == 0 {
			start++ // the comma
		}
		buf = append(buf, e.areas[start:]...)
		e.areas = append(e.areas, ':')
		e.ends = append(e.ends, len(e.areas))
	}
	buf = append(buf, ']')
	if e.options.Codes {
		buf = appendAreaCodes(buf, e.dataset, block.Areas)
	}
	if n := block.Decimals.Count(); e.options.Decimals && n >= 0 && len(e.transform) == 0 {
		buf = AppendInt(buf, "decimals", int64(n))
	}
	return append(buf, `,"rows":[`...)
}

// areaName returns `,"Germany":` for an area of the block.
func (e *seriesEncoder) areaName(area int32) []byte {
	start := 0
	if area > 0 {
		start = e.ends[area-1]
	}
	return e.areas[start:e.ends[area]]
}

// appendKey appends the JSON members "dim1_value" … of the key of a series, and if wanted
// "dim1_code" beside each.
func appendKey(buf []byte, d *stat.Dataset, key []int32, withCodes bool) []byte {
	for i, code := range key {
		if i > 0 {
			buf = append(buf, ',')
		}
		buf = append(buf, `"dim`...)
		buf = append(buf, byte('1'+i))
		buf = append(buf, `_value":`...)
		buf = AppendString(buf, d.Dimensions[i].Codes[code].Label)
		if withCodes {
			buf = append(append(buf, `,"dim`...), byte('1'+i))
			buf = AppendString(append(buf, `_code":`...), d.Dimensions[i].Codes[code].ID)
		}
	}
	return buf
}

// appendAreaCodes appends the member "country_codes": for each area by its label, its code,
// what available_geo calls it, if that is another, and its ISO 3166-1 alpha-3 code, if it has one.
func appendAreaCodes(buf []byte, d *stat.Dataset, areas []int32) []byte {
	buf = append(AppendName(buf, "country_codes"), '{')
	for _, area := range areas {
		c := &d.Geography.Codes[area]
		buf = append(AppendString(AppendComma(buf), c.Label), ':', '{')
		buf = AppendString(AppendName(buf, "code"), c.ID)
		buf = appendISO(buf, c)
		if alpha3 := geo.AreaOf(d.Source.ID, c.ID, c.Area).Alpha3; alpha3 != "" {
			buf = AppendText(buf, "iso3", alpha3)
		}
		buf = append(buf, '}')
	}
	return append(buf, '}')
}

// appendISO appends the member "iso" of an area: what available_geo calls it, if that is not
// its code.
func appendISO(buf []byte, c *stat.Code) []byte {
	if c.Area == c.ID {
		return buf
	}
	return AppendText(buf, "iso", c.Area)
}

// appendRow appends one row: its values, unit and label, and if wanted the flags
// and notes.
func (e *seriesEncoder) appendRow(buf []byte, block *stat.Block, row int) []byte {
	text := &e.rows[block.Periods[row]]
	buf = append(buf, text.head...)
	from, to := block.RowStart[row], block.RowStart[row+1]
	isFirst := true
	for i := from; i < to; i++ {
		value := block.Value[i]
		if !(math.Abs(value) <= math.MaxFloat64) {
			continue // missing values are left out, and JSON cannot represent infinity
		}
		name := e.areaName(block.Area[i])
		if isFirst {
			name, isFirst = name[1:], false
		}
		buf = append(buf, name...)
		buf = e.numbers.append(buf, value, block.Decimals)
	}
	buf = append(buf, '}')
	buf = append(buf, e.unit...)
	buf = append(buf, text.label...)
	if e.iso != nil {
		buf = append(buf, e.iso[block.Periods[row]]...)
	}
	if e.options.Flags {
		buf = e.appendFlags(buf, block, from, to)
	}
	return append(buf, '}')
}

// appendFlags appends the flags of a row's observations, and the notes on them
// if there are any.
func (e *seriesEncoder) appendFlags(buf []byte, block *stat.Block, from, to int32) []byte {
	buf = append(buf, `,"flags":{`...)
	hasNotes := false
	for i := from; i < to; i++ {
		hasNotes = hasNotes || block.Note[i] != ""
		if block.Flags[i] != "" {
			buf = append(AppendComma(buf), e.areaName(block.Area[i])[1:]...)
			buf = AppendTexts(buf, block.Flags[i].List())
		}
	}
	buf = append(buf, '}')
	if !hasNotes {
		return buf
	}
	buf = append(buf, `,"notes":{`...)
	for i := from; i < to; i++ {
		if block.Note[i] != "" {
			buf = append(AppendComma(buf), e.areaName(block.Area[i])[1:]...)
			buf = AppendTexts(buf, []string{block.Note[i]})
		}
	}
	return append(buf, '}')
}
