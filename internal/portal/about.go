package portal

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"almanac/internal/stat"
)

// facts are what is around a dataset: whether it is kept up to date, its versions and what is related
// to it.
type facts struct {
	Values, Series int
	Versions       []version
	MoreVersions   bool
	Related        []related
	IsUpdated      bool
	Freshness      string
}

// related is a dataset that a reader of another one may want.
type related struct {
	entry
	Why   string
	Shown string // the address of its page with those areas and periods of this page that it has

	areas []string
}

// Numbers of versions and related datasets on a page.
const (
	shownVersions = 5
	shownRelated  = 5
)

// readFacts reads what is around the dataset of the page.
func (p *page) readFacts(c *datasetPage) (facts, error) {
	m := &c.Meta
	var f facts
	var versions struct {
		Data       []version
		Pagination struct{ HasMore bool }
	}
	if err := p.read(c.Selection.api+"/versions", url.Values{"limit": {strconv.Itoa(shownVersions)}}, &versions); err != nil {
		return f, err
	}
	f.Versions, f.MoreVersions = versions.Data, versions.Pagination.HasMore
	for _, v := range versions.Data {
		if v.Version == m.Version {
			f.Values, f.Series = v.Observations, v.Series
		}
	}
	around, err := p.aroundOf(m)
	if isRefused(err) || isUnavailable(err) { // the search is not ready
		err = nil
	}
	f.IsUpdated = around.IsUpdated
	for _, r := range around.related {
		r.Shown = r.with(c.Selection.asked)
		f.Related = append(f.Related, r)
	}
	f.Freshness = p.freshness(m, &around)
	return f, err
}

// with returns the address of the page with those areas of a selection that the dataset has, and its periods, if it has any in them.
func (r *related) with(asked url.Values) string {
	query := url.Values{}
	for _, area := range asked["country"] {
		if contains(r.areas, area) {
			query.Add("country", area)
		}
	}
	isBefore := func(a, b string) bool { return a != "" && b != "" && comparePeriods(a, b) < 0 }
	if !isBefore(r.Latest, asked.Get("period_from")) && !isBefore(asked.Get("period_to"), r.Oldest) {
		for _, name := range []string{"period_from", "period_to"} {
			if asked.Has(name) {
				query.Set(name, asked.Get(name))
			}
		}
	}
	return addressWith(r.Address(), query)
}

// aroundOf returns what the catalogue says of a dataset and its neighbours. It is remembered for a short time.
func (p *page) aroundOf(m *metadata) (around, error) {
	return remember(p.memory, "around "+p.lang.Code+strconv.Itoa(m.ID)+" "+m.Version, shortTime, func() (around, error) { return p.readAround(m) })
}

// around is what the catalogue says of a dataset and its neighbours.
type around struct {
	IsUpdated   bool       `json:"kept_up_to_date"`
	LastChecked *time.Time `json:"last_checked"`
	Topics      []topic
	related     []related
}

type topic struct{ Code, Name string }

// listed is a dataset in the catalogue, with what a neighbour is judged by.
type listed struct {
	entry
	around
	Geography []string `json:"available_geo"`
}

// readAround reads the dataset in the catalogue, and those with the words of its title and of its
// topic.
func (p *page) readAround(m *metadata) (around, error) {
	read := func(query url.Values) ([]listed, error) {
		query.Set("limit", strconv.Itoa(4*shownRelated))
		query.Set("lang", p.lang.Code)
		query.Set("fields", "source,code,periods,available_geo,topics,kept_up_to_date,last_checked")
		var found struct{ Data []listed }
		err := p.read("/api/datasets", query, &found)
		return found.Data, err
	}
	var own around
	byCode, err := read(url.Values{"q": {m.Code}, "source": {m.Source}})
	if err != nil {
		return own, err
	}
	if i := slices.IndexFunc(byCode, func(l listed) bool { return l.ID == m.ID }); i >= 0 {
		own = byCode[i].around
	}
	for _, t := range own.Topics {
		same, err := read(url.Values{"topic": {t.Code}, "sort": {"-latest_period"}})
		if err != nil {
			return own, err
		}
		own.add(p, m, same, p.lang.text("related.topic", "topic", cmp.Or(p.topicName(t.Code), t.Name)))
	}
	title := []rune(m.Title())
	similar, err := read(url.Values{"q": {string(title[:min(len(title), 200)])}})
	similar = slices.DeleteFunc(similar, func(l listed) bool { return !isSimilar(m.Title(), l.Title()) })
	own.add(p, m, similar, p.lang.text("related.title"))
	return own, err
}

