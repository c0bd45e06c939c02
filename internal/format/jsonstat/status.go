package jsonstat

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/format/jsonscan"
	"almanac/internal/format/office"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// eachCell reads the rest of an array with an entry for each cell, or of an object
// with the numbers of cells as names, and calls use with the place of each entry.
// others read the fields with other names; any further field is an error.
func eachCell(j *jsonscan.Scanner, kind jsonscan.Kind, use func(cell int64, at stat.Position, value jsonscan.Token) error, others map[string]jsonscan.Reader) error {
	if kind == jsonscan.Array {
		next := int64(-1)
		return j.Array(func(value jsonscan.Token) error {
			next++
			return use(next, value.At, value)
		})
	}
	return j.Members(func(name, value jsonscan.Token) error {
		cell, err := strconv.ParseUint(string(name.Text), 10, 62)
		if err == nil && (len(name.Text) == 1 || name.Text[0] != '0') {
			return use(int64(cell), name.At, value)
		}
		if read := others[string(name.Text)]; read != nil {
			return read(j, value)
		}
		return stat.BadFile(name.At, "%q is not the number of a cell; cells count from 0", text.Clip(string(name.Text)))
	})
}

// statuses are the statuses of the cells of a dataset.
type statuses struct {
	texts   []string
	index   map[string]uint32 // of texts
	entries []entry
	at      stat.Position
	length  int // of the array of statuses; 0 without one
	all     int // the text for all cells, counted from 1; 0: there is none
	labels  map[string]string
}

// entry is the status of one cell and its position in the file. There may be as many as
// cells, so they are small.
type entry struct {
	cell         int64
	line, column int32
	text         uint32
	used         bool // the cell has a value too
}

func (e *entry) at() stat.Position { return stat.Position{Line: int(e.line), Column: int(e.column)} }

// read reads one status for all cells, an array of them, or an object: {"17": "e"},
// or Eurostat's old {"value": […], "category": {"label": {"e": "estimated"}}}.
func (s *statuses) read(j *jsonscan.Scanner, value jsonscan.Token) error {
	switch value.Kind {
	case jsonscan.String:
		s.all = int(s.intern(value.Text)) + 1
		return nil
	case jsonscan.Array:
		s.at, s.length = value.At, 0
		return eachCell(j, value.Kind, func(cell int64, at stat.Position, value jsonscan.Token) error {
			s.length++
			return s.add(cell, at, value)
		}, nil)
	case jsonscan.Object:
		s.at = value.At
		return eachCell(j, value.Kind, s.add, map[string]jsonscan.Reader{"value": s.read, "category": s.readLabels})
	}
	return nil
}

// readLabels reads the meanings of statuses, in a field "label".
func (s *statuses) readLabels(j *jsonscan.Scanner, value jsonscan.Token) error {
	return j.Decode(value, map[string]any{"label": &s.labels})
}

// add keeps the status of a cell; null and the empty text are none.
func (s *statuses) add(cell int64, _ stat.Position, value jsonscan.Token) error {
	switch {
	case value.Kind == jsonscan.Null || value.Kind == jsonscan.String && strings.TrimSpace(string(value.Text)) == "":
		return nil
	case value.Kind != jsonscan.String && value.Kind != jsonscan.Number:
		return stat.BadFile(value.At, "the status of a cell must be a text, or null for none")
	}
	s.entries = append(s.entries, entry{cell: cell, line: int32(value.At.Line), column: int32(value.At.Column), text: s.intern(value.Text)})
	return nil
}

func (s *statuses) intern(text []byte) uint32 {
	at, ok := s.index[string(text)]
	if !ok {
		if s.index == nil {
			s.index = map[string]uint32{}
		}
		at = uint32(len(s.texts))
		s.texts = append(s.texts, string(text))
		s.index[s.texts[at]] = at
	}
	return at
}

func (e entry) compare(other entry) int { return cmp.Compare(e.cell, other.cell) }

// check orders the statuses and checks that each has a cell.
func (s *statuses) check(cells int64) error {
	if s.length == 1 && cells > 1 && len(s.entries) == 1 { // an array of one is for all cells
		s.all, s.entries, s.length = int(s.entries[0].text)+1, nil, 0
	}
	if s.length > 1 && int64(s.length) != cells {
		return stat.BadFile(s.at, "there are %d statuses but %d cells; an array of statuses must have one for each cell, or one for all", s.length, cells)
	}
	if !slices.IsSortedFunc(s.entries, entry.compare) {
		slices.SortFunc(s.entries, entry.compare)
	}
	for i := range s.entries {
		e := &s.entries[i]
		if e.cell >= cells {
			return stat.BadFile(e.at(), "there is a status of the cell %d, but the cells are 0 to %d", e.cell, cells-1)
		}
		if i > 0 && s.entries[i-1].cell == e.cell {
			return stat.BadFile(e.at(), "the cell %d has two statuses", e.cell)
		}
	}
	return nil
}

// find returns the status of a cell as its position among texts, counted from 1; 0 for
// none. near is the entry to try first; find advances it.
func (s *statuses) find(cell int64, near *int) int {
	if *near >= len(s.entries) || s.entries[*near].cell != cell {
		var found bool
		if *near, found = slices.BinarySearchFunc(s.entries, entry{cell: cell}, entry.compare); !found {
			return s.all
		}
	}
	e := &s.entries[*near]
	e.used = true
	*near++
	return int(e.text) + 1
}

type meaning struct {
	flags   stat.Flags // beside a number
	alone   stat.Flags // without a number
	missing bool       // a number beside it is none
	known   bool
	note    string // the file's own words for an unknown mark
}

// eurostat is the source whose statuses have a code list.
const eurostat = "eurostat"

// meaningOf returns what a status means. JSON-stat has no list of statuses, so every
// status is the office's own, but for dots and colons, which always mean no value.
func meaningOf(source, content string) meaning {
	content = strings.Join(strings.Fields(content), " ")
	if source != eurostat {
		flags, known := office.Status(source, "status", content)
		missing := text.IsMissing(content)
		return meaning{flags: flags, alone: flags, missing: missing || flags.Missing(), known: known || missing || content == "-"}
	}
	letters := strings.TrimLeft(content, ": ") // as in Eurostat's other files, the colon is not a mark
	m := meaning{known: true, missing: letters != content}
	if letters != "" {
		m.flags, m.known = office.Status(eurostat, "obs_flag", letters)
	}
	m.alone = office.WithoutNumber(m.flags)
	m.missing = m.missing || m.flags.Missing()
	return m
}
