package extract_test

import (
	"strings"
	"testing"

	"almanac/internal/format/extract"
)

// The tests of the forms below internal/encode import files of every form again. These are
// headings that only look like theirs.
func TestRecognise(t *testing.T) {
	const end = ",value,unit,status,note,version,source,licence"
	for _, c := range []struct {
		headings string
		want     bool
	}{
		{"dataset,sex,sex_label,geo,geo_label,geo_iso3,geo_iso,period,period_start,period_end" + end, true},
		{"dataset,geo,geo_iso3,geo_iso,period,period_start,period_end" + end + ",,", true}, // padded
		{"dataset,sex,period,period_start,period_end,unit,DE,FR,FR_status,version,source,licence", true},
		{"dataset,geo,geo_iso3,geo_iso,unit,2023,2024,version,source,licence", true},
		{"dataset,geo,period" + end, false},
		{"dataset,geo,geo_iso3,geo_iso,period,period_start,period_end" + end + ",comment", false},
		{"geo,period,value", false},
		{"", false},
	} {
		if got := extract.Recognise(strings.Split(c.headings, ",")); got != c.want {
			t.Errorf("Recognise(%s) = %t, want %t", c.headings, got, c.want)
		}
	}
}

func TestErrors(t *testing.T) {
	const headings = "dataset,geo,geo_iso3,geo_iso,period,period_start,period_end,value,unit,status,note,transform,version,source,licence"
	for _, c := range []struct{ row, want string }{
		{"a:b,DE,DEU,DE,2023,,,1,,,,index:2015,1.0,A,", "the values are derived from those of the office (index:2015)"},
		{"births,DE,DEU,DE,2023,,,1,,,,,1.0,A,", `the column dataset has "births" in the first row`},
	} {
		_, err := extract.Mapping(strings.Split(headings, ","), strings.Split(c.row, ","), ',')
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.row, err, c.want)
		}
	}
}
