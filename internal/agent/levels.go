package agent

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// regionCode is the form of codes in which the code of a region begins with that of the area in which it lies,
// such as ES, ES6 and ES61.
var regionCode = regexp.MustCompile(`^[A-Z0-9]+$`)

// level is the areas of one level of a territorial classification.
type level struct {
	number int // 0: countries, and what lies in no other area
	areas  []codeLabel
}

// levelsOf sorts areas of a dataset by their level, the coarsest first. A region is below another area if its code
// begins with the code of that area; all such codes of one length are of one level, as in NUTS. Countries are never
// below others: codes of countries such as 1 and 11 only look alike.
func levelsOf(areas, all []codeLabel) []level {
	codes, lengths := map[string]bool{}, map[int]bool{}
	for _, v := range all {
		codes[v.Code] = true
	}
	for _, v := range all {
		if v.isBelowAny(codes) {
			lengths[len(v.Code)] = true
		}
	}
	sorted := slices.Sorted(maps.Keys(lengths))
	byNumber := map[int]*level{}
	for _, v := range areas {
		number := 0
		if v.isBelowAny(codes) {
			number = slices.Index(sorted, len(v.Code)) + 1
		}
		if byNumber[number] == nil {
			byNumber[number] = &level{number: number}
		}
		byNumber[number].areas = append(byNumber[number].areas, v)
	}
	var levels []level
	for _, number := range slices.Sorted(maps.Keys(byNumber)) {
		levels = append(levels, *byNumber[number])
	}
	return levels
}

// isBelowAny reports whether an area is a region whose code begins with one of the codes.
func (v *codeLabel) isBelowAny(codes map[string]bool) bool {
	if v.isCountry() || !regionCode.MatchString(v.Code) {
		return false
	}
	for n := 1; n < len(v.Code); n++ {
		if codes[v.Code[:n]] {
			return true
		}
	}
	return false
}

// isCountry reports whether an area is a country, by its ISO 3166 code.
func (v *codeLabel) isCountry() bool { return len(cmp.Or(v.ISO, v.Code)) == 2 }

// keepLevel reads a ranking again for the areas of one level, without the whole of which they are parts, unless it has one level. The rows
// and the address have the same areas then.
func (c *call) keepLevel(a *latestArgs, f *fetched, query url.Values) (*fetched, error) {
	whole, err := c.inDataset(a.Within, f.of)
	if err != nil {
		return nil, err
	}
	compared := slices.DeleteFunc(f.areas(), func(v codeLabel) bool { return whole != nil && v.Code == whole.Code })
	levels := levelsOf(compared, f.of.Geography)
	chosen, err := c.chooseLevel(a, levels)
	if err != nil || chosen == nil {
		return f, err
	}
	hasWhole := whole != nil && f.lastOf(whole) != nil
	if len(chosen.areas) == len(compared) && !hasWhole {
		return f, nil
	}
	if len(chosen.areas) < len(compared) {
		f.of.selectAreas(query, chosen.areas, compared)
	}
	if hasWhole {
		query.Add("not.country", whole.Code)
	}
	again, err := c.fetch(a.Dataset, f.of, query)
	if err != nil {
		return nil, err
	}
	if hasWhole {
		again.lacking = append(again.lacking, withCode(whole.Label, whole.Code)+" itself is left out of the ranking of its parts")
	}
	if len(levels) > 1 {
		again.level = describeLevels(chosen, levels)
	}
	return again, nil
}

// areas returns the areas of the dataset that have rows.
func (f *fetched) areas() (list []codeLabel) {
	has := map[string]bool{}
	for _, o := range f.list {
		has[cmp.Or(o.code, o.area)] = true
	}
	for _, v := range f.of.Geography {
		if has[v.Code] {
			list = append(list, v)
		}
	}
	return list
}

// mostExceptions is the largest number of areas that a pattern matches by chance, by their labels.
const mostExceptions = 10

// selectAreas adds some of the compared areas to a selection: by a pattern of their codes if they are of one length, else one by one.
func (of *structure) selectAreas(query url.Values, areas, compared []codeLabel) {
	prefix := areas[0].Code
	isOneLength := true
	for _, v := range areas {
		isOneLength = isOneLength && len(v.Code) == len(areas[0].Code)
		for !strings.HasPrefix(v.Code, prefix) {
			prefix = prefix[:len(prefix)-1]
		}
	}
	isMatch := func(text string) bool {
		return utf8.RuneCountInString(text) == len(areas[0].Code) && strings.HasPrefix(text, prefix)
	}
	var exceptions []string
	for _, v := range of.Geography {
		isOther := slices.Contains(compared, v) && !slices.Contains(areas, v)
		if isMatch(v.Code) && isOther || !isMatch(v.Code) && (isMatch(v.Label) || isMatch(v.ISO)) {
			exceptions = append(exceptions, v.Code)
		}
	}
	if isOneLength && len(exceptions) <= mostExceptions && !query.Has("like.country") {
		query.Set("like.country", prefix+strings.Repeat("?", len(areas[0].Code)-len(prefix)))
		query["not.country"] = append(query["not.country"], exceptions...)
		return
	}
	query.Del("within")
	query.Del("like.country")
	for _, v := range areas {
		query.Add("country", v.Code)
	}
}

// chooseLevel returns the level that is asked for, else the countries, else the coarsest level whose areas are
// subdivisions in ISO 3166-2, as those of which people speak are, else the coarsest with several areas. It is nil if nothing is to be left
// out.
func (c *call) chooseLevel(a *latestArgs, levels []level) (*level, error) {
	if a.Level != nil {
		at := slices.IndexFunc(levels, func(l level) bool { return l.number == *a.Level })
		if at < 0 {
			return nil, errorf("the selection has no areas of level %d; levels: %s", *a.Level, listLevels(levels))
		}
		return &levels[at], nil
	}
	several := slices.DeleteFunc(slices.Clone(levels), func(l level) bool { return len(l.areas) < 2 })
	if len(several) == 0 || len(levels) == 1 && a.Within == "" {
		return nil, nil
	}
	if len(several) == 1 || several[0].number == 0 {
		return &several[0], nil
	}
	for i := range several {
		var found struct {
			Area struct {
				Codes map[string]string `json:"codes"`
			} `json:"area"`
		}
		err := c.get(&found, "/api/areas/"+url.PathEscape(several[i].areas[0].Code), nil)
		if r, ok := errors.AsType[*refused](err); ok && r.status != http.StatusServiceUnavailable {
			continue // an area that only this dataset has
		}
		if err != nil {
			return nil, err
		}
		if found.Area.Codes["iso3166_2"] != "" {
			return &several[i], nil
		}
	}
	return &several[0], nil
}

func (l *level) String() string {
	return fmt.Sprintf("%d (%d areas, such as %s)", l.number, len(l.areas), withCode(l.areas[0].Label, l.areas[0].Code))
}

func listLevels(levels []level) string {
	var texts []string
	for i := range levels {
		texts = append(texts, levels[i].String())
	}
	return strings.Join(texts, ", ")
}

// describeLevels names the level of a ranking and the others.
func describeLevels(chosen *level, levels []level) string {
	others := slices.DeleteFunc(slices.Clone(levels), func(l level) bool { return l.number == chosen.number })
	return chosen.String() + "; others: " + listLevels(others)
}
