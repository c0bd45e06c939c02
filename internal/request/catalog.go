package request

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"

	"almanac/internal/geo"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// Fields are the members of a dataset in the list that are only shown if they are wanted.
type Fields map[string]bool

// catalogFields are the names of the fields, in the order of the members.
var catalogFields = []string{
	"source", "code", "version", "versions", "description", "topics", "frequency", "periods", "areas", "available_geo", "observations",
	"licence", "next_update", "kept_up_to_date", "last_checked",
}

// ChangeWithData reports whether the fields change only with the catalogue. Licences also
// change with the program, and topics follow the catalogue later.
func (f Fields) ChangeWithData() bool {
	return !f["kept_up_to_date"] && !f["last_checked"] && !f["licence"] && !f["topics"]
}

// allFields stands for all fields.
const allFields = "all"

// Listing is what a request wants of the list of datasets.
type Listing struct {
	Positions []int32 // in [store.Catalog.Entries], in the order wanted
	Fields    Fields
	Notices   []Notice
}

// IsPlain reports whether the parameters are only those whose response has the members of
// every dataset, by ascending ID and without notices.
func (p *Catalog) IsPlain() bool {
	return !p.IsSearch() && p.Source == nil && p.Frequency == nil && p.UpdatedSince == "" && p.Fields == nil && p.Sort == ""
}

// relevance is the order of the datasets that the search found.
const relevance = "relevance"

// IsSearch reports whether a parameter needs the search.
func (p *Catalog) IsSearch() bool { return p.Q != "" || p.Topic != nil }

// ParseCatalog applies the parameters to a catalogue. find returns the IDs of the datasets
// that the search finds for the parameters q and topic, best first; it is called if one of
// them is given and the others are valid. The error is that of find, or [stat.Invalid] and
// names the parameter. A source that has no datasets is a notice.
func ParseCatalog(c *store.Catalog, p *Catalog, find func() ([]int, error)) (l Listing, err error) {
	if l.Fields, err = parseFields(p.Fields); err != nil {
		return l, err
	}
	conditions, err := l.conditions(c, p)
	if err != nil {
		return l, err
	}
	isRanked := p.Q != "" && cmp.Or(p.Sort, relevance) == relevance
	var positions []int32
	if !isRanked {
		order, err := parseOrder(p.Sort)
		if err != nil {
			return l, err
		}
		positions = order.positions(c)
	}
	if p.IsSearch() {
		ids, err := find()
		if err != nil {
			return l, err
		}
		found := positionsOf(c, ids)
		if isRanked {
			positions = found
		} else {
			conditions = append(conditions, isIn(c, found))
		}
	}
	if len(conditions) == 0 {
		l.Positions = positions
		return l, nil
	}
	isWanted := make([]bool, len(c.Entries)) // in the order of the memory, which is faster than any other
	for at := range isWanted {
		isWanted[at] = !slices.ContainsFunc(conditions, func(holds condition) bool { return !holds(int32(at)) })
	}
	for _, at := range positions {
		if isWanted[at] {
			l.Positions = append(l.Positions, at)
		}
	}
	return l, nil
}

// positionsOf returns the positions of datasets, in the order of their IDs as given, without
// those that are no longer there.
func positionsOf(c *store.Catalog, ids []int) []int32 {
	positions := make([]int32, 0, len(ids))
	for _, id := range ids {
		if at, ok := slices.BinarySearchFunc(c.Entries, id, func(e store.Entry, id int) int { return cmp.Compare(e.ID, id) }); ok {
			positions = append(positions, int32(at))
		}
	}
	return positions
}

// condition reports whether the dataset at a position is wanted.
type condition func(at int32) bool

