package chart_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"almanac/internal/request"
)

// A country is "no data" on a map if the dataset has a value of it in any period, or has most
// members of the European Union, to which it belongs, and is about Europe. Of a dataset of half of the world, all
// countries are.
func TestUncoveredCountries(t *testing.T) {
	const members = "AT BE BG HR CY CZ DK EE FI FR DE HU IE IT LV"
	const world = members + " AF AL DZ AO AR AM AU AZ BS BH BD BB BY BZ BJ BT BO BA BW BR BN BF BI CV KH CM CA CF TD CL CN CO KM CG CD CR CI CU DJ DM DO EC EG SV GQ ER SZ ET FJ GA GM GE GH GD GT GN GW GY HT HN IS IN ID IR IQ IL JM JP JO KZ KE KI KR KW KG LA LB LS LR LY LI MG MW MY MV ML MH MR MU MX FM MD MC MN ME MA MZ MM NA NR NP NZ NI NE NG MK NO OM PK PW PA PG PY PE PH QA RW KN LC VC WS SM ST SA SN RS SC SL SG SB SO ZA SS LK SD SR CH SY TJ TZ TH TL TG"
	for _, test := range []struct{ areas, uncovered, noData string }{
		{members, "RU US GB", "SE DE"},
		{members + " GB", "RU US", "SE GB"},
		{"DE FR IT JP US", "SE RU", "DE"},
		{members + " AU CA CL CO CR IL JP KR MX NZ TR US", "SE PL RU", "DE AU"}, // of the OECD
		{world, "", "RU US GB SE"},
	} {
		table := "#almanac-tidy,1\n#source,worldbank,World Bank\n#dataset,t,Table\n#updated,2024-01-01\n#geography,geo,Area\ngeo,TIME_PERIOD,OBS_VALUE\n"
		for i, area := range strings.Fields(test.areas) {
			if table += area + ",2019,1.5\n"; i > 0 && area != "GB" {
				table += area + ",2020,1.5\n"
			}
		}
		c, err := request.BindChart("type=map")
		if err != nil {
			t.Fatal(err)
		}
		s, _, err := request.Spec(context.Background(), vintageOf(t, table), c)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range strings.Fields(test.uncovered) {
			if !slices.Contains(s.Uncovered, id) {
				t.Errorf("%.20s…: %s is not among the countries that are not covered", test.areas, id)
			}
		}
		for _, id := range strings.Fields(test.noData) {
			if slices.Contains(s.Uncovered, id) {
				t.Errorf("%.20s…: %s is among the countries that are not covered", test.areas, id)
			}
		}
	}
}
