package sdmxjson_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"almanac/internal/format/formattest"
	"almanac/internal/format/sdmx/sdmxjson"
	"almanac/internal/stat"
	"almanac/internal/stattest"
)

// TestCases compares the cases of testdata with their meanings.
func TestCases(t *testing.T) {
	stattest.Cases(t, sdmxjson.Formats())
}

func readText(t testing.TB, text string) ([]formattest.Table, error) {
	return formattest.Read(t.Context(), sdmxjson.Formats()[0], formattest.Sample{Name: "name.json", Data: []byte(text)})
}

// message returns a message with one dimension besides the time.
func message(values, observations string) string {
	return `{"structure": {"id": "X", "dimensions": {"observation": [{"id": "GEO", "values": [` + values +
		`]}, {"id": "TIME_PERIOD", "values": [{"id": "2020"}]}]}}, "dataSets": [{"observations": {` + observations + `}}]}`
}

// TestHostile: bounds hold for any message.
func TestHostile(t *testing.T) {
	one := `{"id": "FR"}`
	for name, text := range map[string]string{
		"nested arrays":   message(one, `"0:0": `+strings.Repeat("[", 100_000)),
		"nested objects":  message(one, `"0:0": `+strings.Repeat(`{"a":`, 100_000)),
		"a long name":     message(one, `"`+strings.Repeat("0:", 1<<20)+`": [1]`),
		"a long number":   message(one, `"0:0": [`+strings.Repeat("1", 2<<20)+`]`),
		"a huge position": message(one, `"99999999999999999999:0": [1]`),
		"many elements":   message(one, `"0:0": [1`+strings.Repeat(",0", 1<<20)+`]`),
		"many structures": `{"data": {"structures": [` + strings.Repeat(`{},`, 1000) + `{}], "dataSets": [{"observations": {"0": [1]}}]}}`,
		"many dimensions": `{"structure": {"dimensions": {"observation": [` + manyDimensions(100_000) + `]}}, "dataSets": [{"observations": {"0": [1]}}]}`,
		"many data sets":  `{"structure": {"id": "X"}, "dataSets": [` + strings.Repeat(`{},`, 100_000) + `{"observations": {"0": [1]}}]}`,
		"many groups":     `{"structure": {"dimensions": {"observation": [` + manyDimensions(20) + `]}}, "dataSets": [{"dimensionGroupAttributes": {` + manyGroups(20) + `}, "observations": {"` + strings.Repeat("0:", 19) + `0": [1]}}]}`,
		"a null value":    message(`null`, `"0:0": [1]`),
	} {
		t.Run(name, func(t *testing.T) {
			tables, err := readText(t, text)
			if err == nil {
				t.Errorf("the message is read as %.300s", formattest.Describe(tables))
			} else if stat.KindOf(err) != stat.Refused {
				t.Errorf("the error is not about the file: %v", err)
			}
		})
	}
}

func manyDimensions(n int) string {
	list := []string{`{"id": "TIME_PERIOD", "values": [{"id": "2020"}]}`}
	for i := 1; i < n; i++ {
		list = append(list, fmt.Sprintf(`{"id": "D%d", "values": [{"id": "A"}]}`, i))
	}
	return strings.Join(list, ",")
}

// manyGroups returns groups that each name a different set of n dimensions.
func manyGroups(n int) string {
	var list []string
	for set := range 200 {
		parts := make([]string, n)
		for i := range parts {
			if set>>i&1 == 1 {
				parts[i] = "0"
			}
		}
		list = append(list, `"`+strings.Join(parts, ":")+`": [0]`)
	}
	return strings.Join(list, ",")
}

// TestManyCodes: a structure may have many codes, and reading ends with its context.
func TestManyCodes(t *testing.T) {
	var values, observations []string
	for i := range 100_000 {
		values = append(values, fmt.Sprintf(`{"id": "C%d"}`, i))
		observations = append(observations, fmt.Sprintf(`"%d:0": [%d]`, i, i))
	}
	text := message(strings.Join(values, ","), strings.Join(observations, ","))
	tables, err := readText(t, text)
	if err != nil || len(tables[0].All) != 100_000 {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := formattest.Read(ctx, sdmxjson.Formats()[0], formattest.Sample{Name: "x.json", Data: []byte(text)}); !errors.Is(err, context.Canceled) {
		t.Errorf("reading with a cancelled context ends with %v", err)
	}
}

// TestPositions: an observation has its line and column.
func TestPositions(t *testing.T) {
	tables, err := readText(t, message(`{"id": "FR"}, {"id": "DE"}`, "\n\"0:0\": [1],\n  \"1:0\": [2]"))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []stat.Position{{Line: 2, Column: 1}, {Line: 3, Column: 3}} {
		if got := tables[0].All[i].At; got != want {
			t.Errorf("observation %d is at %v, want %v", i, got, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	var seeds []formattest.Sample
	for _, name := range []string{"testdata/rules.txt", "testdata/bad.txt"} {
		texts, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, part := range strings.Split("\n"+string(texts), "\n=== ")[1:] {
			_, text, _ := strings.Cut(part, "\n")
			text, _, _ = strings.Cut(text, "\n----\n")
			for strings.HasPrefix(text, "--") {
				_, text, _ = strings.Cut(text, "\n")
			}
			seeds = append(seeds, formattest.Sample{Name: "fuzz.json", Data: []byte(text)})
		}
	}
	formattest.Fuzz(f, sdmxjson.Formats()[0], seeds...)
}
