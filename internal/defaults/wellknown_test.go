package defaults

import (
	"path"
	"slices"
	"strings"
	"testing"
)

func TestLookUp(t *testing.T) {
	for _, c := range []struct {
		name, source, code string
		dim, want          string // the codes of a dimension, joined; "" if it has none
	}{
		{"an exact code, in any case", "Eurostat", "UNE_RT_A", "unit", "PC_ACT"},
		{"another office's code", "ilo", "une_rt_a", "unit", ""},
		{"the first row of a dataset", "imf", "WEO", "weo subject code", "NGDP_RPCH"},
		{"an extract of the Data Browser", "eurostat", "une_rt_a__custom_128689_20201028", "age", "Y15-74"},
		{"a family", "eurostat", "lfsa_eftpt", "citizen", "TOTAL"},
		{"an exact code before its family", "eurostat", "demo_gind", "indic_de", "JAN"},
		{"an earlier family before a later one", "ilo", "DF_UNE_DEAP_SEX_AGE_RT", "freq", "A"},
		{"alternatives, best first", "eurostat", "une_rt_m", "age", "TOTAL|Y15-74"},
		{"a code that no row has", "eurostat", "xyz", "unit", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			known, ok := LookUp(c.source, c.code)
			if got := strings.Join(known.Codes[c.dim], "|"); got != c.want || c.want != "" && !ok {
				t.Errorf("%s %s: %s is %q, want %q", c.source, c.code, c.dim, got, c.want)
			}
		})
	}
}

func TestTable(t *testing.T) {
	table, err := readTable(wellKnownText)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(table.exact); n < 150 {
		t.Errorf("%d datasets, want at least 150", n)
	}
	for _, s := range table.series {
		for dim, codes := range s.Codes {
			distinct := slices.Compact(slices.Sorted(slices.Values(codes)))
			if len(distinct) != len(codes) || distinct[0] == "" || dim != strings.TrimSpace(dim) {
				t.Errorf("%s %s: %q=%q is not a list of distinct codes", s.Source, s.Dataset, dim, codes)
			}
		}
	}
}

// Each concept has series of at least two offices, and no series twice.
func TestConcepts(t *testing.T) {
	list, err := readConcepts(conceptsText, wellKnown().series)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) < 60 {
		t.Errorf("%d concepts, want at least 60", len(list))
	}
	for _, c := range list {
		sources := map[string]bool{}
		for i, s := range c.Series {
			sources[s.Source] = true
			for _, earlier := range c.Series[:i] {
				if earlier.Source == s.Source && earlier.Dataset == s.Dataset && sameCodes(earlier.Codes, s.Codes) {
					t.Errorf("%s: %s %s %v twice", c.ID, s.Source, s.Dataset, s.Codes)
				}
			}
		}
		if len(sources) < 2 {
			t.Errorf("%s: series of %d offices, want at least two", c.ID, len(sources))
		}
		if !strings.HasSuffix(c.Definition, ".") {
			t.Errorf("%s: the definition is no sentence: %s", c.ID, c.Definition)
		}
	}
	if i := slices.IndexFunc(list, func(c Concept) bool { return c.ID == "unemployment-rate" }); i < 0 || len(list[i].Series) < 10 {
		t.Error("unemployment-rate: want at least ten series")
	}
}

func sameCodes(a, b map[string][]string) bool {
	for dim, codes := range a {
		if !slices.Equal(codes, b[dim]) {
			return false
		}
	}
	return len(a) == len(b)
}

func TestMistakesInTables(t *testing.T) {
	head := "source\tdataset\tcodes\tconcept\tremark\treference\n"
	for _, c := range []struct{ name, row, want string }{
		{"too few columns", "a\tb\tc=d", "3 columns"},
		{"no reference", "a\tb\tc=d\t\t\t", "must not be empty"},
		{"neither codes nor concept", "a\tb\t\t\t\tref", "neither codes nor a concept"},
		{"a dimension twice", "a\tb\tc=d; C=e\t\t\tref", `"C=e"`},
		{"no code", "a\tb\tc=\t\t\tref", `"c="`},
		{"a second row without a concept", "a\tb\tc=d\t\t\tref\na\tB\tc=e\t\t\tref", "another row"},
		{"a malformed pattern", "a\tb[\tc=d\t\t\tref", path.ErrBadPattern.Error()},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := readTable(head + c.row); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
	head = "id\tlabel\tunit\tdefinition\tnames\n"
	for _, c := range []struct{ name, rows, want string }{
		{"too few columns", "a\tA\tindex\tA.", "five columns"},
		{"an unknown unit", "a\tA\tpounds\tA.\tAlpha", "pounds"},
		{"a concept twice", "a\tA\tindex\tA.\tAlpha\na\tB\tindex\tB.\tBeta", "second concept a"},
		{"a series of an unknown concept", "a\tA\tindex\tA.\tAlpha", "unknown concept b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := readConcepts(head+c.rows, []Series{{concept: "b"}}); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}

func BenchmarkLookUp(b *testing.B) {
	for _, code := range []string{"une_rt_a", "xyz"} {
		b.Run(code, func(b *testing.B) {
			for b.Loop() {
				LookUp("eurostat", code)
			}
		})
	}
}
