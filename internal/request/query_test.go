package request_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"almanac/internal/request"
	"almanac/internal/stat"
	"almanac/internal/stattest/property"
	"almanac/internal/store"
)

// table is a small dataset with Eurostat's code system, quarterly and annual.
const table = `#almanac-tidy,1
#source,eurostat,Invented office
#dataset,t,Table
#updated,2024-01-01
#dimension,sex,Sex
#code,T,Total
#code,F,Females
#code,Total,A code like a label
#dimension,unit,Unit,unit
#code,NR,Number
#geography,geo,Area
#code,EU27_2020,European Union
#code,DE,Germany
#code,EL,Greece
#code,UK,United Kingdom
sex,unit,geo,TIME_PERIOD,OBS_VALUE
T,NR,DE,2019,1
T,NR,DE,2020,2
T,NR,EL,Q1/2020,3
F,NR,UK,Q4/2020,4
Total,NR,EU27_2020,2020,5
`

func openTable(t testing.TB) *store.Vintage { return openAfter(t, table) }

// docs/api.md, Filters: a value is matched as a label first, exactly and case-sensitively,
// then as a code. country also accepts ISO codes.
func TestSelection(t *testing.T) {
	v := openTable(t)
	for _, c := range []struct {
		query   string
		want    [][]int32
		unknown string
	}{
		{"", nil, ""},
		{"dim1=Females", [][]int32{{1}, nil, nil}, ""},
		{"dim1=F&dim1=T", [][]int32{{0, 1}, nil, nil}, ""},
		{"dim1=Total", [][]int32{{0}, nil, nil}, ""}, // the label takes precedence over the code
		{"dim1=A code like a label", [][]int32{{2}, nil, nil}, ""},
		{"dim1=females", [][]int32{{}, nil, nil}, "females"},
		{"dim2=NR&country=Germany", [][]int32{nil, {0}, {1}}, ""},
		{"country=GR&country=EL&country=GRC&country=300&country=Greece", [][]int32{nil, nil, {2}}, ""},
		{"country=gb&country=eu27_2020", [][]int32{nil, nil, {0, 3}}, ""},
		{"country=826&country=germany", [][]int32{nil, nil, {3}}, "germany"},
		{"country=FR", [][]int32{nil, nil, {}}, "FR"},
	} {
		var p request.Data
		if err := request.Bind(strings.ReplaceAll(c.query, " ", "%20"), &p); err != nil {
			t.Fatal(err)
		}
		q, notices, err := request.Parse(v, &p, nil)
		if err != nil {
			t.Errorf("%s: %v", c.query, err)
		}
		if diff := cmp.Diff(c.want, q.Select); diff != "" {
			t.Errorf("%s: %s", c.query, diff)
		}
		var unknown []string
		for _, n := range notices {
			unknown = append(unknown, n.Value)
			if n.Message == "" || n.Nearest == nil {
				t.Errorf("%s: notice %+v", c.query, n)
			}
		}
		if strings.Join(unknown, " ") != c.unknown {
			t.Errorf("%s: the unknown values are %q, want %q", c.query, unknown, c.unknown)
		}
	}
}

// A year without the zeros in front that the dataset's have is named with them.
func TestPaddedYears(t *testing.T) {
	v := openAfter(t, "#almanac-tidy,1\n#dataset,old,Old\n#dimension,sex,Sex\n#code,T,Total\n#geography,geo,Area\n#code,DE,Germany\n"+
		"sex,geo,TIME_PERIOD,OBS_VALUE\nT,DE,0001,1\nT,DE,1000,2\n")
	for year, want := range map[string]string{
		"1":   `parameter period must be a period, not "1" (did you mean 0001?); periods of dataset 1 are written YYYY, such as 1000`,
		"001": `parameter period must be a period, not "001" (did you mean 0001?); periods of dataset 1 are written YYYY, such as 1000`,
		"2":   `parameter period must be a period, not "2"; periods of dataset 1 are written YYYY, such as 1000`,
		"x":   `parameter period must be a period, not "x"; periods of dataset 1 are written YYYY, such as 1000`,
	} {
		if _, _, err := request.Parse(v, &request.Data{Period: year}, nil); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", year, err, want)
		}
	}
}

