package portal

import (
	"cmp"
	"html/template"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/collate"
)

// area is an area of the directory.
type area struct {
	Code, Kind, Name string
	Codes            map[string]string
	Datasets         int
	Groups           []areaName
	PartOf           *areaName `json:"part_of"`
	Members          []areaName
	OfficialName     string `json:"official_name"`

	Lists string // whose codes it has, if another area of the index has the same name
}

// Address is that of the page of the area.
func (a *area) Address() string { return areaAddress(a.Code) }

func areaAddress(code string) string { return "/areas/" + url.PathEscape(code) }

// maxAreas is the number of areas of a kind that a page lists.
const maxAreas = 1000

// areasHere returns the areas of a kind that datasets here have, by name: all, or the parts of an area.
func (p *page) areasHere(kind, within string) ([]area, error) {
	var answer struct{ Data []area }
	query := url.Values{"kind": {kind}, "here": {"true"}, "limit": {strconv.Itoa(maxAreas)}, "lang": {p.lang.Code}}
	if within != "" {
		query.Set("within", within)
	}
	if err := p.read("/api/areas", query, &answer); err != nil {
		return nil, err
	}
	answer.Data = slices.DeleteFunc(answer.Data, func(a area) bool { return a.Code == within })
	order := collate.New(p.lang.tag)
	slices.SortStableFunc(answer.Data, func(a, b area) int { return order.CompareString(a.Name, b.Name) })
	return answer.Data, nil
}

// mostCovered returns the n areas with the most datasets, in the order in which they are.
func mostCovered(areas []area, n int) []area {
	if len(areas) <= n {
		return areas
	}
	counts := []int{}
	for _, a := range areas {
		counts = append(counts, a.Datasets)
	}
	slices.SortFunc(counts, func(a, b int) int { return cmp.Compare(b, a) })
	least, more := counts[n-1], 0 // of those with the least number, as many as have room
	for _, count := range counts[:n] {
		if count == least {
			more++
		}
	}
	var some []area
	for _, a := range areas {
		if a.Datasets == least {
			more--
		}
		if a.Datasets > least || a.Datasets == least && more >= 0 {
			some = append(some, a)
		}
	}
	return some
}

// areaIndex is the content of the page of all areas.
type areaIndex struct {
	Kinds []*areaKind
}

type areaKind struct {
	Number int
	Name   string
	Areas  []area
}

// IsLong reports whether the list is behind a control.
func (k *areaKind) IsLong() bool { return len(k.Areas) > 300 }

// areas is the page of all areas that datasets here have.
func (p *page) areas() error {
	p.reader = p.opts.Aside
	if q := strings.TrimSpace(p.r.URL.Query().Get("q")); q != "" { // the form that finds an area
		p.redirect(areaAddress(q), http.StatusSeeOther)
		return nil
	}
	c := &areaIndex{}
	n := 0
	p.Title, p.Trail = p.lang.text("areas.title"), []link{{p.lang.text("nav.areas"), ""}}
	within := p.r.URL.Query().Get("within")
	if within != "" {
		var of struct{ Area area }
		if err := p.read("/api/areas/"+url.PathEscape(within), url.Values{"lang": {p.lang.Code}}, &of); err != nil {
			return err
		}
		within, p.Title = of.Area.Code, p.lang.text("areas.within", "area", of.Area.Name)
		p.Trail = []link{{p.lang.text("nav.areas"), "/areas"}, {of.Area.Name, of.Area.Address()}, {p.lang.text("area.parts"), ""}}
	}
	for _, kind := range []string{"country", "group", "former", "region"} {
		list, err := p.areasHere(kind, within)
		if err != nil {
			return err
		}
		if len(list) > 0 {
			if err := p.tellAreasApart(list); err != nil {
				return err
			}
			n += len(list)
			c.Kinds = append(c.Kinds, &areaKind{len(c.Kinds) + 1, p.lang.text("areas." + kind), list})
		}
	}
	p.template, p.Section, p.Content = "areas", "areas", c
	p.Aside = p.lang.text("areas", "n", n)
	return nil
}

// tellAreasApart says of areas of one name whose lists of codes they are from. The world of one office has other countries than that
// of another, so they are different areas.
func (p *page) tellAreasApart(list []area) error {
	count := map[string]int{}
	for _, a := range list {
		count[a.Name]++
	}
	if len(count) == len(list) {
		return nil
	}
	all, err := p.allSources()
	if err != nil {
		return err
	}
	names := map[string]string{}
	for _, s := range all {
		names[s.ID] = s.Name
	}
	for i := range list {
		if count[list[i].Name] == 1 {
			continue
		}
		var lists []string
		for _, id := range slices.Sorted(maps.Keys(list[i].Codes)) {
			lists = append(lists, cmp.Or(names[id], strings.ToUpper(id)))
		}
		list[i].Lists = cmp.Or(strings.Join(lists, ", "), p.lang.text("areas.unlisted"))
	}
	return nil
}

