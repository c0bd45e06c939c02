package stat

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// A CodeList is a list of codes with their labels, in the office's order. One
// that was merged of several ([NewestCodes]) still knows where each code stood.
type CodeList struct {
	Name string // as the source writes it: "CL_FREQ", "geo"
	// Version orders the lists of one name: "2.1", "49.1". Lists without a
	// version that counts have 0 and the year they were made in ("0.2021"), and
	// so are older than all that have one.
	Version string
	Codes   []Code
	// Partial says that the list holds only the codes that one dataset has, so
	// that its order says little.
	Partial bool
	// Grown says that the list was put together from the codes that imports met,
	// so that a code may be missing from it.
	Grown bool
	// Encoding is the text encoding that the list was read in because it is no
	// UTF-8; empty where it is.
	Encoding string

	origins []Origin // of Codes in a merged list; nil: this list is the only one
}

// Origin says where a merged list has a code from.
type Origin struct {
	Version  string // of the list that has the label
	Whole    string // version of the newest list that has all codes and this one; empty if none has
	Position int    // of the code in that list
}

// ListName is the key of a code list in [Dictionary.Lists].
func ListName(name string) string {
	return strings.TrimPrefix(strings.ToLower(strings.TrimSpace(name)), "cl_")
}

// Origin returns where the code at a position of Codes comes from.
func (l *CodeList) Origin(i int) Origin {
	if l.origins != nil {
		return l.origins[i]
	}
	o := Origin{Version: cmp.Or(l.Version, "0"), Position: i}
	if !l.Partial {
		o.Whole = o.Version
	}
	return o
}

// KeptCodes makes a list again whose codes were kept each with its origin, in
// any order. The codes come in the order that [NewestCodes] gives them.
func KeptCodes(l CodeList, origins []Origin) *CodeList {
	codes := make([]merged, len(l.Codes))
	for i, c := range l.Codes {
		codes[i] = merged{c, origins[i], 0}
	}
	l.setCodes(codes)
	return &l
}

// setCodes gives the list codes, in their order.
func (l *CodeList) setCodes(codes []merged) {
	slices.SortStableFunc(codes, merged.compare)
	l.Codes, l.origins = make([]Code, len(codes)), make([]Origin, len(codes))
	for i, m := range codes {
		l.Codes[i], l.origins[i] = m.Code, m.Origin
	}
}

// Only returns the list with the codes that keep, as one that imports met.
func (l *CodeList) Only(keep func(id string) bool) *CodeList {
	only := &CodeList{Name: l.Name, Version: l.Version, Partial: l.Partial, Grown: true, origins: []Origin{}}
	for i, c := range l.Codes {
		if keep(c.ID) {
			only.Codes = append(only.Codes, c)
			only.origins = append(only.origins, l.Origin(i))
		}
	}
	return only
}

// Positions are where the codes stand in the list.
func (l *CodeList) Positions() map[string]int32 { return positionsOf(l.Codes) }

func positionsOf(codes []Code) map[string]int32 {
	at := make(map[string]int32, len(codes))
	for i, c := range codes {
		at[c.ID] = int32(i)
	}
	return at
}

// CompareVersions orders the versions of code lists: by their numbers, from
// the first on. What is no number counts as 0.
func CompareVersions(a, b string) int {
	for a != "" || b != "" {
		var first, second string
		first, a, _ = strings.Cut(a, ".")
		second, b, _ = strings.Cut(b, ".")
		m, _ := strconv.Atoi(first)
		n, _ := strconv.Atoi(second)
		if m != n {
			return cmp.Compare(m, n)
		}
	}
	return 0
}

// merged is a code of several lists.
type merged struct {
	Code
	Origin
	list int // which of the lists has the position
}

// NewestCodes makes one list of several versions of it: each code's label is
// that of the newest list that has one, the order that of the lists that are
// whole, newest first, and then that of the partial ones. Of lists with the
// same version the first counts.
func NewestCodes(lists ...*CodeList) *CodeList {
	if len(lists) == 1 {
		return lists[0]
	}
	var codes []merged
	at := map[string]int{}
	result := &CodeList{Name: lists[0].Name, Version: lists[0].Version, Partial: true, Grown: true}
	for n, l := range lists {
		if CompareVersions(l.Version, result.Version) > 0 {
			result.Name, result.Version = l.Name, l.Version
		}
		result.Partial, result.Grown = result.Partial && l.Partial, result.Grown && l.Grown
		result.Encoding = cmp.Or(result.Encoding, l.Encoding)
		for i, c := range l.Codes {
			m := merged{c, l.Origin(i), n}
			k, known := at[c.ID]
			if !known {
				at[c.ID] = len(codes)
				codes = append(codes, m)
				continue
			}
			codes[k].take(m)
		}
	}
	result.setCodes(codes)
	return result
}

// take takes over what another list says better of the same code.
func (m *merged) take(other merged) {
	if m.Whole == "" && other.Whole == "" {
		if CompareVersions(other.Version, m.Version) > 0 {
			m.Position, m.list = other.Position, other.list
		}
	} else if m.Whole == "" || other.Whole != "" && CompareVersions(other.Whole, m.Whole) > 0 {
		m.Whole, m.Position, m.list = other.Whole, other.Position, other.list
	}
	if other.Label != "" && (m.Label == "" || CompareVersions(other.Version, m.Version) > 0) {
		m.Label, m.Version = other.Label, other.Version
	}
	m.Unit = cmp.Or(m.Unit, other.Unit)
}

// compare orders codes as [NewestCodes] says.
func (m merged) compare(other merged) int {
	if isWhole := m.Whole != ""; isWhole != (other.Whole != "") {
		if isWhole {
			return -1
		}
		return 1
	}
	newest := CompareVersions(cmp.Or(other.Whole, other.Version), cmp.Or(m.Whole, m.Version))
	return cmp.Or(newest, cmp.Compare(m.list, other.list), cmp.Compare(m.Position, other.Position))
}

// over is one list of two: what l says counts before what below says, whatever
// their versions. The order is l's, unless only the other is whole.
func (l *CodeList) over(below *CodeList) *CodeList {
	if l == nil {
		return below
	}
	if below == nil {
		return l
	}
	result := &CodeList{
		Name: l.Name, Version: l.Version, Partial: l.Partial && below.Partial,
		Grown: l.Grown && below.Grown, Encoding: l.Encoding,
	}
	first, second := l, below
	if l.Partial && !below.Partial {
		first, second = below, l
	}
	at := map[string]int{}
	for _, from := range []*CodeList{first, second} {
		for i, c := range from.Codes {
			k, known := at[c.ID]
			if !known {
				at[c.ID] = len(result.Codes)
				result.Codes = append(result.Codes, c)
				result.origins = append(result.origins, from.Origin(i))
				continue
			}
			if result.Codes[k].Label == "" || from == l && c.Label != "" {
				result.Codes[k].Label = c.Label
				result.origins[k].Version = from.Origin(i).Version
			}
		}
	}
	return result
}