// docs/api.md, Periods: an invalid period is 400, and the message names the parameter, the
// value and the formats of the dataset with examples. period overrides a range. period_from
// after period_to is 400.
func TestPeriods(t *testing.T) {
	v := openTable(t)
	p := func(text string) stat.Period {
		if text == "" {
			return stat.Period{}
		}
		parsed, err := stat.ParsePeriod(text)
		if err != nil {
			t.Fatal(err)
		}
		return parsed
	}
	for _, c := range []struct{ period, from, to, wantWithin, wantFrom, wantTo, err string }{
		{period: "2020", wantWithin: "2020"},
		{period: " 2020-Q1 ", wantWithin: "Q1/2020"},
		{from: "2019", to: "2020", wantFrom: "2019", wantTo: "2020"},
		{from: "2020", to: "Q1/2020", wantFrom: "2020", wantTo: "Q1/2020"},
		{from: "Q4/2020", to: "2020", wantFrom: "Q4/2020", wantTo: "2020"},
		{from: "2021", wantFrom: "2021"},
		{to: "1900", wantTo: "1900"},
		{period: "2020", from: "2021", to: "2019", wantWithin: "2020"},
		{from: "2021", to: "2020", err: "period_from (2021) is after period_to (2020)"},
		{from: "Q2/2020", to: "01/2020", err: "is after"},
		{period: "20", err: `parameter period must be a period, not "20"; periods of dataset 1 are written Qn/YYYY, such as Q4/2020, or YYYY, such as 2020`},
		{from: "Q5/2020", err: `parameter period_from must be a period, not "Q5/2020"`},
		{to: "31/02/2020", err: `parameter period_to must be a period, not "31/02/2020"`},
		{period: "2020", to: "x", err: `parameter period_to must be a period, not "x"`},
	} {
		q, _, err := request.Parse(v, &request.Data{Period: c.period, PeriodFrom: c.from, PeriodTo: c.to}, nil)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) || stat.KindOf(err) != stat.Invalid {
				t.Errorf("%+v: %v", c, err)
			}
			continue
		}
		if err != nil || q.Within != p(c.wantWithin) || q.From != p(c.wantFrom) || q.To != p(c.wantTo) {
			t.Errorf("%+v: within %s, from %s, to %s, %v", c, q.Within, q.From, q.To, err)
		}
	}
}

// Every value of any request, in any order, is either selected by its label or code or
// reported in a notice.
func TestEveryValueIsSelectedOrReported(t *testing.T) {
	v := openTable(t)
	codes := v.Dataset.Geography.Codes
	property.Check(t, func(t *rapid.T) {
		var p request.Data
		want := []int32{}
		unknown := 0
		for range rapid.IntRange(1, 30).Draw(t, "values") {
			at := rapid.IntRange(-1, len(codes)-1).Draw(t, "code")
			if at < 0 {
				unknown++
				p.Country = append(p.Country, fmt.Sprintf("no such area %d", unknown))
				continue
			}
			want = append(want, int32(at))
			p.Country = append(p.Country, rapid.SampledFrom([]string{codes[at].ID, codes[at].Label, codes[at].Area, strings.ToLower(codes[at].Area)}).Draw(t, "name"))
		}
		q, notices, err := request.Parse(v, &p, nil)
		slices.Sort(want)
		if err != nil || !slices.Equal(q.Select[2], slices.Compact(want)) || len(notices) != unknown {
			t.Fatalf("%q: %v with %d notices, want %v with %d (%v)", p.Country, q.Select[2], len(notices), want, unknown, err)
		}
	})
}

// An unknown value is reported once, however often it is repeated.
func TestUnknownValuesAreReportedOnce(t *testing.T) {
	v := openTable(t)
	p := request.Data{Country: slices.Repeat([]string{"Germny", "Atlantis", "Germany"}, 1000)}
	q, notices, err := request.Parse(v, &p, nil)
	if err != nil || len(notices) != 2 || notices[0].Value != "Germny" || notices[1].Value != "Atlantis" {
		t.Fatalf("%+v, %v", notices, err)
	}
	if got := q.Select[len(q.Select)-1]; len(got) != 1 {
		t.Errorf("the selection is %v", got)
	}
}
