package request_test

import (
	"slices"
	"strings"
	"testing"

	"almanac/internal/request"
)

// docs/api.md, Filters: several values are given by repeating a parameter. A notice on values that are joined by
// commas says so; a label with a comma, and a value with one known part, are no such list.
func TestJoinedValues(t *testing.T) {
	v := openTable(t)
	for query, want := range map[string]string{
		"country=DE,GR":                "as in country=DE&country=GR; nearest: DE, GR",
		"country=Germany,+XX,+GBR":     "as in country=Germany&country=GBR; nearest: Germany, GBR",
		"country=United+Kingdom,DE":    "as in country=United+Kingdom&country=DE",
		"not.country=DE,GR":            "as in country=DE&country=GR",
		"dim1=T,F":                     "as in dim1=T&dim1=F",
		"within=DE,GR":                 "as in within=DE&within=GR",
		"country=Germany,+Federal+Rep": "",
		"country=DE,":                  "",
		"dim1=A code like a label,T":   "as in dim1=A+code+like+a+label&dim1=T",
	} {
		var p request.Data
		if err := request.Bind(strings.ReplaceAll(query, " ", "+"), &p); err != nil {
			t.Fatal(err)
		}
		_, notices, err := request.Parse(v, &p, nil)
		got := request.JoinNotices(notices)
		isSaid := slices.ContainsFunc(notices, func(n request.Notice) bool { return strings.Contains(n.Message, "repeating the parameter") })
		if err != nil || len(notices) != 1 || isSaid != (want != "") || !strings.Contains(got, want) {
			t.Errorf("%s: %q %v, want %q", query, got, err, want)
		}
	}
}
