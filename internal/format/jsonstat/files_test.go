package jsonstat_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/format"
	"almanac/internal/format/formattest"
	"almanac/internal/format/jsonstat"
	"almanac/internal/stat"
	"almanac/internal/stattest"
)

// realFiles are the offices' files, with the number of cells that have a number according
// to the manifest.
var realFiles = []struct {
	file   string
	values []int // by dataset
	read   []int
}{
	{"eurostat/json/nama_10_gdp-DK.json", []int{64}, []int{64}},
	{"eurostat/json/nama_gdp_c-2016.json", []int{1134}, []int{3036}},
	{"jsonstat/canada.json", []int{120}, []int{120}},
	{"jsonstat/cso-NQQ25.json", []int{1216}, []int{1216}},
	{"jsonstat/denmark-HISB3.json", []int{6}, []int{6}},
	{"jsonstat/galicia.json", []int{3956}, []int{3960}},
	{"jsonstat/oecd-canada.json", []int{432, 120}, []int{432, 120}},
	{"jsonstat/oecd.json", []int{432}, []int{432}},
	{"jsonstat/ssb-29843.json", []int{30240}, []int{37440}},
}

// refused are the files without values, or without time.
var refused = map[string]string{
	"jsonstat/collection.json":               "a collection of 8 links",
	"jsonstat/hierarchy.json":                "has no values",
	"jsonstat/pxapi2-dataset-meta-scb.json":  "has no values",
	"jsonstat/order.json":                    "no time dimension",
	"jsonstat/order.json with --period 2024": `order.json:29:3: "A1B1C1" is not a number`,
}

func reader() format.Format { return jsonstat.Formats()[0] }

// TestConform: the reader keeps the contract of all formats, on every real file.
func TestConform(t *testing.T) {
	var samples []formattest.Sample
	for _, f := range realFiles {
		samples = append(samples, stattest.Sample(t, f.file))
	}
	formattest.Conform(t, reader(), samples...)
}

// TestStrict: of all offices' files, those of JSON-stat are recognised.
func TestStrict(t *testing.T) {
	own := []string{"jsonstat/collection.json", "jsonstat/hierarchy.json", "jsonstat/order.json", "jsonstat/pxapi2-dataset-meta-scb.json"}
	for _, f := range realFiles {
		own = append(own, f.file)
	}
	stattest.CheckRecognition(t, jsonstat.Formats(), own...)
}

// TestRefused: files without data are refused with the reason.
func TestRefused(t *testing.T) {
	for name, want := range refused {
		file, period, _ := strings.Cut(name, " with --period ")
		s := stattest.Sample(t, file)
		s.In.Period, s.In.Source = period, "json-stat.org"
		_, err := formattest.Read(t.Context(), reader(), s)
		if err == nil || stat.KindOf(err) != stat.Refused || !strings.Contains(strings.Replace(err.Error(), "file:", s.Name+":", 1), want) {
			t.Errorf("%s: %v; want %q", name, err, want)
		}
	}
}

// The small reader below is an independent one, based on encoding/json and maps.

// smallCells are the cells of a dataset as text; those with neither value nor status are
// only counted.
type smallCells struct {
	lines        []string
	read, values int
}

// smallFlags are the statuses of the real files and what they mean.
var smallFlags = map[string]string{
	"nama_10_gdp-DK.json d": "D", "nama_gdp_c-2016.json b": "B", "nama_gdp_c-2016.json e": "E", "nama_gdp_c-2016.json :": "",
	"oecd-canada.json e": "E", "oecd.json e": "E", "oecd-canada.json a": "STATCAN:a", "canada.json a": "STATCAN:a", "ssb-29843.json .": "SSB:.",
}

func smallRead(t *testing.T, file string, set map[string]any) (c smallCells) {
	t.Helper()
	dims := set["dimension"].(map[string]any)
	from := dims // of version 1
	if set["id"] != nil {
		from = set
	}
	ids := from["id"].([]any)
	roles, _ := from["role"].(map[string]any)
	time := "time"
	if list, ok := roles["time"].([]any); ok {
		time = list[0].(string)
	}
	cells := 1
	codes := make([][]string, len(ids))
	for i, id := range ids {
		codes[i] = smallCodes(dims[id.(string)].(map[string]any)["category"].(map[string]any))
		cells *= len(codes[i])
	}
	values, statuses := set["value"], set["status"]
	if wrapped, ok := statuses.(map[string]any); ok && wrapped["value"] != nil {
		statuses = wrapped["value"]
	}
	_, sparse := values.(map[string]any)
	for cell := range cells {
		value, status := smallAt(values, cell), smallAt(statuses, cell)
		if !sparse || value != nil || status != nil {
			c.read++
		}
		text := "NaN"
		if value != nil {
			number, err := strconv.ParseFloat(string(value.(json.Number)), 64)
			if err != nil {
				t.Fatal(err)
			}
			c.values++
			text = strconv.FormatFloat(number, 'g', -1, 64)
		}
		flags := ""
		if status != nil {
			known := false
			if flags, known = smallFlags[file+" "+status.(string)]; !known {
				t.Fatalf("%s: the status %q", file, status)
			}
		}
		if value == nil && flags == "" {
			continue
		}
		words := []string{text, "flags " + flags}
		for i, rest := len(ids)-1, cell; i >= 0; i-- {
			words = append(words, fmt.Sprintf("%s=%s", smallName(ids[i].(string), time), codes[i][rest%len(codes[i])]))
			rest /= len(codes[i])
		}
		sort.Strings(words)
		c.lines = append(c.lines, strings.Join(words, " "))
	}
	sort.Strings(c.lines)
	return c
}

