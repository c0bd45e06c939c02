package request

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"almanac/internal/encode"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// Notice reports something valid that is probably not intended, such as a value that
// the dataset does not have.
type Notice struct {
	Parameter string   `json:"parameter"`
	Value     string   `json:"value"`
	Message   string   `json:"message"`
	Nearest   []string `json:"nearest"` // similar values; never nil
}

// NewNotice returns a notice without similar values.
func NewNotice(parameter, value, message string) Notice {
	return Notice{Parameter: parameter, Value: value, Message: message, Nearest: []string{}}
}

// Similar values are suggested for the first unknown values that are not too long, since
// each costs a comparison with every label.
const (
	maxSuggested       = 5
	maxSuggestedLength = 300 // bytes
)

// Values are named one by one only up to bounds, so that responses stay short however many and however
// long values a caller gives.
const (
	maxNamed       = 50  // values of a parameter that have the same kind of notice
	maxNamedLength = 200 // characters of a value in a message
	maxListed      = 20  // values in one notice
)

// addOthers adds a notice for the values of a parameter beyond the first [maxNamed], if n is how many
// are to be named. what says what they have in common.
func addOthers(notices []Notice, parameter string, n int, what string) []Notice {
	switch n -= maxNamed; {
	case n == 1:
		return append(notices, NewNotice(parameter, "", "1 more value is not named here; such values "+what))
	case n > 1:
		return append(notices, NewNotice(parameter, "", fmt.Sprintf("%d more values are not named here; such values %s", n, what)))
	}
	return notices
}

// suggest sets the similar values. count is the number of earlier notices.
func (n *Notice) suggest(known []string, count int) {
	if count < maxSuggested && len(n.Value) <= maxSuggestedLength {
		n.Nearest = stat.Nearest(n.Value, known)
	}
}

// unknownValue returns the notice for a value that an axis does not have, after count
// earlier notices.
func unknownValue(v *store.Vintage, axis int, value string, count int) Notice {
	if n, ok := formerNotice(v, axis, value); ok {
		return n
	}
	dim := v.Dataset.Axes()[axis]
	what := "a label, code, ISO code or M49 code of an area in the dataset"
	if axis < len(v.Dataset.Dimensions) {
		what = fmt.Sprintf("a label or code of %s in the dataset (labels are case-sensitive)", dim.Label)
	}
	n := NewNotice(axisParam(v.Dataset, axis), value, fmt.Sprintf("%.*q is not %s", maxNamedLength, value, what))
	if axis == len(v.Dataset.Dimensions) {
		if texts, codes := otherEditions(v, value); texts != nil {
			n.Message += "; it has another composition of the group: " + strings.Join(texts, "; ") + "; if it is meant, give its code: " + strings.Join(codes, ", ")
			n.Nearest = codes
			return n
		}
		if texts, codes := namesakesHere(v, value); texts != nil {
			n.Message += "; it has " + strings.Join(texts, " and ") + " of the same name"
			n.Nearest = codes
			return n
		}
	}
	if parts := joinedValues(v, axis, value); parts != nil {
		n.Message += severalValues(n.Parameter, parts)
		n.Nearest = parts
		return n
	}
	n.Message += valueElsewhere(v, axis, value)
	if count < maxSuggested {
		n.suggest(textsOf(dim), count)
	}
	return n
}

// valueElsewhere returns the end of a message about a value of one axis that others have; empty if none has it.
func valueElsewhere(v *store.Vintage, axis int, value string) string {
	var others []string
	for other := range v.Dataset.Axes() {
		if _, isThere := v.Find(other, value); !isThere || other == axis {
			continue
		}
		name := axisParam(v.Dataset, other)
		if other < len(v.Dataset.Dimensions) {
			name += " (" + v.Dataset.Dimensions[other].Label + ")"
		}
		others = append(others, name)
	}
	if others == nil {
		return ""
	}
	return "; it is a value of " + strings.Join(others, " and ")
}

// joinedValues returns the parts of a value that joins values of an axis by commas: at least two, which the axis
// has. They are at most [maxSuggested]. It returns nil if the value is something else.
func joinedValues(v *store.Vintage, axis int, value string) (parts []string) {
	for part := range strings.SplitSeq(value, ",") {
		part = strings.TrimSpace(part)
		_, isKnown := v.Find(axis, part)
		if !isKnown && axis == len(v.Dataset.Dimensions) {
			isKnown = areaPositions(v, part) != nil
		}
		if isKnown && len(parts) < maxSuggested {
			parts = append(parts, part)
		}
	}
	if len(parts) < 2 {
		return nil
	}
	return parts
}

