package search

import (
	"almanac/internal/search/index"
)

// found says why a dataset was found: for each part of the question the best place.
func (n *snapshot) found(r *reading, doc uint32, rec *record) []Found {
	var list []Found
	if c, ok := r.coded[doc]; ok {
		list = append(list, Found{"code", c.asked, rec.code, c.kind})
	}
	for _, c := range r.clauses {
		at, ok := n.index.Explain(doc, c)
		if !ok {
			continue
		}
		from := r.phrases[at.Phrase]
		kind := from.kind
		if kind == "exact" && at.Kind != index.Exact {
			kind = string(at.Kind)
		}
		list = append(list, Found{fieldNames[at.Field], from.asked, at.Text, kind})
	}
	for _, area := range r.areas {
		list = append(list, Found{"area", area, area, "area"})
	}
	return list
}
