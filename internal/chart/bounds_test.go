package chart_test

import (
	"context"
	"slices"
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
		{"the only value beside bounds", "Malaria incidence per 1000, Lower bound, Upper bound", "Malaria incidence per 1000", "Lower bound, Upper bound"},
		{"a value beside what may be levels", "Pupils, Lower, Upper", "Pupils", ""},
		{"one of two values", "Cases, Deaths, Lower bound, Upper bound", "Cases", ""},
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

// A logarithmic scale has no place for a bound of zero; a notice says so.
func TestBandsOnLogScale(t *testing.T) {
	for lower, want := range map[string]bool{"79": false, "0": true} {
		v := vintageOf(t, strings.Replace(estimates, "LOWER,DE,2019,79", "LOWER,DE,2019,"+lower, 1))
		r, err := request.ReadChart([]byte(`{"datasetId": 1, "chartType": "line", "scale": "log"}`))
		if err != nil {
			t.Fatal(err)
		}
		s, notices, err := request.Spec(context.Background(), v, r)
		if err != nil {
			t.Fatal(err)
		}
		isDrawn := slices.ContainsFunc(s.Series, func(series chart.Series) bool { return series.Low != nil })
		if hasNotice := strings.Contains(request.JoinNotices(notices), "no place for bounds of zero or less"); hasNotice != want || isDrawn == want {
			t.Errorf("lower bound %s: drawn %v, notices %q", lower, isDrawn, request.JoinNotices(notices))
		}
	}
}
