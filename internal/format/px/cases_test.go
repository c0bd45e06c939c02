package px_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/format"
	"almanac/internal/format/formattest"
	"almanac/internal/format/px"
)

var update = flag.Bool("update", false, "write what the cases give into testdata")

// TestCases reads the small files in testdata and compares what they mean
// with what stands there. A file of cases holds blocks like
//
//	== name of the case
//	file t.px                         then perhaps geo=… period=… decimal=… code=… source=…
//	CHARSET="ANSI"; …                 ⏎ ends no line, ␍ is a carriage return, ␀ a
//	DATA=1 2;                         zero byte; encode=NAME writes the text in NAME
//	----
//	what it means
//
// Under a dataset stand what else the file says of it.
func TestCases(t *testing.T) {
	for _, file := range caseFiles(t) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			head, cases := parseCases(t, file)
			var rewritten strings.Builder
			rewritten.WriteString(head)
			for _, c := range cases {
				got := c.meaning(t)
				fmt.Fprintf(&rewritten, "\n== %s\n%s----\n%s", c.name, c.text, got)
				if *update {
					continue
				}
				t.Run(c.name, func(t *testing.T) {
					if got != c.want {
						t.Errorf("%s\nmeans\n%s\nwant\n%s", c.text, got, c.want)
					}
				})
			}
			if *update {
				if err := os.WriteFile(file, []byte(rewritten.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// testCase is one block of a file of cases.
type testCase struct {
	name, text, want string
}

func caseFiles(t testing.TB) []string {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no cases in testdata", err)
	}
	return files
}

// parseCases splits a file into its cases; head is what stands before them.
func parseCases(t testing.TB, file string) (head string, cases []testCase) {
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(content), "\n== ")
	for _, block := range blocks[1:] {
		name, rest, _ := strings.Cut(block, "\n")
		text, want, found := strings.Cut(rest, "----\n")
		if !found {
			t.Fatalf("%s: case %q has no ---- line", file, name)
		}
		cases = append(cases, testCase{name, text, strings.TrimRight(want, "\n") + "\n"})
	}
	return blocks[0], cases
}

// sample is the case as a file.
func (c testCase) sample(t testing.TB) formattest.Sample {
	first, rest, _ := strings.Cut(c.text, "\n")
	words := strings.Fields(first)
	s := formattest.Sample{Name: words[1]}
	text := strings.NewReplacer("⏎\n", "", "␍", "\r", "␀", "\x00").Replace(rest)
	s.Data = []byte(text)
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
			e, err := format.Encoding(value)
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

// meaning reads the case and writes down what came.
func (c testCase) meaning(t testing.TB) string {
	tables, err := formattest.Read(t.Context(), px.Formats()[0], c.sample(t))
	if err != nil {
		return fmt.Sprintf("error: %v\n", err)
	}
	if problem := formattest.Problem(tables[0]); problem != "" {
		t.Errorf("%s: %s", c.name, problem)
	}
	text := formattest.Describe(tables)
	d := tables[0].Dataset
	for _, more := range [][2]string{
		{"description", d.Description}, {"attribution", d.Attribution}, {"at", d.SourceURL},
		{"undated", strings.Join(d.Undated, " ")}, {"labels", labels(d.PeriodLabels)},
	} {
		if more[1] != "" {
			text += fmt.Sprintf("%s %q\n", more[0], more[1])
		}
	}
	if p := tables[0].Prepared; !p.IsZero() {
		text += fmt.Sprintf("prepared %s\n", p.Format("2006-01-02T15:04:05Z07:00"))
	}
	return text
}

// labels writes the texts of periods; no labels are nothing.
func labels[M ~map[K]string, K comparable](m M) string {
	if len(m) == 0 {
		return ""
	}
	return strings.TrimPrefix(fmt.Sprint(m), "map")
}

// FuzzRead starts from the cases.
func FuzzRead(f *testing.F) {
	var seeds []formattest.Sample
	for _, file := range caseFiles(f) {
		_, cases := parseCases(f, file)
		for _, c := range cases {
			seeds = append(seeds, c.sample(f))
		}
	}
	seeds[0].In.Period = "2020"
	formattest.Fuzz(f, px.Formats()[0], seeds...)
}
