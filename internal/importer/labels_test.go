package importer

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"almanac/internal/stat"
	"almanac/internal/stattest/property"
	"almanac/internal/store"
)

// labelCases are the cases of TestLabels: the codes of the previous version, those of the
// new file, and what is published. A line is "code: label", followed by " < " and the
// source's label if it differs. "was label: code" is a label of an earlier version.
var labelCases = []struct{ name, before, file, published string }{
	{
		name: "labels are trimmed and white space is collapsed",
		file: `
			T:   All    ages
			Y1: Less than` + "\u00a0\t" + `1 year `,
		published: `
			T: All ages
			Y1: Less than 1 year`,
	}, {
		name: "long labels are not cut",
		file: `
			X: ` + strings.Repeat("long ", 500) + `end`,
		published: `
			X: ` + strings.Repeat("long ", 500) + `end`,
	}, {
		name: "a code without a label is its own label",
		file: `
			B1GQ:`,
		published: `
			B1GQ: B1GQ`,
	}, {
		name: "a shared label gets the codes in brackets, and the codes remain apart",
		file: `
			T: Total
			TOTAL: Total
			F: Women`,
		published: `
			T: Total [T] < Total
			TOTAL: Total [TOTAL] < Total
			F: Women`,
	}, {
		name: "the brackets are repeated if the result is a duplicate",
		file: `
			A: Total
			B: Total
			C: Total [A]`,
		published: `
			A: Total [A] [A] < Total
			B: Total [B] < Total
			C: Total [A] [C] < Total [A]`,
	}, {
		name: "labels that differ only in case are different",
		file: `
			A: Total
			B: total`,
		published: `
			A: Total
			B: total`,
	}, {
		name: "a code without a label keeps that of the previous version",
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
		name: "the kept label is that of the source, without brackets",
		before: `
			A: Total [A] < Total
			B: Total [B] < Total`,
		file: `
			A:`,
		published: `
			A: Total`,
	}, {
		name: "a published label still means its first code if another code has it now",
		before: `
			A: Total`,
		file: `
			A: All
			B: Total`,
		published: `
			A: All
			B: Total [B] < Total`,
	}, {
		name: "a published label still means its first code if that code is gone",
		before: `
			A: Total`,
		file: `
			B: Total`,
		published: `
			B: Total [B] < Total`,
	}, {
		name: "a label of an earlier version still means its first code",
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
		name: "the first code may get its old label back",
		before: `
			A: All
			was Total: A`,
		file: `
			A: Total`,
		published: `
			A: Total`,
	}, {
		name: "a code that serves as a label counts as a label",
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
		t.Run(c.name, func(t *testing.T) {
			dim := parseDimension(t, c.file)
			completeLabels(&dim, parseDimension(t, c.before))
			want := parseDimension(t, c.published)
			want.Label = dim.ID
			if diff := cmp.Diff(want, dim); diff != "" {
				t.Errorf("published (-want +got):\n%s", diff)
			}
		})
	}
}

// The English name of an area is its label if the file, the previous version and the
// dictionaries have none. Without a name, the code is the label.
func TestAreaNamesAreTheLastLabels(t *testing.T) {
	d := &stat.Dataset{Source: stat.Source{ID: "eurostat"}, Geography: parseDimension(t, `
		DE:
		FR:
		IT: Italia
		XX:`)}
	before := &stat.Dataset{Geography: parseDimension(t, "FR: Frankreich")}
	book := bookOf(d, before)
	book.resolveAreas()
	book.completeLabels(&d.Geography)
	want := parseDimension(t, `
		DE: Germany
		FR: Frankreich
		IT: Italia
		XX: XX`)
	if diff := cmp.Diff(want.Codes, d.Geography.Codes); diff != "" {
		t.Errorf("labels (-want +got):\n%s", diff)
	}
}

func TestDimensionKeepsLabelAndDefault(t *testing.T) {
	before := stat.Dimension{ID: "sex", Label: "Sex", Default: "T"}
	dim := stat.Dimension{ID: "sex"}
	completeLabels(&dim, before)
	if dim.Label != "Sex" || dim.Default != "T" {
		t.Errorf("label %q, default %q: want those of the previous version", dim.Label, dim.Default)
	}
}

// Whatever labels a file has, each code gets a label, no two codes share one, and none is
// the published label of another code. Importing the file again changes nothing.
func TestLabelsAreUniqueAndStable(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		before := drawDimension(t, "before")
		completeLabels(&before, stat.Dimension{})
		file := drawDimension(t, "file")
		dim := stat.Dimension{ID: file.ID, Codes: append([]stat.Code(nil), file.Codes...)}
		completeLabels(&dim, before)

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
		dim.Former = unusedLabels(owner, dim)
		completeLabels(&again, dim)
		if diff := cmp.Diff(dim.Codes, again.Codes); diff != "" {
			t.Fatalf("importing the same file again changes labels:\n%s", diff)
		}
	})
}

// unusedLabels returns the published labels that no code has now.
func unusedLabels(owner map[string]string, dim stat.Dimension) map[string]string {
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

// completeLabels completes dim, which is not the geography, after a version with before.
func completeLabels(dim *stat.Dimension, before stat.Dimension) {
	bookOf(&stat.Dataset{}, &stat.Dataset{Dimensions: []stat.Dimension{before}}).completeLabels(dim)
}

// bookOf returns a codebook that knows only the previous version of a dataset.
func bookOf(d, before *stat.Dataset) *codebook {
	return &codebook{table: &table{dataset: d, report: &stat.Report{}, stored: &store.Vintage{Dataset: before}}}
}

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
