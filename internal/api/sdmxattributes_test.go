package api_test

import (
	"strings"
	"testing"

	"almanac/internal/api"
)

// TestSingleAttributes asks for some attributes in all syntaxes: the others are left out, with their columns.
func TestSingleAttributes(t *testing.T) {
	s := newStore(t)
	load(t, s, "made.csv", strings.NewReader(madeEditions(4)[3])) // with a flag of one observation
	base := serve(t, newAPI(t, api.Options{Store: s})) + "/sdmx/3.0/data/dataflow/*/made?format="
	all := []string{"UNIT_MEASURE", "UNIT_MULT", "OBS_STATUS", "OBS_FLAG", "CONF_STATUS", "OBS_COMMENT", "LICENCE"}
	for _, c := range []struct{ format, attributes, has string }{
		{"csvdata", "OBS_STATUS", ",2021,5,P\r\n"},
		{"csvdata", "obs", "OBS_VALUE,OBS_STATUS,OBS_FLAG,CONF_STATUS,OBS_COMMENT\r\n"},
		{"csvdata1", "OBS_COMMENT,OBS_STATUS", ",2021,5,P,\r\n"},
		{"csvdata", "OBS_COMMENT", ",2021,5,\r\n"},
		{"jsondata", "OBS_STATUS", `"1":[5,0]`},
		{"jsondata1", "OBS_COMMENT,OBS_STATUS", `"1":[5,0]`},
		{"jsondata", "OBS_COMMENT", `"1":[5]`},
		{"jsondata", "dataset", `"attributes":[0]`},
		{"jsondata&dimensionAtObservation=AllDimensions", "OBS_STATUS", `[5,0]`},
		{"structurespecificdata", "OBS_STATUS", `OBS_VALUE="5" OBS_STATUS="P"/>`},
		{"structurespecificdata&dimensionAtObservation=AllDimensions", "UNIT_MEASURE", `OBS_VALUE="5"/>`},
		{"genericdata", "OBS_STATUS,UNIT_MEASURE", `<gen:Value id="OBS_STATUS" value="P"/>`},
		{"genericdata", "UNIT_MEASURE", `<gen:ObsValue value="5"/></gen:Obs>`},
	} {
		got := ask(t, "GET", base+c.format+"&attributes="+c.attributes)
		if got.StatusCode != 200 || !strings.Contains(got.body, c.has) {
			t.Errorf("%s of %s: %d without %s: %.3000s", c.attributes, c.format, got.StatusCode, c.has, got.body)
		}
		checkSyntax(t, got.Header.Get("Content-Type"), got.body)
		for _, id := range all {
			if isWanted := strings.Contains(c.attributes, id) || c.attributes == "obs" || c.attributes == "dataset"; !isWanted && strings.Contains(got.body, id) {
				t.Errorf("%s of %s: it has %s: %.3000s", c.attributes, c.format, id, got.body)
			}
		}
	}
}
