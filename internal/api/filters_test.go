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

// Each filter selects what a naive filter selects of the whole dataset, alone and with others.
func TestFiltersOfRealFiles(t *testing.T) {
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
				query, want := randomFilters(r, whole[flags])
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

// randomFilters returns up to three filters of different parameters, and what they select.
func randomFilters(r *rand.Rand, cells []flatCell) (url.Values, []flatCell) {
	query := url.Values{}
	kept := cells
	for range 1 + r.IntN(3) {
		some := cells[r.IntN(len(cells))]
		axis := r.IntN(len(some.axes))
		param := "country"
		if axis < len(some.axes)-1 {
			param = "dim" + strconv.Itoa(axis+1)
		}
		value := some.axes[axis][r.IntN(2)]
		switch r.IntN(3) {
		case 0:
			param = "not." + param
		case 1:
			param, value = "like."+param, randomPattern(r, value)
		}
		if value == "" || query.Has(param) {
			continue
		}
		query.Set(param, value)
		kept = naiveFilter(kept, cells, param, value)
	}
	first, last := r.IntN(4), r.IntN(4)
	if first > 0 {
		query.Set("first_n", strconv.Itoa(first))
	}
	if last > 0 {
		query.Set("last_n", strconv.Itoa(last))
	}
	if first > 0 || last > 0 {
		kept = naiveEnds(kept, first, last)
	}
	return query, kept
}
