package chart_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"almanac/internal/chart"
	"almanac/internal/importer"
	"almanac/internal/request"
	"almanac/internal/stattest"
	"almanac/internal/store"
)

// TestSpecs compares the Specs of chart requests with the expected ones.
//
// A file in testdata/specs begins with a dataset in the tidy format, followed by cases.
// A case has a line with #, which states the rule and names the subtest; the body of a
// chart request without datasetId; a line ----; and the Spec, or the error. A blank
// line ends a case. -update writes the actual result.
func TestSpecs(t *testing.T) {
	files, err := filepath.Glob("testdata/specs/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			parts := strings.Split(strings.TrimSpace(string(text)), "\n\n")
			v := vintageOf(t, parts[0])
			for i, c := range parts[1:] {
				question, want, _ := strings.Cut(c, "\n----\n")
				rule, body, _ := strings.Cut(strings.TrimPrefix(question, "# "), "\n")
				got := strings.TrimSuffix(outcome(v, body), "\n")
				parts[i+1] = question + "\n----\n" + got
				t.Run(rule, func(t *testing.T) {
					if got != want && !*stattest.Update {
						t.Errorf("%s\ngot:\n%s\nwant:\n%s", question, got, want)
					}
				})
			}
			if *stattest.Update {
				if err := os.WriteFile(file, []byte(strings.Join(parts, "\n\n")+"\n"), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// vintageOf imports a table into a new store and returns its vintage.
func vintageOf(t testing.TB, table string) *store.Vintage {
	t.Helper()
	s, err := store.Open(context.Background(), store.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	im, err := importer.New(s, importer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range im.Read(context.Background(), "table.csv", strings.NewReader(table+"\n")) {
		if o.Error != "" {
			t.Fatal(o.Error)
		}
	}
	v, err := s.Vintage(context.Background(), 1)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// drawn returns the Spec of a table that an address asks for.
func drawn(t *testing.T, table, address string) *chart.Spec {
	t.Helper()
	c, err := request.BindChart(address)
	if err != nil {
		t.Fatal(err)
	}
	s, _, err := request.Spec(context.Background(), vintageOf(t, table), c)
	if err != nil {
		t.Fatalf("%s: %v", address, err)
	}
	return s
}

// outcome returns the result of a request as text.
func outcome(v *store.Vintage, body string) string {
	c, err := request.ReadChart([]byte(`{"datasetId": 1, ` + strings.TrimPrefix(body, "{")))
	if err != nil {
		return "error: " + err.Error()
	}
	s, notices, err := request.Spec(context.Background(), v, c)
	if err != nil {
		return "error: " + err.Error()
	}
	var out strings.Builder
	dump(&out, s)
	for _, n := range notices {
		fmt.Fprintf(&out, "notice: %s %q: %s; nearest %q\n", n.Parameter, n.Value, n.Message, n.Nearest)
	}
	return out.String()
}

// dump writes the Spec without empty fields.
func dump(out *strings.Builder, s *chart.Spec) {
	line := func(name, text string) {
		if strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
			text = strconv.Quote(text)
		}
		if text != "" {
			fmt.Fprintf(out, "%s: %s\n", name, text)
		}
	}
	line("title", s.Title)
	line("subtitle", s.Subtitle)
	line("source", s.Source)
	for _, note := range s.Notes {
		line("note", note)
	}
	line("unit", s.Unit)
	line("period", s.Period)
	line("outlines", s.Outlines)
	var names []string
	for _, p := range s.Periods {
		names = append(names, p.String())
	}
	line("periods", strings.Join(names, " "))
	names = nil
	for _, c := range s.Categories {
		names = append(names, c.Label+marks(c.Area, word(c.Group, "group"), c.Colour))
	}
	line("categories", strings.Join(names, ", "))
	for _, series := range s.Series {
		renamed := ""
		if series.Label != series.Key {
			renamed = "as " + strconv.Quote(series.Label)
		}
		fmt.Fprintf(out, "series %s%s:%s\n", series.Key, marks(word(series.Group, "group"), word(series.Focus, "focus"), series.Colour, renamed), numbers(&series))
	}
	line("alt", s.Alt())
}

// marks returns the words that are not empty, in brackets.
func marks(words ...string) string {
	words = slices.DeleteFunc(words, func(w string) bool { return w == "" })
	if len(words) == 0 {
		return ""
	}
	return " [" + strings.Join(words, " ") + "]"
}

func word(on bool, word string) string {
	if on {
		return word
	}
	return ""
}

// numbers writes the values of a series followed by their flags; a dash means no value.
func numbers(s *chart.Series) string {
	var out strings.Builder
	for i, v := range s.Values {
		text := "-"
		if !math.IsNaN(v) {
			text = strconv.FormatFloat(v, 'g', -1, 64)
		}
		if s.Flags != nil && !math.IsNaN(v) {
			text += strings.ReplaceAll(string(s.Flags[i]), " ", "")
		}
		out.WriteString(" " + text)
	}
	return out.String()
}
