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

// outline is what the beginning of an object in JSON tells: its fields, those
// of an error, and what stands in them.
type outline struct {
	kind   string   // what the field type says
	fields []string // of the outermost object, as far as the text goes, lower case
	words  []string // of fields that say what went wrong
	failed bool     // a field says that something did
	whole  bool     // the text was read to its end
}

// errorFields are fields of an object that say that it is an error, and
// wordFields those that hold the reason, wherever they stand in it.
var (
	errorFields = []string{"error", "errors", "errorcode", "errormessage", "fault", "exception", "warning"}
	// besideFields may stand beside the reason where no field says "error".
	besideFields = []string{"message", "status", "statuscode", "code", "type", "title", "detail", "instance", "timestamp", "path", "requestid", "traceid"}
	wordFields   = []string{"label", "message", "title", "detail", "details", "description", "text", "error", "errormessage", "reason", "value", "faultstring"}
	dataFields   = []string{"value", "dataset", "datasets", "data", "series", "observations", "structure", "features"}
)

// outlineOf reads an object as far as it goes, and at most 64 fields of it.
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
		o.failed = o.failed || isFull && slices.Contains(errorFields, field)
		if err == nil && len(o.fields) == 64 {
			err = errors.New("enough fields were seen")
		}
		return err
	})
	o.whole = err == nil
	return o
}

// readWords collects the words in a field's value, at any depth; isFull is false
// for a value that says nothing: null, false, [] and {}.
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

// isMap recognises maps by their type, or, where that stands behind the shapes,
// which may be long, by what they have.
func isMap(_ string, head []byte) bool {
	o := outlineOf(head)
	return slices.Contains(geometries, o.kind) || slices.Contains(o.fields, "arcs") && slices.Contains(o.fields, "objects") ||
		bytes.HasPrefix(text.Start(head), []byte(`{"features"`))
}

// isEmptyJSON recognises JSON that says nothing.
func isEmptyJSON(_ string, head []byte) bool {
	switch strings.Join(strings.Fields(string(head[:min(len(head), 64)])), "") {
	case "{}", "[]", "null", "[{}]", "[[]]", `""`, `{"value":[]}`, `{"data":[]}`:
		return true
	}
	return false
}

// isJSONError recognises an object that says that something failed and has
// nothing in which data stand. Such answers are short, and seen as a whole.
func isJSONError(_ string, head []byte) bool {
	o := outlineOf(head)
	if !o.whole || slices.ContainsFunc(o.fields, func(f string) bool { return slices.Contains(dataFields, f) }) {
		return false
	}
	rest := slices.DeleteFunc(o.fields, func(f string) bool { return slices.Contains(besideFields, f) })
	return o.failed || len(rest) == 0 && len(o.words) > 0
}

// jsonWords are the words of an answer in JSON.
func jsonWords(answer io.Reader) (string, error) {
	head, err := io.ReadAll(answer)
	return strings.Join(outlineOf(head).words, " "), err
}
