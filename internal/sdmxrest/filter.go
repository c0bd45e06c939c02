package sdmxrest

import (
	"net/url"
	"regexp"
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

// looksLikeOperator matches what stands before the colon of a misspelled operator, but not what
// stands before that of a time.
var looksLikeOperator = regexp.MustCompile("^[a-z]{2}$")

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
		f, err := parseFilter(component, text)
		if err != nil {
			return nil, "", err
		}
		filters = append(filters, f)
	}
	return filters, strings.Join(others, "&"), nil
}

func parseFilter(component, text string) (Filter, error) {
	f := Filter{Component: component}
	for alternative := range strings.SplitSeq(text, ",") {
		var all []Condition
		for value := range strings.SplitSeq(alternative, "+") {
			operator, rest, ok := strings.Cut(value, ":")
			switch {
			case ok && slices.Contains(operators, operator):
			case ok && looksLikeOperator.MatchString(operator):
				return f, stat.Errorf(stat.Invalid, "parameter c[%.100s] has the operator %q; operators are %s", component, operator, stat.JoinWords(operators))
			default:
				operator, rest = "eq", value
			}
			all = append(all, Condition{operator, sdmx.Unescape(rest)})
		}
		f.Alternatives = append(f.Alternatives, all)
	}
	return f, nil
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

// SelectFilter adds a filter of a dimension or of time to the selection.
func (s *Selection) SelectFilter(f *sdmx.Flow, filter *Filter) error {
	if filter.Component == sdmx.TimePeriod {
		return s.selectPeriods(filter)
	}
	at := slices.IndexFunc(f.Dimensions, func(d sdmx.Dimension) bool {
		return d.ID == filter.Component || d.ID == sdmx.EscapeName(filter.Component)
	})
	if at < 0 {
		if slices.Contains([]string{sdmx.ObsValue, f.Unit, f.Multiplier, f.Status, f.Flag, f.Confidentiality, f.Comment, f.LicenceID}, filter.Component) {
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
	s.Unknown = append(s.Unknown, filter.unknown(d)...)
	s.restrict(f, d, positions)
	return nil
}

// unknown returns what a filter asks for that a dimension does not have, for people: "geo=XX" for a single
// code.
func (f *Filter) unknown(d *sdmx.Dimension) []string {
	var all []string
	for _, alternative := range f.Alternatives {
		one := Filter{f.Component, [][]Condition{alternative}}
		if slices.ContainsFunc(d.Codes, func(c stat.Code) bool { return one.accepts(c.ID) }) {
			continue
		}
		if len(alternative) == 1 && alternative[0].Operator == "eq" {
			all = append(all, d.ID+"="+alternative[0].Value)
			continue
		}
		var parts []string
		for _, c := range alternative {
			parts = append(parts, c.Operator+":"+c.Value)
		}
		all = append(all, "codes that c["+d.ID+"]="+strings.Join(parts, "+")+" accepts")
	}
	return all
}

// Part says which data of a flow an address names.
type Part struct {
	Key        string
	Filters    []Filter
	Start, End string // parameters startPeriod and endPeriod
	IsV3       bool
}

// NewSelection returns what an address selects of a flow.
func NewSelection(f *sdmx.Flow, part Part) (*Selection, error) {
	s := &Selection{Query: stat.Query{Flags: true}}
	if err := s.SelectKey(f, part.Key, part.IsV3); err != nil {
		return nil, err
	}
	for i := range part.Filters {
		if err := s.SelectFilter(f, &part.Filters[i]); err != nil {
			return nil, err
		}
	}
	if err := s.selectSpan(part); err != nil {
		return nil, err
	}
	if s.IsEmpty {
		s.Select = make([][]int32, len(f.Dataset.Dimensions)+1)
		s.Select[len(f.Dataset.Dimensions)] = []int32{}
	}
	return s, nil
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
