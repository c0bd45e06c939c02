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
		{"Brotpreis Schweden", `"Brotpreis" is neither in the title nor in the usual series`},
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

// TestNamesakesHeld checks that a name of regions of several countries is read as the only one that a dataset has, with a notice, and
// that words between two places do not count.
func TestNamesakesHeld(t *testing.T) {
	const head = "#almanac-tidy,1\n#source,made,Invented office\n#dataset,pop,Population\n#unit,Persons\n#geography,geo,Area\n"
	s := newStore(t)
	load(t, s, "pop.csv", strings.NewReader(head+"#code,FL,Florida\n#code,TX,Texas\n#code,CA,California\n#code,NY,New York\n#code,OH,Ohio\n#code,NV,Nevada\n#code,US,United States\n"+
		"geo,TIME_PERIOD,OBS_VALUE\nFL,2020,21\nTX,2020,29\nCA,2020,39\nNY,2020,20\nOH,2020,11\nNV,2020,3\nUS,2020,329\n"))
	load(t, s, "lands.csv", strings.NewReader(strings.Replace(head, "#dataset,pop", "#dataset,lands", 1)+"#code,LUX,Luxembourg\n#code,BEL,Belgium\n#code,FRA,France\ngeo,TIME_PERIOD,OBS_VALUE\nLUX,2020,1\nBEL,2020,11\nFRA,2020,67\n"))
	base := serve(t, newAPI(t, api.Options{Store: s, Search: newSearch(t, s, nil)}))
	page := find(t, base, "q=population+of+Florida")
	checkValue(t, page, "population of Florida", "pop", "Florida 2020: 21")
	if len(page.Notices) != 1 || !strings.Contains(page.Notices[0].Message, "is taken to mean Florida [US-FL]") {
		t.Errorf("the notices are %v", page.Notices)
	}
	for _, word := range []string{"vs", "versus", "gegen", "contre", "contra"} {
		checkValue(t, find(t, base, "q=population+Luxembourg+"+word+"+Belgium"), word, "lands", "Luxembourg 2020: 1")
	}
}