// isSimilar reports whether two titles have two long words in common, or the only one of the first.
func isSimilar(a, b string) bool {
	long := func(title string) []string {
		words := strings.FieldsFunc(strings.ToLower(title), func(r rune) bool { return !unicode.IsLetter(r) })
		return slices.DeleteFunc(words, func(word string) bool { return utf8.RuneCountInString(word) < 5 })
	}
	own, others, shared := long(a), long(b), 0
	for i, word := range own {
		if slices.Contains(others, word) && !slices.Contains(own[:i], word) {
			shared++
		}
	}
	return shared >= min(2, max(len(own), 1))
}

// add adds datasets that are related for a reason, those with most areas in common first.
func (a *around) add(p *page, m *metadata, list []listed, why string) {
	shared := make(map[int]int, len(list))
	for _, one := range list {
		shared[one.ID] = common(m.Areas, one.Geography)
	}
	slices.SortStableFunc(list, func(a, b listed) int { return cmp.Compare(shared[b.ID], shared[a.ID]) })
	for _, one := range list {
		isKnown := slices.ContainsFunc(a.related, func(r related) bool { return r.ID == one.ID })
		if one.ID == m.ID || isKnown || len(a.related) == shownRelated {
			continue
		}
		reasons := []string{why}
		if n := shared[one.ID]; n > 1 {
			reasons = append(reasons, p.lang.text("related.areas", "n", n))
		}
		a.related = append(a.related, related{entry: one.entry, areas: one.Geography, Why: strings.Join(reasons, "; ")})
	}
}

// common returns how many texts two lists have in common.
func common(a, b []string) int {
	in := make(map[string]bool, len(a))
	for _, text := range a {
		in[text] = true
	}
	n := 0
	for _, text := range b {
		if in[text] {
			n++
		}
	}
	return n
}

// freshness says in words how old the data are.
func (p *page) freshness(m *metadata, a *around) string {
	if a.IsUpdated {
		if a.LastChecked != nil {
			return p.lang.text("fresh.checked", "day", p.lang.date(*a.LastChecked))
		}
		return p.lang.text("fresh.kept")
	}
	_, end, ok := yearsOf(m.Latest)
	if ok && end < float64(p.opts.Now().Year()) {
		return p.lang.text("fresh.ends", "period", p.lang.period(m.Latest))
	}
	return p.lang.text("fresh.not")
}

// frequency says how often a dataset has values.
func (p *page) frequency(m *metadata) string {
	var names []string
	for _, name := range m.Frequencies {
		names = append(names, p.lang.frequency(name, m.Annual))
	}
	return strings.Join(names, ", ")
}

// frequency returns the text of a frequency by its code or name in the interface. Not every year need have values: annual then says how
// often there are any, as the interface has it.
func (l *language) frequency(name, annual string) string {
	isAnnual := name == stat.Annual.Code() || name == stat.Annual.String()
	switch {
	case !isAnnual || annual == "":
		return l.textOr("frequency."+name, name)
	case annual == stat.OccasionalAnnual:
		return l.text("frequency.years")
	}
	return l.text("frequency.apart", "n", strings.TrimPrefix(annual, stat.Annual.Code()))
}