// areaPage is the content of the page of an area.
type areaPage struct {
	Area     area
	Lists    []areaCode
	Total    int // datasets
	Themes   []theme
	Datasets []areaDataset
	Flags    []flagName
	From, To int
	Number   int // of the section with all datasets
	Parts    int // regions of it that datasets here have
}

// Newest is the measure with the newest value; nil if there is none.
func (c *areaPage) Newest() (newest *measure) {
	for i := range c.Themes {
		for k := range c.Themes[i].Measures {
			if m := &c.Themes[i].Measures[k]; newest == nil || m.Value.at > newest.Value.at {
				newest = m
			}
		}
	}
	return newest
}

// areaCode is a code of an area, and in which lists it is.
type areaCode struct{ Lists, Code string }

// theme is a part of the page of an area: measures of one subject.
type theme struct {
	Number   int
	Name     string
	Measures []measure
}

// measure is a series of an area with its latest value.
type measure struct {
	Name, Address string
	Value         *point
	Text          string
	Flag          flags
	Unit, Span    string
	Source        string
	Spark         template.HTML
}

// IsLong reports whether the number needs smaller digits to fit beside other measures.
func (m *measure) IsLong() bool { return utf8.RuneCountInString(m.Text) > 15 }

// areaDataset is a dataset with the years of an area.
type areaDataset struct {
	entry
	Strip *coverage
}

// themes are the measures of the page of an area, in the order in which it shows them.
var themes = []struct {
	name     string
	concepts []string
}{
	{"people", []string{"population", "fertility-rate", "life-expectancy", "infant-mortality", "old-age-dependency", "net-migration-rate", "urban-population", "population-density"}},
	{"work", []string{"unemployment-rate", "youth-unemployment-rate", "employment-rate", "neet-rate", "participation-rate", "gini", "tertiary-enrolment", "research-expenditure"}},
	{"economy", []string{"gdp-growth", "gdp-per-capita-volume", "gdp", "inflation", "government-debt", "government-balance", "current-account", "real-effective-exchange-rate"}},
	{"energy", []string{"renewable-energy", "co2-per-capita", "greenhouse-gases", "physicians", "hospital-beds", "health-expenditure", "under-five-mortality", "road-deaths"}},
}

// Numbers of things on the page of an area.
const (
	maxMeasures    = 8 // of a theme
	datasetsOfArea = 30
)

// area is the page of an area: measures by theme, each with its latest value, and all datasets.
func (p *page) area() error {
	var answer struct{ Area area }
	if err := p.read("/api/areas/"+url.PathEscape(p.r.PathValue("area")), url.Values{"lang": {p.lang.Code}}, &answer); err != nil {
		return err
	}
	c := &areaPage{Area: answer.Area}
	if own := c.Area.Address(); p.r.URL.EscapedPath() != own {
		p.redirect(own, http.StatusMovedPermanently)
		return nil
	}
	p.reader = p.opts.Aside
	c.Lists, c.Area.Groups = p.codesOf(&c.Area), currentGroups(c.Area.Groups)
	if err := p.addThemes(c); err != nil {
		return err
	}
	if err := p.addDatasets(c); err != nil {
		return err
	}
	if c.Area.Kind == "country" {
		parts, err := p.areasHere("region", c.Area.Code)
		if err != nil {
			return err
		}
		c.Parts = len(parts)
	}
	p.template, p.Section, p.Title, p.Content = "area", "areas", c.Area.Name, c
	p.Trail = []link{{p.lang.text("nav.areas"), "/areas"}}
	if above := c.Area.PartOf; above != nil {
		p.Trail = append(p.Trail, link{above.Name, areaAddress(above.Code)})
	}
	p.Trail, p.Aside = append(p.Trail, link{c.Area.Name, ""}), p.lang.text("area.aside")
	return nil
}

// codesOf returns the codes of an area that people know, without those that repeat one.
func (p *page) codesOf(a *area) (list []areaCode) {
	for _, name := range []string{"iso2", "iso3", "m49", "eurostat", "nuts", "iso3166_2", "imf"} {
		code := a.Codes[name]
		if code != "" && !slices.ContainsFunc(list, func(c areaCode) bool { return c.Code == code }) {
			list = append(list, areaCode{p.lang.textOr("list."+name, listNames[name]), code})
		}
	}
	if list == nil {
		list = []areaCode{{"", a.Code}}
	}
	return list
}

