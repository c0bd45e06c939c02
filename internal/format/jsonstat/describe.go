package jsonstat

import (
	"cmp"
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"
	"unicode"

	"almanac/internal/format"
	"almanac/internal/format/office"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// describe sets the metadata of the dataset as a whole.
func (t *reader) describe(in format.Input) {
	c, d := t.cube, t.Dataset
	d.Source, d.Name, d.Updated = c.office(in.Source), c.title(), text.Time(c.meta["updated"], time.UTC)
	if d.Source.ID == "" {
		d.Attribution = c.meta["source"]
	}
	d.Language = stat.LanguageTag(c.meta["extension.px.language"])
	t.SetCode(c.code(), in.Code)
	if d.Name == "" || d.Name == c.name {
		d.Name = d.Code
	}
	if ms, err := strconv.ParseInt(c.meta["lastUpdateDate"], 10, 64); err == nil && d.Updated.IsZero() {
		d.Updated = time.UnixMilli(ms).UTC()
	}
	if d.Source.ID == eurostat {
		d.SourceURL = office.EurostatPage(d.Code)
	}
	for _, address := range []string{c.meta["explained"], c.meta["extension.px.infofile"]} {
		if d.MetadataURL == "" && strings.HasPrefix(address, "http") {
			d.MetadataURL = address
		}
	}
	var parts []string
	for _, text := range append([]string{c.meta["description"], c.meta["extension.px.description"]}, c.notes...) {
		if text = strings.TrimSpace(text); text != "" {
			parts = append(parts, text)
		}
	}
	for _, dim := range c.order {
		for _, remark := range dim.remarks {
			parts = append(parts, cmp.Or(dim.label, dim.id)+": "+remark)
		}
	}
	d.Description = strings.Join(parts, "\n\n")
	// A selection holds less than the whole dataset.
	if whole, err := strconv.Atoi(c.meta["count"]); err == nil && whole > c.values.entries {
		t.Selection(fmt.Sprintf("%d of %d observations", c.values.entries, whole), c.code(), in.Code)
	}
}

func (c *cube) title() string {
	return cmp.Or(strings.TrimSpace(c.meta["label"]), strings.TrimSpace(c.meta["title"]), c.name)
}

// code returns the code that the file has for the dataset, empty if there is none. Many
// offices call every dataset "dataset".
func (c *cube) code() string {
	name := c.name
	if strings.EqualFold(name, "dataset") {
		name = ""
	}
	file, isFile := strings.CutSuffix(path.Base(c.meta["href"]), ".json")
	if !isFile { // the address ends with the language, or with "metadata"
		file = ""
	}
	return strings.TrimSpace(cmp.Or(c.meta["extension.px.tableid"], c.meta["extension.matrix"], c.meta["extension.id"], c.meta["code"], name, file))
}

// office returns the publisher of the dataset. The file names it in a text for readers: its
// name, with that of a survey in tables of PxWeb, or a sentence with its name or initials.
// A sentence does not make all numbers those of a national office's country, so that
// such a dataset needs a geography of its own.
func (c *cube) office(stated string) stat.Source {
	if stated != "" {
		return office.Find(stated)
	}
	if c.meta["wsVersion"] != "" {
		return office.Find(eurostat) // a field of Eurostat's service
	}
	text := strings.TrimSpace(cmp.Or(c.meta["source"], c.meta["extension.agencyId"]))
	if s, isWhole := office.FindFirst(text); office.IsListed(s) && (isWhole || c.meta["extension.px.tableid"] != "") {
		return s
	}
	found, ok := office.FindIn(text)
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if s := office.Find(word); !ok && office.IsListed(s) && word == strings.ToUpper(word) {
			found, ok = s, true
		}
	}
	switch {
	case !ok:
		return office.Find(text)
	case len(c.roles["geo"]) == 0 && !office.IsInternational(found):
		return stat.Source{}
	}
	return found
}

// stat returns the dimension of the dataset; total is the cube's code of its total, if
// any.
func (d *dimension) stat(total string) stat.Dimension {
	dim := stat.Dimension{ID: d.id, Label: d.label, Codes: make([]stat.Code, len(d.codes))}
	if dim.Label == d.id {
		dim.Label = "" // leaves the label to the office's dictionary
	}
	total = cmp.Or(d.total, total)
	for i, code := range d.codes {
		dim.Codes[i] = stat.Code{ID: code, Label: cmp.Or(d.labels[code], d.unitLabels[code]), Unit: d.units[code], Parents: d.parents[code]}
		if code == total {
			dim.Total = total
		}
	}
	return dim
}

// frequencies returns the frequencies of the codes of a dimension, 0 for unknown
// codes. It is nil for a dimension about another kind of frequency, such as how
// often people use the internet.
func frequencies(source string, dim *stat.Dimension) []stat.Frequency {
	all := make([]stat.Frequency, len(dim.Codes))
	isAny := strings.EqualFold(dim.ID, "freq")
	for i, code := range dim.Codes {
		f, ok := office.Frequency(source, code.ID)
		all[i], isAny = f, isAny || ok
	}
	if !isAny {
		return nil
	}
	return all
}

// badFrequency refuses values at a frequency that cannot be stored.
func badFrequency(at stat.Position, code stat.Code) error {
	content := fmt.Sprintf("%q", text.Clip(code.ID))
	if code.Label != "" {
		content += fmt.Sprintf(" (%s)", text.Clip(code.Label))
	}
	return stat.BadFile(at, "there are values with the frequency %s, which cannot be stored; known are annual, half-yearly, quarterly, monthly, weekly and daily", content)
}
