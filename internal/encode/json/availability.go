package json

import (
	"cmp"
	"iter"

	"almanac/internal/geo"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// Availability writes what still gives data under a selection, in the form of
// [Writer.Dimensions] without the codes that give none, and without the last brace of the
// object.
func (w *Writer) Availability(d *stat.Dataset, a *store.Availability) error {
	w.Buf = append(w.Buf, `{"selection":{`...)
	w.Buf = append(appendAvailable(w.Buf, &a.Selected), `},"dimensions":[`...)
	for i := range d.Dimensions {
		dim := &d.Dimensions[i]
		w.beginDimension(i, dim)
		if err := w.availableCodes(dim.Codes, a.Codes[i], nil); err != nil {
			return err
		}
		w.Buf = append(w.Buf, '}')
	}
	w.Buf = append(w.Buf, `],"geography":`...)
	var more func(buf []byte, i int) []byte
	if a.Coverage != nil {
		names := NamesBesideLabels(d)
		more = func(buf []byte, i int) []byte {
			buf = AppendText(buf, "name", names[i].Name)
			buf = AppendText(AppendText(buf, "country", names[i].Country), "country_name", names[i].CountryName)
			return appendCoverage(buf, a.Coverage[i])
		}
	}
	return w.availableCodes(d.Geography.Codes, a.Codes[len(d.Dimensions)], more)
}

// availableCodes writes the codes that give data. more appends further members of a code; nil: there
// are none.
func (w *Writer) availableCodes(codes []stat.Code, available []store.Available, more func(buf []byte, i int) []byte) error {
	w.Buf = append(w.Buf, '[')
	isFirst := true
	for i, c := range codes {
		if available[i].Series == 0 {
			continue
		}
		if !isFirst {
			w.Buf = append(w.Buf, ',')
		}
		isFirst = false
		w.Buf = appendISO(AppendString(append(w.Buf, `{"code":`...), c.ID), &c)
		w.Buf = AppendString(append(w.Buf, `,"label":`...), c.Label)
		if len(c.Parents) > 0 {
			w.Buf = AppendTexts(append(w.Buf, `,"parents":`...), c.Parents)
		}
		w.Buf = appendAvailable(w.Buf, &available[i])
		if more != nil {
			w.Buf = more(w.Buf, i)
		}
		w.Buf = append(w.Buf, '}')
		if err := w.Flush(); err != nil {
			return err
		}
	}
	w.Buf = append(w.Buf, ']')
	return nil
}

func appendAvailable(buf []byte, a *store.Available) []byte {
	buf = AppendInt(buf, "series", int64(a.Series))
	buf = AppendInt(buf, "observations", int64(a.Observations))
	buf = AppendText(buf, "oldest_period", periodText(a.Oldest))
	return AppendText(buf, "latest_period", periodText(a.Newest))
}

// periodText returns a period as rows have it, empty if it is zero.
func periodText(p stat.Period) string {
	if p.IsZero() {
		return ""
	}
	return p.String()
}

// appendCoverage appends the spans of an area as pairs of periods.
func appendCoverage(buf []byte, spans []store.PeriodSpan) []byte {
	buf = append(AppendName(buf, "coverage"), '[')
	for _, s := range spans {
		buf = AppendTexts(AppendComma(buf), []string{s.First.String(), s.Last.String()})
	}
	return append(buf, ']')
}

// BesideLabel is what names an area beside its label.
type BesideLabel struct {
	Name                 string // a short name; empty: the label is it
	Country, CountryName string // the code and the name of the country of a region; empty for other areas
}

// NamesBesideLabels returns what names the areas of a dataset beside their labels.
func NamesBesideLabels(d *stat.Dataset) []BesideLabel {
	beside := make([]BesideLabel, len(d.Geography.Codes))
	names, countries := namesInUse(d), countriesOfRegions(d)
	for i := range beside {
		beside[i].Name = names[i]
		if country := countries[i]; country != nil {
			name, _ := geo.NameFor(country.ID, d.Language)
			beside[i].Country, beside[i].CountryName = country.ID, cmp.Or(name, country.Name)
		}
	}
	return beside
}

// namesInUse returns the short names of areas, empty where that is the label or where two areas
// would have the same.
func namesInUse(d *stat.Dataset) []string {
	names, count := make([]string, len(d.Geography.Codes)), map[string]int{}
	for i, c := range d.Geography.Codes {
		names[i] = nameInUse(d, i)
		count[cmp.Or(names[i], c.Label)]++
	}
	beside := geo.NamesBeside(areasOf(d))
	for i, c := range d.Geography.Codes {
		if count[names[i]] > 1 || beside[c.Area] != "" && d.Base != nil { // the label tells it apart
			names[i] = ""
		} else if name := beside[c.Area]; name != "" && names[i] != "" {
			names[i] = name
		}
	}
	return names
}

// areasOf yields the areas of a dataset by their IDs.
func areasOf(d *stat.Dataset) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, c := range d.Geography.Codes {
			if !yield(c.Area) {
				return
			}
		}
	}
}

// nameInUse returns the short name of an area in the language of the dataset's texts, empty if that
// is the label.
func nameInUse(d *stat.Dataset, i int) string {
	own := &d.Geography.Codes[i]
	if d.Base != nil {
		own = &d.Base.Geography.Codes[i]
	}
	name := geo.NameInUse(own.Area, own.Label)
	if d.Base == nil {
		if name == own.Label {
			return ""
		}
		return name
	}
	if english, _ := geo.NameFor(own.Area, "en"); name == own.Label && (english != own.Label || d.Geography.Codes[i].Label != own.Label) { // translated, or no such name
		return ""
	}
	if name, ok := geo.NameFor(own.Area, d.Language); ok && name != d.Geography.Codes[i].Label {
		return name
	}
	return ""
}

// countriesOfRegions returns the country of each area that is a region; nil for other areas.
func countriesOfRegions(d *stat.Dataset) []*geo.Entry {
	countries, wholes := make([]*geo.Entry, len(d.Geography.Codes)), map[string]geo.Whole{}
	for i, c := range d.Geography.Codes {
		e, ok := geo.FindEntry(c.Area)
		if !ok || e.Kind != geo.Region || e.Country() == nil {
			continue
		}
		country := e.Country()
		whole, isKnown := wholes[country.ID]
		if !isKnown {
			whole = geo.WholeOf(country.ID)
			wholes[country.ID] = whole
		}
		if whole.Has(d.Source.ID, c.Area) { // as the parameter within
			countries[i] = country
		}
	}
	return countries
}
