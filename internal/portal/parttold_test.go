package portal_test

import (
	"strings"
	"testing"

	"almanac/internal/importer"
)

// TestNumberOfAPart checks that a number of a part of what the title of its dataset says names that part, but not the total of
// another dimension, the unit or the frequency.
func TestNumberOfAPart(t *testing.T) {
	s := newStore(t)
	im, err := importer.New(s, importer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	im.Read(t.Context(), "exports.csv", strings.NewReader(`#almanac-tidy,1
#source,eurostat,Eurostat
#dataset,dot,Direction of trade of widgets
#dimension,freq,Frequency
#code,A,Annual
#dimension,partner,Partner
#code,TT,Trinidad and Tobago,US dollars
#dimension,sector,Sector
#code,T,Total
#geography,geo,Area
freq,partner,sector,geo,TIME_PERIOD,OBS_VALUE,OBS_STATUS
A,TT,T,AT,2014,16,
A,TT,T,AT,2030,17,F
`))
	base := serve(t, s, nil)
	var found string
	for _, a := range elements(parse(t, ask(t, "GET", base+"/suggest?q=widgets+austria").body), "a", "role=option") {
		if text := textOf(a); strings.Contains(text, "2014 ") || strings.Contains(text, "16") {
			found += text + "\n"
		}
	}
	if !strings.Contains(found, "Trinidad and Tobago") || strings.Contains(found, "Total") || strings.Contains(found, "Annual") || strings.Count(found, "US dollars") > 1 {
		t.Errorf("the number is\n%s", found)
	}
	if future := textOf(parse(t, ask(t, "GET", base+"/suggest?q=widgets+austria+2030").body)); !strings.Contains(future, "US dollars · forecast · Eurostat") || strings.Contains(found, "forecast") {
		t.Errorf("the number of 2030 is in %s", future)
	}
	if page := textOf(openPage(t, base+"/search?q=widgets+austria")); !strings.Contains(page, "Trinidad and Tobago · US dollars") {
		t.Errorf("the hit does not say that its value is of one partner:\n%.3000s", page)
	}
}
