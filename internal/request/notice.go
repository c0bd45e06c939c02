package request

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/stat"
	"almanac/internal/store"
)

// NewNotice is a notice without values that were perhaps meant.
func NewNotice(parameter, value, message string) Notice {
	return Notice{Parameter: parameter, Value: value, Message: message, Nearest: []string{}}
}

// maxSought is for how many unknown values of one request similar ones are
// sought: each costs a look at every label, and a caller may give thousands.
const maxSought = 5

// maxSoughtLength is the longest value, in bytes, for which similar ones are
// sought; no label that anyone would mistype is longer.
const maxSoughtLength = 300

// unknownValue is the notice for a value that is neither label nor code of an
// axis. Before says how many notices the request has already.
func unknownValue(v *store.Vintage, axis int, value string, before int) Notice {
	n := Notice{Parameter: "country", Value: value, Nearest: []string{}}
	codes := v.Dataset.Geography.Codes
	what := "an area of the dataset: a label or code in it, or an ISO or M49 code of one in it"
	if axis < len(v.Dataset.Dimensions) {
		dim := &v.Dataset.Dimensions[axis]
		n.Parameter = fmt.Sprintf("dim%d", axis+1)
		codes = dim.Codes
		what = fmt.Sprintf("a label or code of %s in the dataset (labels are compared exactly, with capitals)", dim.Label)
	}
	n.Message = fmt.Sprintf("%q is not %s", value, what)
	if before < maxSought && len(value) <= maxSoughtLength {
		n.Nearest = nearest(value, names(codes))
	}
	return n
}

// names are the labels of codes and, behind them, the codes.
func names(codes []stat.Code) []string {
	all := make([]string, 0, 2*len(codes))
	for _, c := range codes {
		all = append(all, c.Label)
	}
	for _, c := range codes {
		all = append(all, c.ID)
	}
	return all
}

// NoMatch explains why a query whose values are all known found nothing: no
// period of the dataset is in the wanted span, or no observation is in all
// parts of the selection.
func NoMatch(v *store.Vintage, p Data) Notice {
	if v.Oldest.IsZero() {
		return Notice{Message: "the dataset holds no values", Nearest: []string{}}
	}
	if q := (stat.Query{}); setPeriods(&q, v, p) == nil && !anyPeriod(v.Periods, &q) {
		return noPeriod(v, p, &q)
	}
	var given, values []string
	add := func(name string, list ...string) {
		for _, value := range list {
			if value != "" && !slices.Contains(given, name) {
				given = append(given, name)
			}
			if value != "" {
				values = append(values, value)
			}
		}
	}
	for i, list := range p.Dims {
		add(fmt.Sprintf("dim%d", i+1), list...)
	}
	add("country", p.Country...)
	if add("period", p.Period); p.Period == "" {
		add("period_from", p.PeriodFrom)
		add("period_to", p.PeriodTo)
	}
	message := "each of these values occurs in the dataset, but no observation has them all"
	if p.Followed {
		message = "no observation that the organisation follows has all of these values"
		if given == nil {
			message = "the dataset has no observation of what the organisation follows"
		}
		add(followedParam, "true")
	}
	if !p.Flags {
		message += ", or none with a number (flags=true shows those that have only flags)"
	}
	return Notice{
		Parameter: strings.Join(given, ", "),
		Value:     strings.Join(values, ", "),
		Message:   message,
		Nearest:   []string{},
	}
}

// sentences puts notices into words: what they are about, the message, and what
// was perhaps meant.
func sentences(notices []Notice) string {
	var said []string
	for _, n := range notices {
		text := n.Message
		switch {
		case n.Parameter == "":
		case strings.HasPrefix(n.Message, strconv.Quote(n.Value)):
			text = n.Parameter + ": " + n.Message
		default:
			text = fmt.Sprintf("%s %.80q: %s", n.Parameter, n.Value, n.Message)
		}
		switch len(n.Nearest) {
		case 0:
		case 1:
			text += "; nearest is " + n.Nearest[0]
		default:
			text += "; nearest are " + strings.Join(n.Nearest, ", ")
		}
		said = append(said, text)
	}
	return strings.Join(said, "; ")
}

// anyPeriod reports whether a query's bounds leave any period.
func anyPeriod(periods []stat.Period, q *stat.Query) bool {
	return slices.ContainsFunc(periods, func(p stat.Period) bool {
		if !q.Within.IsZero() {
			return p.Within(q.Within)
		}
		return p.OverlapsSpan(q.From, q.To)
	})
}

// noPeriod is the notice for bounds that no period of the dataset meets.
func noPeriod(v *store.Vintage, p Data, q *stat.Query) Notice {
	var names, values []string
	for _, bound := range []struct{ name, value string }{{"period", p.Period}, {"period_from", p.PeriodFrom}, {"period_to", p.PeriodTo}} {
		if bound.value != "" {
			names, values = append(names, bound.name), append(values, bound.value)
		}
		if bound.name == "period" && bound.value != "" {
			break
		}
	}
	return Notice{
		Parameter: strings.Join(names, ", "),
		Value:     strings.Join(values, ", "),
		Message:   fmt.Sprintf("no period of the dataset is there; it has %s to %s, written %s", v.Oldest, v.Newest, formats(v)),
		Nearest:   beside(v.Periods, cmp.Or(q.Within, q.From, q.To)),
	}
}

// beside lists the last period before one that is not there, and the first after it.
func beside(periods []stat.Period, missing stat.Period) []string {
	i, _ := slices.BinarySearchFunc(periods, missing, stat.Period.Compare)
	var near []string
	for _, p := range periods[max(0, i-1):min(i+1, len(periods))] {
		near = append(near, p.String())
	}
	return near
}
