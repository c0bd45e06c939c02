package sdmxrest

import (
	"net/url"
	"slices"
	"strings"

	"almanac/internal/encode/sdmx"
	"almanac/internal/stat"
)

// Filter is a parameter c[COMPONENT] of SDMX 3.0: alternatives, each of conditions that must all
// hold.
type Filter struct {
	Component    string
	Alternatives [][]Condition
}

// Condition compares the value of a component, which may be written as its ID or as the office
// writes it.
type Condition struct{ Operator, Value string }

var operators = []string{"eq", "ne", "lt", "le", "gt", "ge", "co", "nc", "sw", "ew"}

// SplitFilters takes the parameters c[…] out of a query string. The rest is as it was.
func SplitFilters(query string) (filters []Filter, rest string, err error) {
	var others []string
	for pair := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(pair, "=")
		plain, nameErr := url.PathUnescape(name)
		component, isFilter := strings.CutPrefix(plain, "c[")
		if nameErr != nil || !isFilter {
			others = append(others, pair)
			continue
		}
		component, isClosed := strings.CutSuffix(component, "]")
		text, valueErr := url.PathUnescape(value)
		if !isClosed || component == "" || valueErr != nil || text == "" {
			return nil, "", stat.Errorf(stat.Invalid, "a filter is written c[DIMENSION]=value,value, not %.200q", pair)
		}
		if slices.ContainsFunc(filters, func(f Filter) bool { return f.Component == component }) {
			return nil, "", stat.Errorf(stat.Invalid, "parameter c[%.100s] is given twice; give all its values in one, separated by commas", component)
		}
		filters = append(filters, parseFilter(component, text))
	}
	return filters, strings.Join(others, "&"), nil
}

func parseFilter(component, text string) Filter {
	f := Filter{Component: component}
	for alternative := range strings.SplitSeq(text, ",") {
		var all []Condition
		for value := range strings.SplitSeq(alternative, "+") {
			operator, rest, ok := strings.Cut(value, ":")
			if !ok || !slices.Contains(operators, operator) {
				operator, rest = "eq", value
			}
			all = append(all, Condition{operator, sdmx.Unescape(rest)})
		}
		f.Alternatives = append(f.Alternatives, all)
	}
	return f
}

// accepts reports whether the filter selects a code, as the office writes it.
func (f *Filter) accepts(code string) bool {
	return slices.ContainsFunc(f.Alternatives, func(all []Condition) bool {
		return !slices.ContainsFunc(all, func(c Condition) bool { return !c.holds(code) })
	})
}

func (c Condition) holds(id string) bool {
	switch c.Operator {
	case "eq":
		return id == c.Value
	case "ne":
		return id != c.Value
	case "lt":
		return id < c.Value
	case "le":
		return id <= c.Value
	case "gt":
		return id > c.Value
	case "ge":
		return id >= c.Value
	case "co":
		return strings.Contains(id, c.Value)
	case "nc":
		return !strings.Contains(id, c.Value)
	case "sw":
		return strings.HasPrefix(id, c.Value)
	case "ew":
		return strings.HasSuffix(id, c.Value)
	}
	return false
}

// SelectFilter adds a filter of a dimension to the selection, and one of time to the query.
func (s *Selection) SelectFilter(f *sdmx.Flow, filter *Filter, q *stat.Query) error {
	if filter.Component == sdmx.TimePeriod {
		return filter.setPeriods(q)
	}
	at := slices.IndexFunc(f.Dimensions, func(d sdmx.Dimension) bool {
		return d.ID == filter.Component || d.ID == sdmx.EscapeName(filter.Component)
	})
	if at < 0 {
		if slices.Contains([]string{sdmx.ObsValue, f.Unit, f.Status, f.Flag, f.Confidentiality, f.Comment, f.LicenceID}, filter.Component) {
			return &NotImplemented{"filters of measures and attributes are not supported; c[" + filter.Component + "] can only name a dimension"}
		}
		var ids []string
		for i := range f.Dimensions {
			ids = append(ids, f.Dimensions[i].ID)
		}
		return stat.Errorf(stat.Invalid, "parameter c[%.100s]: %s has no such dimension; it has %s", filter.Component, f.ID, stat.JoinWords(append(ids, sdmx.TimePeriod)))
	}
	d := &f.Dimensions[at]
	positions := []int32{}
	for i := range d.Codes {
		if filter.accepts(d.Codes[i].ID) {
			positions = append(positions, int32(i))
		}
	}
	if len(positions) == 0 {
		s.Unknown = append(s.Unknown, filter.unknown(d.ID)...)
	}
	s.restrict(f, d, positions)
	return nil
}

// unknown returns what a filter that selects no code of a dimension asks for, for people: "geo=XX" for single
// codes.
func (f *Filter) unknown(dimension string) []string {
	var all []string
	for _, alternative := range f.Alternatives {
		if len(alternative) > 1 || alternative[0].Operator != "eq" {
			return []string{"codes that c[" + dimension + "] accepts"}
		}
		all = append(all, dimension+"="+alternative[0].Value)
	}
	return all
}

// setPeriods sets the periods of a query. One span can be selected.
func (f *Filter) setPeriods(q *stat.Query) error {
	if len(f.Alternatives) > 1 {
		return &NotImplemented{"several periods with a comma are not supported; c[TIME_PERIOD] can be one span, such as ge:2020+le:2024"}
	}
	for _, c := range f.Alternatives[0] {
		p, err := ParsePeriod("c[TIME_PERIOD]", c.Value)
		if err != nil {
			return err
		}
		switch c.Operator {
		case "eq":
			q.Within = p
		case "ge":
			q.From = p
		case "le":
			q.To = p
		case "gt":
			next := p.End().AddDate(0, 0, 1)
			q.From = stat.NewDay(next.Year(), int(next.Month()), next.Day())
		case "lt":
			before := p.Start().AddDate(0, 0, -1)
			q.To = stat.NewDay(before.Year(), int(before.Month()), before.Day())
		default:
			return &NotImplemented{"c[TIME_PERIOD] supports eq, ge, gt, le and lt, not " + c.Operator}
		}
	}
	return nil
}

// NewSelection returns what a key and filters select of a flow, and the periods of the query.
func NewSelection(f *sdmx.Flow, key string, filters []Filter, isV3 bool) (*Selection, stat.Query, error) {
	s := &Selection{}
	q := stat.Query{Flags: true}
	if err := s.SelectKey(f, key, isV3); err != nil {
		return nil, q, err
	}
	for i := range filters {
		if err := s.SelectFilter(f, &filters[i], &q); err != nil {
			return nil, q, err
		}
	}
	q.Select = s.Select
	if s.IsEmpty {
		q.Select = make([][]int32, len(f.Dataset.Dimensions)+1)
		q.Select[len(f.Dataset.Dimensions)] = []int32{}
	}
	return s, q, nil
}

// NoResults returns the error for a selection without data.
func (s *Selection) NoResults(f *sdmx.Flow) error {
	message := "no data of " + f.ID + " match the query"
	if len(s.Unknown) > 0 {
		unknown := s.Unknown[:min(5, len(s.Unknown))]
		message += "; it does not have " + stat.JoinWords(unknown)
	}
	return stat.Errorf(stat.NotFound, "%s; availability queries tell what has data", message)
}