func (l *Listing) conditions(c *store.Catalog, p *Catalog) (all []condition, err error) {
	if p.Country != "" {
		in := c.With(CountryAreas(p.Country)...)
		if len(in) == 0 && IsNoArea(p.Country) {
			l.Notices = append(l.Notices, unknownArea("country", p.Country, fmt.Sprintf("no area in /api/areas has the code or name %.80q, and no dataset here has it as a code; a region that only its office has is found by its code, and in a dataset by its label", p.Country)))
		}
		all = append(all, isIn(c, in))
	}
	if p.Within != "" {
		in := c.Select(geo.WholeOf(p.Within).Has)
		if len(in) == 0 {
			n := NewNotice(withinParam, p.Within, fmt.Sprintf("no dataset here has an area that is %.100q or a part of it", p.Within))
			if IsNoArea(p.Within) {
				n.suggest(geo.Spellings(p.Within), 0)
			}
			l.Notices = append(l.Notices, n)
		}
		all = append(all, isIn(c, in))
	}
	if p.Source != nil {
		wanted := l.sources(c, p.Source)
		all = append(all, func(at int32) bool { return wanted[c.Entries[at].Source] || wanted[publisherOf(&c.Entries[at])] })
	}
	if p.Frequency != nil {
		wanted, err := parseFrequencies(p.Frequency)
		if err != nil {
			return nil, err
		}
		all = append(all, func(at int32) bool {
			return slices.ContainsFunc(c.Entries[at].Frequencies, func(f stat.Frequency) bool { return slices.Contains(wanted, f) })
		})
	}
	if p.UpdatedSince != "" {
		since, err := parseMoment("updated_since", p.UpdatedSince)
		if err != nil {
			return nil, err
		}
		all = append(all, func(at int32) bool { return !c.Entries[at].LastUpdate.Before(since) })
	}
	return all, nil
}

// isIn returns the condition of being one of some positions.
func isIn(c *store.Catalog, positions []int32) condition {
	found := make([]bool, len(c.Entries))
	for _, at := range positions {
		found[at] = true
	}
	return func(at int32) bool { return found[at] }
}

// publisherOf returns the name of the publisher of a local file, in lower case; empty if it names
// none, and of datasets of other sources.
func publisherOf(e *store.Entry) string {
	if e.Source != stat.LocalSource {
		return ""
	}
	return strings.ToLower(e.SourceName)
}

// sources returns the IDs of the sources with the given IDs or names, and the publishers of local
// files. Unknown ones become notices.
func (l *Listing) sources(c *store.Catalog, values []string) map[string]bool {
	type sourcesKey struct{}
	byName := c.Memo(sourcesKey{}, func() any {
		byName := map[string][]string{}
		for i := range c.Entries {
			e := &c.Entries[i]
			name, id := strings.ToLower(e.SourceName), cmp.Or(publisherOf(e), e.Source)
			if !slices.Contains(byName[name], id) { // an office, and local files that name it
				byName[name] = append(byName[name], id)
			}
		}
		for i := range c.Entries { // an ID goes before a name
			byName[c.Entries[i].Source] = []string{c.Entries[i].Source}
		}
		return byName
	}).(map[string][]string)
	ids := map[string]bool{}
	for _, value := range values {
		if named, ok := byName[strings.ToLower(value)]; ok {
			for _, id := range named {
				ids[id] = true
			}
			continue
		}
		n := NewNotice("source", value, fmt.Sprintf("%q is no source of a dataset here; /api/status lists the sources", value))
		n.suggest(slices.Sorted(maps.Keys(byName)), len(l.Notices))
		l.Notices = append(l.Notices, n)
	}
	return ids
}

func parseFrequencies(values []string) (list []stat.Frequency, err error) {
	var names []string
	for _, value := range values {
		before := len(list)
		for f := stat.Annual; f <= stat.Day; f++ {
			if strings.EqualFold(value, f.String()) || strings.EqualFold(value, f.Code()) {
				list = append(list, f)
			}
			names = append(names, f.String())
		}
		if len(list) == before {
			return nil, unknownName("frequency", value, names[:int(stat.Day)])
		}
	}
	return list, nil
}

