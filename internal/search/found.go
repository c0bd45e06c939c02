package search

import (
	"slices"
	"strings"

	"almanac/internal/search/index"
)

// found says why a dataset was found: for each part of the question the best place.
func (n *snapshot) found(r *reading, doc uint32, rec *record) []Found {
	var list []Found
	if c, ok := r.coded[doc]; ok && c.kind == valueKind {
		list = append(list, Found{fieldNames[index.Label], c.asked, r.valueCode, "code"})
	} else if ok {
		list = append(list, Found{"code", c.asked, rec.code, c.kind})
	}
	if parent, ok := r.siblings[doc]; ok {
		list = append(list, Found{"code", parent, rec.code, "prefix"})
	}
	if asked := r.sourceOf(rec); asked != "" {
		list = append(list, Found{"source", asked, rec.source, "exact"})
	}
	for _, c := range r.clauses {
		for _, at := range n.index.Explain(doc, c) {
			from := r.phrases[at.Phrase]
			f := Found{fieldNames[at.Field], from.asked, at.Text, r.kindOf(from, at.Kind)}
			if !slices.Contains(list, f) {
				list = append(list, f)
			}
		}
	}
	return list
}

// foundAreas returns the places of the question that a dataset has, or of which it has the parts.
func foundAreas(r *reading, covered map[string]Coverage) (list []Found) {
	for _, area := range r.areas {
		if c := covered[area]; c == Known || c == Parts || c == Presumed {
			list = append(list, Found{"area", area, area, "area"})
		}
	}
	return list
}

// kindOf returns the kind of match of a phrase in which the words of a document are of a kind.
func (r *reading) kindOf(from phrase, of index.Kind) string {
	isCorrected := func(c Correction) bool { return slices.Contains(strings.Fields(from.asked), c.Word) }
	switch {
	case from.kind != "exact":
		return from.kind
	case of != index.Exact || from.asked == from.text:
		return string(of)
	case strings.HasPrefix(from.text, from.asked):
		return string(index.Prefix)
	case slices.ContainsFunc(r.corrections, isCorrected):
		return string(index.Typo)
	}
	return string(index.Exact)
}
