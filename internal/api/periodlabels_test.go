package api_test

import (
	"strings"
	"testing"

	"almanac/internal/stattest"
)

// A value of several years is stored under the last one. The latest values and the hits of the search have the
// source's text of the period beside it, where it has one.
func TestLatestOfSpans(t *testing.T) {
	stattest.SkipUnderRace(t)
	base := searchFiles(t, "un/WPP2019_Period_Indicators_Medium.csv", "worldbank/csv/API_SP.POP.TOTL_DS2_en_csv_v2.csv")
	for _, c := range []struct{ path, want string }{
		{"/api/datasets/1/latest?country=Chad", `{"period":"2100","period_label":"2095-2100","countries":{"Chad":`},
		{"/api/datasets/1/latest?country=Chad&latest_mode=observed", `{"period":"2020","period_label":"2015-2020","countries":{"Chad":`},
		{"/api/datasets/1/data?country=Chad&period=2015-2020", `"rows":[{"period":"2020","values":{"Chad":5.797},"unit":"live births per woman","period_label":"2015-2020"}]}`},
		{"/api/datasets/1/data?country=Chad&period_from=2005%E2%80%932010&period_to=2010-2015", `"rows":[{"period":"2010","values":{"Chad":6.853}`},
		{"/api/datasets/1/latest?country=Chad&country=Mali&latest_mode=area",
			`"periods":{"Chad":"2020","Mali":"2020"},"period_labels":{"Chad":"2015-2020","Mali":"2015-2020"},"latest_mode":"area"`},
		{"/api/datasets/2/latest?country=Chad&latest_mode=area", `{"period":"2016","countries":{"Chad":`},
		{"/api/datasets/2/latest?country=Chad&latest_mode=area", `"periods":{"Chad":"2016"},"latest_mode":"area"`},
		{"/api/search?q=infant+mortality+Chad&limit=1", `"latest":{"area":{"code":"TD","name":"Chad"},"period":"2020","period_label":"2015-2020","value":74.5`},
		{"/api/search?q=population+Chad&source=worldbank", `"latest":{"area":{"code":"TD","name":"Chad"},"period":"2016","value":`},
	} {
		if got := ask(t, "GET", base+c.path); !strings.Contains(got.body, c.want) {
			t.Errorf("%s: %s\nwant %s", c.path, got.body, c.want)
		}
	}
}
