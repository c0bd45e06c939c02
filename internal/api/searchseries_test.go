package api_test

import (
	"net/url"
	"strings"
	"testing"

	"almanac/internal/api"
)

// farms has animals without production, a product of one country only, and a country with one kind of farms only.
const farms = `#almanac-tidy,1
#source,made,Invented office
#dataset,farms,Crops and animals of farms
#dimension,element,Element
#code,P,Production
#code,S,Stocks
#code,Y,Yield
#dimension,item,Item
#code,W,Wheat
#code,C,Cattle
#code,R,Rye
#dimension,farm,Kind of farm
#code,T,Total
#code,O,Organic
#geography,geo,Area
#code,DE,Germany
#code,PL,Poland
#code,FR,France
element,item,farm,geo,TIME_PERIOD,OBS_VALUE
P,W,T,DE,2020,11
P,W,O,DE,2020,12
P,W,T,PL,2020,13
Y,W,T,DE,2020,14
Y,W,T,PL,2020,15
S,C,T,DE,2019,21
S,C,T,DE,2020,22
S,C,T,PL,2020,23
P,R,T,DE,2020,31
Y,R,T,PL,2020,32
P,W,O,FR,2020,41
S,C,O,FR,2020,42
`

// TestSeriesWithValues checks that a hit has the value of the series that /latest chooses where the usual one has none, but none of a part or
// of another measure.
func TestSeriesWithValues(t *testing.T) {
	s := newStore(t)
	load(t, s, "farms.csv", strings.NewReader(farms))
	base := serve(t, newAPI(t, api.Options{Store: s, Search: newSearch(t, s, nil)}))
	for _, c := range []struct{ question, want string }{
		{"wheat Germany", "Germany 2020: 11 Production Wheat Total"},
		{"cattle Germany", "Germany 2020: 22 Stocks Cattle Total"},
		{"cattle Germany 2019", "Germany 2019: 21 Stocks Cattle Total"},
		{"cattle production Germany", "(Production, Cattle, Total) has no observed value there"},
		{"rye Poland", "Poland 2020: 32 Yield Rye Total"},
		{"rye production Poland", "(Production, Rye, Total) has no observed value there"},
		{"wheat France", `is of "Organic" only, and "Total" has no value there`},
		{"cattle France", `is of "Organic" only, and "Total" has no value there`},
		{"organic cattle France", "France 2020: 42 Stocks Cattle Organic"},
	} {
		checkValue(t, find(t, base, "limit=20&q="+url.QueryEscape(c.question)), c.question, "farms", c.want)
	}
}
