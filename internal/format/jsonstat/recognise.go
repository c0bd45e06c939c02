package jsonstat

import (
	"bytes"
	"strings"

	"almanac/internal/format/jsonscan"
	"almanac/internal/format/text"
)

// recognise knows JSON-stat by its bones: a class that only it has, or
// dimensions with categories, or, where the head of the file ends among the
// values or statuses, that they are numbered cells of a dataset.
func recognise(_ string, head []byte) bool {
	head = bytes.TrimPrefix(head, text.ByteOrderMark)
	if trimmed := bytes.TrimLeft(head, " \t\r\n"); len(trimmed) == 0 || trimmed[0] != '{' {
		return false
	}
	s := &sight{json: jsonscan.New(bytes.NewReader(head))}
	if _, err := s.json.Next(); err == nil {
		_ = s.candidate("", 0) // ends with an error where the head is cut off
	}
	return s.sure
}

// sight is what is seen of a file in its head.
type sight struct {
	json *jsonscan.Scanner
	sure bool
}

// classes are the classes of JSON-stat 2.0.
const classes = " dataset collection bundle dimension "

// candidate looks at an object that may be a dataset or hold some.
func (s *sight) candidate(name string, depth int) error {
	var class, version, lists, named, wide bool
	err := s.json.Object(func(field string, value jsonscan.Token) error {
		wide = false
		switch {
		case field == "class" && value.Kind == jsonscan.String:
			class = strings.Contains(classes, " "+string(value.Text)+" ")
		case field == "version" && value.Kind == jsonscan.String:
			version = strings.HasPrefix(string(value.Text), "1.") || strings.HasPrefix(string(value.Text), "2.")
		case (field == "id" || field == "size") && value.Kind == jsonscan.Array:
			lists = true
		case field == "wsVersion" || (field == "label" || field == "source" || field == "updated") && value.Kind == jsonscan.String:
			named = true
		}
		s.sure = s.sure || class && (version || lists)
		switch {
		case field == "dimension" && value.Kind == jsonscan.Object:
			return s.dimensions()
		case (field == "value" || field == "status") && (value.Kind == jsonscan.Object || value.Kind == jsonscan.Array):
			wide = true // until its end is found
			return s.cells(value, &wide)
		case value.Kind == jsonscan.Object && depth < maxNesting:
			return s.candidate(field, depth+1)
		}
		return s.json.SkipRest(value)
	})
	if err != nil && wide && (class || named || name == "dataset") {
		s.sure = true
	}
	return err
}

// dimensions looks for dimensions with categories.
func (s *sight) dimensions() error {
	lists := 0
	return s.json.Object(func(field string, value jsonscan.Token) error {
		if (field == "id" || field == "size") && value.Kind == jsonscan.Array {
			if lists++; lists == 2 {
				s.sure = true
			}
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

// cells passes over numbered cells; wide turns false where they are something
// else.
func (s *sight) cells(open jsonscan.Token, wide *bool) error {
	for {
		token, err := s.json.Next()
		if err != nil {
			return err
		}
		if token.Kind == jsonscan.Name && string(token.Text) != "value" && string(token.Text) != "category" {
			if _, err := cellNumber(token); err != nil {
				*wide = false
			}
		}
		if token.Kind == jsonscan.Name {
			if token, err = s.json.Next(); err != nil {
				return err
			}
			if token.Kind == jsonscan.Object || token.Kind == jsonscan.Array {
				if err := s.json.SkipRest(token); err != nil {
					return err
				}
				continue
			}
		}
		switch token.Kind {
		case jsonscan.ArrayEnd, jsonscan.ObjectEnd:
			return nil
		case jsonscan.Object, jsonscan.Array:
			*wide = false
			return s.json.SkipRest(token)
		}
	}
}
