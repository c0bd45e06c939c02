package portal_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A page lists a part of the 20,000 values of a dimension, the chosen one among them, and the service finds the others by name and code.
func TestLongListsAreFoundIn(t *testing.T) {
	var b strings.Builder
	b.WriteString("#almanac-tidy,1\n#source,office,Office\n#dataset,trade,Trade\n#dimension,item,Item\n")
	for i := range 20_000 {
		fmt.Fprintf(&b, "#code,HS%05d,Article %d\n", i, i+1)
	}
	b.WriteString("#geography,geo,Area\n#code,DE,Germany\nitem,geo,TIME_PERIOD,OBS_VALUE\n")
	for i := range 20_000 {
		fmt.Fprintf(&b, "HS%05d,DE,2020,%d\n", i, i)
	}
	s := newStore(t)
	load(t, s, "trade.csv", strings.NewReader(b.String()))
	base := serve(t, s, nil)
	for _, c := range []struct {
		query       string
		listed      int
		says, value string
		isFound     bool
	}{
		{"dim1=Article+19999", 301, "301 of 20 000 are listed; find others by name or code.", "HS19998", true},
		{"dim1=HS00001&find.dim1=article+1234", 12, "11 found", "HS12340", true},
		{"dim1=HS00001&find.dim1=hs19998", 2, "1 found", "HS19998", true},
		{"dim1=HS00001&find.dim1=nothing", 1, "None of them has this in its name or code.", "HS00001", false},
	} {
		list := withID(t, openPage(t, base+"/datasets/1/trade?"+c.query), "pick")
		var values []string
		for _, input := range elements(list, "input", "name=dim1") {
			value, _ := attribute(input, "value")
			values = append(values, value)
		}
		if len(values) != c.listed || !strings.Contains(strings.Join(values, "\n")+"\n", c.value+"\n") {
			t.Errorf("%s: %d values, want %d with %s", c.query, len(values), c.listed, c.value)
		}
		if text := textOf(list); !strings.Contains(text, c.says) {
			t.Errorf("%s: %.300s; want %q", c.query, text, c.says)
		}
		none := elements(list, "p", "data-none")
		if len(none) != 1 || len(elements(list, "p", "data-none", "hidden")) == 1 != c.isFound {
			t.Errorf("%s: the page says wrongly whether a value is found", c.query)
		}
	}
}

// A row of a picker says which periods its choice leaves, if these are others than those that are shown.
func TestPickersHavePeriods(t *testing.T) {
	s := newStore(t)
	load(t, s, "rates.csv", strings.NewReader(`#almanac-tidy,1
#source,office,Office
#dataset,rates,Rates
#dimension,freq,Frequency,frequency
#code,A,Annual
#code,Q,Quarterly
#dimension,item,Item
#code,X,Gold
#code,Y,Silver
#geography,geo,Area
#code,DE,Germany
freq,item,geo,TIME_PERIOD,OBS_VALUE
A,X,DE,2020,1
A,X,DE,2021,2
A,X,DE,2022,2
A,Y,DE,2020,1
A,Y,DE,2021,2
A,Y,DE,2022,3
Q,X,DE,2021-Q1,3
Q,X,DE,2021-Q2,4
Q,X,DE,2021-Q3,5
Q,Y,DE,2021-Q2,6
`))
	base := serve(t, s, nil)
	for query, want := range map[string][]string{
		"dim1=Quarterly&dim2=Gold":          {"Annual 2020–2022", "Quarterly", "Gold", "Silver Q2/2021"},
		"dim1=Annual&dim2=Gold":             {"Annual", "Quarterly Q1/2021–Q3/2021", "Gold", "Silver"},
		"dim1=Annual&dim2=Gold&lang=de":     {"Annual", "Quarterly Q1 2021–Q3 2021", "Gold", "Silver"},
		"dim1=Annual&dim2=Gold&dim2=Silver": {"Annual", "Quarterly Q1/2021–Q3/2021", "Gold", "Silver"},
	} {
		var got []string
		for _, row := range elements(withID(t, openPage(t, base+"/datasets/1/rates?"+query), "pick"), "span", "class=l") {
			got = append(got, textOf(row))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: rows %q, want %q", query, got, want)
		}
	}
}
