package portal

import (
	"html/template"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// homePage is the content of the first page.
type homePage struct {
	Datasets int
	Values   int
	Newest   []entry
	Areas    []area
	Sources  []source
	Figure   *figure
	Try      []link
}

// Offices is the number of offices of datasets here.
func (c *homePage) Offices() int { return countOffices(c.Sources, idOf) }

// entry is a dataset of the catalogue.
type entry struct {
	ID           int
	Name         string `json:"dataset_name"`
	Code         string `json:"dataset_code"`
	Source       string
	SourceName   string `json:"source_name"`
	Oldest       string `json:"oldest_period"`
	Latest       string `json:"latest_period"`
	Areas        int
	Observations int

	isAmbiguous bool // another one of the list has the same title
}

// Address is that of the page of the dataset.
func (e *entry) Address() string { return (&metadata{ID: e.ID, Code: e.Code}).address() }

// api is the address of the dataset in the interface.
func (e *entry) api() string { return "/api/datasets/" + strconv.Itoa(e.ID) }

// Title is that of [metadata.Title], with the code if the list has another dataset of this title.
func (e *entry) Title() string {
	title := titleOf(e.Source, e.Code, e.Name)
	if e.isAmbiguous {
		title += " (" + e.Code + ")"
	}
	return title
}

// tellApart marks the datasets of a list whose title others have too.
func tellApart(list []entry) {
	byTitle := map[string][]*entry{}
	for i := range list {
		byTitle[list[i].Title()] = append(byTitle[list[i].Title()], &list[i])
	}
	for _, same := range byTitle {
		for _, e := range same {
			e.isAmbiguous = len(same) > 1
		}
	}
}

// figure is a chart outside of the page of its dataset.
type figure struct {
	Address   string
	Described description
	Chart     template.HTML
}

// Numbers of things on the first page.
const (
	newestOnHome = 10
	areasOnHome  = 36
)

// home is the first page: the question, a figure, what is newest, areas and sources.
func (p *page) home() error {
	p.reader = p.opts.Aside
	c := &homePage{}
	var err error
	if c.Newest, c.Datasets, err = p.newest(); err != nil {
		return err
	}
	if c.Sources, err = p.sourcesHere(); err != nil {
		return err
	}
	for _, one := range c.Sources {
		c.Values += one.Observations
	}
	areas, err := p.areasHere("country", "")
	if err != nil {
		return err
	}
	c.Areas = mostCovered(areas, areasOnHome)
	if c.Figure, err = p.liveFigure(); err != nil {
		return err
	}
	if c.Try, err = remember(p.memory, "try "+p.lang.Code, shortTime, p.suggested); err != nil && !isUnavailable(err) {
		return err
	}
	p.Feed = "/feed"
	p.template, p.IsHome, p.Title, p.Content = "home", true, p.lang.text("home"), c
	return nil
}

// suggested are the questions of the first page that find a dataset here.
func (p *page) suggested() (some []link, err error) {
	for query := range strings.SplitSeq(p.lang.text("home.try.queries"), "; ") {
		asked := url.Values{"q": {query}, "here": {"here"}, "lang": {p.lang.Code}, "limit": {"1"}}
		var found struct{ Pagination struct{ Total int } }
		if err := p.read("/api/search", asked, &found); err != nil {
			return nil, err
		}
		if found.Pagination.Total > 0 {
			some = append(some, link{query, "/search?" + url.Values{"q": {query}}.Encode()})
		}
	}
	return some, nil
}

// readCatalogue reads a page of the list of datasets.
func readCatalogue[T any](p *page, query url.Values) (list []T, total int, err error) {
	query.Set("fields", "source,code,periods,areas,observations,version,kept_up_to_date")
	query.Set("lang", p.lang.Code)
	var answer struct {
		Data       []T
		Pagination struct{ Total int }
	}
	err = p.read("/api/datasets", query, &answer)
	return answer.Data, answer.Pagination.Total, err
}

// newest returns the datasets with the last periods that are no forecasts, those without a title after the others.
func (p *page) newest() (list []entry, total int, err error) {
	if list, total, err = readCatalogue[entry](p, url.Values{"sort": {"-latest_period"}, "limit": {strconv.Itoa(3 * newestOnHome)}}); err != nil {
		return nil, 0, err
	}
	today := yearOf(p.opts.Now())
	for i := range list {
		e := &list[i]
		if _, end, ok := yearsOf(e.Latest); !ok || end <= today {
			continue
		}
		var observed struct {
			Latest struct{ Period string } `json:"latest_period"`
		}
		err := p.read("/api/datasets/"+strconv.Itoa(e.ID)+"/latest", url.Values{"latest_mode": {"observed"}}, &observed)
		if err != nil && !isRefused(err) {
			return nil, 0, err
		}
		e.Latest = observed.Latest.Period
	}
	slices.SortStableFunc(list, func(a, b entry) int {
		if isUntitled := a.Title() == a.Code; isUntitled != (b.Title() == b.Code) {
			if isUntitled {
				return 1
			}
			return -1
		}
		return comparePeriods(b.Latest, a.Latest)
	})
	tellApart(list)
	return list[:min(len(list), newestOnHome)], total, nil
}

// comparePeriods compares the ends of periods; one that cannot be read is the earliest.
func comparePeriods(a, b string) int {
	_, endA, _ := yearsOf(a)
	_, endB, _ := yearsOf(b)
	switch {
	case endA < endB:
		return -1
	case endA > endB:
		return 1
	}
	return 0
}

// liveMeasures are the measures of the figure on the first page, of which it has the first that is here.
var liveMeasures = []string{"renewable-energy", "unemployment-rate", "life-expectancy", "co2-per-capita", "gdp-per-capita-volume", "population"}

// liveFigure draws the first of some measures that is here; nil if none is.
func (p *page) liveFigure() (*figure, error) {
	measures, err := p.concepts(url.Values{"concept": liveMeasures})
	if err != nil {
		return nil, err
	}
	for _, id := range liveMeasures {
		at := slices.IndexFunc(measures, func(c concept) bool { return c.ID == id })
		if at < 0 {
			continue
		}
		s := measures[at].Series[0]
		f := &figure{Address: s.page("")}
		query := s.query("")
		query.Set("type", "line")
		query.Set("lang", p.lang.Code)
		query.Set("pageStyle", "true")
		err := p.read(s.api()+"/chart.json", query, &f.Described)
		if isRefused(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for name, value := range map[string]string{"plain": "true", "theme": "light", "background": "transparent", "width": "380", "height": "300"} {
			query.Set(name, value)
		}
		picture, err := p.get(s.api()+"/chart.svg", query)
		if err != nil {
			return nil, err
		}
		f.Chart = template.HTML(picture)
		return f, nil
	}
	return nil, nil
}
