package request_test

import (
	"strings"
	"testing"

	"almanac/internal/request"
)

// docs/versions.md, Labels that move: a label keeps matching its first code, and a notice names
// the code that has it now.
func TestMovedLabels(t *testing.T) {
	swapped := strings.NewReplacer("#code,T,Total\n", "#code,T,Females\n", "#code,F,Females\n", "#code,F,Total\n", "2024-01-01", "2024-02-01").Replace(table)
	recoded := strings.NewReplacer("#code,F,Females\n", "#code,FEM,Females\n", "\nF,", "\nFEM,", "2024-01-01", "2024-02-01").Replace(table)
	pair := strings.NewReplacer("#code,F,Females\n", "#code,F,Persons\n", "#code,T,Total\n", "#code,T,Persons\n").Replace(table)
	twins := strings.Replace(table, "#code,F,Females\n", "#code,F,Total\n", 1)
	for _, c := range []struct {
		name  string
		files []string
		query string
		want  string // notices
	}{
		{"as published", []string{table}, "dim1=Females", ""},
		{"swapped, by label", []string{table, swapped}, "dim1=Females",
			`dim1: "Females" selects code F, which had this label first; it is now the office's label of code T, which "T" selects; nearest: T`},
		{"swapped, once for each value", []string{table, swapped}, "dim1=Females&dim1=Females&dim1=F",
			`dim1: "Females" selects code F, which had this label first; it is now the office's label of code T, which "T" selects; nearest: T`},
		{"swapped, left out", []string{table, swapped}, "not.dim1=Females",
			`not.dim1: "Females" selects code F, which had this label first; it is now the office's label of code T, which "T" selects; nearest: T`},
		{"swapped, by code", []string{table, swapped}, "dim1=F&dim1=T", ""},
		{"swapped, by the label in answers", []string{table, swapped}, "dim1=Females [T]", ""},
		{"recoded", []string{table, recoded}, "dim1=Females",
			`dim1: "Females" selects nothing, because it was the label of code F first, which the dataset no longer has; it is now the office's label of code FEM, which "FEM" selects; nearest: FEM`},
		{"of two codes, one of them new", []string{table, strings.Replace(table, "#code,F,Females", "#code,F,A code like a label", 1)}, "dim1=A code like a label",
			`dim1: "A code like a label" selects code Total, which has this label and had it first; it is now the office's label of code F, which "F" selects; nearest: F`},
		{"two codes with one label, which selects none", []string{pair}, "dim1=Persons",
			`dim1: "Persons" selects nothing, because several codes have this label; it is the office's label of code T, which "T" selects, and of code F, which "F" selects; nearest: T, F`},
		{"two codes with one label", []string{twins}, "dim1=Total",
			`dim1: "Total" selects code Total; it is now the office's label of code T, which "T" selects, and of code F, which "F" selects; nearest: T, F`},
	} {
		var p request.Data
		if err := request.Bind(strings.ReplaceAll(c.query, " ", "%20"), &p); err != nil {
			t.Fatal(err)
		}
		_, notices, err := request.Parse(openAfter(t, c.files...), &p, nil)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if got := request.JoinNotices(notices); got != c.want {
			t.Errorf("%s: the notices are %q, want %q", c.name, got, c.want)
		}
	}
}
