package api_test

import (
	"strings"
	"testing"

	"almanac/internal/api"
)

// unemployment is a table in the codes of Eurostat, with groups, and a unit that is a dimension.
const unemployment = `#almanac-tidy,1
#source,eurostat,Eurostat
#dataset,une,Unemployment
#dimension,sex,Sex
#dimension,unit,Unit,unit
#geography,geo,Area
sex,unit,geo,TIME_PERIOD,OBS_VALUE
T,PC_ACT,EU27_2020,2020,7.2
T,PC_ACT,EA20,2020,8
T,PC_ACT,EL,2020,17.6
T,PC_ACT,DE,2020,3.7
T,PC_ACT,UK,2020,4.5
T,PC_ACT,BG,2020,6.1
T,PC_ACT,DE2,2020,2.9
`

func serveUnemployment(t *testing.T) (base string, doc *reference) {
	s := newStore(t)
	load(t, s, "une.csv", strings.NewReader(unemployment))
	base = serve(t, newAPI(t, api.Options{Store: s}))
	return base, readReference(t, base)
}

// TestCodes asks for codes beside labels. Without codes=true, no response has them but
// /dimensions, which states iso where it is not the office's code.
func TestCodes(t *testing.T) {
	base, doc := serveUnemployment(t)
	for path, want := range map[string]string{
		"/data?codes=true&country=EL&country=DE": `{"data":[{"series_key":{"dim1_value":"T","dim1_code":"T","dim2_value":"PC_ACT","dim2_code":"PC_ACT"},"countries":["Greece","Germany"],` +
			`"country_codes":{"Greece":{"code":"EL","iso":"GR","iso3":"GRC"},"Germany":{"code":"DE","iso3":"DEU"}},"rows":[{"period":"2020","values":{"Greece":17.6,"Germany":3.7},"unit":"PC_ACT","unit_code":"PC_ACT"}]}],"meta":`,
		"?codes=true":                         `"country_codes":{"European Union (27 countries, from 2020)":{"code":"EU27_2020"},`,
		"/latest?codes=true&country=EL":       `"country_codes":{"Greece":{"code":"EL","iso":"GR","iso3":"GRC"}},"dimensions":{"dim1_value":"T","dim1_code":"T",`,
		"/latest?codes=true":                  `"United Kingdom":{"code":"UK","iso":"GB","iso3":"GBR"}`,
		"/dimensions":                         `{"code":"EL","iso":"GR","label":"Greece"},{"code":"DE","label":"Germany"}`,
		"/data?codes=true&transform=percent":  `"data":[`,
		"/data?codes=true&flags=true&dim1=T":  `"unit_code":"PC_ACT","flags":{}`,
		"/data?codes=false&country=Nederland": `"notices"`,
	} {
		got := ask(t, "GET", base+"/api/datasets/1"+path)
		doc.check(t, "/api/datasets/1"+path, got)
		if got.StatusCode != 200 || !strings.Contains(got.body, want) {
			t.Errorf("%s: %d\n%s\nwant %s", path, got.StatusCode, got.body, want)
		}
	}
	for _, path := range []string{"/data", "", "/latest"} {
		without, with := ask(t, "GET", base+"/api/datasets/1"+path), ask(t, "GET", base+"/api/datasets/1"+path+"?codes=true")
		if strings.Contains(without.body, "_code\"") && path != "" && path != "/data" || strings.Contains(without.body, "country_codes") {
			t.Errorf("%s has codes: %s", path, without.body)
		}
		if without.Header.Get("ETag") == with.Header.Get("ETag") {
			t.Errorf("%s: one ETag for two responses", path)
		}
	}
	for _, path := range []string{"/chart.svg?codes=true", "/dimensions?codes=true"} {
		if got := ask(t, "GET", base+"/api/datasets/1"+path); got.StatusCode != 400 {
			t.Errorf("%s: %d", path, got.StatusCode)
		}
	}
}

