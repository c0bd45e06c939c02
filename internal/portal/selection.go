package portal

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/stat"
	"almanac/internal/store"
)

// selection is what a page of a dataset shows: the reader's choices, completed by the usual ones.
type selection struct {
	Meta    *metadata
	View    string
	Sort    string
	Pick    []picker
	Areas   areaPicker
	Period  string
	From    string
	To      string
	Values  int // with a value
	Series  int
	Unknown []unknown // what the reader chose and the dataset does not have

	api      string                // address of the dataset in the interface: "/api/datasets/7"
	page     string                // address of its page
	lang     string                // the language of the page
	asked    url.Values            // the reader's choices, as in the address
	codes    url.Values            // dim1 … dim8 of what is shown
	usual    url.Values            // dim1 … dim8 of what is shown without a choice
	places   []string              // country of what is shown
	offered  *available            // all codes of the dataset
	areas    map[string]*leftValue // those with values, by code
	isRanked bool                  // the chart has bars of one period, and chooses their areas as a ranking does
	shown    store.PeriodSpan      // the first and the last period with a value

	canFollow bool   // people can sign in
	sel       string // see page.sel
}

// filters are the parameters of a page that select values, in the order in which addresses have
// them. They have the names of the interface.
var filters = []string{"dim1", "dim2", "dim3", "dim4", "dim5", "dim6", "dim7", "dim8", "country", "within", "aggregates", "transform", "period", "period_from", "period_to", "version", "as_of"}

// furtherFilters begin the names of parameters that select values in another way than by naming
// them.
var furtherFilters = []string{"not.", "like.", "below."}

// arrangements are the parameters of a page that say how the selection is shown. Those that people write come first.
var arrangements = []string{"view", "sort", "lang", "use", "all", "many", "find", "key", "done"}

const writtenArrangements = 3

// findIn begins the names of parameters with a text by which a value of a dimension is looked for: find.dim1.
const findIn = "find."

// isFilter reports whether a parameter selects values.
func isFilter(name string) bool {
	return slices.Contains(filters, name) || hasPrefix(name, furtherFilters)
}

// views are the ways to look at a selection, with the types of their charts; the table has that of
// lines.
var viewNames = []string{"line", "bar", "ranking", "map", "table"}

var chartTypes = map[string]string{"line": "line", "bar": "bar", "ranking": "horizontal-bar", "map": "map", "table": "line"}

// IsOfOnePeriod reports whether the chart of the view shows one period of all areas, unless the
// reader chooses some.
func (s *selection) IsOfOnePeriod() bool { return s.View == "ranking" || s.View == "map" }

// readSelection reads the choices of the address.
func (p *page) readSelection(m *metadata, query url.Values) (*selection, error) {
	s := &selection{Meta: m, api: "/api/datasets/" + strconv.Itoa(m.ID), page: m.address(), lang: p.lang.Code, canFollow: p.opts.People != nil, sel: p.sel, asked: url.Values{}, codes: url.Values{}, usual: url.Values{}}
	for name, values := range without(query) {
		switch {
		case isFilter(name):
			s.asked[name] = values
		case !slices.Contains(arrangements, name) && !strings.HasPrefix(name, findIn):
			return nil, stat.Errorf(stat.Invalid, "unknown parameter %q; a page of a dataset has the filters of its data, and %s", name, strings.Join(arrangements[:writtenArrangements], ", "))
		}
	}
	s.View, s.Sort = query.Get("view"), query.Get("sort")
	if s.View == "" {
		s.View = viewNames[0]
	}
	if !slices.Contains(viewNames, s.View) {
		return nil, stat.Errorf(stat.Invalid, "parameter view must be one of %s, not %.40q", strings.Join(viewNames, ", "), s.View)
	}
	s.Period, s.From, s.To = s.asked.Get("period"), s.asked.Get("period_from"), s.asked.Get("period_to")
	s.places = s.asked["country"]
	for name, label := range m.DefaultSeries {
		if dim, ok := strings.CutSuffix(name, "_value"); ok {
			s.usual[dim] = []string{label}
		}
	}
	offered, err := remember(p.memory, "dimensions "+p.lang.Code+s.edition()+s.api, forEver, func() (*available, error) {
		all := &available{}
		err := p.read(s.api+"/dimensions", p.edition(s), all)
		all.nameCodes(m.Source)
		return all, err
	})
	if err != nil {
		return nil, err
	}
	s.offered = offered
	s.chooseCodes()
	return s, nil
}

