package structure

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/jsonscan"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// recogniseJSON recognises a message by the fields of "data" or the schema in "meta".
func recogniseJSON(_ string, head []byte) bool {
	return jsonscan.HasPath(head, func(path []string, text []byte) bool {
		return len(path) == 2 && (path[0] == "data" && slices.Contains(jsonParts, path[1]) ||
			path[0] == "meta" && path[1] == "schema" && bytes.Contains(text, []byte("structure-schema")))
	})
}

// jsonParts are the fields of "data" that are read.
var jsonParts = []string{"codelists", "conceptSchemes", "dataStructures", "dataflows"}

// jsonComponents are the components of a structure.
type jsonComponents struct {
	Dimensions struct {
		All   []component `json:"dimensions"`
		Time  component   `json:"timeDimension"`  // 2.0
		Times []component `json:"timeDimensions"` // 1.0
	} `json:"dimensionList"`
	Attributes struct {
		All []component `json:"attributes"`
	} `json:"attributeList"`
	Measures struct {
		Primary component   `json:"primaryMeasure"` // 1.0
		All     []component `json:"measures"`       // 2.0
	} `json:"measureList"`
}

func learnJSON(_ context.Context, in format.Input) (*stat.Dictionary, error) {
	m, err := readJSON(in.Data)
	if err != nil {
		return nil, err
	}
	return m.dictionary(in.Source)
}

// readJSON reads a whole message.
func readJSON(in io.Reader) (*message, error) {
	data, err := io.ReadAll(&bounded{text.LineErrors(in), maxText, errLarge})
	switch {
	case errors.Is(err, errLarge):
		return nil, stat.BadFile(stat.Position{Line: 1}, "%v", err)
	case err != nil:
		return nil, err
	}
	data = bytes.TrimPrefix(data, text.ByteOrderMark)
	var m message
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, placeOf(data, err)
	}
	for i := range m.Data.Lists {
		if err := m.Data.Lists[i].complete(); err != nil {
			return nil, stat.BadFile(stat.Position{Line: 1}, "%v", err)
		}
	}
	m.complete()
	return &m, nil
}

// placeOf adds the position in the text to an error.
func placeOf(data []byte, err error) error {
	var (
		syntax *json.SyntaxError
		kind   *json.UnmarshalTypeError
		at     int64
	)
	message := "invalid JSON: " + err.Error()
	switch {
	case errors.As(err, &syntax):
		at = syntax.Offset
	case errors.As(err, &kind):
		at = kind.Offset
		field := strings.ReplaceAll(kind.Field, "item.", "") // the name of an embedded type
		message = field + " is of the type " + kind.Value + "; in a structure message it has another type"
	}
	before := data[:min(int(at), len(data))]
	line := bytes.Count(before, []byte("\n")) + 1
	return stat.BadFile(stat.Position{Line: line, Column: len(before) - bytes.LastIndexByte(before, '\n')}, "%s", message)
}
