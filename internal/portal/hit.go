package portal

import (
	"cmp"
	"html/template"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/collate"

	"almanac/internal/chart/caption"
	"almanac/internal/stat"
)

// hit is a dataset that was found.
type hit struct {
	ID           int
	Source       string
	SourceName   string `json:"source_name"`
	Code         string `json:"dataset_code"`
	Name         string `json:"dataset_name"`
	Theme        string // its place in the office's list
	Here         bool
	CanBeBrought bool `json:"can_be_brought"`
	Frequency    string
	Annual       string `json:"annual_frequency"` // see [language.frequency]
	Oldest       string `json:"oldest_period"`
	Latest       string `json:"latest_period"`
	Areas        int
	Observations int
	Value        *latestValue  `json:"latest"`
	Others       []latestValue `json:"latest_others"` // of the other areas that the question names
	NoLatest     string        `json:"no_latest"`
	Coverage     []struct{ Area, Status string }
	Concept      struct{ ID, Label string }
	AlsoFrom     []sameMeasure `json:"also_from"`
	Selection    string        // the parameters that select what the question names
	Found        []found

	isForeign bool // NoLatest is English on a page in another language

	Title   template.HTML // with the words that matched marked
	Reasons []template.HTML
	Lacks   []template.HTML // areas of the page that it does not have
	Strip   *coverage
	Spark   template.HTML
	Address string // of the page of the dataset; empty: it is not here

	// If it is not here:
	OfficePage string // of the dataset; empty: unknown
	OfficeSite string // likewise
	SameHere   []link // datasets here that measure the same
}

// sameMeasure is a dataset of another source that measures the same as a hit.
type sameMeasure struct {
	ID     int // 0: it is not here
	Source string
	Code   string `json:"dataset_code"`
	Name   string `json:"dataset_name"`

	Selection string // see [hit]
}

// latestValue is the latest value of the usual series of a dataset.
type latestValue struct {
	Area   areaName
	Period string
	Label  string `json:"period_label"` // the office's text of the period if it says more
	Value  number
	Unit   string
	Flags  []string
	// Forecast says that the value is a forecast or a projection.
	Forecast bool
	Concept  string            // of the dataset, if the value is of it
	Series   map[string]string `json:"dimensions"`

	Chosen []string // the labels of Series because of the question, which the usual series does not have
}

// FlagText is the flags as tables have them.
func (v *latestValue) FlagText() flags { return newFlags(v.Flags) }

type areaName struct{ Code, Name string }

// found is why a dataset was found.
type found struct{ Field, Asked, Text, Kind string }

// complete adds what the page shows of a hit besides what the search says: why it was found, and the values of the area.
func (p *page) complete(h *hit, areas []areaName) error {
	var inTitle []string
	for _, f := range h.Found {
		if f.Field == "title" {
			inTitle = append(inTitle, f.Text)
		}
	}
	h.Title = mark(h.Name, inTitle)
	h.Reasons = p.reasons(h)
	p.addCoverage(h, areas)
	h.NoLatest, h.isForeign = p.translated(h.NoLatest)
	h.NoLatest = upperFirst(h.NoLatest)
	h.SourceName = cmp.Or(h.SourceName, h.Source)
	if h.Frequency != "" {
		h.Frequency = p.lang.frequency(h.Frequency, h.Annual)
	}
	if h.Address = h.page(); h.Address == "" {
		p.addWays(h)
		return nil
	}
	area := h.firstOf(areas)
	if h.Value != nil {
		h.Value.Chosen = h.chosen()
		for i := range h.Others {
			h.Others[i].Area = p.areaName(h.Others[i].Area)
		}
	}
	var s *series
	var err error
	switch {
	case h.Value != nil:
		choice := labelsOf(h.Value.Series)
		choice.Set("country", h.Value.Area.Code)
		if area.Code != h.Value.Area.Code {
			area = p.areaName(h.Value.Area)
		}
		h.Value.Area = area
		s, err = p.readSeries(h.ID, choice)
	case area.Code != "":
		s, err = p.readUsual(h.ID, area.Code)
	default:
		return nil
	}
	if isRefused(err) {
		return nil // it was removed or replaced meanwhile
	}
	if err != nil {
		return err
	}
	h.Strip = p.coverage(s, area.Name)
	if h.Value != nil {
		h.Spark = s.spark()
		if at := slices.IndexFunc(s.Points, func(o point) bool { return o.Period == h.Value.Period }); at >= 0 {
			h.Value.Value = s.Points[at].Value
		}
	}
	return nil
}

