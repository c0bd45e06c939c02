package chart_test

import (
	"context"
	"strings"
	"testing"

	"almanac/internal/chart"
	"almanac/internal/request"
	"almanac/internal/stat"
)

func TestBoundsOf(t *testing.T) {
	for _, c := range []struct {
		name, codes, of, want string
	}{
		{"value, lower, upper", "Value, Lower, Upper", "Value", "Lower, Upper"},
		{"columns of a survey", "val, upper, lower", "val", "lower, upper"},
		{"bounds of one measure among others", "Poor, Poor: 90% CI Lower Bound, Poor: 90% CI Upper Bound, Rich", "Poor", "Poor: 90% CI Lower Bound, Poor: 90% CI Upper Bound"},
		{"another measure", "Poor, Poor: 90% CI Lower Bound, Poor: 90% CI Upper Bound, Rich", "Rich", ""},
		{"names with underscores", "estimate, lower_bound, upper_bound", "estimate", "lower_bound, upper_bound"},
		{"levels of education", "Total, Lower secondary education, Upper secondary education", "Total", ""},
		{"groups of income", "World, Lower middle income, Upper middle income", "World", ""},
		{"variants of a projection", "Medium, Low, High", "Medium", ""},
		{"the lower bound itself", "Value, Lower, Upper", "Lower", ""},
		{"no upper bound", "Value, Lower", "Value", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := stat.Dimension{}
			of := int32(0)
			for i, label := range strings.Split(c.codes, ", ") {
				d.Codes = append(d.Codes, stat.Code{ID: label, Label: label})
				if label == c.of {
					of = int32(i)
				}
			}
			got := ""
			if b, ok := chart.BoundsOf(0, &d, of); ok {
				got = d.Codes[b.Lower].Label + ", " + d.Codes[b.Upper].Label
			}
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

const estimates = `#almanac-tidy,1
#source,who,Health office
#dataset,estimates,Life expectancy
#unit,years
#dimension,ESTIMATE,Estimate
#code,VALUE,Value
#code,LOWER,Lower
#code,UPPER,Upper
#geography,geo,Country
#code,DE,Germany
#code,FR,France
ESTIMATE,geo,TIME_PERIOD,OBS_VALUE
VALUE,DE,2019,80
LOWER,DE,2019,79
UPPER,DE,2019,81
VALUE,DE,2020,81
LOWER,DE,2020,80
UPPER,DE,2020,82
VALUE,FR,2019,82
LOWER,FR,2019,83
UPPER,FR,2019,84
VALUE,FR,2020,83
`

// docs/api.md, What is drawn: bounds are drawn with the values between them, unless the
// request has showBands=false, derived values or another type.
func TestBands(t *testing.T) {
	v := vintageOf(t, estimates)
	for _, c := range []struct {
		name, members string
		want          int // series with bounds
	}{
		{"of the series that has them", `"chartType": "line"`, 1},
		{"in small multiples", `"chartType": "small-multiples"`, 1},
		{"not wanted", `"chartType": "line", "showBands": false`, 0},
		{"none of derived values", `"chartType": "line", "transform": "index:2019"`, 0},
		{"none of bars", `"chartType": "bar"`, 0},
		{"none of the bounds themselves", `"chartType": "line", "dimensions_query": "dim1=Lower"`, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := request.ReadChart([]byte(`{"datasetId": 1, ` + c.members + `}`))
			if err != nil {
				t.Fatal(err)
			}
			s, _, err := request.Spec(context.Background(), v, r)
			if err != nil {
				t.Fatal(err)
			}
			got := 0
			for _, series := range s.Series {
				if series.Low != nil {
					got++
				}
				if strings.Contains(series.Key, "Upper") {
					t.Errorf("the bound %s is a line", series.Key)
				}
			}
			if hasNote := strings.Contains(strings.Join(s.Notes, " "), "Shaded"); got != c.want || hasNote != (got > 0) {
				t.Errorf("%d series with bounds, want %d; notes %q", got, c.want, s.Notes)
			}
		})
	}
}
