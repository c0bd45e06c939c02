package px

import (
	"slices"
	"strings"

	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// The keywords that are kept: those with one value for a language and keys, those of
// which the last counts, and those of which all count. Others are skipped: they are for
// layout, contacts and other programs.
var (
	singleKeywords = strings.Fields(`
		LANGUAGE LANGUAGES MATRIX TABLEID TITLE DESCRIPTION CONTENTS UNITS
		STUB HEADING VALUES CODES VARIABLECODE VARIABLE-TYPE TIMEVAL CONTVARIABLE KEYS
		ELIMINATION MAP CREATION-DATE SOURCE COPYRIGHT CONTACT DATABASE LINK
		DATASYMBOL1 DATASYMBOL2 DATASYMBOL3 DATASYMBOL4 DATASYMBOL5 DATASYMBOL6 DATASYMBOLNIL`)
	noteKeywords     = strings.Fields("NOTEX NOTE DATANOTE")
	repeatedKeywords = strings.Fields("VALUENOTEX VALUENOTE CELLNOTEX CELLNOTE DATANOTECELL LAST-UPDATED NEXT-UPDATE")
	keptKeywords     = slices.Concat(singleKeywords, noteKeywords, repeatedKeywords)
)

// spellings are other ways to write a keyword.
var spellings = map[string]string{"VARIABLE-CODE": "VARIABLECODE", "VARIABLETYPE": "VARIABLE-TYPE"}

// slot identifies a statement that is not repeated: its keyword, its language
// (empty for the file's own), and up to two keys.
type slot struct{ keyword, language, a, b string }

// header holds the statements before the cells.
type header struct {
	language string // the file's own
	entries  map[slot]statement
	updates  []statement // LAST-UPDATED
	next     []statement // NEXT-UPDATE
	remarks  []statement // on values and on cells
}

func readHeader(s *text.Scanner) (*header, error) {
	h := &header{entries: map[slot]statement{}}
	p := parser{Scanner: s, shared: map[string]string{}}
	for {
		st, ok, err := p.next()
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, stat.BadFile(p.At(), "the file ends before DATA, the keyword with which the cells begin; it may be cut off")
		}
		if st.keyword == "DATA" {
			return h, nil
		}
		if st.values == nil {
			continue // skipped
		}
		if len(h.entries)+len(h.updates)+len(h.next)+len(h.remarks) >= maxStatements {
			return nil, stat.BadFile(st.at, "there are more than %d statements before the cells", maxStatements)
		}
		if err := h.add(st); err != nil {
			return nil, err
		}
	}
}

// add keeps a statement. It refuses a second value of one that may not be repeated,
// since nothing tells which of the two is right.
func (h *header) add(st statement) error {
	isNote := slices.Contains(noteKeywords, st.keyword)
	switch {
	case st.keyword == "LAST-UPDATED":
		h.updates = append(h.updates, st)
		return nil
	case st.keyword == "NEXT-UPDATE":
		h.next = append(h.next, st)
		return nil
	case slices.Contains(repeatedKeywords, st.keyword), st.keyword == "DATANOTE" && len(st.keys) > 1:
		h.remarks = append(h.remarks, st)
		return nil
	case len(st.keys) > 2 && !isNote:
		return stat.BadFile(st.at, "%s has %d texts in its brackets; at most 2 are allowed", st.keyword, len(st.keys))
	}
	keys := append(st.keys, "", "")
	s := slot{st.keyword, st.language, keys[0], keys[1]}
	if before, ok := h.entries[s]; ok && !isNote && !slices.Equal(before.values, st.values) {
		return stat.BadFile(st.at, "%s differs from the statement in line %d", st.keyword, before.at.Line)
	}
	h.entries[s] = st
	if st.keyword == "LANGUAGE" {
		h.language = strings.ToLower(strings.TrimSpace(st.values[0]))
	}
	return nil
}

// find returns the statement in a slot; the language "" is the file's own.
func (h *header) find(s slot) (statement, bool) {
	st, ok := h.entries[s]
	if !ok && s.language == "" {
		s.language = h.language
		st, ok = h.entries[s]
	}
	return st, ok
}

// list returns the values in a slot; nil where it is empty.
func (h *header) list(s slot) []string {
	st, _ := h.find(s)
	return st.values
}

// text returns the only value in a slot, without white space around it.
func (h *header) text(s slot) string {
	st, _ := h.find(s)
	return st.text()
}

// best returns the text of a keyword in a language, else in the file's own.
func (h *header) best(keyword, language string) string {
	if text := h.text(slot{keyword: keyword, language: language}); text != "" {
		return text
	}
	return h.text(slot{keyword: keyword})
}

func (h *header) isOwn(language string) bool { return language == "" || language == h.language }

// labelLanguage returns the language of the labels: English if it is the file's second
// language, else "", the file's own.
func (h *header) labelLanguage() string {
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
