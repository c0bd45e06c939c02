package jsonstat

import (
	"slices"
	"strings"

	"almanac/internal/format/jsonscan"
	"almanac/internal/stat"
)

// recognise knows JSON-stat by its bones: a class that only it has, or
// dimensions with categories, or, where the head of the file ends among the
// values or statuses, that they are numbered cells of a dataset.
func recognise(_ string, head []byte) bool {
	j, ok := jsonscan.Head(head, jsonscan.Object)
	if !ok {
		return false
	}
	s := &sight{json: j}
	_ = s.candidate("", 0) // ends with an error where the head is cut off
	return s.sure
}

// sight is what is seen of a file in its head.
type sight struct {
	json *jsonscan.Scanner
	sure bool
}

// classes are the classes of JSON-stat 2.0.
var classes = []string{"dataset", "collection", "bundle", "dimension"}

// candidate looks at an object that may be a dataset or hold some.
func (s *sight) candidate(name string, depth int) error {
	var class, version, lists, named, amongCells bool
	err := s.json.Object(func(field string, value jsonscan.Token) error {
		amongCells = false
		isText, isArray, isObject := value.Kind == jsonscan.String, value.Kind == jsonscan.Array, value.Kind == jsonscan.Object
		switch {
		case field == "class" && isText:
			class = slices.Contains(classes, string(value.Text))
		case field == "version" && isText:
			version = strings.HasPrefix(string(value.Text), "1.") || strings.HasPrefix(string(value.Text), "2.")
		case (field == "id" || field == "size") && isArray:
			lists = true
		case field == "wsVersion" || (field == "label" || field == "source" || field == "updated") && isText:
			named = true
		}
		s.sure = s.sure || class && (version || lists)
		switch {
		case field == "dimension" && isObject:
			return s.dimensions()
		case (field == "value" || field == "status") && (isObject || isArray):
			amongCells = true
			return s.cells(&amongCells)
		case isObject && depth < maxNesting:
			return s.candidate(field, depth+1)
		}
		return s.json.SkipRest(value)
	})
	if err != nil && amongCells && (class || named || name == "dataset") {
		s.sure = true
	}
	return err
}

// dimensions looks for dimensions with categories, and the lists of version 1.
func (s *sight) dimensions() error {
	lists := 0
	return s.json.Object(func(field string, value jsonscan.Token) error {
		if (field == "id" || field == "size") && value.Kind == jsonscan.Array {
			lists++
			s.sure = s.sure || lists == 2
		}
		if value.Kind != jsonscan.Object {
			return s.json.SkipRest(value)
		}
		return s.json.Object(func(field string, value jsonscan.Token) error {
			s.sure = s.sure || field == "category" && value.Kind == jsonscan.Object
			return s.json.SkipRest(value)
		})
	})
}

// cells passes over numbered cells; isCells turns false where they are
// something else.
func (s *sight) cells(isCells *bool) error {
	return eachCell(s.json, func(_ int64, _ stat.Position, value jsonscan.Token) error {
		*isCells = *isCells && value.Kind != jsonscan.Object && value.Kind != jsonscan.Array
		return s.json.SkipRest(value)
	}, func(name string, value jsonscan.Token, _ error) error {
		*isCells = *isCells && (name == "value" || name == "category")
		return s.json.SkipRest(value)
	})
}
