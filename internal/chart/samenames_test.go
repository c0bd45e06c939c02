package chart_test

import (
	"strings"
	"testing"
)

// Areas of one name can be told apart: those of another extent beside a country of the same name, and
// regions of two levels without a value. Regions of a level that is not drawn are not missing.
func TestAreasOfOneName(t *testing.T) {
	const head = "#almanac-tidy,1\n#source,unctad,UNCTAD\n#dataset,t,Population\n#updated,2024-01-01\n"
	v := vintageOf(t, head+`#geography,geo,Area
#code,840,"United States of America excluding Puerto Rico and United States Virgin Islands"
#code,842,United States of America
#code,250,France
geo,TIME_PERIOD,OBS_VALUE
250,2020,68
840,2020,333
842,2020,337`)
	if got := outcome(v, `{"chartType": "bar", "selectedDimensions": {"country": ["840", "842", "250"]}}`); !strings.Contains(got, "United States of America [842] [") || !strings.Contains(got, "United States [US]") {
		t.Errorf("%s; want the United States and the area of their name with its code", got)
	}
	v = vintageOf(t, strings.Replace(head, "unctad,UNCTAD", "eurostat,Eurostat", 1)+`#geography,geo,Area
#code,FRE,Hauts-de-France
#code,FRE1,Nord
#code,FRE2,Picardie
#code,FRM,"Corse [FRM]"
#code,FRM0,"Corse [FRM0]"
#code,FRX,Unknown
geo,TIME_PERIOD,OBS_VALUE
FRE,2020,6
FRE1,2020,4
FRE2,2020,2
FRM,2019,1
FRM0,2019,1
FRX,2019,1`)
	for query, want := range map[string]string{
		`"country": ["FRE1", "FRE2", "FRM", "FRM0"]`: "No values in 2020: Corse [FRM], Corse [FRM0].",
		`"within": "FR"`: "No values in 2020: Corse [FRM0].",
	} {
		if got := outcome(v, `{"chartType": "bar", "period": "2020", "selectedDimensions": {`+query+`}}`); !strings.Contains(got, want) {
			t.Errorf("%s: %s; want %q", query, got, want)
		}
	}
}
