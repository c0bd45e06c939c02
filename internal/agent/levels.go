package agent

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"
)

// level is the areas of one level of a territorial classification.
type level struct {
	number int // 0: countries
	areas  []codeLabel
	isNUTS bool
	isISO  bool // subdivisions of ISO 3166-2
}

// keepLevel reads a ranking again for the areas of one level, without the whole of which they are parts, unless it has one level. The rows
// and the address have the same areas then.
func (c *call) keepLevel(a *latestArgs, f *fetched, query url.Values) (*fetched, error) {
	wholes, err := c.wholesOf(a, f)
	if err != nil {
		return nil, err
	}
	isWhole := func(v codeLabel) bool {
		return slices.ContainsFunc(wholes, func(w codeLabel) bool { return v.Code == w.Code })
	}
	compared := slices.DeleteFunc(f.areas(), isWhole)
	wholes = slices.DeleteFunc(wholes, func(whole codeLabel) bool { return f.lastOf(&whole) == nil }) // has no row
	levels, apart := levelsOf(f.meta.Source, compared)
	chosen, err := c.chooseLevel(a, levels)
	if err != nil || chosen == nil {
		return f, err
	}
	if len(chosen.areas) == len(compared) && len(wholes) == 0 {
		return f, nil
	}
	if len(chosen.areas) < len(compared) {
		f.of.selectAreas(query, chosen.areas, compared)
	}
	for _, whole := range wholes {
		query.Add("not.country", whole.Code)
	}
	again, err := c.fetch(a.Dataset, f.of, query)
	if err != nil {
		return nil, err
	}
	for _, whole := range wholes {
		again.lacking = append(again.lacking, withCode(whole.Label, whole.Code)+" itself is left out of the ranking of its parts")
	}
	if len(levels) > 1 {
		again.level = describeLevels(chosen, levels)
	}
	again.noteApart(apart)
	return again, nil
}

// wholesOf returns the areas of the dataset whose parts a ranking is of.
func (c *call) wholesOf(a *latestArgs, f *fetched) (wholes []codeLabel, err error) {
	for _, area := range a.Within {
		whole, err := c.inDataset(area, f.of)
		if err != nil {
			return nil, err
		}
		if whole != nil {
			wholes = append(wholes, *whole)
		}
	}
	return wholes, nil
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

// selectAreas adds some of the compared areas to a selection: by a pattern of their codes if they are of one length, else
// by those that are left out if these are fewer, else one by one.
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
	if 2*len(areas) > len(compared) {
		for _, v := range compared {
			if !slices.Contains(areas, v) {
				query.Add("not.country", v.Code)
			}
		}
		return
	}
	query.Del("within")
	query.Del("like.country")
	for _, v := range areas {
		query.Add("country", v.Code)
	}
}

// chooseLevel returns the level that is asked for, else the countries, else the coarsest level whose areas are
// subdivisions in ISO 3166-2, as those of which people speak are, else that of [mostAreas]. It is nil if there are no two
// areas of one level.
func (c *call) chooseLevel(a *latestArgs, levels []level) (*level, error) {
	if a.Level != nil {
		at := slices.IndexFunc(levels, func(l level) bool { return l.number == *a.Level })
		if at < 0 {
			return nil, errorf("the selection has no areas of level %d; levels: %s", *a.Level, listLevels(levels))
		}
		return &levels[at], nil
	}
	several := slices.DeleteFunc(slices.Clone(levels), func(l level) bool { return len(l.areas) < 2 })
	if len(several) == 0 {
		return nil, nil
	}
	if len(several) == 1 || several[0].number == 0 {
		return &several[0], nil
	}
	for i := range several {
		if several[i].isISO {
			return &several[i], nil
		}
		if !several[i].isNUTS {
			continue
		}
		found, err := c.lookUp(several[i].areas[0].Code, "")
		if isNoArea(err) {
			continue // an area that only this dataset has
		}
		if err != nil {
			return nil, err
		}
		if found.Area.Codes["iso3166_2"] != "" {
			return &several[i], nil
		}
	}
	return mostAreas(several), nil
}

// mostAreas returns the coarsest level of NUTS if most areas are of NUTS, else the level with most areas.
func mostAreas(levels []level) *level {
	all, nuts, most := 0, 0, 0
	for i := range levels {
		all += len(levels[i].areas)
		if levels[i].isNUTS {
			nuts += len(levels[i].areas)
		}
		if len(levels[i].areas) > len(levels[most].areas) {
			most = i
		}
	}
	if 2*nuts > all {
		most = slices.IndexFunc(levels, func(l level) bool { return l.isNUTS })
	}
	return &levels[most]
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