// TestMembers selects the members of a group, and leaves out groups.
func TestMembers(t *testing.T) {
	base, doc := serveUnemployment(t)
	for query, want := range map[string]string{
		"country=EU27_2020.members":                   `["Greece","Germany","Bulgaria"]`,
		"country=EU.members":                          `["Greece","Germany","Bulgaria"]`,
		"country=EU28.members":                        `["Greece","Germany","United Kingdom","Bulgaria"]`,
		"country=EA20.members":                        `["Greece","Germany"]`,
		"country=EA.members&country=UK":               `["Greece","Germany","United Kingdom","Bulgaria"]`,
		"country=OECD.members":                        `["Greece","Germany","United Kingdom"]`,
		"country=un:151.members":                      `["Bulgaria"]`,
		"aggregates=false":                            `["Greece","Germany","United Kingdom","Bulgaria","DE2"]`,
		"aggregates=false&within=EA20":                `["Greece","Germany","DE2"]`,
		"aggregates=true&country=EA20":                `["Euro area (20 countries)"]`,
		"aggregates=0&country=EA20&country=DE":        `["Germany"]`,
		"aggregates=false&country=EU27_2020.members":  `["Greece","Germany","Bulgaria"]`,
		"aggregates=false&country=EU27_2020":          `"data":[]`,
		"country=EU.member":                           `"data":[]`,
		"country=nowhere.members":                     `"data":[]`,
		"country=ASEAN.members":                       `"data":[]`,
		"country=.members":                            `"data":[]`,
		"aggregates=false&latest=true&country=UK":     `["United Kingdom"]`,
		"aggregates=false&transform=percent&dim1=T":   `"data":[]`,
		"aggregates=false&within=DE&latest_mode=last": `["Germany","DE2"]`,
	} {
		path := "/api/datasets/1/data?" + query
		got := ask(t, "GET", base+path)
		doc.check(t, path, got)
		if got.StatusCode != 200 || !strings.Contains(got.body, want) {
			t.Errorf("%s: %d\n%s\nwant %s", query, got.StatusCode, got.body, want)
		}
	}
	for path, want := range map[string]string{
		"/api/datasets?country=EU27_2020.members":                       `"total":1`,
		"/api/datasets?country=ASEAN.members":                           `"total":0`,
		"/api/datasets?country=eu27_2020.MEMBERS":                       `"total":1`,
		"/api/datasets/1/data?country=EU27_2020.MEMBERS&latest=true":    `"Germany"`,
		"/api/datasets?country=Deutschland":                             `"total":1`,
		"/api/datasets?country=Bavière":                                 `"total":1`,
		"/api/datasets?country=DE-BY":                                   `"total":1`,
		"/api/datasets?country=Germny":                                  `"hasMore":false}}`,
		"/api/datasets?country=Germny&fields=code":                      `"nearest":["Germany"`,
		"/api/datasets?country=ZZ":                                      `"hasMore":false}}`,
		"/api/datasets?within=Germny":                                   `"nearest":["Germany"`,
		"/api/datasets/1/data?within=Germny":                            `"nearest":["Germany"`,
		"/api/datasets/1/data?country=DE-BY":                            `"DE2"`,
		"/api/datasets/1/data?country=Bayern":                           `"DE2"`,
		"/api/datasets/1/data?within=DE-BY":                             `"DE2"`,
		"/api/datasets/1/latest?country=EA20.members":                   `{"Greece":"17.6","Germany":"3.7"}`,
		"/api/datasets/1/latest?aggregates=false":                       `{"Greece":"17.6","Germany":"3.7","United Kingdom":"4.5","Bulgaria":"6.1","DE2":"2.9"}`,
		"/api/datasets/1/data?country=EU27_2020.members":                `does not have 24 of the 27 members: AT, BE, CY,`,
		"/api/datasets/1/data?country=ASEAN.members":                    `does not have 11 of the 11 members`,
		"/api/datasets/1/data?country=DE.members":                       `no members of \"DE\" are listed`,
		"/api/datasets/1/data?aggregates=x":                             `parameter aggregates must be true, false, 1 or 0`,
		"/api/datasets/1/data?aggregates=false&country=EA20":            `"parameter":"country, aggregates"`,
		"/api/datasets/1/chart.svg?aggregates=false&type=bar":           `Greece`,
		"/api/datasets/1/chart.svg?country=EA20.members&type=bar":       `Greece`,
		"/api/datasets/1/chart.svg?country=EU27_2020&aggregates=false":  `"statusCode":400`,
		"/api/datasets/1/chart.svg?aggregates=false&type=line":          `<svg`,
		"/api/datasets/1/chart.svg?aggregates=false&type=map&width=300": `<svg`,
	} {
		if got := ask(t, "GET", base+path); !strings.Contains(got.body, want) {
			t.Errorf("%s: %d %.1500s, want %s", path, got.StatusCode, got.body, want)
		}
	}
}
