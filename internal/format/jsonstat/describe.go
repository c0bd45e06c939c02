package jsonstat

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"almanac/internal/format"
	"almanac/internal/format/office"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// title is what the dataset calls itself.
func (c *cube) title() string {
	return cmp.Or(strings.TrimSpace(c.meta["label"]), strings.TrimSpace(c.meta["title"]), c.name)
}

// code is the dataset's code by what the file itself says; empty if it does
// not. "dataset" is what many offices call whatever they send.
func (c *cube) code() string {
	name := c.name
	if strings.EqualFold(name, "dataset") {
		name = ""
	}
	return strings.TrimSpace(cmp.Or(c.meta["extension.px.tableid"], c.meta["extension.matrix"], c.meta["extension.id"],
		c.meta["code"], name, fileIn(c.meta["href"])))
}

// fileIn is the name, without its ending, of the .json file that an address
// ends with. What else an address ends with is the language, or "metadata".
func fileIn(address string) string {
	name, isFile := strings.CutSuffix(address[strings.LastIndexByte(address, '/')+1:], ".json")
	if !isFile {
		return ""
	}
	return name
}

// office is who published the dataset. The file names it in a text for
// people: as its name, with the name in it, or by its letters.
func (c *cube) office(stated string) stat.Source {
	if stated != "" {
		return office.Find(stated)
	}
	if c.meta["wsVersion"] != "" {
		return office.Find(eurostat) // of whose service that is a field
	}
	text := strings.TrimSpace(cmp.Or(c.meta["source"], c.meta["extension.agencyId"]))
	named := office.Find(text)
	if named.URL != "" {
		return named
	}
	if s, ok := office.FindIn(text); ok {
		return s
	}
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if s := office.Find(word); s.URL != "" && word == strings.ToUpper(word) {
			return s
		}
	}
	return named
}

// addressOfEurostat is where people see a dataset at Eurostat's own site.
const addressOfEurostat = "https://ec.europa.eu/eurostat/databrowser/product/view/"

// describe fills in what the file says of the dataset as a whole.
func (t *table) describe(in format.Input) {
	c, d := t.cube, t.Dataset
	d.Source, d.Name, d.Updated = c.office(in.Source), c.title(), text.Time(c.meta["updated"], time.UTC)
	t.SetCode(c.code(), in.Code)
	if d.Name == "" || d.Name == c.name {
		d.Name = d.Code
	}
	if ms, err := strconv.ParseInt(c.meta["lastUpdateDate"], 10, 64); err == nil && d.Updated.IsZero() {
		d.Updated = time.UnixMilli(ms).UTC()
	}
	if d.Source.ID == eurostat {
		d.SourceURL = addressOfEurostat + strings.ToLower(d.Code)
	}
	for _, address := range []string{c.meta["explained"], c.meta["extension.px.infofile"]} {
		if d.MetadataURL == "" && strings.HasPrefix(address, "http") {
			d.MetadataURL = address
		}
	}
	var about []string
	for _, text := range append([]string{c.meta["description"], c.meta["extension.px.description"]}, c.notes...) {
		if text = strings.TrimSpace(text); text != "" {
			about = append(about, text)
		}
	}
	for _, id := range c.ids {
		for _, remark := range c.dims[id].remarks {
			about = append(about, cmp.Or(c.dims[id].label, id)+": "+remark)
		}
	}
	d.Description = strings.Join(about, "\n\n")
}

// selection is in what words the file says that it holds less than the whole
// dataset; empty if it does not.
func (c *cube) selection() string {
	whole, err := strconv.Atoi(c.meta["count"])
	if err != nil || whole <= c.value.entries {
		return ""
	}
	return fmt.Sprintf("%d of %d observations", c.value.entries, whole)
}

func (c *cube) dimension(id string) stat.Dimension {
	own := c.dims[id]
	dim := stat.Dimension{ID: id, Label: own.label}
	if dim.Label == id {
		dim.Label = "" // it tells nothing, and the office's dictionary may
	}
	total := cmp.Or(own.total, c.totals[id])
	dim.Codes = make([]stat.Code, len(own.codes))
	for i, code := range own.codes {
		dim.Codes[i] = stat.Code{ID: code, Label: own.labels[code], Unit: own.units[code]}
		if code == total {
			dim.Total = total
		}
	}
	return dim
}

// frequencies are what the codes of a dimension of frequencies mean; 0 for
// those that stand for none. It is nil where the dimension is about something
// else that is called frequency, such as how often people use the internet.
func frequencies(source string, dim *stat.Dimension) []stat.Frequency {
	all := make([]stat.Frequency, len(dim.Codes))
	known := 0
	for i, code := range dim.Codes {
		if f, ok := office.Frequency(source, code.ID); ok {
			all[i] = f
			known++
		}
	}
	if known == 0 && !strings.EqualFold(dim.ID, "freq") {
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