// isNamedBy reports whether a question is nothing but the code of a hit, also behind its source: eurostat:une_rt_m.
func (h *hit) isNamedBy(question string) bool {
	return strings.EqualFold(question, h.Code) || strings.EqualFold(question, h.Source+":"+h.Code)
}

// firstOf returns the first of the areas of a page that a hit has itself.
func (h *hit) firstOf(areas []areaName) areaName {
	for i, a := range areas[:min(len(areas), len(h.Coverage))] {
		if h.Coverage[i].Status == "known" {
			return a
		}
	}
	return areaName{}
}

// chosen returns the labels of the values of dimensions that are shown because of the question. If the value is not known to be of a concept, those
// that make it a part of what the title says follow: the exports to one country.
func (h *hit) chosen() (labels []string) {
	if h.Value == nil {
		return nil
	}
	selected, _ := url.ParseQuery(h.Selection) // of the interface
	for _, dim := range filters[:8] {
		label := h.Value.Series[dim+"_value"]
		if selected.Has(dim) || h.Value.Concept == "" && h.isPart(label) {
			labels = append(labels, label)
		}
	}
	return labels
}

// isPart reports whether a label of the series says more than the title, that it is of everything, its area, unit and frequency.
func (h *hit) isPart(label string) bool {
	for f := stat.Annual; f <= stat.Day; f++ {
		if strings.EqualFold(label, f.String()) || label == f.Code() {
			return false
		}
	}
	isTold := strings.Contains(strings.ToLower(h.Name), strings.ToLower(label)) || label == h.Value.Area.Code || strings.EqualFold(label, h.Value.Unit)
	return !isTold && !caption.IsFiller(label)
}

// maxSameHere is the number of datasets here that a hit names which is not here.
const maxSameHere = 2

// addWays says of a dataset that is not here where it is, and which datasets here measure the same.
func (p *page) addWays(h *hit) {
	h.OfficePage, h.OfficeSite = p.officePage(h.Source, h.Code, h.Theme), p.officeSite(h.Source)
	for _, o := range h.AlsoFrom {
		if o.ID != 0 && len(h.SameHere) < maxSameHere {
			h.SameHere = append(h.SameHere, link{h.nameOf(&o), pageWith(o.ID, o.Code, o.Selection)})
		}
	}
}

// nameOf returns the title of a dataset that measures the same as a hit, or if it has none the name of what it measures.
func (h *hit) nameOf(o *sameMeasure) string {
	if title := titleOf(o.Source, o.Code, o.Name); !strings.EqualFold(title, o.Code) {
		return title
	}
	return cmp.Or(h.Concept.Label, o.Code)
}

// officePage is [Options.OfficePage].
func (p *page) officePage(source, code, theme string) string {
	if p.opts.OfficePage == nil {
		return ""
	}
	return p.opts.OfficePage(source, code, theme)
}

// officeSite is [Options.OfficeSite].
func (p *page) officeSite(source string) string {
	if p.opts.OfficeSite == nil {
		return ""
	}
	return p.opts.OfficeSite(source)
}

// OfficePage returns the address of the page that the office's site has for the dataset; empty if it is not known. The one that the
// dataset states may be only that of the site.
func (p *page) OfficePage(m metadata) string {
	if m.SourceURL != "" && strings.TrimSuffix(m.SourceURL, "/") != p.officeSite(m.Source) && !isSite(m.SourceURL) {
		return m.SourceURL
	}
	return p.officePage(m.Source, m.Code, "")
}

// OfficeSite returns the address of the office's site; empty if it is not known.
func (p *page) OfficeSite(m metadata) string { return cmp.Or(m.SourceURL, p.officeSite(m.Source)) }

// isSite reports whether an address has nothing after the host.
func isSite(address string) bool {
	u, err := url.Parse(address)
	return err == nil && strings.Trim(u.Path, "/")+u.RawQuery+u.Fragment == ""
}