// edition returns the parameters of the interface for texts and version.
func (p *page) edition(s *selection) url.Values {
	query := only(s.asked, "version", "as_of")
	query.Set("lang", p.lang.Code)
	return query
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

// chooseCodes sets the codes of the dimensions that are shown: the reader's, else the usual ones.
// Labels become codes.
func (s *selection) chooseCodes() {
	for _, d := range s.offered.Dimensions {
		s.usual[d.Dim] = d.codesOf(s.usual[d.Dim])
		chosen := d.codesOf(s.asked[d.Dim])
		if len(chosen) == 0 && !s.hasFurther(d.Dim) {
			chosen = s.usual[d.Dim]
		}
		if len(chosen) > 0 {
			s.codes[d.Dim] = chosen
		}
	}
	for name, values := range s.asked {
		if strings.HasPrefix(name, "dim") && s.codes[name] == nil {
			s.codes[name] = values // a dimension that is not there: the interface says so
		}
	}
}

// hasFurther reports whether the reader filters a dimension without naming values.
func (s *selection) hasFurther(dim string) bool {
	return slices.ContainsFunc(furtherFilters, func(prefix string) bool { return s.asked.Has(prefix + dim) })
}

// codesOf replaces labels by their codes.
func (a *axis) codesOf(values []string) []string {
	var codes []string
	for _, value := range values {
		if at := slices.IndexFunc(a.Values, func(v axisValue) bool { return v.Label == value }); at >= 0 {
			value = a.Values[at].Code
		}
		codes = append(codes, value)
	}
	return codes
}

// choosesAreas reports whether the page chooses areas, because the reader has chosen none.
func (s *selection) choosesAreas() bool {
	return len(s.places) == 0 && !s.asked.Has("within") && !s.hasFurther("country")
}

// choseAreas reports whether the page has chosen areas, because the reader has chosen none.
func (s *selection) choseAreas() bool {
	return len(s.places) > 0 && !s.asked.Has("country") && !s.asked.Has("within") && !s.hasFurther("country")
}

// ShowsSome reports whether the page has chosen some of the areas that have values. A ranking says itself which.
func (s *selection) ShowsSome() bool {
	return !s.IsOfOnePeriod() && !s.isRanked && s.choseAreas() && s.Areas.Chosen < s.Areas.Have
}

// edition tells versions of datasets apart.
func (s *selection) edition() string { return s.Meta.Version + " " + s.Meta.Imported.String() + " " }

// query returns the parameters of the interface for what is shown.
func (s *selection) query() url.Values {
	q := url.Values{}
	for name, values := range s.asked {
		q[name] = slices.Clone(values)
	}
	for name, values := range s.codes {
		q[name] = slices.Clone(values)
	}
	if len(s.places) > 0 {
		q["country"] = slices.Clone(s.places)
	}
	return q
}

// countQuery is query for the counts of the interface, which do not depend on what is derived from
// values.
func (s *selection) countQuery(p *page) url.Values {
	q := s.query()
	q.Del("transform")
	q.Set("lang", p.lang.Code)
	return q
}

// with returns the address of the page with a parameter changed; no value removes it.
func (s *selection) with(name string, values ...string) string {
	return s.changed(url.Values{name: values})
}

// changed returns the address of the page with parameters changed.
func (s *selection) changed(parameters url.Values) string {
	q := s.start()
	q.Set("view", s.View)
	q.Set("sort", s.Sort)
	for name, values := range parameters {
		q[name] = values
	}
	if q.Get("view") == viewNames[0] {
		q.Del("view")
	}
	q = without(q)
	for name, values := range parameters {
		if s.sel != "" && len(values) == 0 && s.asked.Has(name) {
			q.Set(name, "") // removes what is stored
		}
	}
	return addressWith(s.page, q)
}

// canonical is the address of the page without the usual choices and without how it is shown.
func (s *selection) canonical() string {
	if s.sel != "" {
		return addressWith(s.page, s.start())
	}
	q := url.Values{}
	for name, values := range s.asked {
		if s.usual[name] == nil || !slices.Equal(s.codes[name], s.usual[name]) {
			q[name] = values
		}
	}
	return addressWith(s.page, q)
}

// Kept are the choices of the page that its form of pickers must keep.
func (s *selection) Kept() []link {
	var kept []link
	for _, name := range orderedNames(s.asked) {
		isPicked := strings.HasPrefix(name, "dim") || name == "country" || strings.HasPrefix(name, "period")
		for _, value := range s.asked[name] {
			if !isPicked {
				kept = append(kept, link{name, value})
			}
		}
	}
	if s.View != viewNames[0] {
		kept = append(kept, link{"view", s.View})
	}
	if s.Sort != "" {
		kept = append(kept, link{"sort", s.Sort})
	}
	return kept
}

// Reset is the address of the page without choices.
func (s *selection) Reset() string { return s.page }

// Studio is the address of the page where the chart is designed, with the areas that the page has chosen.
func (s *selection) Studio() string {
	q := s.start()
	if !s.IsOfOnePeriod() && !s.isRanked && s.choseAreas() {
		q["country"] = s.places
	}
	if s.View != viewNames[0] {
		q.Set("type", chartTypes[s.View])
	}
	return addressWith(s.page+"/studio", q)
}

// VersionsAddress is the address of the page of all versions.
func (s *selection) VersionsAddress() string { return s.page + "/versions" }

// InVersion is the address of the page with the data of a version.
func (s *selection) InVersion(version string) string { return s.with("version", version) }

// addressWith returns an address with parameters, those of filters first.
func addressWith(address string, query url.Values) string {
	var parts []string
	for _, name := range orderedNames(query) {
		for _, value := range query[name] {
			parts = append(parts, url.QueryEscape(name)+"="+url.QueryEscape(value))
		}
	}
	if len(parts) == 0 {
		return address
	}
	return address + "?" + strings.Join(parts, "&")
}

// orderedNames returns the names of parameters in the order of filters, then the others.
func orderedNames(query url.Values) []string {
	var names, others []string
	for _, name := range filters {
		if query.Has(name) {
			names = append(names, name)
		}
	}
	for name := range query {
		if !slices.Contains(filters, name) {
			others = append(others, name)
		}
	}
	slices.Sort(others)
	return append(names, others...)
}
