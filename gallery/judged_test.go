package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/chart"
)

// Each picture has three verdicts, and each row a picture.
func TestReadJudgements(t *testing.T) {
	pictures := []picture{{Name: "default-a-1-line"}, {Name: "default-a-2-map"}}
	const first = "a-1-line\tprint\tnearly\tprint\tno unit\n"
	for _, c := range []struct{ name, table, want string }{
		{"one row for each picture", first + "a-2-map\tprint\tprint\tprint\n", ""},
		{"a picture without a row", first, "a-2-map: no verdicts"},
		{"a row without a picture", first + "a-2-map\tprint\tprint\tprint\na-3-bar\tno\tno\tno\tbad\n", "a-3-bar: no such picture"},
		{"two verdicts", first + "a-2-map\tprint\tprint\n", "a-2-map: want three verdicts"},
		{"another word", first + "a-2-map\tprint\tprint\tgood\n", `a-2-map: invalid verdict "good": want print, nearly or no`},
	} {
		t.Run(c.name, func(t *testing.T) {
			judged, err := readJudgements(c.table, pictures)
			if got := errorText(err); !strings.Contains(got, c.want) || (c.want == "") != (err == nil) {
				t.Errorf("got error %q, want %q", got, c.want)
			}
			if err == nil && (len(judged) != 2 || judged[0].reason != "no unit" || !judged[1].agreed(toPrint)) {
				t.Errorf("got %+v", judged)
			}
		})
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// docs/charts.md has a place for the list, which replaces what is there.
func TestReplaceList(t *testing.T) {
	text, err := os.ReadFile("../docs/charts.md")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "charts.md")
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
	judged := []judgement{{picture: picture{Code: "une_rt_a", Office: "Eurostat", Spec: &chart.Spec{Type: chart.Line}}, verdicts: [3]string{"print", "print", "nearly"}, reason: "a | b"}}
	for range 2 {
		if err := replaceList(file, listOf(judged, []undrawn{{"47_850", "Istat", "47_850-data.xml", "the file does not state the names of the areas"}})); err != nil {
			t.Fatal(err)
		}
	}
	after, _ := os.ReadFile(file)
	for _, want := range []string{"would print 1 (100 %) and refuse 0", `| 1 | une\_rt\_a | Eurostat | line | print, print, nearly | a \| b |`} {
		if n := strings.Count(string(after), want); n != 1 {
			t.Errorf("the file has %q %d times, want 1", want, n)
		}
	}
}
