package portal_test

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// projectedTable ends with projections, which no flag marks, after the year of its update, and begins with a year without a value.
const projectedTable = `#almanac-tidy,1
#source,oecd,OECD
#dataset,t,Table
#updated,2023-07-13
#dimension,m,Measure
#geography,geo,Area
m,geo,TIME_PERIOD,OBS_VALUE,OBS_STATUS
A,DE,1990,,M
A,DE,2021,5,
A,DE,2022,6,E
A,DE,2023,6,
A,DE,2024,7,E
A,DE,2050,8,
A,FR,1990,2,
A,FR,2021,4,
A,FR,2022,4,
A,FR,2023,4,
A,FR,2024,3,
A,FR,2050,3,
`

// projectedPeriods returns the periods of the cells of the table that are marked as projections.
func projectedPeriods(root *html.Node) (periods []string) {
	for _, cell := range elements(elements(root, "table", "id=t1")[0], "td", "data-p") {
		period, _ := attribute(cell, "data-p")
		if slices.Contains(classesOf(cell), "ahead") && !slices.Contains(periods, period) {
			periods = append(periods, period)
		}
	}
	return periods
}

// TestProjectionsInTables reads tables of a dataset with projections that no flag marks: they are marked as in the chart, whatever the view
// shows, and the marks below the table are those of its cells.
func TestProjectionsInTables(t *testing.T) {
	s := newStore(t)
	load(t, s, "t.csv", strings.NewReader(projectedTable))
	base := serve(t, s, nil)
	for _, address := range []string{"/datasets/1/t?country=DE", "/datasets/1/t?country=DE&view=table", "/datasets/1/t?view=ranking", "/compare?country=DE&s=1"} {
		root := openPage(t, base+address)
		if got := projectedPeriods(root); !slices.Equal(got, []string{"2023", "2024", "2050"}) {
			t.Errorf("%s: projections are %q, want those from 2023 on", address, got)
		}
		if text := textOf(withClass(root, "p", "sym")[0]); !strings.Contains(text, "Italics: projections") {
			t.Errorf("%s: the marks are explained by %q", address, text)
		}
	}
	root := openPage(t, base+"/datasets/1/t?country=FR&period_to=2022")
	if text := textOf(withClass(root, "p", "sym")[0]); projectedPeriods(root) != nil || strings.Contains(text, "Italics") || strings.Contains(text, "estimated") {
		t.Errorf("of observed values the marks are explained by %q", text)
	}
}
