package portal

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// selection is what a page of a dataset shows: the reader's choices, completed by the usual ones.
type selection struct {
	Meta   *metadata
	View   string
	Sort   string
	Pick   []picker
	Areas  areaPicker
	From   string
	To     string
	Values int // with a value
	Usual  bool

	api    string     // address of the dataset in the interface: "/api/datasets/7"
	page   string     // address of its page
	asked  url.Values // the reader's choices, as in the address
	codes  url.Values // dim1 … dim8 of what is shown
	places []string   // country of what is shown
}

// picker chooses a value of a dimension.
type picker struct {
	Dim, Label string
	Options    []option
	Chosen     []string // labels
}

// areaPicker chooses areas.
type areaPicker struct {
	Options []option
	Chosen  int
	Have    int // areas with values
}

// option is a value that can be chosen, with the number of values that it leaves.
type option struct {
	Code, Label string
	Count       int
	IsChosen    bool
	Oldest      string
	Latest      string

	iso string
}

// isAmong reports whether a list of codes has the area of the option.
func (o *option) isAmong(codes []string) bool {
	return slices.Contains(codes, o.Code) || o.iso != "" && slices.Contains(codes, o.iso)
}

// axis is a dimension or the geography in responses of the interface.
type axis struct {
	Dim, ID, Label, Role string
	Values               []axisValue
}

type axisValue struct {
	Code, ISO, Label string
	Observations     int
	Oldest           string `json:"oldest_period"`
	Latest           string `json:"latest_period"`
}

// available is the response of /availability, and of /dimensions without counts.
type available struct {
	Selection  struct{ Observations, Series int }
	Dimensions []axis
	Geography  []axisValue
}

// filters are the parameters of a page that select values. They have the names of the interface.
var filters = []string{"dim1", "dim2", "dim3", "dim4", "dim5", "dim6", "dim7", "dim8", "country", "within", "period", "period_from", "period_to", "version", "as_of"}

// readSelection reads the choices of the address, and which other ones there are.
func (p *page) readSelection(m *metadata, query url.Values) (*selection, error) {
	s := &selection{Meta: m, api: "/api/datasets/" + strconv.Itoa(m.ID), page: m.address(), asked: without(only(query, filters...)), View: query.Get("view"), Sort: query.Get("sort")}
	if !slices.Contains([]string{"line", "bar", "ranking", "map", "table"}, s.View) {
		s.View = "line"
	}
	s.From, s.To = s.asked.Get("period_from"), s.asked.Get("period_to")
	s.places = s.asked["country"]
	s.codes = url.Values{}
	for name, label := range m.DefaultSeries {
		if dim, ok := strings.CutSuffix(name, "_value"); ok {
			s.codes[dim] = []string{label}
		}
	}
	for name, values := range s.asked {
		if strings.HasPrefix(name, "dim") {
			s.codes[name] = values
		}
	}
	var all, left available
	edition := only(s.asked, "version", "as_of")
	edition.Set("lang", p.lang.Code)
	if err := p.read(s.api+"/dimensions", edition, &all); err != nil {
		return nil, err
	}
	s.nameCodes(all.Dimensions)
	query = s.query()
	query.Set("lang", p.lang.Code)
	if err := p.read(s.api+"/availability", query, &left); err != nil {
		return nil, err
	}
	s.Values = left.Selection.Observations
	s.offer(&all, &left)
	return s, nil
}

// without returns a query without empty values, which forms send for empty fields.
func without(query url.Values) url.Values {
	for name, values := range query {
		values = slices.DeleteFunc(slices.Clone(values), func(v string) bool { return strings.TrimSpace(v) == "" })
		if query[name] = values; len(values) == 0 {
			delete(query, name)
		}
	}
	return query
}

// nameCodes replaces labels in the choices by their codes.
func (s *selection) nameCodes(dimensions []axis) {
	for _, d := range dimensions {
		for i, chosen := range s.codes[d.Dim] {
			at := slices.IndexFunc(d.Values, func(v axisValue) bool { return v.Label == chosen })
			if at >= 0 {
				s.codes[d.Dim] = slices.Clone(s.codes[d.Dim])
				s.codes[d.Dim][i] = d.Values[at].Code
			}
		}
	}
}

