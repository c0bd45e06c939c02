package px

import (
	"slices"
	"strings"

	"almanac/internal/stat"
)

// Keywords with one value for each place, and those that are remarks, of which
// there may be several for a place.
var (
	single = []string{
		"LANGUAGE", "LANGUAGES", "MATRIX", "TABLEID", "TITLE", "DESCRIPTION", "CONTENTS", "UNITS",
		"STUB", "HEADING", "VALUES", "CODES", "VARIABLECODE", "VARIABLE-TYPE", "TIMEVAL", "CONTVARIABLE", "KEYS",
		"ELIMINATION", "MAP", "LAST-UPDATED", "CREATION-DATE", "SOURCE", "COPYRIGHT", "CONTACT", "DATABASE", "LINK",
		"DATASYMBOL1", "DATASYMBOL2", "DATASYMBOL3", "DATASYMBOL4", "DATASYMBOL5", "DATASYMBOL6", "DATASYMBOLNIL",
	}
	remarks = []string{"NOTEX", "NOTE", "VALUENOTEX", "VALUENOTE", "DATANOTE", "CELLNOTEX", "CELLNOTE", "DATANOTECELL"}
	// spellings are other ways to write a keyword.
	spellings = map[string]string{"VARIABLE-CODE": "VARIABLECODE", "VARIABLETYPE": "VARIABLE-TYPE"}
)

// kept are the keywords that matter. All others are passed over: how a table
// is shown, who may be asked about it, what other programs need.
var kept = func() map[string]bool {
	all := map[string]bool{}
	for _, keyword := range slices.Concat(single, remarks) {
		all[keyword] = true
	}
	return all
}()

// slot is the place of a statement with one value: its keyword, its language
// (empty for the file's own), and up to two keys.
type slot struct{ keyword, language, a, b string }

// entry is what a statement says, and where.
type entry struct {
	values []string
	at     stat.Position
}

// header is all that stands before the cells.
type header struct {
	language string // the file's own
	entries  map[slot]entry
	notes    []statement // on the table and on variables
	remarks  []statement // on values and cells
	updates  []statement // LAST-UPDATED, of whatever
}

func readHeader(s *scanner) (*header, error) {
	h := &header{entries: map[slot]entry{}}
	p := parser{scanner: s, shared: map[string]string{}}
	for {
		st, ok, err := p.next()
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, stat.BadFile(p.place(), "the file ends before DATA, the keyword before the cells; it may be cut off")
		}
		if st.keyword == "DATA" {
			return h, nil
		}
		if !kept[st.keyword] {
			continue
		}
		if len(h.entries)+len(h.notes)+len(h.remarks)+len(h.updates) >= maxStatements {
			return nil, stat.BadFile(st.at, "there are more than %d statements before the cells", maxStatements)
		}
		if err := h.add(st); err != nil {
			return nil, err
		}
	}
}

// add takes in a statement. One that is there already with another value
// leaves open what the table is.
func (h *header) add(st statement) error {
	switch {
	case strings.HasPrefix(st.keyword, "NOTE"), st.keyword == "DATANOTE" && len(st.keys) < 2:
		h.notes = append(h.notes, st)
		return nil
	case slices.Contains(remarks, st.keyword):
		h.remarks = append(h.remarks, st)
		return nil
	case st.keyword == "LAST-UPDATED":
		h.updates = append(h.updates, st)
		return nil
	}
	if len(st.keys) > 2 {
		return stat.BadFile(st.at, "%s has %d texts in its brackets; it may have two", st.keyword, len(st.keys))
	}
	keys := append(st.keys, "", "")
	s := slot{st.keyword, st.language, keys[0], keys[1]}
	if before, ok := h.entries[s]; ok && !slices.Equal(before.values, st.values) {
		return stat.BadFile(st.at, "%s stands in line %d too, with another value", st.keyword, before.at.Line)
	}
	h.entries[s] = entry{st.values, st.at}
	if st.keyword == "LANGUAGE" {
		h.language = strings.ToLower(strings.TrimSpace(st.values[0]))
	}
	return nil
}

// find looks up what a keyword says in a language, "" being the file's own.
func (h *header) find(s slot) (entry, bool) {
	if v, ok := h.entries[s]; ok || s.language != "" || h.language == "" {
		return v, ok
	}
	s.language = h.language
	v, ok := h.entries[s]
	return v, ok
}

// list is the values of a keyword; nil where it is not there.
func (h *header) list(s slot) []string {
	v, _ := h.find(s)
	return v.values
}

// text is the only value of a keyword, without white space around it.
func (h *header) text(s slot) string {
	v, _ := h.find(s)
	return strings.TrimSpace(strings.Join(v.values, " "))
}

// best is the text of a keyword without keys, in the language that is shown
// if it is there, else in the file's own.
func (h *header) best(keyword, shown string) string {
	if text := h.text(slot{keyword: keyword, language: shown}); text != "" {
		return text
	}
	return h.text(slot{keyword: keyword})
}

// isOwn reports whether a statement is in the file's own language.
func (h *header) isOwn(language string) bool { return language == "" || language == h.language }

// shown is the language that labels are taken from: English where the file
// has it beside its own, else "", its own.
func (h *header) shown() string {
	if strings.HasPrefix(h.language, "en") {
		return ""
	}
	for _, language := range h.list(slot{keyword: "LANGUAGES"}) {
		language = strings.ToLower(strings.TrimSpace(language))
		if language == "en" || strings.HasPrefix(language, "en-") || strings.HasPrefix(language, "en_") {
			return language
		}
	}
	return ""
}
