package ndjson_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	"almanac/internal/encode"
	"almanac/internal/encode/encodetest"
	"almanac/internal/encode/ndjson"
	"almanac/internal/stattest"
)

// membersOf returns the names of the members of an object, in order.
func membersOf(t *testing.T, line []byte) (names []string) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(line))
	depth, isName := 0, true
	for {
		token, err := d.Token()
		if err != nil {
			return names
		}
		switch delim, isDelim := token.(json.Delim); {
		case isDelim && (delim == '{' || delim == '['):
			depth++
		case isDelim:
			depth--
			isName = true
		case depth == 1 && isName:
			names, isName = append(names, token.(string)), false
		case depth == 1:
			isName = true
		}
	}
}

func text(value any) string {
	if value == nil {
		return ""
	}
	return fmt.Sprint(value)
}

func read(t *testing.T, file []byte, table *encode.Table) []encodetest.Cell {
	if len(file) > 0 && !bytes.HasSuffix(file, []byte("}\n")) {
		t.Error("the last line has no end")
	}
	d := table.Vintage.Dataset
	var cells []encodetest.Cell
	var names []string
	for line := range bytes.Lines(file) {
		if names == nil {
			names = membersOf(t, line)
		}
		var m map[string]any
		if err := json.Unmarshal(line, &m); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		if len(names) != len(m) || !slices.Equal(slices.Sorted(maps.Keys(m)), slices.Sorted(slices.Values(names))) {
			t.Fatalf("members of %s, want %q as in the first line", line, names)
		}
		c := encodetest.Cell{Period: m["period"].(string), Value: math.NaN(), Note: text(m["note"]), Unit: text(m["unit"]), Area: text(m["geo_iso"])}
		if v, ok := m["value"].(float64); ok {
			c.Value = v
		}
		for _, flag := range m["status"].([]any) {
			c.Flags += " " + flag.(string)
		}
		for i := range len(d.Dimensions) + 1 {
			if i == len(d.Dimensions) && d.HasNoArea() {
				break
			}
			c.Codes = append(c.Codes, text(m[names[1+2*i]]))
			c.Labels = append(c.Labels, text(m[names[2+2*i]]))
		}
		cells = append(cells, c)
	}
	return cells
}

func TestForm(t *testing.T) {
	encodetest.Run(t, stattest.DataDir(t), encodetest.Form{Name: "NDJSON", Write: ndjson.Write, Read: read})
}

// TestImport imports the files again.
func TestImport(t *testing.T) {
	encodetest.Run(t, stattest.DataDir(t), encodetest.Form{Name: "NDJSON", Write: ndjson.Write, ImportAs: "data.ndjson"})
}
