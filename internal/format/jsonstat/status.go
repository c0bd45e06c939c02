package jsonstat

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"almanac/internal/format/jsonscan"
	"almanac/internal/format/office"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// statuses are the statuses of a dataset's cells, each text once.
type statuses struct {
	texts   []string
	index   map[string]uint32
	entries []statusOf
	at      stat.Position
	length  int // of the array that they stand in; -1: they stand in none
	all     int // the text of all cells, counted from 1; 0: there is none
	labels  map[string]string
}

// statusOf is the status of one cell, and where it stands.
type statusOf struct {
	cell         int64
	line, column int32
	text         uint32
	used         bool // its cell has an entry among the values
}

func (s *statuses) none() bool { return len(s.entries) == 0 }

// read reads one status for all cells, an array of them, or an object.
func (s *statuses) read(j *jsonscan.Scanner, value jsonscan.Token) (err error) {
	s.index, s.length = map[string]uint32{}, -1
	switch value.Kind {
	case jsonscan.String:
		s.all = int(s.intern(value.Text)) + 1
	case jsonscan.Array:
		err = s.readArray(j, value.At)
	case jsonscan.Object:
		err = s.readObject(j, value.At)
	}
	return err
}

func (s *statuses) intern(text []byte) uint32 {
	if at, ok := s.index[string(text)]; ok {
		return at
	}
	at := uint32(len(s.texts))
	kept := string(text)
	s.texts = append(s.texts, kept)
	s.index[kept] = at
	return at
}

func (s *statuses) readArray(j *jsonscan.Scanner, at stat.Position) error {
	s.at, s.length = at, 0
	return j.Array(func(value jsonscan.Token) error {
		s.length++
		return s.add(int64(s.length-1), value)
	})
}

// readObject reads {"17": "e"}, and Eurostat's old {"value": […], "category":
// {"label": {"e": "estimated"}}}.
func (s *statuses) readObject(j *jsonscan.Scanner, at stat.Position) error {
	s.at = at
	for {
		token, err := j.Next()
		if err != nil || token.Kind == jsonscan.ObjectEnd {
			return err
		}
		nested := ""
		cell := int64(0)
		switch string(token.Text) {
		case "value", "category":
			nested = string(token.Text)
		default:
			if cell, err = cellNumber(token); err != nil {
				return err
			}
		}
		value, err := j.Next()
		switch {
		case err != nil:
		case nested == "":
			err = s.add(cell, value)
		case nested == "category" && value.Kind == jsonscan.Object:
			err = j.Object(func(name string, value jsonscan.Token) (err error) {
				if name != "label" {
					return j.SkipRest(value)
				}
				s.labels, err = textMap(j, value, (*jsonscan.Scanner).TextOf)
				return err
			})
		case nested == "value" && value.Kind == jsonscan.Array:
			err = s.readArray(j, value.At)
		case nested == "value" && value.Kind == jsonscan.Object:
			err = s.readObject(j, value.At)
		default:
			err = j.SkipRest(value)
		}
		if err != nil {
			return err
		}
	}
}

// add keeps the status of a cell; null and the empty text are none.
func (s *statuses) add(cell int64, value jsonscan.Token) error {
	switch {
	case value.Kind == jsonscan.Null || value.Kind == jsonscan.String && len(strings.TrimSpace(string(value.Text))) == 0:
		return nil
	case value.Kind != jsonscan.String && value.Kind != jsonscan.Number:
		return stat.BadFile(value.At, "the status of a cell is a text, or null where there is none")
	}
	s.entries = append(s.entries, statusOf{
		cell: cell, text: s.intern(value.Text),
		line: int32(min(value.At.Line, math.MaxInt32)), column: int32(min(value.At.Column, math.MaxInt32)),
	})
	return nil
}

// settle orders the statuses and checks that each has a cell.
func (s *statuses) settle(cells int64) error {
	s.index = nil
	if s.length == 1 && cells > 1 && len(s.entries) == 1 {
		s.all, s.entries, s.length = int(s.entries[0].text)+1, nil, -1 // an array of one stands for all
	}
	if s.length > 1 && int64(s.length) != cells {
		return stat.BadFile(s.at, "there are %d statuses, and %d cells; the array of statuses has one for each cell, or one for all", s.length, cells)
	}
	if !slices.IsSortedFunc(s.entries, byCell) {
		slices.SortFunc(s.entries, byCell)
	}
	for i, e := range s.entries {
		at := stat.Position{Line: int(e.line), Column: int(e.column)}
		if e.cell >= cells {
			return stat.BadFile(at, "there is a status of the cell %d, and the cells are 0 to %d", e.cell, cells-1)
		}
		if i > 0 && s.entries[i-1].cell == e.cell {
			return stat.BadFile(at, "the cell %d has two statuses", e.cell)
		}
	}
	return nil
}

func byCell(a, b statusOf) int { return cmp.Compare(a.cell, b.cell) }

// of is the status of a cell as its number among the texts, counted from 1; 0
// is none. near is where the one of the cell before was found, and is moved.
func (s *statuses) of(cell int64, near *int) int {
	if *near >= len(s.entries) || s.entries[*near].cell != cell {
		i, found := slices.BinarySearchFunc(s.entries, cell, func(e statusOf, cell int64) int { return cmp.Compare(e.cell, cell) })
		*near = i
		if !found {
			return s.all
		}
	}
	e := &s.entries[*near]
	e.used = true
	*near++
	return int(e.text) + 1
}

// meaning is what a status says.
type meaning struct {
	flags   stat.Flags // beside a number
	alone   stat.Flags // without a number
	missing bool       // a number beside it is none
	known   bool
	note    string // the file's own words for a mark that is not known
}

// eurostat is the source whose marks have a list of their own.
const eurostat = "eurostat"

// meanings reads each text of a status once.
func (s *statuses) meanings(source string) []meaning {
	all := make([]meaning, len(s.texts))
	for i, text := range s.texts {
		all[i] = meaningOf(source, text)
		if !all[i].known {
			all[i].note = s.labels[text]
		}
	}
	return all
}

// meaningOf reads a status. JSON-stat has no list of them, so that every mark
// is the office's own; the dots and colons of all offices say that there is no
// value.
func meaningOf(source, content string) meaning {
	content = strings.Join(strings.Fields(content), " ")
	if source != eurostat {
		flags, known := office.Status(source, "status", content)
		missing := text.IsMissing(content)
		return meaning{flags: flags, alone: flags, missing: missing || flags.Missing(), known: known || missing || content == "-"}
	}
	// Eurostat's colon is no mark of its own, as in its other files.
	letters := strings.TrimLeft(content, ": ")
	m := meaning{known: true, missing: letters != content}
	if letters != "" {
		m.flags, m.known = office.Status(eurostat, "obs_flag", letters)
	}
	m.alone = m.flags
	if m.flags.Has(stat.ConfPrefix + "C") {
		m.alone = stat.NewFlags(string(m.flags), "Q")
	}
	m.missing = m.missing || m.flags.Missing()
	return m
}
