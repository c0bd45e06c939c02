package api_test

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"almanac/internal/stat"
	"almanac/internal/stattest"
)

// filteredFiles are the files of several offices on which the filters are compared with naive
// ones: with weeks, half-years, regions, several units, quotes and commas in labels, other
// scripts, flags of missing values and series of several frequencies.
var filteredFiles = [][]string{
	{"eurostat/tsv-old/tgs00026.tsv.gz"},
	{"eurostat/tsv-old/earn_mw_cur.tsv"},
	{"eurostat/tsv-new/estat_ilc_peps13.tsv.gz"},
	{"eurostat/sdmx-csv/ei_bpm6ca_q-both.csv"},
	{"insee/insee-datastructure-2.1.xml", "insee/insee-data-generic-2.1.xml"},
	{"bis/BIS_DER-sdmx-csv-1.0.csv"},
	{"fao/FAOSTAT_data-UKR-crops.csv"},
	{"ilo/EAR_4MTH_SEX_GEO_CUR_NB_A.csv"},
	{"jsonstat/oecd.json"},
	{"px/ssb/03024-WeeklyStatisticsWithTwoContent.px"},
	{"px/scb/HA0201E8-quarter.px"},
	{"un/SYB63_230_202009_GDP and GDP Per Capita.csv"},
}

// wideData is a response with series.
type wideData struct {
	Data []struct {
		Key       map[string]string                     `json:"series_key"`
		Countries []string                              `json:"countries"`
		Codes     map[string]struct{ Code, ISO string } `json:"country_codes"`
		Rows      []struct {
			Period string              `json:"period"`
			Values map[string]float64  `json:"values"`
			Unit   string              `json:"unit"`
			Flags  map[string][]string `json:"flags"`
			Notes  map[string][]string `json:"notes"`
		} `json:"rows"`
	} `json:"data"`
	Notices []struct{ Parameter, Value, Message string } `json:"notices"`
}

// flatCell is an observation with the texts of its axes, geography last: the label, the code
// and, of an area, the code in available_geo.
type flatCell struct {
	axes           [][]string
	series, period string
	value          string // empty: none
	remarks        string
}

func (c flatCell) String() string {
	return c.series + " " + c.period + " " + c.value + " " + c.remarks
}

// flatten returns the observations of a response in its order, but area by area in each block.
func flatten(got *wideData) []flatCell {
	var cells []flatCell
	for _, block := range got.Data {
		for _, area := range block.Countries {
			var axes [][]string
			for i := 1; block.Key[fmt.Sprintf("dim%d_value", i)] != ""; i++ {
				axes = append(axes, []string{block.Key[fmt.Sprintf("dim%d_value", i)], block.Key[fmt.Sprintf("dim%d_code", i)]})
			}
			code := block.Codes[area]
			axes = append(axes, []string{area, code.Code, code.ISO})
			for _, row := range block.Rows {
				cell := flatCell{axes: axes, series: fmt.Sprint(axes, row.Unit), period: row.Period, remarks: fmt.Sprint(row.Flags[area], row.Notes[area])}
				if value, ok := row.Values[area]; ok {
					cell.value = strconv.FormatFloat(value, 'g', -1, 64)
				} else if row.Flags[area] == nil && row.Notes[area] == nil {
					continue
				}
				cells = append(cells, cell)
			}
		}
	}
	return cells
}

// naiveFilter keeps the observations, of all of a dataset, that a parameter selects.
func naiveFilter(cells, all []flatCell, name, value string) []flatCell {
	prefix, param, hasPrefix := strings.Cut(name, ".")
	if !hasPrefix {
		prefix, param = "", name
	}
	axis := len(all[0].axes) - 1
	if param != "country" {
		axis = int(param[len(param)-1] - '1')
	}
	isLabel := slices.ContainsFunc(all, func(c flatCell) bool { return c.axes[axis][0] == value })
	return slices.DeleteFunc(slices.Clone(cells), func(c flatCell) bool {
		isMeant := !isLabel && c.axes[axis][1] == value || c.axes[axis][0] == value
		switch prefix {
		case "not":
			return isMeant
		case "like":
			return !slices.ContainsFunc(c.axes[axis], func(text string) bool { return text != "" && naiveMatch([]rune(value), []rune(text)) })
		}
		return !isMeant
	})
}

