package px_test

import (
	"fmt"
	"strings"
	"testing"

	"almanac/internal/format/formattest"
	"almanac/internal/format/px"
	"almanac/internal/format/text"
	"almanac/internal/stattest"
)

// TestCases reads the small files in testdata and compares their content with the
// expected text. A file of cases has blocks like
//
//	== name of the case
//	file t.px                         then perhaps geo=… period=… decimal=… code=… source=…
//	CHARSET="ANSI"; …                 ⏎ ends no line, ␍ is a carriage return, ␀ a
//	DATA=1 2;                         zero byte; encode=NAME writes the text in NAME
//	----
//	its content
//
// The lines under a dataset are its other metadata.
func TestCases(t *testing.T) { stattest.Meanings(t, meaning) }

// caseOf returns the file of a case.
func caseOf(t testing.TB, content string) formattest.Sample {
	first, rest, _ := strings.Cut(content, "\n")
	words := strings.Fields(first)
	s := formattest.Sample{Name: words[1]}
	s.Data = []byte(strings.NewReplacer("⏎\n", "", "␍", "\r", "␀", "\x00").Replace(rest))
	for _, word := range words[2:] {
		option, value, _ := strings.Cut(word, "=")
		value = strings.ReplaceAll(value, "_", " ")
		switch option {
		case "geo":
			s.In.Geo = value
		case "period":
			s.In.Period = value
		case "decimal":
			s.In.Decimal = value
		case "code":
			s.In.Code = value
		case "source":
			s.In.Source = value
		case "encode":
			e, err := text.Encoding(value)
			if err != nil {
				t.Fatal(err)
			}
			if s.Data, err = e.NewEncoder().Bytes(s.Data); err != nil {
				t.Fatal(err)
			}
		default:
			t.Fatalf("there is no option %q", option)
		}
	}
	return s
}

// meaning reads a case and describes its content.
func meaning(t *testing.T, text string) string {
	tables, err := formattest.Read(t.Context(), px.Formats()[0], caseOf(t, text))
	if err != nil {
		return fmt.Sprintf("error: %v\n", err)
	}
	if problem := formattest.Problem(tables[0]); problem != "" {
		t.Error(problem)
	}
	said := formattest.Describe(tables)
	d := tables[0].Dataset
	for _, more := range [][2]string{
		{"description", d.Description}, {"attribution", d.Attribution}, {"at", d.SourceURL},
		{"undated", strings.Join(d.Undated, " ")}, {"labels", labels(d.PeriodLabels)},
	} {
		if more[1] != "" {
			said += fmt.Sprintf("%s %q\n", more[0], more[1])
		}
	}
	if p := tables[0].Prepared; !p.IsZero() {
		said += fmt.Sprintf("prepared %s\n", p.Format("2006-01-02T15:04:05Z07:00"))
	}
	return said
}

// labels returns the texts of periods on a line, empty without any.
func labels[M ~map[K]string, K comparable](m M) string {
	if len(m) == 0 {
		return ""
	}
	return strings.TrimPrefix(fmt.Sprint(m), "map")
}

// FuzzRead starts with the files of the cases.
func FuzzRead(f *testing.F) {
	var seeds []formattest.Sample
	for _, text := range stattest.Texts(f) {
		seeds = append(seeds, caseOf(f, text))
	}
	seeds[0].In.Period = "2020"
	formattest.Fuzz(f, px.Formats()[0], seeds...)
}
