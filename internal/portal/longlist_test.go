package portal_test

import (
	"fmt"
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
		{"dim1=HS00001&find.dim1=article+1234", 12, "12 of 20 000 are listed", "HS12340", true},
		{"dim1=HS00001&find.dim1=hs19998", 2, "2 of 20 000 are listed", "HS19998", true},
		{"dim1=HS00001&find.dim1=nothing", 1, "1 of 20 000 are listed", "HS00001", false},
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