// offer lists the values that can be chosen, with what each leaves.
func (s *selection) offer(all, left *available) {
	counts := map[string]map[string]axisValue{"": byCode(left.Geography)}
	for _, d := range left.Dimensions {
		counts[d.Dim] = byCode(d.Values)
	}
	for _, d := range all.Dimensions {
		if len(d.Values) < 2 {
			continue
		}
		one := picker{Dim: d.Dim, Label: d.Label}
		for _, v := range d.Values {
			o := newOption(v, counts[d.Dim])
			o.IsChosen = o.isAmong(s.codes[d.Dim])
			if one.Options = append(one.Options, o); o.IsChosen {
				one.Chosen = append(one.Chosen, o.Label)
			}
		}
		s.Pick = append(s.Pick, one)
	}
	for _, v := range all.Geography {
		o := newOption(v, counts[""])
		o.IsChosen = o.isAmong(s.places)
		if s.Areas.Options = append(s.Areas.Options, o); o.Count > 0 {
			s.Areas.Have++
		}
	}
	s.arrangeAreas()
}

func byCode(values []axisValue) map[string]axisValue {
	codes := make(map[string]axisValue, len(values))
	for _, v := range values {
		codes[v.Code] = v
	}
	return codes
}

func newOption(v axisValue, counts map[string]axisValue) option {
	left := counts[v.Code]
	return option{Code: v.Code, Label: v.Label, Count: left.Observations, Oldest: left.Oldest, Latest: left.Latest, iso: v.ISO}
}

// arrangeAreas puts the chosen areas on top.
func (s *selection) arrangeAreas() {
	s.Areas.Chosen = 0
	for i := range s.Areas.Options {
		if s.Areas.Options[i].IsChosen {
			s.Areas.Chosen++
		}
	}
	slices.SortStableFunc(s.Areas.Options, func(a, b option) int {
		switch {
		case a.IsChosen == b.IsChosen:
			return 0
		case a.IsChosen:
			return -1
		}
		return 1
	})
}

// takeAreas takes the areas that a chart shows in colour, if the reader has chosen none.
func (s *selection) takeAreas(d *description) {
	if len(s.places) > 0 || s.asked.Has("within") {
		return
	}
	for _, one := range append(slices.Clone(d.Series), d.Categories...) {
		if one.Area != "" && (one.InColour || len(d.Categories) > 0) {
			s.places = append(s.places, one.Area)
		}
	}
	for i := range s.Areas.Options {
		o := &s.Areas.Options[i]
		o.IsChosen = o.isAmong(s.places)
	}
	s.arrangeAreas()
}

// chosen returns the parameters of the interface for the reader's choices and the usual values
// of dimensions.
func (s *selection) chosen() url.Values {
	q := url.Values{}
	for name, values := range s.asked {
		q[name] = values
	}
	for name, values := range s.codes {
		q[name] = values
	}
	return q
}

// query returns the parameters of the interface for what is shown.
func (s *selection) query() url.Values {
	q := s.chosen()
	if len(s.places) > 0 {
		q["country"] = s.places
	}
	return q
}

// with returns the address of the page with a parameter changed; an empty value removes it.
func (s *selection) with(name, value string) string {
	q := url.Values{}
	for name, values := range s.asked {
		q[name] = values
	}
	q.Set("view", s.View)
	q.Set("sort", s.Sort)
	q.Set(name, value)
	if q.Get("view") == "line" {
		q.Del("view")
	}
	q = without(q)
	if len(q) == 0 {
		return s.page
	}
	return s.page + "?" + q.Encode()
}

// Hidden are the choices of the page that its form of pickers must keep.
func (s *selection) Hidden() []link {
	var kept []link
	for _, name := range []string{"view", "version", "as_of", "within"} {
		for _, value := range s.asked[name] {
			kept = append(kept, link{name, value})
		}
	}
	if s.View != "line" {
		kept = append(kept, link{"view", s.View})
	}
	return kept
}

// Reset is the address of the page without choices.
func (s *selection) Reset() string { return s.page }

// InVersion is the address of the page with the data of a version.
func (s *selection) InVersion(version string) string { return s.with("version", version) }
