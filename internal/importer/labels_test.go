package importer

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"almanac/internal/stat"
)

// labelCases are read by TestLabels. Each has the codes of the previous
// vintage, the codes of the new file, and after the line of hyphens what is
// published. A line is "code: label", with the label of the source behind
// " < " where it differs; "was label: code" is a label published once.
var labelCases = []struct{ rule, before, file, published string }{
	{
		rule: "a label is trimmed and the white space inside it is collapsed",
		file: `
			T:   All    ages
			Y1: Less than` + "\u00a0\t" + `1 year `,
		published: `
			T: All ages
			Y1: Less than 1 year`,
	}, {
		rule: "a label is never cut",
		file: `
			X: ` + strings.Repeat("long ", 500) + `end`,
		published: `
			X: ` + strings.Repeat("long ", 500) + `end`,
	}, {
		rule: "without any label the code is the label",
		file: `
			B1GQ:`,
		published: `
			B1GQ: B1GQ`,
	}, {
		rule: "two codes that share a label get their codes in brackets, and codes are never merged",
		file: `
			T: Total
			TOTAL: Total
			F: Women`,
		published: `
			T: Total [T] < Total
			TOTAL: Total [TOTAL] < Total
			F: Women`,
	}, {
		rule: "they get them again if that clashes",
		file: `
			A: Total
			B: Total
			C: Total [A]`,
		published: `
			A: Total [A] [A] < Total
			B: Total [B] < Total
			C: Total [A] [C] < Total [A]`,
	}, {
		rule: "labels that differ in case only are different labels",
		file: `
			A: Total
			B: total`,
		published: `
			A: Total
			B: total`,
	}, {
		rule: "the label of the previous vintage stays for a code that remains when the import brings none",
		before: `
			T: Total
			F: Women`,
		file: `
			F:
			M:`,
		published: `
			F: Women
			M: M`,
	}, {
		rule: "the source's label of the previous vintage is what stays, not the brackets it needed",
		before: `
			A: Total [A] < Total
			B: Total [B] < Total`,
		file: `
			A:`,
		published: `
			A: Total`,
	}, {
		rule: "a label once published keeps matching its first code: another code may not take it over",
		before: `
			A: Total`,
		file: `
			A: All
			B: Total`,
		published: `
			A: All
			B: Total [B] < Total`,
	}, {
		rule: "nor when the first code is gone",
		before: `
			A: Total`,
		file: `
			B: Total`,
		published: `
			B: Total [B] < Total`,
	}, {
		rule: "nor when no code has had it for several vintages",
		before: `
			A: All
			was Total: A`,
		file: `
			A: All
			B: Total`,
		published: `
			A: All
			B: Total [B] < Total`,
	}, {
		rule: "the first code may have its old label back",
		before: `
			A: All
			was Total: A`,
		file: `
			A: Total`,
		published: `
			A: Total`,
	}, {
		rule: "the code that is another code's label counts as a label too",
		file: `
			A: B
			B:`,
		published: `
			A: B [A] < B
			B: B [B] < B`,
	},
}

func TestLabels(t *testing.T) {
	for _, c := range labelCases {
		t.Run(c.rule, func(t *testing.T) {
			dim := parseDimension(t, c.file)
			completeLabels(&dim, parseDimension(t, c.before), noName)
			want := parseDimension(t, c.published)
			want.Label = dim.ID
			if diff := cmp.Diff(want, dim); diff != "" {
				t.Errorf("published (- wanted, + got):\n%s", diff)
			}
		})
	}
}

// An area's label without a dictionary is its English
// name, or the code.
func TestAreaNamesAreLabelsOfLastResort(t *testing.T) {
	name := func(id string) string { return map[string]string{"DE": "Germany", "FR": "France", "IT": "Italy"}[id] }
	geo := parseDimension(t, `
		DE:
		FR:
		IT: Italia
		XX:`)
	completeLabels(&geo, parseDimension(t, "FR: Frankreich"), name)
	want := parseDimension(t, `
		DE: Germany
		FR: Frankreich
		IT: Italia
		XX: XX`)
	if diff := cmp.Diff(want.Codes, geo.Codes); diff != "" {
		t.Errorf("the dictionary's label, else the previous vintage's, else the area's English name, else the code (- wanted, + got):\n%s", diff)
	}
}

