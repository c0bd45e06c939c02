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

// TestUnitsOfHits checks that the unit of a hit is in words also if the file has only its code, and that the data have what the file states.
func TestUnitsOfHits(t *testing.T) {
	s := newStore(t)
	load(t, s, "codes.csv", strings.NewReader("DATAFLOW,freq,unit,na_item,geo,TIME_PERIOD,OBS_VALUE\nESTAT:NAMA_10_GDP(1.0),A,CP_MEUR,B1GQ,DE,2020,3403730\n"))
	load(t, s, "labels.csv", strings.NewReader("#almanac-tidy,1\n#source,made,Invented office\n#dataset,w1,Wages\n#dimension,unit,Unit,unit\n#code,EUR_F,Euro of farmers\n"+
		"#geography,geo,Area\n#code,DE,Germany\nunit,geo,TIME_PERIOD,OBS_VALUE\nEUR_F,DE,2020,7\n"))
	base := serve(t, newAPI(t, api.Options{Store: s, Search: newSearch(t, s, nil)}))
	for question, want := range map[string]string{"GDP": "Current prices, million euro [CP_MEUR]", "wages": "Euro of farmers []"} {
		got := ""
		for _, h := range find(t, base, "q="+question+"+Germany").Data {
			if h.Latest != nil {
				got = h.Latest.Unit + " [" + h.Latest.UnitCode + "]"
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", question, got, want)
		}
	}
	if got := ask(t, "GET", base+"/api/datasets/1/latest").body; !strings.Contains(got, `"unit":"CP_MEUR"`) {
		t.Errorf("%s", got)
	}
}