func smallName(id, time string) string {
	if id == time {
		return "period"
	}
	return id
}

func smallCodes(category map[string]any) (codes []string) {
	switch index := category["index"].(type) {
	case []any:
		for _, code := range index {
			codes = append(codes, code.(string))
		}
	case map[string]any:
		codes = make([]string, len(index))
		for code, at := range index {
			n, _ := at.(json.Number).Int64()
			codes[n] = code
		}
	default:
		for code := range category["label"].(map[string]any) {
			codes = []string{code}
		}
	}
	return codes
}

func smallAt(values any, cell int) any {
	switch v := values.(type) {
	case map[string]any:
		return v[strconv.Itoa(cell)]
	case []any:
		if len(v) == 1 {
			return v[0]
		}
		return v[cell]
	}
	return nil
}

// smallSets returns the datasets of a file by their names, in its order.
func smallSets(t *testing.T, data []byte) (sets []map[string]any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.UseNumber()
	var root map[string]any
	if err := d.Decode(&root); err != nil {
		t.Fatal(err)
	}
	if root["value"] != nil {
		return []map[string]any{root}
	}
	for _, set := range root {
		sets = append(sets, set.(map[string]any))
	}
	slices.SortFunc(sets, func(a, b map[string]any) int { return strings.Compare(smallTitle(b), smallTitle(a)) }) // Unemployment, Population
	return sets
}

func smallTitle(set map[string]any) string {
	title, _ := set["label"].(string)
	return title
}

// words describes an observation as the small reader does.
func words(d *stat.Dataset, o stat.Observation) string {
	period := o.Period.SDMX()
	switch o.Period.Frequency() {
	case stat.Month:
		period = strings.Replace(period, "-", "M", 1)
	case stat.Quarter:
		period = strings.Replace(period, "-", "", 1)
	}
	all := []string{strconv.FormatFloat(o.Value, 'g', -1, 64), "flags " + string(o.Flags), "period=" + period}
	for i, axis := range d.Axes() {
		if axis.ID != "" && (axis.ID != "freq" || axis.Label != "") { // the one without was made
			all = append(all, axis.ID+"="+axis.Codes[o.Key[i]].ID)
		}
	}
	sort.Strings(all)
	return strings.Join(all, " ")
}

// TestFiles compares every observation of the real files with the small
// reader's, and the counts with the list of the files.
func TestFiles(t *testing.T) {
	for _, f := range realFiles {
		t.Run(f.file, func(t *testing.T) {
			s := stattest.Sample(t, f.file)
			tables, err := formattest.Read(t.Context(), reader(), s)
			if err != nil {
				t.Fatal(err)
			}
			sets := smallSets(t, s.Data)
			if len(tables) != len(sets) || len(tables) != len(f.values) {
				t.Fatalf("%d datasets; the file has %d", len(tables), len(sets))
			}
			for i, table := range tables {
				want := smallRead(t, s.Name, sets[i])
				var got []string
				values := 0
				for _, o := range table.All {
					got = append(got, words(table.Dataset, o))
					if !math.IsNaN(o.Value) {
						values++
					}
				}
				sort.Strings(got)
				if !slices.Equal(got, want.lines) {
					t.Errorf("%d observations, the first %q; the small reader has %d, the first %q", len(got), got[0], len(want.lines), want.lines[0])
				}
				if values != f.values[i] || values != want.values || table.Report.Read != f.read[i] || want.read != f.read[i] {
					t.Errorf("%d values of %d cells; the manifest has %d of %d", values, table.Report.Read, f.values[i], f.read[i])
				}
			}
		})
	}
}

// TestPairs: a dataset is the same in a file of its own and in a bundle.
func TestPairs(t *testing.T) {
	bundle, err := formattest.Read(t.Context(), reader(), stattest.Sample(t, "jsonstat/oecd-canada.json"))
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"oecd", "canada"} {
		alone, err := formattest.Read(t.Context(), reader(), stattest.Sample(t, "jsonstat/"+name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		if alone[0].Dataset.Code != name {
			t.Errorf("the code of %s is %q", name, alone[0].Dataset.Code)
		}
		if got, want := withoutLines(bundle[i]), withoutLines(alone[0]); got != want {
			t.Errorf("%s: the bundle has\n%.300s\nand the file\n%.300s", name, got, want)
		}
		if got, want := fmt.Sprintf("%+v", bundle[i].Dataset), fmt.Sprintf("%+v", alone[0].Dataset); got != want {
			t.Errorf("%s: the datasets are\n%.300s\nand\n%.300s", name, got, want)
		}
	}
}

// withoutLines describes a table without the lines of the file.
func withoutLines(table formattest.Table) string {
	text := formattest.Describe([]formattest.Table{table})
	return text[:strings.Index(text, "\nread ")]
}