// ofOneTime matches the codes of groups as they were at one time: EU15, EA19.
var ofOneTime = regexp.MustCompile(`^[A-Z]+[0-9]`)

// currentGroups returns the groups that are not those of one time, each name once.
func currentGroups(all []areaName) (some []areaName) {
	for _, g := range all {
		isAgain := slices.ContainsFunc(some, func(o areaName) bool { return o.Name == g.Name })
		if !isAgain && !ofOneTime.MatchString(g.Code) {
			some = append(some, g)
		}
	}
	return some
}

// listNames are the names of lists of codes that need one, the same in all languages.
var listNames = map[string]string{"eurostat": "Eurostat", "nuts": "NUTS"}

// addThemes adds the measures that the area has.
func (p *page) addThemes(c *areaPage) error {
	all, err := p.concepts(url.Values{"country": {c.Area.Code}})
	if err != nil {
		return err
	}
	for _, t := range themes {
		one := theme{Name: p.lang.text("theme." + t.name)}
		for _, id := range t.concepts {
			at := slices.IndexFunc(all, func(k concept) bool { return k.ID == id })
			if at < 0 || len(one.Measures) == maxMeasures {
				continue
			}
			m, err := p.measure(&all[at], c.Area.Code)
			if err != nil {
				return err
			}
			if m == nil {
				continue
			}
			one.Measures = append(one.Measures, *m)
			c.Flags = p.lang.addFlags(c.Flags, m.Flag)
		}
		if one.Measures != nil {
			one.Number = len(c.Themes) + 1
			c.Themes = append(c.Themes, one)
		}
	}
	c.Number = len(c.Themes) + 1
	return nil
}

// measure reads a measure of an area from the source whose last observed value is the newest; nil if none has one.
func (p *page) measure(k *concept, area string) (m *measure, err error) {
	var best *series
	var from *conceptSeries
	for i := range k.Series {
		s, err := p.readSeries(k.Series[i].ID, k.Series[i].query(area))
		if isRefused(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if s.latest() != nil && (best == nil || s.latest().at > best.latest().at) {
			best, from = s, &k.Series[i]
		}
	}
	if best == nil {
		return nil, nil
	}
	latest := best.latest()
	m = &measure{
		Name: k.Label, Address: from.page(area), Value: latest, Text: p.lang.number(latest.Value.String()),
		Flag: newFlags(latest.Flags), Source: p.lang.office(cmp.Or(from.SourceName, from.Source)), Spark: best.spark(),
	}
	m.Span = p.lang.span(best.Points[0].Period, best.Points[len(best.Points)-1].Period)
	m.Unit, err = p.unitOf(from.api(), best.Unit, from.query(area))
	if key := "unit." + k.Unit; best.Unit == countCode || strings.EqualFold(m.Unit, p.languages[0].textOr(key, "")) {
		m.Unit = p.lang.textOr(key, m.Unit)
	}
	return m, err
}

// countCode is Eurostat's unit of what is counted one by one: persons, of a population.
const countCode = "NR"

// unitCode matches a unit that has only a code: CLV_PCH_PRE.
var unitCode = regexp.MustCompile(`^[A-Z0-9_]*$`)

// unitOf is the unit of a series: as the source states it, or if it states none in words as the chart of the dataset at an address of
// the interface names it.
func (p *page) unitOf(dataset, stated string, choice url.Values) (string, error) {
	if !unitCode.MatchString(stated) {
		return stated, nil
	}
	query := url.Values{"type": {"line"}, "lang": {p.lang.Code}}
	maps.Copy(query, choice)
	var chart description
	if err := p.read(dataset+"/chart.json", query, &chart); err != nil && !isRefused(err) {
		return "", err
	}
	return cmp.Or(chart.ValuesUnit, chart.Unit, stated), nil
}

// addDatasets lists the datasets of the area by their last periods, with the years of their usual series.
func (p *page) addDatasets(c *areaPage) error {
	list, total, err := readCatalogue[entry](p, url.Values{"country": {c.Area.Code}, "sort": {"-latest_period"}, "limit": {strconv.Itoa(datasetsOfArea)}})
	if err != nil {
		return err
	}
	tellApart(list)
	c.Total, c.From, c.To = total, firstYear, p.opts.Now().UTC().Year()
	for _, e := range list {
		one := areaDataset{entry: e}
		s, err := p.readUsual(e.ID, c.Area.Code)
		if err != nil && !isRefused(err) {
			return err
		}
		if s != nil {
			one.Strip = p.coverage(s, c.Area.Name)
			if latest := s.latest(); latest != nil {
				one.Latest = latest.Period
			}
		}
		c.Datasets = append(c.Datasets, one)
	}
	return nil
}