func TestDimensionKeepsWhatTheFileDoesNotState(t *testing.T) {
	before := stat.Dimension{ID: "sex", Label: "Sex", Default: "T"}
	dim := stat.Dimension{ID: "sex"}
	completeLabels(&dim, before, noName)
	if dim.Label != "Sex" || dim.Default != "T" {
		t.Errorf("label %q, default %q: wanted those of the previous vintage", dim.Label, dim.Default)
	}
}

// Whatever labels a file has, each code gets one, no two share one, none is another
// code's published label, and the same file again changes nothing.
func TestLabelsAreUniqueAndStay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before := drawDimension(t, "before")
		completeLabels(&before, stat.Dimension{}, noName)
		file := drawDimension(t, "file")
		dim := stat.Dimension{ID: file.ID, Codes: append([]stat.Code(nil), file.Codes...)}
		completeLabels(&dim, before, noName)

		owner := before.Published()
		used := map[string]bool{}
		for _, c := range dim.Codes {
			if c.Label == "" || used[c.Label] {
				t.Fatalf("label %q of %s is empty or used twice", c.Label, c.ID)
			}
			used[c.Label] = true
			if first, ok := owner[c.Label]; ok && first != c.ID {
				t.Fatalf("label %q of %s was published for %s", c.Label, c.ID, first)
			}
		}
		again := stat.Dimension{ID: file.ID, Codes: append([]stat.Code(nil), file.Codes...)}
		dim.Former = leftOver(owner, dim)
		completeLabels(&again, dim, noName)
		if diff := cmp.Diff(dim.Codes, again.Codes); diff != "" {
			t.Fatalf("the same file again changes labels:\n%s", diff)
		}
	})
}

// leftOver are the published labels that no code has now.
func leftOver(owner map[string]string, dim stat.Dimension) map[string]string {
	for _, c := range dim.Codes {
		delete(owner, c.Label)
	}
	return owner
}

func drawDimension(t *rapid.T, name string) stat.Dimension {
	ids := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"A", "B", "C", "D]", "[D]", "A [B"}), 1, 6, rapid.ID[string]).Draw(t, name)
	labels := rapid.SampledFrom([]string{"", "Total", "All", "Total [A]", "Total [B]", "Total [A] [A]", "A", "B", "Total [D]]", " All  ages "})
	dim := stat.Dimension{ID: "x"}
	for _, id := range ids {
		dim.Codes = append(dim.Codes, stat.Code{ID: id, Label: labels.Draw(t, name+" label")})
	}
	return dim
}

func noName(string) string { return "" }

// parseDimension reads the lines of labelCases.
func parseDimension(t *testing.T, text string) stat.Dimension {
	t.Helper()
	dim := stat.Dimension{ID: "dim"}
	for line := range strings.Lines(text) {
		line = strings.TrimLeft(strings.TrimSuffix(line, "\n"), "\t")
		if strings.TrimSpace(line) == "" {
			continue
		}
		id, label, ok := strings.Cut(line, ":")
		if !ok {
			t.Fatalf("the case has a line without a colon: %q", line)
		}
		if former, ok := strings.CutPrefix(id, "was "); ok {
			if dim.Former == nil {
				dim.Former = map[string]string{}
			}
			dim.Former[former] = strings.TrimSpace(label)
			continue
		}
		label, source, _ := strings.Cut(strings.TrimPrefix(label, " "), " < ")
		dim.Codes = append(dim.Codes, stat.Code{ID: id, Label: label, SourceLabel: source})
	}
	return dim
}
