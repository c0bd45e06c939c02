package importer

import (
	"strings"
	"unicode"

	"almanac/internal/format/office"
	"almanac/internal/geo"
	"almanac/internal/stat"
)

// complete fills in what a file left open of a dataset's structure: labels,
// areas, and what the previous vintage (nil if there is none) says of it. The
// codes that do not occur must be gone already. labelOf is the label of a code
// that has none in the file and in the office's lists.
func (im *Importer) complete(t *table, before *stat.Dataset, labelOf func(dimension, code string) string) {
	d, areas := t.dataset, areasOf(t)
	if before != nil {
		carryOn(d, before)
		for name, text := range before.Curated {
			d.Curate(name, text)
		}
		im.options.override(d) // what this very call says comes last
	}
	d.Name = first(tidyText(d.Name), d.Code)
	d.Source.Name = tidyText(d.Source.Name)
	for i := range d.Dimensions {
		dim := &d.Dimensions[i]
		completeLabels(dim, dimensionOf(before, dim.ID), func(id string) string { return first(labelOf(dim.ID, id), id) })
	}
	completeLabels(&d.Geography, dimensionOf(before, d.Geography.ID), func(id string) string {
		area, _ := geo.ResolveLabelled(areas, id, "")
		if isName(id) {
			area.Name = id // as the office writes it
		}
		return first(labelOf(d.Geography.ID, id), area.Name)
	})
	completeAreas(d, areas, t.report)
}

// isName reports whether a code is a name that stands in a code's place: codes
// of areas have no small letters after their first character.
func isName(id string) bool {
	return len(id) > 3 && strings.ContainsFunc(id[1:], unicode.IsLower)
}

// carryOn takes from the previous vintage the metadata that a file does not
// bring.
func carryOn(d, before *stat.Dataset) {
	d.Source.Name = first(d.Source.Name, before.Source.Name)
	d.Source.URL = first(d.Source.URL, before.Source.URL)
	if d.Name == "" || strings.EqualFold(d.Name, d.Code) {
		d.Name = before.Name
	}
	d.Description = first(d.Description, before.Description)
	d.SourceURL = first(d.SourceURL, before.SourceURL)
	d.MetadataURL = first(d.MetadataURL, before.MetadataURL)
	d.Licence = first(d.Licence, before.Licence)
	d.Attribution = first(d.Attribution, before.Attribution)
}

// areasOf is the source whose code system a dataset's areas have: its own; but
// of a plain table whose office is not listed nothing else can be meant than
// what everybody uses.
func areasOf(t *table) string {
	if isPlain(t.format) && geo.SystemOf(t.dataset.Source.ID) == geo.Own {
		return "local"
	}
	return t.dataset.Source.ID
}

// completeAreas says of every geography code which area it means in the code
// system of a source, or by its label. A code that means none that is known
// stands for itself.
func completeAreas(d *stat.Dataset, areas string, report *stat.Report) {
	for i := range d.Geography.Codes {
		c := &d.Geography.Codes[i]
		if c.Area != "" {
			continue
		}
		area, known := geo.ResolveLabelled(areas, c.ID, first(c.SourceLabel, c.Label))
		if !known {
			report.Add(stat.NoteUnknownArea, 1, c.ID)
			area, _ = geo.Resolve(d.Source.ID, c.ID) // as the source's own code
		}
		c.Area = area.ID
	}
}

// dimensionOf is the dimension of d with an ID, also when it is fixed; the
// zero dimension if there is none.
func dimensionOf(d *stat.Dataset, id string) stat.Dimension {
	if d == nil {
		return stat.Dimension{}
	}
	for _, axis := range d.Axes() {
		if axis.ID == id {
			return *axis
		}
	}
	for _, f := range d.Fixed {
		if f.ID == id {
			return stat.Dimension{ID: f.ID, Label: f.Label, Codes: []stat.Code{f.Code}}
		}
	}
	return stat.Dimension{}
}

// toFix chooses the dimensions that have to leave the key so that no more than
// [stat.MaxDimensions] are left: those that an earlier import fixed, and
// where that is not enough every other one with a single code that was not in
// the key before. The answer is positions among d.Dimensions, ascending.
func toFix(d, before *stat.Dataset, report *stat.Report) ([]int, error) {
	fixed, key := map[string]stat.Code{}, map[string]bool{}
	if before != nil {
		for _, f := range before.Fixed {
			fixed[f.ID] = f.Code
		}
		for _, dim := range before.Dimensions {
			key[dim.ID] = true
		}
	}
	var leave []int
	for i, dim := range d.Dimensions {
		was, remembered := fixed[dim.ID]
		switch {
		case remembered && len(dim.Codes) > 1:
			return nil, stat.Errorf(stat.Refused,
				"dimension %s of %s has %d codes (%s …), but earlier vintages had the single code %s and leave it out of the key: import the file under another code (--code)",
				dim.ID, d.Code, len(dim.Codes), codeList(dim.Codes, 3), was.ID)
		case remembered && dim.Codes[0].ID != was.ID:
			report.Add(NoteFixedChanged, 1, dim.ID+": "+was.ID+" is now "+dim.Codes[0].ID)
			leave = append(leave, i)
		case remembered:
			leave = append(leave, i)
		}
	}
	if len(d.Dimensions)-len(leave) <= stat.MaxDimensions {
		return leave, nil
	}
	leave = leave[:0]
	var several []string
	for i, dim := range d.Dimensions {
		_, remembered := fixed[dim.ID]
		if remembered || len(dim.Codes) == 1 && !key[dim.ID] {
			leave = append(leave, i)
		} else {
			several = append(several, dim.ID)
		}
	}
	if len(several) > stat.MaxDimensions {
		return nil, stat.Errorf(stat.Refused,
			"%s has %d dimensions beside geography and time that need a place in the key (%s), and there are %d places: split the file by the codes of one of them",
			d.Code, len(several), strings.Join(several, ", "), stat.MaxDimensions)
	}
	return leave, nil
}

// codeList names the first n codes.
func codeList(codes []stat.Code, n int) string {
	var ids []string
	for _, c := range codes[:min(n, len(codes))] {
		ids = append(ids, c.ID)
	}
	return strings.Join(ids, ", ")
}

// override replaces what a file says of itself by what the caller says.
func (o *Options) override(d *stat.Dataset) {
	if o.Source != "" {
		if s := office.Find(o.Source); s.ID != d.Source.ID {
			d.Source = s
		}
	}
	d.Code = first(o.Code, d.Code)
	d.Name = first(o.Name, d.Name)
	d.Description = first(o.Description, d.Description)
	d.SourceURL = first(o.SourceURL, d.SourceURL)
	d.MetadataURL = first(o.MetadataURL, d.MetadataURL)
	if !o.Updated.IsZero() {
		d.Updated = o.Updated
	}
}