// severalValues returns the end of a message about a value that joins others by commas.
func severalValues(param string, parts []string) string {
	var pairs []string
	for _, part := range parts[:2] {
		pairs = append(pairs, param+"="+url.QueryEscape(part))
	}
	return "; several values are given by repeating the parameter, as in " + strings.Join(pairs, "&")
}

// textsOf returns the labels of a dimension, then its codes.
func textsOf(dim *stat.Dimension) []string {
	texts := make([]string, 0, 2*len(dim.Codes))
	for _, c := range dim.Codes {
		texts = append(texts, c.Label)
	}
	for _, c := range dim.Codes {
		texts = append(texts, c.ID)
	}
	return texts
}

// filters collects the names and values of the parameters that select something.
type filters struct{ names, values []string }

func (f *filters) add(name string, values ...string) {
	if strings.Join(values, "") != "" {
		f.names, f.values = append(f.names, name), append(f.values, values...)
	}
}

// addPeriods adds the periods that apply: Period overrides the range.
func (f *filters) addPeriods(p Data) {
	if f.add("period", p.Period); p.Period == "" {
		f.add("period_from", p.PeriodFrom)
		f.add("period_to", p.PeriodTo)
	}
}

func (f *filters) notice(message string) Notice {
	values := strings.Join(f.values[:min(maxListed, len(f.values))], ", ")
	if more := len(f.values) - maxListed; more > 0 {
		values += fmt.Sprintf(" and %d more", more)
	}
	return NewNotice(strings.Join(f.names, ", "), values, message)
}

// NoMatch explains why a query of known values found nothing: the dataset has no
// period in the range, or no observation matches all filters.
func NoMatch(v *store.Vintage, p Data) Notice {
	if v.Oldest.IsZero() {
		return NewNotice("", "", "the dataset has no values")
	}
	var f filters
	var q stat.Query
	var err error
	if q.Within, q.From, q.To, err = parsePeriods(v, &p); err == nil && !slices.ContainsFunc(v.Periods, q.SelectsPeriod) {
		f.addPeriods(p)
		return f.noPeriod(v, &q)
	}
	for _, family := range filtersOf(&p) {
		family.add(&f)
	}
	f.add(withinParam, p.Within...)
	if p.NoAggregates {
		f.add(aggregatesParam, "false")
	}
	f.addPeriods(p)
	message := "each of these values occurs in the dataset, but no observation has all of them"
	if len(f.values) == 1 {
		message = "the dataset lists this value, but has no observation of it"
	}
	if p.Followed {
		message = "no observation that the organisation follows has all of these values"
		if f.names == nil {
			message = "the dataset has no observations of what the organisation follows"
		}
		f.add(followedParam, "true")
	}
	switch {
	case !p.Flags:
		message += ", or none has a number (flags=true also selects observations that have only flags)"
	case p.Latest || p.FirstN > 0 || p.LastN > 0:
		message += ", or none has a number, as latest, first_n and last_n need"
	}
	return f.notice(message)
}

// noPeriod explains why the dataset has no period that the query selects: all of its periods are longer than
// the one asked for, or at other times.
func (f *filters) noPeriod(v *store.Vintage, q *stat.Query) Notice {
	covers := fmt.Sprintf("it covers %s to %s, written %s", v.Oldest, v.Newest, periodFormats(v))
	isLonger := !q.Within.IsZero()
	var frequencies, around []string // around: the periods that the one asked for is a part of
	for _, p := range v.Periods {
		isLonger = isLonger && p.Frequency() < q.Within.Frequency()
		if name := p.Frequency().String(); !slices.Contains(frequencies, name) {
			frequencies = append(frequencies, name)
		}
		if q.Within.Within(p) {
			around = append(around, p.String())
		}
	}
	if isLonger {
		n := f.notice(fmt.Sprintf("this period is %s, and those of the dataset are %s; %s", q.Within.Frequency(), strings.Join(frequencies, " and "), covers))
		n.Nearest = append(n.Nearest, around...)
		return n
	}
	n := f.notice("the dataset has no period in this range; " + covers)
	// The last period before the missing one and the first after it.
	i, _ := slices.BinarySearchFunc(v.Periods, cmp.Or(q.Within, q.From, q.To), stat.Period.Compare)
	for _, near := range v.Periods[max(0, i-1):min(i+1, len(v.Periods))] {
		n.Nearest = append(n.Nearest, near.String())
	}
	return n
}

// JoinNotices joins notices into one sentence.
func JoinNotices(notices []Notice) string {
	var parts []string
	for _, n := range notices {
		parts = append(parts, encode.Notice(n).String())
	}
	return strings.Join(parts, "; ")
}
