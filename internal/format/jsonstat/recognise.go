package jsonstat

import (
	"bytes"
	"strings"

	"almanac/internal/format"
)

// recognise knows JSON-stat by its bones: a class that only it has, or
// dimensions with categories, or, where the head of the file ends among the
// values or statuses, that they are numbered cells of a dataset.
func recognise(_ string, head []byte) bool {
	head = bytes.TrimPrefix(head, format.ByteOrderMark)
	if trimmed := bytes.TrimLeft(head, " \t\r\n"); len(trimmed) == 0 || trimmed[0] != '{' {
		return false
	}
	s := &sight{json: format.NewJSON(bytes.NewReader(head))}
	if _, err := s.json.Next(); err == nil {
		_ = s.candidate("", 0) // ends with an error where the head is cut off
	}
	return s.sure
}

// sight is what is seen of a file in its head.
type sight struct {
	json *format.JSON
	sure bool
}

// classes are the classes of JSON-stat 2.0.
const classes = " dataset collection bundle dimension "

// candidate looks at an object that may be a dataset or hold some.
func (s *sight) candidate(name string, depth int) error {
	var class, version, lists, named, wide bool
	err := s.json.Object(func(field string, value format.JSONToken) error {
		wide = false
		switch {
		case field == "class" && value.Kind == format.JSONString:
			class = strings.Contains(classes, " "+string(value.Text)+" ")
		case field == "version" && value.Kind == format.JSONString:
			version = strings.HasPrefix(string(value.Text), "1.") || strings.HasPrefix(string(value.Text), "2.")
		case (field == "id" || field == "size") && value.Kind == format.JSONArray:
			lists = true
		case field == "wsVersion" || (field == "label" || field == "source" || field == "updated") && value.Kind == format.JSONString:
			named = true
		}
		s.sure = s.sure || class && (version || lists)
		switch {
		case field == "dimension" && value.Kind == format.JSONObject:
			return s.dimensions()
		case (field == "value" || field == "status") && (value.Kind == format.JSONObject || value.Kind == format.JSONArray):
			wide = true // until its end is found
			return s.cells(value, &wide)
		case value.Kind == format.JSONObject && depth < maxNesting:
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
	return s.json.Object(func(field string, value format.JSONToken) error {
		if (field == "id" || field == "size") && value.Kind == format.JSONArray {
			if lists++; lists == 2 {
				s.sure = true
			}
		}
		if value.Kind != format.JSONObject {
			return s.json.SkipRest(value)
		}
		return s.json.Object(func(field string, value format.JSONToken) error {
			s.sure = s.sure || field == "category" && value.Kind == format.JSONObject
			return s.json.SkipRest(value)
		})
	})
}

// cells passes over numbered cells; wide turns false where they are something
// else.
func (s *sight) cells(open format.JSONToken, wide *bool) error {
	for {
		token, err := s.json.Next()
		if err != nil {
			return err
		}
		if token.Kind == format.JSONName && string(token.Text) != "value" && string(token.Text) != "category" {
			if _, err := cellNumber(token); err != nil {
				*wide = false
			}
		}
		if token.Kind == format.JSONName {
			if token, err = s.json.Next(); err != nil {
				return err
			}
			if token.Kind == format.JSONObject || token.Kind == format.JSONArray {
				if err := s.json.SkipRest(token); err != nil {
					return err
				}
				continue
			}
		}
		switch token.Kind {
		case format.JSONArrayEnd, format.JSONObjectEnd:
			return nil
		case format.JSONObject, format.JSONArray:
			*wide = false
			return s.json.SkipRest(token)
		}
	}
}
