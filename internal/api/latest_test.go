package api_test

import (
	"strings"
	"testing"

	"almanac/internal/api"
)

// Latest values have their unit, and flags where there are any.
func TestUnitsAndFlagsOfLatestValues(t *testing.T) {
	s := newStore(t)
	load(t, s, "jobs.csv", strings.NewReader(`#almanac-tidy,1
#source,nso,National Statistical Office
#dataset,jobs,Jobs
#dimension,unit,Unit,unit
#code,PC,Per cent
#code,NR,Number
#geography,geo,Area
#code,DE,"Germany ""united"""
#code,FR,France
unit,geo,TIME_PERIOD,OBS_VALUE,OBS_STATUS
PC,DE,2019,3,
PC,DE,2020,4,P
PC,FR,2020,5,
NR,DE,2020,7,
`))
	load(t, s, "sales.csv", strings.NewReader(`#almanac-tidy,1
#source,nso,National Statistical Office
#dataset,sales,Sales
#geography,geo,Area
#code,AT,Austria
#code,GB,United Kingdom
geo,TIME_PERIOD,OBS_VALUE,UNIT_MEASURE
AT,2020,4,EUR
GB,2020,5,GBP
`))
	base := serve(t, newAPI(t, api.Options{Store: s}))
	for path, want := range map[string]string{
		"/api/datasets/1/latest?dim1=PC":                  `"dimensions":{"dim1_value":"Per cent"},"unit":"Per cent","flags":{"Germany \"united\"":["P"]},"latest_mode":"last"`,
		"/api/datasets/1/latest?dim1=PC&latest_mode=area": `"unit":"Per cent","flags":{"Germany \"united\"":["P"]},"periods":{"Germany \"united\"":"2020","France":"2020"}`,
		"/api/datasets/1/latest?dim1=PC&country=FR":       `"unit":"Per cent","latest_mode":`,
		"/api/datasets/1/latest?dim1=NR&codes=true":       `"unit":"Number","unit_code":"NR","latest_mode":`,
		"/api/datasets/2/latest":                          `"units":{"Austria":"EUR","United Kingdom":"GBP"},"latest_mode":`,
		"/api/datasets/2/latest?country=GB":               `"unit":"GBP","latest_mode":`,
	} {
		if got := ask(t, "GET", base+path); !strings.Contains(got.body, want) {
			t.Errorf("%s: %s\nwant %s", path, got.body, want)
		}
	}
}