// page is the address of the page of the dataset with what the question names; empty if it is not here.
func (h *hit) page() string {
	if h.ID == 0 {
		return ""
	}
	return pageWith(h.ID, h.Code, h.Selection)
}

// pageOf is the address of the page with what the question names for one area.
func (h *hit) pageOf(area string) string {
	query, _ := url.ParseQuery(h.Selection)
	query.Del("within")
	query.Set("country", area)
	return pageWith(h.ID, h.Code, query.Encode())
}

// pageWith is the address of the page of a dataset with a selection of the interface.
func pageWith(id int, code, selection string) string {
	query, _ := url.ParseQuery(selection)
	return addressWith((&metadata{ID: id, Code: code}).address(), query)
}

// reasons says where the words of the question were found.
func (p *page) reasons(h *hit) []template.HTML {
	var list []template.HTML
	for _, f := range h.Found {
		if _, ok := p.lang.texts["found."+f.Field]; !ok || f.Field == "area" { // see addCoverage
			continue
		}
		words := f.Text
		if f.Field == "title" {
			words = p.asIn(h.Name, f.Text)
		}
		text := template.HTML("<b>" + template.HTMLEscapeString(words) + "</b>")
		if f.Kind == "synonym" || f.Kind == "typo" || f.Kind == "broader" {
			text = p.lang.html("found.for", "text", text, "asked", p.asTyped(f.Asked))
		}
		list = append(list, p.lang.html("found."+f.Field, "text", text))
	}
	return list
}

// addCoverage says which areas of the page the dataset has, and which it lacks. If it has none of them, its value is of another
// place of the same name, which stands beside it.
func (p *page) addCoverage(h *hit, areas []areaName) {
	has := func(c struct{ Area, Status string }) bool { return c.Status != "lacking" && c.Status != "unlikely" }
	isNamesake := h.Value != nil && !slices.ContainsFunc(h.Coverage, has)
	for i, c := range h.Coverage[:min(len(areas), len(h.Coverage))] {
		key := "found.area." + c.Status
		if _, ok := p.lang.texts[key]; !ok || isNamesake {
			continue
		}
		text := p.lang.html(key, "text", template.HTML("<b>"+template.HTMLEscapeString(areas[i].Name)+"</b>"))
		if has(c) {
			h.Reasons = append(h.Reasons, text)
		} else {
			h.Lacks = append(h.Lacks, text)
		}
	}
}

// Foreign is the language of NoLatest; empty: that of the page.
func (h *hit) Foreign() string {
	if h.isForeign {
		return "en"
	}
	return ""
}

// areaName returns an area with its name in the language of the page, or as it is if the directory does not have it.
func (p *page) areaName(a areaName) areaName {
	var found struct{ Area areaName }
	if err := p.read("/api/areas/"+url.PathEscape(a.Code), url.Values{"lang": {p.lang.Code}}, &found); err == nil {
		a.Name = found.Area.Name
	}
	return a
}

// asTyped writes words of the question as the reader typed them.
func (p *page) asTyped(words string) string { return p.asIn(p.Query, words) }

// maxBetween is how many words that the search leaves out, such as "per" and "of the", may stand between those of a phrase.
const maxBetween = 3

// asIn writes words as a text has them: with the accents, capitals and words between them that the search leaves out.
func (p *page) asIn(text, words string) string {
	same := collate.New(p.lang.tag, collate.Loose)
	list, spans := strings.Fields(words), wordsIn.FindAllStringIndex(text, -1)
	for i := range spans {
		k := 0
		for j := i; j < len(spans) && k < len(list) && j-i-k <= maxBetween; j++ {
			if same.CompareString(list[k], text[spans[j][0]:spans[j][1]]) == 0 {
				k++
			} else if k == 0 {
				break
			}
			if k == len(list) {
				return text[spans[i][0]:spans[j][1]]
			}
		}
	}
	for i, word := range list {
		for _, span := range spans {
			if one := text[span[0]:span[1]]; same.CompareString(word, one) == 0 {
				list[i] = one
			}
		}
	}
	return strings.Join(list, " ")
}

// wordsIn matches a word: letters, their accents, and digits.
var wordsIn = regexp.MustCompile(`[\pL\pM\pN]+`)
