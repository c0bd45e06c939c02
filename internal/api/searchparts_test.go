package api_test

import (
	"net/url"
	"strings"
	"testing"

	"almanac/internal/api"
)

// foodOnly is a table of a part of a classification, without a total.
const foodOnly = `#almanac-tidy,1
#source,made,Invented office
#dataset,cpi,Consumer price index by product group
#unit,Index
#dimension,group,Product group
#code,01,01 Food and non-alcoholic beverages
#code,01.1,01.1 Food
#code,01.1.1,01.1.1 Bread and cereals
#code,01.1.4,"01.1.4 Milk, cheese and eggs"
#geography,geo,Area
#code,SE,Sweden
group,geo,TIME_PERIOD,OBS_VALUE
01,SE,2008,266.36
01.1,SE,2008,270
01.1.1,SE,2008,284.69
01.1.4,SE,2008,300
`

// TestPartsAndWholes checks that a hit shows no part for the whole, no whole for a part, and quotes labels as they are.
func TestPartsAndWholes(t *testing.T) {
	s := newStore(t)
	load(t, s, "food.csv", strings.NewReader(foodOnly))
	base := serve(t, newAPI(t, api.Options{Store: s, Search: newSearch(t, s, nil)}))
	for _, c := range []struct{ question, want string }{
		{"consumer price index Sweden", `is of "01 Food and non-alcoholic beverages" only`},
		{"konsumentprisindex Sverige", `is of "01 Food and non-alcoholic beverages" only`},
		{"price of bread in Sweden", `such as "01.1.1 Bread and cereals"`},
		{"price of milk in Sweden", `such as "01.1.4 Milk, cheese and eggs"`},
		{"Brotpreis Schweden", `"brotpreis" is neither in the title nor in the usual series`},
		{"food prices Sweden", "Sweden 2008: 266.36 01 Food and non-alcoholic beverages"},
		{"groceries Sweden", `"groceries" is read as "01 Food and non-alcoholic beverages"`},
	} {
		checkValue(t, find(t, base, "limit=20&q="+url.QueryEscape(c.question)), c.question, "cpi", c.want)
	}
}

// TestReasonsAreTrue checks that a reason for no value says of the title only what it has.
func TestReasonsAreTrue(t *testing.T) {
	s := newStore(t)
	load(t, s, "pop.csv", strings.NewReader("#almanac-tidy,1\n#source,made,Invented office\n#dataset,pop,\"Population, total\"\n#unit,Persons\n#geography,geo,Area\n#code,SE,Sweden\ngeo,TIME_PERIOD,OBS_VALUE\nSE,2020,10\n"))
	load(t, s, "fam.csv", strings.NewReader("#almanac-tidy,1\n#source,made,Invented office\n#dataset,fam,Key figures on families by family type and area\n#unit,Number\n#geography,geo,Area\n#code,FI,Finland\ngeo,TIME_PERIOD,OBS_VALUE\nFI,2020,10\n"))
	base := serve(t, newAPI(t, api.Options{Store: s, Search: newSearch(t, s, nil)}))
	for _, c := range []struct{ question, code, want string }{
		{"population of Sweden aged 0", "pop", `is neither in the title nor in the usual series`},
		{"population of Sweden aged 7", "pop", `is neither in the title nor in the usual series`},
		{"land area Finland", "fam", `"land area" is neither in the title nor in the usual series`},
	} {
		checkValue(t, find(t, base, "limit=20&q="+url.QueryEscape(c.question)), c.question, c.code, c.want)
	}
}
