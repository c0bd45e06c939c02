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
	"time"
	"unicode/utf8"

	"almanac/internal/chart"
)

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

// newest is the newest value on the page of an area.
type newest struct {
	Period, Label string // as of a point
	Name, Address string
	Flag          flags
}

// Newest is the newest value of the measures and the datasets; nil if there is none.
func (c *areaPage) Newest() (n *newest) {
	for i := range c.Themes {
		for k := range c.Themes[i].Measures {
			if m := &c.Themes[i].Measures[k]; n == nil || comparePeriods(m.Value.Period, n.Period) > 0 {
				n = &newest{m.Value.Period, m.Value.Label, m.Name, m.Address, m.Flag}
			}
		}
	}
	for i := range c.Datasets {
		if d := &c.Datasets[i]; d.Observed != "" && (n == nil || comparePeriods(d.Observed, n.Period) > 0) {
			n = &newest{Period: d.Observed, Label: d.ObservedLabel, Name: d.Title(), Address: d.Shown}
		}
	}
	return n
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
	Of            string // the part that the series is of, such as its ages; empty: the name says it
	Unit, Span    string
	Source        string
	Spark         template.HTML
}

// IsLong reports whether the number needs smaller digits to fit beside other measures.
func (m *measure) IsLong() bool { return utf8.RuneCountInString(m.Text) > 15 }

// areaDataset is a dataset with the years of an area.
type areaDataset struct {
	entry
	Strip         *coverage
	Observed      string // the period of the latest observed value; empty: there is none
	ObservedLabel string // its label, as of a point
	Shown         string // the address of the page with values of the area; empty: there are none
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
	today := p.opts.Now().Format(time.DateOnly)
	c.Lists, c.Area.Groups, c.Area.Members = p.codesOf(&c.Area), currentGroups(current(c.Area.Groups, today)), current(c.Area.Members, today)
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
			list = append(list, areaCode{p.listName(name), code})
		}
	}
	if list == nil {
		list = []areaCode{{"", a.Code}}
	}
	return list
}

// ofOneTime matches the codes of groups as they were at one time: EU15, EA19.
var ofOneTime = regexp.MustCompile(`^[A-Z]+[0-9]`)

// membership is a group of an area, or a member of a group, with the day on which it ended.
type membership struct{ Code, Name, To string }

// current returns the memberships that have not ended.
func current(all []membership, today string) []membership {
	return slices.DeleteFunc(all, func(m membership) bool { return m.To != "" && m.To < today })
}

// currentGroups returns the groups that are not those of one time, each name once.
func currentGroups(all []membership) (some []membership) {
	for _, g := range all {
		isAgain := slices.ContainsFunc(some, func(o membership) bool { return o.Name == g.Name })
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
	if err == nil {
		m.Of, err = p.partOf(from.api(), from.query(area), m.Name)
	}
	return m, err
}

// partOf says which part the series of a measure is of, as its chart says: of which ages, of which sector. It is empty if the name of the
// measure says that.
func (p *page) partOf(dataset string, choice url.Values, name string) (string, error) {
	query := url.Values{"type": {"line"}, "lang": {p.lang.Code}}
	maps.Copy(query, choice)
	spec, err := readValue[*chart.Spec](p, dataset+"/chart.json", query)
	if isRefused(err) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	var parts []string
	fold := func(text string) string { letters, _ := foldLetters(text); return string(letters) }
	for _, part := range spec.Parts() {
		if !strings.Contains(fold(part), fold(name)) && !strings.Contains(fold(name), fold(part)) {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, ", "), nil
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

// addDatasets lists the datasets of the area, with the years of a series that has values for it. Those whose values are the newest come
// first.
func (p *page) addDatasets(c *areaPage) error {
	list, total, err := readCatalogue[entry](p, url.Values{"country": {c.Area.Code}, "sort": {"-latest_period"}, "limit": {strconv.Itoa(datasetsOfArea)}})
	if err != nil {
		return err
	}
	tellApart(list)
	c.Total, c.From, c.To = total, firstYear, p.opts.Now().UTC().Year()
	for _, e := range list {
		one, err := p.datasetOf(e, &c.Area)
		if err != nil {
			return err
		}
		c.Datasets = append(c.Datasets, one)
	}
	slices.SortStableFunc(c.Datasets, func(a, b areaDataset) int {
		return cmp.Or(cmp.Compare(order(a.Observed != ""), order(b.Observed != "")), comparePeriods(b.Observed, a.Observed))
	})
	return nil
}

// datasetOf reads the usual series of a dataset for an area, or another one if only that has values.
func (p *page) datasetOf(e entry, a *area) (one areaDataset, err error) {
	one.entry = e
	s, err := p.readUsual(e.ID, a.Code)
	choice := url.Values{"country": {a.Code}}
	if err == nil && len(s.Points) == 0 {
		var answer struct {
			Latest struct{ Dimensions map[string]string } `json:"latest_period"`
		}
		if err = p.read(e.api()+"/latest", url.Values{"country": {a.Code}, "lang": {p.lang.Code}}, &answer); err == nil {
			maps.Copy(choice, labelsOf(answer.Latest.Dimensions))
			s, err = p.readSeries(e.ID, choice)
		}
	}
	if isRefused(err) { // it has no value of the area, or was removed meanwhile
		return one, nil
	}
	if err != nil {
		return one, err
	}
	one.Strip, one.Shown = p.coverage(s, a.Name), addressWith(e.Address(), choice)
	if latest := s.latest(); latest != nil {
		one.Observed, one.ObservedLabel = latest.Period, latest.Label
	}
	return one, nil
}
