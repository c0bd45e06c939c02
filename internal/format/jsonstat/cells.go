package jsonstat

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/format/jsonscan"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// eachCell reads the rest of an array with one value for each cell, or of an
// object with the numbers of the cells as names; at is where a cell's entry
// begins. Names that are no numbers go to other with the error that they are;
// nil refuses them.
func eachCell(j *jsonscan.Scanner, use func(cell int64, at stat.Position, value jsonscan.Token) error, other func(name string, value jsonscan.Token, bad error) error) error {
	for next := int64(0); ; next++ {
		token, err := j.Next()
		if err != nil || token.Kind == jsonscan.ArrayEnd || token.Kind == jsonscan.ObjectEnd {
			return err
		}
		if token.Kind != jsonscan.Name {
			if err := use(next, token.At, token); err != nil {
				return err
			}
			continue
		}
		cell, bad := cellNumber(token)
		name := ""
		if bad != nil {
			if other == nil {
				return bad
			}
			name = string(token.Text)
		}
		value, err := j.Next()
		switch {
		case err != nil:
		case bad != nil:
			err = other(name, value, bad)
		default:
			err = use(cell, token.At, value)
		}
		if err != nil {
			return err
		}
	}
}

// cellNumber reads the name of a field as the number of a cell.
func cellNumber(name jsonscan.Token) (int64, error) {
	number, err := strconv.ParseUint(string(name.Text), 10, 62)
	if err != nil || len(name.Text) > 1 && name.Text[0] == '0' {
		return 0, stat.BadFile(name.At, "%q is no number of a cell; they count from 0", text.Clip(string(name.Text)))
	}
	return int64(number), nil
}

// section is where the values stand in the file, and what a first look found.
type section struct {
	at        stat.Position
	kind      jsonscan.Kind // array, object, or 0: there are none
	entries   int
	given     int // entries that are not null
	ascending bool
}

// look passes over the values and counts them.
func (s *section) look(j *jsonscan.Scanner, open jsonscan.Token) error {
	*s = section{at: open.At, kind: open.Kind, ascending: true}
	before := int64(-1)
	return eachCell(j, func(cell int64, _ stat.Position, value jsonscan.Token) error {
		switch value.Kind {
		case jsonscan.Object, jsonscan.Array, jsonscan.True, jsonscan.False:
			return stat.BadFile(value.At, "a value is a number, or null where there is none")
		case jsonscan.Null:
		default:
			s.given++
		}
		s.entries++
		s.ascending = s.ascending && cell > before
		before = cell
		return nil
	}, nil)
}

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

func (e *statusOf) position() stat.Position {
	return stat.Position{Line: int(e.line), Column: int(e.column)}
}

// read reads one status for all cells, an array of them, or an object:
// {"17": "e"}, or Eurostat's old {"value": […], "category": {"label": {"e":
// "estimated"}}}.
func (s *statuses) read(j *jsonscan.Scanner, value jsonscan.Token) error {
	if s.index == nil {
		s.index, s.length = map[string]uint32{}, -1
	}
	switch value.Kind {
	case jsonscan.String:
		s.all = int(s.intern(value.Text)) + 1
		return nil
	case jsonscan.Array:
		s.at, s.length = value.At, 0
		return eachCell(j, func(cell int64, at stat.Position, value jsonscan.Token) error {
			s.length++
			return s.add(cell, at, value)
		}, nil)
	case jsonscan.Object:
		s.at = value.At
		return eachCell(j, s.add, func(name string, value jsonscan.Token, bad error) error {
			switch name {
			case "value":
				return s.read(j, value)
			case "category":
				return s.readCategory(j, value)
			}
			return bad
		})
	}
	return nil
}

func (s *statuses) readCategory(j *jsonscan.Scanner, value jsonscan.Token) error {
	if value.Kind != jsonscan.Object {
		return j.SkipRest(value)
	}
	return j.Object(func(name string, value jsonscan.Token) (err error) {
		if name != "label" {
			return j.SkipRest(value)
		}
		s.labels, err = j.Texts(value)
		return err
	})
}

// add keeps the status of a cell; null and the empty text are none.
func (s *statuses) add(cell int64, _ stat.Position, value jsonscan.Token) error {
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

// check orders the statuses and checks that each has a cell.
func (s *statuses) check(cells int64) error {
	if s.length == 1 && cells > 1 && len(s.entries) == 1 {
		s.all, s.entries, s.length = int(s.entries[0].text)+1, nil, -1 // an array of one stands for all
	}
	if s.length > 1 && int64(s.length) != cells {
		return stat.BadFile(s.at, "there are %d statuses, and %d cells; the array of statuses has one for each cell, or one for all", s.length, cells)
	}
	byCell := func(a, b statusOf) int { return cmp.Compare(a.cell, b.cell) }
	if !slices.IsSortedFunc(s.entries, byCell) {
		slices.SortFunc(s.entries, byCell)
	}
	for i := range s.entries {
		e := &s.entries[i]
		if e.cell >= cells {
			return stat.BadFile(e.position(), "there is a status of the cell %d, and the cells are 0 to %d", e.cell, cells-1)
		}
		if i > 0 && s.entries[i-1].cell == e.cell {
			return stat.BadFile(e.position(), "the cell %d has two statuses", e.cell)
		}
	}
	return nil
}

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