// unknownName is the error for a value that is not among the names that a parameter takes.
func unknownName(parameter, value string, names []string) error {
	return stat.Errorf(stat.Invalid, "parameter %s has no value %.80q%s; it takes %s", parameter, value, didYouMean(value, names), strings.Join(names, ", "))
}

// parseMoment parses a date or a time.
func parseMoment(parameter, text string) (time.Time, error) {
	for _, format := range []string{time.DateOnly, time.RFC3339, "2006-01-02T15:04:05-0700", "2006-01-02T15:04:05"} {
		if t, err := time.Parse(format, text); err == nil {
			return t, nil
		}
	}
	return time.Time{}, stat.Errorf(stat.Invalid, "parameter %s must be a date such as 2026-01-31 or a time such as 2026-01-31T12:00:00Z, not %.80q", parameter, text)
}

func parseFields(lists []string) (Fields, error) {
	fields := Fields{}
	for _, list := range lists {
		for name := range strings.SplitSeq(list, ",") {
			name = strings.TrimSpace(name)
			switch {
			case name == allFields:
				for _, each := range catalogFields {
					fields[each] = true
				}
			case slices.Contains(catalogFields, name):
				fields[name] = true
			default:
				return nil, unknownName("fields", name, append(slices.Clone(catalogFields), allFields))
			}
		}
	}
	return fields, nil
}

// order is an order of datasets.
type order struct {
	by           string
	isDescending bool
}

// orders returns functions that compare two positions by what can be sorted by. Equal ones
// stay by ascending ID.
var orders = map[string]func(all []store.Entry) func(a, b int32) int{
	"id": func([]store.Entry) func(a, b int32) int { return cmp.Compare[int32] },
	"name": func(all []store.Entry) func(a, b int32) int {
		names := collationKeys(all)
		return func(a, b int32) int { return bytes.Compare(names[a], names[b]) }
	},
	"last_update": func(all []store.Entry) func(a, b int32) int {
		return func(a, b int32) int { return all[a].LastUpdate.Compare(all[b].LastUpdate) }
	},
	"next_update": func(all []store.Entry) func(a, b int32) int { // unknown ones come first
		return func(a, b int32) int { return all[a].NextUpdate.Compare(all[b].NextUpdate) }
	},
	"latest_period": func(all []store.Entry) func(a, b int32) int {
		return func(a, b int32) int { return all[a].Newest.Compare(all[b].Newest) }
	},
	"observations": func(all []store.Entry) func(a, b int32) int {
		return func(a, b int32) int { return cmp.Compare(all[a].Observations, all[b].Observations) }
	},
}

// collationKeys returns keys whose order is that of the names in the root collation of
// Unicode: accents and case decide only between names that are equal without them.
func collationKeys(all []store.Entry) [][]byte {
	collator, keys := collate.New(language.Und), make([][]byte, len(all))
	var buf collate.Buffer
	for i := range all {
		keys[i] = collator.KeyFromString(&buf, all[i].Name)
	}
	return keys
}

func parseOrder(text string) (order, error) {
	by, isDescending := strings.CutPrefix(text, "-")
	by = cmp.Or(by, "id")
	switch {
	case by == relevance && !isDescending:
		return order{}, stat.Errorf(stat.Invalid, "parameter sort has the value relevance, which needs the parameter q")
	case orders[by] == nil || text == "-":
		return order{}, unknownName("sort", text, append(slices.Sorted(maps.Keys(orders)), relevance))
	}
	return order{by, isDescending}, nil
}

// positions returns all positions in the order. It sorts once for each catalogue.
func (o order) positions(c *store.Catalog) []int32 {
	return c.Memo(o, func() any {
		positions := make([]int32, len(c.Entries))
		for i := range positions {
			positions[i] = int32(i)
		}
		compare := orders[o.by](c.Entries)
		if ascending := compare; o.isDescending {
			compare = func(a, b int32) int { return ascending(b, a) }
		}
		slices.SortStableFunc(positions, compare)
		return positions
	}).([]int32)
}
