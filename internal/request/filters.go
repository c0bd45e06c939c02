package request

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"almanac/internal/stat"
	"almanac/internal/store"
)

// The parameters that narrow an axis further have these names before dim1 … dim8 and country.
const (
	notPrefix   = "not."
	likePrefix  = "like."
	belowPrefix = "below."
)

// Bounds of the patterns of one parameter, since each is compared with every code.
const (
	maxPatterns      = 20
	maxPatternLength = 200 // characters
)

// selector narrows the axes of a query one filter after another. An axis that no filter
// narrows stays nil: all codes.
type selector struct {
	v       *store.Vintage
	codes   [][]int32 // as [stat.Query.Select]
	notices []Notice
}

func newSelector(v *store.Vintage) *selector {
	return &selector{v: v, codes: make([][]int32, len(v.Dataset.Dimensions)+1)}
}

// selected returns the codes for a query: nil if nothing is narrowed.
func (s *selector) selected() [][]int32 {
	if slices.ContainsFunc(s.codes, func(codes []int32) bool { return codes != nil }) {
		return s.codes
	}
	return nil
}

// keep narrows an axis to codes, which are ascending.
func (s *selector) keep(axis int, codes []int32) {
	if before := s.codes[axis]; before != nil {
		codes = slices.DeleteFunc(slices.Clone(codes), func(code int32) bool {
			_, isKept := slices.BinarySearch(before, code)
			return !isKept
		})
	}
	s.codes[axis] = codes
}

// drop leaves codes, which are ascending, out of an axis.
func (s *selector) drop(axis int, codes []int32) {
	if len(codes) == 0 {
		return
	}
	rest := []int32{}
	for code := range int32(len(s.v.Dataset.Axes()[axis].Codes)) {
		if _, isDropped := slices.BinarySearch(codes, code); !isDropped {
			rest = append(rest, code)
		}
	}
	s.keep(axis, rest)
}

// axisFilter is a family of parameters of which there is one for each axis.
type axisFilter struct {
	prefix  string
	dims    *Dims
	country *[]string
	apply   func(s *selector, axis int, values []string) error
}

// filtersOf returns the filters of a request for the axes, in the order in which their
// notices stand.
func filtersOf(p *Data) [4]axisFilter {
	return [...]axisFilter{
		{"", &p.Dims, &p.Country, (*selector).only},
		{notPrefix, &p.NotDims, &p.NotCountry, (*selector).without},
		{likePrefix, &p.LikeDims, &p.LikeCountry, (*selector).like},
		{belowPrefix, &p.BelowDims, &p.BelowCountry, (*selector).below},
	}
}

// apply narrows the axes by a filter. The error is [stat.Invalid] and names the parameter.
func (s *selector) apply(f axisFilter) error {
	dims := len(s.v.Dataset.Dimensions)
	for i, values := range f.dims {
		if len(values) == 0 {
			continue
		}
		if i >= dims {
			return errNoDimension(s.v.Dataset, f.prefix, i)
		}
		if err := f.apply(s, i, values); err != nil {
			return err
		}
	}
	if len(*f.country) == 0 {
		return nil
	}
	return f.apply(s, dims, *f.country)
}

// only keeps the codes that values mean.
func (s *selector) only(axis int, values []string) error {
	var codes []int32
	codes, s.notices = positions(s.v, axis, values, s.notices)
	s.notices = append(s.notices, movedNotices(s.v, axis, values)...)
	s.keep(axis, codes)
	return nil
}

// without leaves out the codes that values mean.
func (s *selector) without(axis int, values []string) error {
	before := len(s.notices)
	var codes []int32
	codes, s.notices = positions(s.v, axis, values, s.notices)
	s.notices = append(s.notices, movedNotices(s.v, axis, values)...)
	for i := before; i < len(s.notices); i++ {
		s.notices[i].Parameter = notPrefix + s.notices[i].Parameter
	}
	s.drop(axis, codes)
	return nil
}

