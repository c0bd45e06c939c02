package nodata

import (
	"bytes"
	"io"
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/jsonscan"
	"almanac/internal/format/text"
	"almanac/internal/stat"
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

// outlineOf reads an object as far as it goes.
func outlineOf(r io.Reader) (o outline, isObject bool) {
	j := jsonscan.New(r)
	start, err := j.Next()
	if err != nil || start.Kind != jsonscan.Object {
		return o, false
	}
	for len(o.fields) < 64 {
		name, err := j.Next()
		if err != nil || name.Kind != jsonscan.Name {
			o.whole = err == nil && name.Kind == jsonscan.ObjectEnd
			return o, true
		}
		field := strings.ToLower(string(name.Text))
		o.fields = append(o.fields, field)
		value, err := j.Next()
		if err != nil {
			return o, true
		}
		if field == "type" && value.Kind == jsonscan.String {
			o.kind = string(value.Text)
		}
		said, err := o.take(j, field, value)
		o.failed = o.failed || said && slices.Contains(errorFields, field)
		if err != nil {
			return o, true
		}
	}
	return o, true
}

// take collects the words in a field's value, at any depth; said is false for
// a value that says nothing: null, false, [] and {}.
func (o *outline) take(j *jsonscan.Scanner, field string, value jsonscan.Token) (said bool, err error) {
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
			said = true
		}
		if value.Kind == jsonscan.String && slices.Contains(wordFields, field) && len(o.words) < 8 && len(value.Text) > 0 {
			o.words = append(o.words, strings.ToValidUTF8(string(value.Text[:min(len(value.Text), 1000)]), ""))
		}
		if open == 0 {
			return said, nil
		}
		if value, err = j.Next(); err != nil {
			return said, err
		}
	}
}

// isMap recognises maps by their type and by what they have.
func isMap(_ string, head []byte) bool {
	o, _ := outlineOf(bytes.NewReader(textStart(head)))
	if !slices.Contains(geometries, o.kind) {
		// The type may stand behind the shapes, which may be long.
		return slices.Contains(o.fields, "arcs") && slices.Contains(o.fields, "objects") || strings.HasPrefix(string(textStart(head)), `{"features"`)
	}
	return true
}

// isEmptyJSON recognises JSON that says nothing.
func isEmptyJSON(_ string, head []byte) bool {
	switch strings.Join(strings.Fields(string(head[:min(len(head), 64)])), "") {
	case "{}", "[]", "null", "[{}]", "[[]]", `""`, "{\"value\":[]}", "{\"data\":[]}":
		return true
	}
	return false
}

// isJSONError recognises an object that says that something failed and has
// nothing in which data stand. Such answers are short, and seen as a whole.
func isJSONError(_ string, head []byte) bool {
	o, _ := outlineOf(bytes.NewReader(textStart(head)))
	in := func(list []string) func(string) bool { return func(f string) bool { return slices.Contains(list, f) } }
	if !o.whole || slices.ContainsFunc(o.fields, in(dataFields)) {
		return false
	}
	rest := slices.DeleteFunc(slices.Clone(o.fields), in(besideFields))
	return o.failed || len(rest) == 0 && len(o.words) > 0
}

// jsonWords are the words of an answer in JSON.
func jsonWords(in format.Input) (string, error) {
	text, err := text.Open(in.Again, in.Encoding, &stat.Report{})
	if err != nil {
		return "", err
	}
	defer text.Close()
	o, _ := outlineOf(io.LimitReader(text, maxErrorBytes))
	return shortened(strings.Join(o.words, " ")), nil
}
