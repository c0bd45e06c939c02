package search

import (
	"slices"
	"strings"
)

// namedSource is a source that a question names.
type namedSource struct {
	ids   []string // in lower case
	asked string
}

// sourceFactor weighs the datasets of a source that the question names.
const sourceFactor = float32(10)

// readSources finds the sources that the text names and that have a dataset.
func (s *Search) readSources(n *snapshot, r *reading, text string) {
	for _, named := range s.table.Sources(text) {
		if slices.ContainsFunc(named.Places, func(i int) bool { return r.inCode[i] }) || !slices.ContainsFunc(named.IDs, n.hasSource) {
			continue
		}
		r.sources = append(r.sources, namedSource{named.IDs, r.asked(named.Places)})
		for _, i := range named.Places {
			r.used[i] = true
		}
	}
}

// hasSource reports whether a source, or a part of one, has a dataset.
func (n *snapshot) hasSource(id string) bool {
	return slices.ContainsFunc(n.sources(), func(source string) bool { return isOf(source, id) })
}

// isOf reports whether a source is one with an ID, or a part of it: destatis_regional of destatis.
func isOf(source, id string) bool {
	if len(source) < len(id) || !strings.EqualFold(source[:len(id)], id) {
		return false
	}
	return len(source) == len(id) || source[len(id)] == '_'
}

// sourceOf returns what the question calls the source of a dataset; empty if it does not name it.
func (r *reading) sourceOf(rec *record) string {
	for _, named := range r.sources {
		if slices.ContainsFunc(named.ids, func(id string) bool { return isOf(rec.source, id) }) {
			return named.asked
		}
	}
	return ""
}

// sourceFactor weighs a dataset by the sources that the question names.
func (r *reading) sourceFactor(rec *record) float32 {
	if r.sourceOf(rec) != "" {
		return sourceFactor
	}
	return 1
}