// below keeps the codes that the office's hierarchy has below those that values mean.
func (s *selector) below(axis int, values []string) error {
	dim := s.v.Dataset.Axes()[axis]
	param := belowPrefix + axisParam(s.v.Dataset, axis)
	if !dim.HasHierarchy() {
		remedy := "list the values, or select them with " + likePrefix + axisParam(s.v.Dataset, axis)
		if axis == len(s.v.Dataset.Dimensions) {
			remedy = "within selects the parts of an area"
		}
		return stat.Errorf(stat.Invalid, "parameter %s cannot be used: the office states no hierarchy of %s; %s", param, dim.Label, remedy)
	}
	before := len(s.notices)
	codes, notices := positions(s.v, axis, values, s.notices)
	notices = append(notices, movedNotices(s.v, axis, values)...)
	for i := before; i < len(notices); i++ {
		notices[i].Parameter = belowPrefix + notices[i].Parameter
	}
	var found []int32
	n := 0 // values with nothing below
	for _, at := range codes {
		below := dim.Below(dim.Codes[at].ID)
		if len(below) > 0 {
			found = append(found, below...)
			continue
		}
		if n++; n <= maxNamed {
			notices = append(notices, NewNotice(param, dim.Codes[at].Label, fmt.Sprintf("nothing is below %q in the office's hierarchy of %s", dim.Codes[at].Label, dim.Label)))
		}
	}
	s.notices = addOthers(notices, param, n, "have nothing below them in the office's hierarchy")
	slices.Sort(found)
	s.keep(axis, append([]int32{}, slices.Compact(found)...))
	return nil
}

// like keeps the codes that any of the patterns matches.
func (s *selector) like(axis int, values []string) error {
	param := likePrefix + axisParam(s.v.Dataset, axis)
	if len(values) > maxPatterns {
		return stat.Errorf(stat.Invalid, "parameter %s is given %d times; at most %d patterns are accepted", param, len(values), maxPatterns)
	}
	texts := textsOfCodes(s.v, axis)
	var found []int32
	for _, value := range values {
		pattern, err := parsePattern(param, value)
		if err != nil {
			return err
		}
		before := len(found)
		for code, each := range texts {
			if slices.ContainsFunc(each, pattern.MatchString) {
				found = append(found, int32(code))
			}
		}
		if len(found) == before {
			s.notices = append(s.notices, s.unmatched(param, value, texts))
		}
	}
	slices.Sort(found)
	s.keep(axis, append([]int32{}, slices.Compact(found)...))
	return nil
}

// unmatched returns the notice that nothing matches a pattern.
func (s *selector) unmatched(param, value string, texts [][]string) Notice {
	n := NewNotice(param, value, fmt.Sprintf("no label and no code matches %.*q", maxNamedLength, value))
	anyCase := regexp.MustCompile("(?i)" + patternText(value))
	for _, each := range texts {
		if i := slices.IndexFunc(each, anyCase.MatchString); i >= 0 && len(n.Nearest) < maxSuggested {
			n.Nearest = append(n.Nearest, each[i])
		}
	}
	if len(n.Nearest) > 0 {
		n.Message += "; patterns are case-sensitive"
	}
	return n
}

// textsOfCodes returns for each code of an axis what a pattern is compared with: its label in
// the language of the response, the one that it has without a choice of language, the code
// itself and, of an area, its code in available_geo.
func textsOfCodes(v *store.Vintage, axis int) [][]string {
	stored := v.Stored().Dataset.Axes()[axis]
	var texts [][]string
	for i, c := range v.Dataset.Axes()[axis].Codes {
		each := []string{c.Label}
		for _, other := range []string{stored.Codes[i].Label, c.ID, c.Area} {
			if other != "" && !slices.Contains(each, other) {
				each = append(each, other)
			}
		}
		texts = append(texts, each)
	}
	return texts
}

// parsePattern reads a pattern: * stands for any characters, ? for one, and a backslash makes
// the next character stand for itself. The error is [stat.Invalid].
func parsePattern(param, value string) (*regexp.Regexp, error) {
	if n := utf8.RuneCountInString(value); n > maxPatternLength {
		return nil, stat.Errorf(stat.Invalid, "parameter %s has a pattern of %d characters; at most %d are accepted", param, n, maxPatternLength)
	}
	trimmed := strings.TrimRight(value, `\`)
	if (len(value)-len(trimmed))%2 == 1 {
		return nil, stat.Errorf(stat.Invalid, `parameter %s has the pattern %q, which ends in a single backslash; write \\ for a backslash`, param, value)
	}
	return regexp.MustCompile(patternText(value)), nil
}

// patternText returns a pattern as a regular expression.
func patternText(value string) string {
	var b strings.Builder
	b.WriteString(`(?s:\A`)
	isEscaped := false
	for _, r := range value {
		switch {
		case isEscaped:
			b.WriteString(regexp.QuoteMeta(string(r)))
			isEscaped = false
		case r == '\\':
			isEscaped = true
		case r == '*':
			b.WriteString(`.*`)
		case r == '?':
			b.WriteString(`.`)
		default:
			b.WriteString(regexp.QuoteMeta(string(r)))
		}
	}
	b.WriteString(`\z)`)
	return b.String()
}

// add names the filters of a family that are given, for a notice.
func (f axisFilter) add(to *filters) {
	for i, list := range f.dims {
		to.add(f.prefix+"dim"+strconv.Itoa(i+1), list...)
	}
	to.add(f.prefix+"country", *f.country...)
}