func naiveMatch(pattern, text []rune) bool {
	switch {
	case len(pattern) == 0:
		return len(text) == 0
	case pattern[0] == '*':
		return naiveMatch(pattern[1:], text) || len(text) > 0 && naiveMatch(pattern, text[1:])
	case pattern[0] == '\\':
		return len(text) > 0 && text[0] == pattern[1] && naiveMatch(pattern[2:], text[1:])
	}
	return len(text) > 0 && (pattern[0] == '?' || pattern[0] == text[0]) && naiveMatch(pattern[1:], text[1:])
}

// naiveEnds keeps the first and last values of each series.
func naiveEnds(cells []flatCell, first, last int) []flatCell {
	bySeries := map[string][]int{} // the places of values
	for i, c := range cells {
		if c.value != "" {
			bySeries[c.series] = append(bySeries[c.series], i)
		}
	}
	var kept []flatCell
	for i, c := range cells {
		at := bySeries[c.series]
		if len(at) == 0 {
			continue
		}
		isFirst := first > 0 && (len(at) < first || i <= at[first-1])
		isLast := last > 0 && (len(at) < last || i >= at[len(at)-last])
		if isFirst || isLast {
			kept = append(kept, c)
		}
	}
	return kept
}

// randomPattern returns a pattern that matches a text.
func randomPattern(r *rand.Rand, text string) string {
	var b strings.Builder
	for _, c := range text {
		switch {
		case r.IntN(6) == 0:
			b.WriteByte('?')
		case r.IntN(6) == 0:
			b.WriteByte('*')
		case strings.ContainsRune(`*?\`, c):
			b.WriteString(`\` + string(c))
		case r.IntN(4) > 0:
			b.WriteRune(c)
		case !strings.HasSuffix(b.String(), "*"):
			b.WriteByte('*')
		}
	}
	return b.String()
}

// Each filter selects what a naive filter selects of the whole dataset, alone and with others,
// and so does the availability.
func TestFiltersOfRealFiles(t *testing.T) {
	stattest.SkipUnderRace(t)
	dir := stattest.DataDir(t)
	for _, files := range filteredFiles {
		t.Run(files[len(files)-1], func(t *testing.T) {
			t.Parallel()
			base := serveFiles(t, dir, files) + "/api/datasets/1"
			r := rand.New(rand.NewPCG(1, 2))
			whole := map[bool][]flatCell{}
			for _, flags := range []bool{false, true} {
				var got wideData
				readJSON(t, fmt.Sprintf("%s?codes=true&flags=%v", base, flags), &got)
				whole[flags] = flatten(&got)
			}
			for range stattest.Rounds(t, 12, 400) {
				flags := r.IntN(2) == 0
				filters := randomFilters(r, whole[flags])
				checkAvailability(t, base, whole[false], whole[true], filters)
				query, want := queryOf(filters), selected(whole[flags], whole[true], filters, -1)
				first, last := r.IntN(4), r.IntN(4)
				if first > 0 {
					query.Set("first_n", strconv.Itoa(first))
				}
				if last > 0 {
					query.Set("last_n", strconv.Itoa(last))
				}
				if first > 0 || last > 0 {
					want = naiveEnds(want, first, last)
				}
				query.Set("flags", strconv.FormatBool(flags))
				query.Set("codes", "true")
				var got wideData
				readJSON(t, base+"/data?"+query.Encode(), &got)
				if diff := cmp.Diff(cellTexts(want), cellTexts(flatten(&got))); diff != "" {
					t.Fatalf("%s: -want +got\n%.2000s", query.Encode(), diff)
				}
			}
		})
	}
}

func cellTexts(cells []flatCell) []string {
	texts := []string{}
	for _, c := range cells {
		texts = append(texts, c.String())
	}
	return texts
}

// filter is a parameter with one value.
type filter struct {
	param, value string
	axis         int
}

// randomFilters returns up to three filters of different parameters.
func randomFilters(r *rand.Rand, cells []flatCell) []filter {
	var filters []filter
	for range 1 + r.IntN(3) {
		some := cells[r.IntN(len(cells))]
		axis := r.IntN(len(some.axes))
		f := filter{"country", some.axes[axis][r.IntN(2)], axis}
		if axis < len(some.axes)-1 {
			f.param = "dim" + strconv.Itoa(axis+1)
		}
		switch r.IntN(3) {
		case 0:
			f.param = "not." + f.param
		case 1:
			f.param, f.value = "like."+f.param, randomPattern(r, f.value)
		}
		if f.value != "" && !slices.ContainsFunc(filters, func(g filter) bool { return g.param == f.param }) {
			filters = append(filters, f)
		}
	}
	return filters
}

func queryOf(filters []filter) url.Values {
	query := url.Values{}
	for _, f := range filters {
		query.Set(f.param, f.value)
	}
	return query
}

// selected returns the observations that all filters select but those of an axis. all are those
// of the whole dataset.
func selected(cells, all []flatCell, filters []filter, without int) []flatCell {
	for _, f := range filters {
		if f.axis != without {
			cells = naiveFilter(cells, all, f.param, f.value)
		}
	}
	return cells
}

// availableCounts are the counts of an availability.
type availableCounts struct {
	Code         string
	Series       int
	Observations int
	Oldest       string `json:"oldest_period"`
	Latest       string `json:"latest_period"`
}

// checkAvailability compares an availability with naive counts.
func checkAvailability(t *testing.T, base string, values, all []flatCell, filters []filter) {
	t.Helper()
	var got struct {
		Selection  availableCounts
		Dimensions []struct{ Values []availableCounts }
		Geography  []availableCounts
	}
	address := base + "/availability?" + queryOf(filters).Encode()
	readJSON(t, address, &got)
	if diff := cmp.Diff(naiveCounts(selected(values, all, filters, -1), -1)[""], got.Selection); diff != "" {
		t.Fatalf("%s: -want +got\n%s", address, diff)
	}
	for axis := range len(got.Dimensions) + 1 {
		codes := got.Geography
		if axis < len(got.Dimensions) {
			codes = got.Dimensions[axis].Values
		}
		found := map[string]availableCounts{}
		for _, c := range codes {
			found[c.Code] = c
		}
		if diff := cmp.Diff(naiveCounts(selected(values, all, filters, axis), axis), found, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("%s: axis %d: -want +got\n%.2000s", address, axis, diff)
		}
	}
}

// naiveCounts counts observations by the code of an axis; -1 is all, under the empty code.
func naiveCounts(cells []flatCell, axis int) map[string]availableCounts {
	counts := map[string]availableCounts{}
	series := map[string]bool{}
	for _, c := range cells {
		code := ""
		if axis >= 0 {
			code = c.axes[axis][1]
		}
		n := counts[code]
		n.Code = code
		if !series[c.series] {
			series[c.series] = true
			n.Series++
		}
		n.Observations++
		if n.Oldest == "" || isBefore(c.period, n.Oldest) {
			n.Oldest = c.period
		}
		if n.Latest == "" || isBefore(n.Latest, c.period) {
			n.Latest = c.period
		}
		counts[code] = n
	}
	return counts
}

func isBefore(a, b string) bool {
	first, _ := stat.ParsePeriod(a)
	second, _ := stat.ParsePeriod(b)
	return first.Compare(second) < 0
}
