package stat

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// A CodeList is a list of codes with labels, in the office's order. A list merged
// from several ([NewestCodes]) records the origin of each code.
type CodeList struct {
	Name string // as the source writes it: "CL_FREQ", "geo"
	// Version orders lists with the same name: "2.1", "49.1". A list without a
	// meaningful version has 0 and its year ("0.2021"), and so is older than all
	// others.
	Version string
	Codes   []Code
	// Partial means that the list has only the codes of one dataset, so that its
	// order is less reliable.
	Partial bool
	// Grown means that the list was collected from imports, so that codes may be
	// missing.
	Grown bool
	// Encoding is the encoding of the text if it is not UTF-8.
	Encoding string
	// Language is that of most labels, see [LanguageTag]; empty if it is unknown.
	Language string
	// Translations holds labels in other languages by language and code; nil if there are
	// none.
	Translations map[string]map[string]string

	origins   []Origin         // of Codes in a merged list; nil if the list was not merged
	positions map[string]int32 // of Codes in a restored list
}

// Origin is where a code of a merged list comes from.
type Origin struct {
	Version  string // of the list with the label
	Whole    string // version of the newest complete list with the code; empty if none
	Position int    // in that list
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

// RestoreCodeList returns a list with stored codes and their origins, sorted as by
// [NewestCodes].
func RestoreCodeList(l CodeList, origins []Origin) *CodeList {
	codes := make([]merged, len(l.Codes))
	for i, c := range l.Codes {
		codes[i] = merged{c, origins[i], 0}
	}
	l.setCodes(codes)
	l.positions = positionsOf(l.Codes)
	return &l
}

func (l *CodeList) setCodes(codes []merged) {
	slices.SortStableFunc(codes, merged.compare)
	l.Codes, l.origins = make([]Code, len(codes)), make([]Origin, len(codes))
	for i, m := range codes {
		l.Codes[i], l.origins[i] = m.Code, m.Origin
	}
}

// Translate adds the label of a code in another language, unless there is one already.
func (l *CodeList) Translate(language, code, label string) {
	if language == "" || label == "" || l.Translations[language][code] != "" {
		return
	}
	if l.Translations == nil {
		l.Translations = map[string]map[string]string{}
	}
	if l.Translations[language] == nil {
		l.Translations[language] = map[string]string{}
	}
	l.Translations[language][code] = label
}

// TranslationsOf returns the labels of a code in the languages of the list, if it has the code with this label in one of
// them; else nil.
func (l *CodeList) TranslationsOf(code Code) (labels Texts) {
	if l == nil {
		return nil
	}
	at := slices.IndexFunc(l.Codes, func(c Code) bool { return c.ID == code.ID })
	if at < 0 {
		return nil
	}
	isMeant := l.Codes[at].Label == code.Label
	labels = labels.Set(l.Language, l.Codes[at].Label)
	for language := range l.Translations {
		label := l.Translations[language][code.ID]
		labels, isMeant = labels.Set(language, label), isMeant || label == code.Label
	}
	if !isMeant {
		return nil
	}
	return labels
}

// addTranslations adds the labels in other languages that l lacks, of the codes for which
// keep is true; nil keeps all.
func (l *CodeList) addTranslations(from *CodeList, keep func(id string) bool) {
	l.Language = cmp.Or(l.Language, from.Language)
	for language, labels := range from.Translations {
		for code, label := range labels {
			if keep == nil || keep(code) {
				l.Translate(language, code, label)
			}
		}
	}
}

// Only returns a list of the codes for which keep is true, marked as Grown.
func (l *CodeList) Only(keep func(id string) bool) *CodeList {
	only := &CodeList{Name: l.Name, Version: l.Version, Partial: l.Partial, Grown: true, origins: []Origin{}}
	only.addTranslations(l, keep)
	for i, c := range l.Codes {
		if keep(c.ID) {
			only.Codes = append(only.Codes, c)
			only.origins = append(only.origins, l.Origin(i))
		}
	}
	return only
}

// Positions returns the position of each code by its ID. The map must not be
// changed.
func (l *CodeList) Positions() map[string]int32 {
	if l.positions != nil {
		return l.positions
	}
	return positionsOf(l.Codes)
}

func positionsOf(codes []Code) map[string]int32 {
	at := make(map[string]int32, len(codes))
	for i, c := range codes {
		at[c.ID] = int32(i)
	}
	return at
}

// CompareVersions compares the versions of code lists number by number. Anything
// that is not a number counts as 0.
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

type merged struct {
	Code
	Origin
	list int // index of the list with the position
}

// NewestCodes merges several versions of a list. Each code has the label of the
// newest list that has one. The order is that of the complete lists, newest first,
// then that of the partial ones. Among equal versions the first has precedence.
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
			codes[k].merge(m)
		}
	}
	result.setCodes(codes)
	newestFirst := slices.Clone(lists)
	slices.SortStableFunc(newestFirst, func(a, b *CodeList) int { return CompareVersions(b.Version, a.Version) })
	for _, l := range newestFirst {
		result.addTranslations(l, nil)
	}
	return result
}

// merge adopts what another list states with more authority about the same code.
func (m *merged) merge(other merged) {
	if m.Whole == "" && other.Whole == "" {
		if CompareVersions(other.Version, m.Version) > 0 {
			m.Position, m.list = other.Position, other.list
		}
	} else if m.Whole == "" || other.Whole != "" && CompareVersions(other.Whole, m.Whole) > 0 {
		m.Whole, m.Position, m.list = other.Whole, other.Position, other.list
	}
	if other.Parents != nil && (m.Parents == nil || CompareVersions(other.Version, m.Version) > 0) {
		m.Parents = other.Parents
	}
	if other.Label != "" && (m.Label == "" || CompareVersions(other.Version, m.Version) > 0) {
		m.Label, m.Version = other.Label, other.Version
	}
	m.Unit = cmp.Or(m.Unit, other.Unit)
}

// compare defines the order of codes in [NewestCodes].
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

// over merges two lists. l has precedence whatever their versions, but the order is
// that of below if only below is complete.
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
	result.addTranslations(l, nil)
	result.addTranslations(below, nil)
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
			if result.Codes[k].Parents == nil || from == l && c.Parents != nil {
				result.Codes[k].Parents = c.Parents
			}
			if result.Codes[k].Label == "" || from == l && c.Label != "" {
				result.Codes[k].Label = c.Label
				result.origins[k].Version = from.Origin(i).Version
			}
		}
	}
	return result
}

// UniqueLabels appends codes in brackets to the preferred labels until no two codes
// share a label and none has a label that another code owns, by the IDs in owner. The
// preferred labels have the order of the codes.
func UniqueLabels(codes []Code, preferred []string, owner map[string]string) []string {
	labels := append([]string(nil), preferred...)
	for {
		users := make(map[string]int, len(labels))
		for _, label := range labels {
			users[label]++
		}
		clash := false
		for i, label := range labels {
			id, owned := owner[label]
			if users[label] > 1 || owned && id != codes[i].ID {
				labels[i] = label + " [" + codes[i].ID + "]"
				clash = true
			}
		}
		if !clash {
			return labels
		}
	}
}
