package chart_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"almanac/internal/request"
)

// Remarks list the values that they are about. If the notes would take more than two lines,
// they count them.
func TestLongNotesCountValues(t *testing.T) {
	spec := func(names []string) []string {
		table := "#almanac-tidy,1\n#source,x,Office\n#dataset,t,Table\n#dimension,m,Measure\n"
		rows := ""
		for i, name := range names {
			table += fmt.Sprintf("#code,M%d,%s\n", i, name)
			for year := range 4 {
				flag := []string{"P", "E", "B", ""}[(i+year)%4]
				rows += fmt.Sprintf("M%d,NZ,%d,%d,%s\n", i, 2010+year, 100*i+year, flag)
			}
		}
		table += "#geography,geo,Area\n#code,NZ,New Zealand\nm,geo,TIME_PERIOD,OBS_VALUE,OBS_STATUS\n" + strings.TrimSpace(rows)
		codes := ""
		for i := range names {
			codes += fmt.Sprintf("&dim1=M%d", i)
		}
		c, err := request.BindChart("type=line" + codes)
		if err != nil {
			t.Fatal(err)
		}
		s, _, err := request.Spec(context.Background(), vintageOf(t, table), c)
		if err != nil {
			t.Fatal(err)
		}
		return s.Notes
	}
	if got, want := spec([]string{"Bread", "Milk"}), "Provisional: Bread 2010, Milk 2013."; !slices.Contains(got, want) {
		t.Errorf("short notes: %q, want %q", got, want)
	}
	long := strings.Repeat("word ", 8)
	if got, want := spec([]string{long + "a", long + "b", long + "c"}), "Provisional: 3 of 12 values."; !slices.Contains(got, want) {
		t.Errorf("long notes: %q, want %q", got, want)
	}
}
