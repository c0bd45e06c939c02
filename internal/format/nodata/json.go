package nodata

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"

	"almanac/internal/format/jsonscan"
	"almanac/internal/format/text"
)

// geometries are the types of maps in GeoJSON and TopoJSON.
var geometries = []string{
	"FeatureCollection", "Feature", "Topology", "GeometryCollection",
	"Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon",
}

// outline is what the beginning of a JSON object shows.
type outline struct {
	kind    string   // in the field type
	fields  []string // of the outermost object, lower case
	words   []string // in fields that state a reason
	isError bool     // a field means an error
	isWhole bool     // the text was read to its end
}

// The fields of an object that mean an error, that may accompany a reason without such
// a field, that hold the reason at any depth, and that hold data.
var (
	errorFields  = []string{"error", "errors", "errorcode", "errormessage", "fault", "exception", "warning"}
	besideFields = []string{"message", "status", "statuscode", "code", "type", "title", "detail", "instance", "timestamp", "path", "requestid", "traceid"}
	wordFields   = []string{"label", "message", "title", "detail", "details", "description", "text", "error", "errormessage", "reason", "value", "faultstring"}
	dataFields   = []string{"value", "dataset", "datasets", "data", "series", "observations", "structure", "features"}
)

// outlineOf reads at most 64 fields of an object, which may be cut off.
func outlineOf(head []byte) (o outline) {
	j, ok := jsonscan.Head(head, jsonscan.Object)
	if !ok {
		return o
	}
	err := j.Object(func(name string, value jsonscan.Token) error {
		field := strings.ToLower(name)
		o.fields = append(o.fields, field)
		if field == "type" && value.Kind == jsonscan.String {
			o.kind = string(value.Text)
		}
		isFull, err := o.readWords(j, field, value)
		o.isError = o.isError || isFull && slices.Contains(errorFields, field)
		if err == nil && len(o.fields) == 64 {
			err = errors.New("no more fields are needed")
		}
		return err
	})
	o.isWhole = err == nil
	return o
}

// readWords collects the words in the value of a field, at any depth; isFull is false
// for null, false, [] and {}.
func (o *outline) readWords(j *jsonscan.Scanner, field string, value jsonscan.Token) (isFull bool, err error) {
	open := 0
	for {
		switch value.Kind {
		case jsonscan.Object, jsonscan.Array:
			open++
		case jsonscan.ObjectEnd, jsonscan.ArrayEnd:
			open--
		case jsonscan.Name:
			field = strings.ToLower(string(value.Text))
		case jsonscan.Null, jsonscan.False:
		default:
			isFull = true
		}
		if value.Kind == jsonscan.String && slices.Contains(wordFields, field) && len(o.words) < 8 && len(value.Text) > 0 {
			o.words = append(o.words, strings.ToValidUTF8(string(value.Text[:min(len(value.Text), 1000)]), ""))
		}
		if open == 0 {
			return isFull, nil
		}
		if value, err = j.Next(); err != nil {
			return isFull, err
		}
	}
}

// isMap recognises maps by their type, or by their fields if it follows the shapes,
// which may be long.
func isMap(_ string, head []byte) bool {
	o := outlineOf(head)
	return slices.Contains(geometries, o.kind) || slices.Contains(o.fields, "arcs") && slices.Contains(o.fields, "objects") ||
		bytes.HasPrefix(text.Start(head), []byte(`{"features"`))
}

func isEmptyJSON(_ string, head []byte) bool {
	switch strings.Join(strings.Fields(string(head[:min(len(head), 64)])), "") {
	case "{}", "[]", "null", "[{}]", "[[]]", `""`, `{"value":[]}`, `{"data":[]}`:
		return true
	}
	return false
}

// isJSONError recognises an object that reports an error and has no field of data. Such
// answers are short, so the head is complete.
func isJSONError(_ string, head []byte) bool {
	o := outlineOf(head)
	if !o.isWhole || slices.ContainsFunc(o.fields, func(f string) bool { return slices.Contains(dataFields, f) }) {
		return false
	}
	rest := slices.DeleteFunc(o.fields, func(f string) bool { return slices.Contains(besideFields, f) })
	return o.isError || len(rest) == 0 && len(o.words) > 0
}

func jsonWords(answer io.Reader) (string, error) {
	head, err := io.ReadAll(answer)
	return strings.Join(outlineOf(head).words, " "), err
}
