package sdmxcsv_test

import (
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/format"
	"almanac/internal/format/formattest"
	"almanac/internal/format/sdmx/sdmxcsv"
	"almanac/internal/stat"
	"almanac/internal/stattest"
)

// realFile is one of the offices' files, and what an independent reader based on
// encoding/csv must know about it.
type realFile struct {
	name    string
	header  string   // the first line of the description of its table
	key     []string // columns in the order of the key, the geography last
	time    string
	flags   map[string]string // meanings of the cells in the flag columns
	columns []string          // the flag columns
	unit    string            // the column of the unit's label
	note    string
	bounds  []string // columns of the bounds
	counts  string   // the line of the report
}

var realFiles = []realFile{
	{
		name: "bis/BIS_DER-sdmx-csv-1.0.csv", header: `dataset bis:WEBSTATS_DER_DATAFLOW ""`,
		key: []string{"FREQ", "DER_TYPE", "DER_INSTR", "DER_RISK", "DER_SECTOR_CPY", "DER_CPC", "DER_SECTOR_UDL", "DER_CURR_LEG1", "DER_CURR_LEG2",
			"DER_ISSUE_MAT", "DER_RATING", "DER_EX_METHOD", "DER_BASIS", "DER_REP_CTY"},
		time: "TIME_PERIOD", columns: []string{"OBS_CONF", "OBS_STATUS"}, flags: map[string]string{"A": "A", "M": "M", "F": "CONF_STATUS:F"},
		counts: "read 1000 missing 640 dropped 0",
	},
	{
		name: "eurostat/sdmx-csv/ilc_lvps08.csv", header: `dataset eurostat:ILC_LVPS08 "" updated 2023-10-27T23:00:00+02:00`,
		key: []string{"freq", "age", "sex", "unit", "geo"}, time: "TIME_PERIOD", columns: []string{"OBS_FLAG"},
		flags: map[string]string{"b": "B", "e": "E"}, counts: "read 18945 missing 0 dropped 0",
	},
	{
		name: "eurostat/sdmx-csv/ei_bpm6ca_q-both.csv", header: `dataset eurostat:EI_BPM6CA_Q "Current account - quarterly data"`,
		key:  []string{"freq", "unit", "s_adj", "sector10", "sectpart", "partner", "stk_flow", "bop_item", "geo"},
		time: "TIME_PERIOD", counts: "read 19 missing 0 dropped 0",
	},
	{
		name: "eurostat/sdmx-csv/ei_bpm6ca_q-labels.csv", header: `dataset eurostat:EI_BPM6CA_Q "" updated 2025-10-30T23:00:00+01:00`,
		key:  []string{"freq", "unit", "s_adj", "sector10", "sectpart", "partner", "stk_flow", "bop_item", "geo"},
		time: "TIME_PERIOD", counts: "read 19 missing 0 dropped 0",
	},
	{
		name: "sdmx-twg/csv-2.0-example-01.csv", header: `dataset eurostat:NA_MAIN "" updated 2021-01-22T13:15:41Z`,
		key: []string{"DIM_1", "DIM_2"}, time: "DIM_3", counts: "read 2 missing 0 dropped 0",
	},
	{
		name: "sdmx-twg/csv-2.0-example-06.csv", header: `dataset eurostat:NA_MAIN "National Accounts Main Aggregates"`,
		key: []string{"DIM_1", "DIM_2"}, time: "DIM_3", counts: "read 2 missing 0 dropped 0",
	},
	{
		name: "sdmx-twg/csv-2.0-example-10.csv", header: `dataset eurostat:NA_MAIN ""`,
		key: []string{"DIM_1", "DIM_2"}, time: "DIM_3", counts: "read 2 missing 0 dropped 0",
	},
	{
		name: "unicef/CME_MRY0T4_all_2020.csv", header: `dataset unicef:cme_mry0t4_all_2020 ""`,
		key: []string{"INDICATOR", "SEX", "WEALTH_QUINTILE", "+ESTIMATE", "REF_AREA"}, time: "TIME_PERIOD",
		columns: []string{"OBS_STATUS"}, flags: map[string]string{"A": "A"}, unit: "Unit of measure", note: "COUNTRY_NOTES",
		bounds: []string{"LOWER_BOUND", "UPPER_BOUND"}, counts: "read 2241 missing 0 dropped 0",
	},
}

// readOne reads a real file that holds one dataset.
func readOne(t *testing.T, name string) formattest.Table {
	t.Helper()
	return formattest.ReadOne(t, sdmxcsv.Formats()[0], stattest.Sample(t, name))
}

// TestRealFiles compares every observation of the real files with an independent reader.
func TestRealFiles(t *testing.T) {
	for _, f := range realFiles {
		t.Run(filepath.Base(f.name), func(t *testing.T) {
			table := readOne(t, f.name)
			formattest.SameLines(t, table, f.lines(t))
			description := formattest.Describe([]formattest.Table{table})
			if first, _, _ := strings.Cut(description, "\n"); first != f.header {
				t.Errorf("the dataset is %s; want %s", first, f.header)
			}
			if !strings.Contains(description, "\n"+f.counts+"\n") {
				t.Errorf("the counts are not %q", f.counts)
			}
		})
	}
}

// lines returns the observations as the independent reader reads them.
func (f *realFile) lines(t *testing.T) []string {
	t.Helper()
	records, err := csv.NewReader(strings.NewReader(string(stattest.Sample(t, f.name).Data))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	column := map[string]int{}
	for i, name := range records[0] {
		if _, twice := column[name]; !twice {
			column[name] = i
		}
	}
	var lines []string
	for _, record := range records[1:] {
		cell := func(name string) string { return record[column[name]] }
		var flags []string
		for _, c := range f.columns {
			if meaning := f.flags[cell(c)]; meaning != "" {
				flags = append(flags, meaning)
			}
		}
		for i, value := range append([]string{"OBS_VALUE"}, f.bounds...) {
			line := ""
			for _, k := range f.key {
				if k == "+ESTIMATE" {
					line += []string{"VALUE", "LOWER", "UPPER"}[i] + ","
				} else {
					line += cell(k) + ","
				}
			}
			line += " " + periodText(cell(f.time)) + " = " + valueText(t, cell(value))
			slices.Sort(flags)
			if len(flags) > 0 {
				line += fmt.Sprintf(" %q", strings.Join(flags, " "))
			}
			for _, text := range []string{f.unit, f.note} {
				if text != "" && cell(text) != "" {
					line += fmt.Sprintf(" %q", strings.TrimSpace(cell(text)))
				}
			}
			lines = append(lines, line)
		}
	}
	return lines
}

// periodText writes 2023-Q1 and 2014-01 as Q1/2023 and 01/2014.
func periodText(text string) string {
	if year, rest, found := strings.Cut(text, "-"); found {
		return rest + "/" + year
	}
	return text
}

func valueText(t *testing.T, text string) string {
	if text == "" {
		return "NaN"
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(v)
}

// TestConform tests what holds for all readers with the real files.
func TestConform(t *testing.T) {
	var samples []formattest.Sample
	for _, f := range realFiles {
		samples = append(samples, stattest.Sample(t, f.name))
	}
	formattest.Conform(t, sdmxcsv.Formats()[0], samples...)
}

// TestStrict: of the offices' files, only those of the format are recognised.
func TestStrict(t *testing.T) {
	var own []string
	for _, f := range realFiles {
		own = append(own, f.name)
	}
	stattest.CheckRecognition(t, sdmxcsv.Formats(), own...)
}

// byKey returns the values of a table by "FREQ=A DER_TYPE=U … 2002"; a missing value is
// NaN.
func byKey(table formattest.Table) map[string]float64 {
	values := map[string]float64{}
	for _, o := range table.All {
		var parts []string
		for i, axis := range table.Dataset.Axes() {
			parts = append(parts, axis.ID+"="+axis.Codes[o.Key[i]].ID)
		}
		slices.Sort(parts)
		values[strings.Join(parts, " ")+" "+o.Period.SDMX()] = o.Value
	}
	return values
}

// TestPairBIS: the CSV file of BIS_DER has the observations of both XML files.
func TestPairBIS(t *testing.T) {
	got := byKey(readOne(t, "bis/BIS_DER-sdmx-csv-1.0.csv"))
	for _, name := range []string{"bis/BIS_DER-generic.xml", "bis/BIS_DER-structure-specific.xml"} {
		want := xmlValues(t, name)
		if len(want) != 1000 || !maps.EqualFunc(got, want, func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }) {
			t.Errorf("%s has %d observations, the CSV %d; or they differ", name, len(want), len(got))
		}
	}
}

// xmlValues reads either form of XML with encoding/xml alone.
func xmlValues(t *testing.T, name string) map[string]float64 {
	values := map[string]float64{}
	var series []string
	time, value, inSeries := "", "", false
	add := func() {
		v := math.NaN()
		if value != "" && value != "NaN" {
			v, _ = strconv.ParseFloat(value, 64)
		}
		slices.Sort(series)
		values[strings.Join(series, " ")+" "+time] = v
	}
	d := xml.NewDecoder(strings.NewReader(string(stattest.Sample(t, name).Data)))
	for {
		token, err := d.Token()
		if err != nil {
			return values
		}
		if end, ok := token.(xml.EndElement); ok && end.Name.Local == "Obs" {
			add()
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		attributes := map[string]string{}
		for _, a := range start.Attr {
			attributes[a.Name.Local] = a.Value
		}
		switch start.Name.Local {
		case "Series":
			series = nil
			for id, code := range attributes {
				if id == "FREQ" || strings.HasPrefix(id, "DER_") {
					series = append(series, id+"="+code)
				}
			}
		case "SeriesKey":
			inSeries = true
		case "Attributes":
			inSeries = false
		case "Value":
			if inSeries {
				series = append(series, attributes["id"]+"="+attributes["value"])
			}
		case "ObsDimension":
			time, value = attributes["value"], ""
		case "ObsValue":
			value = attributes["value"]
		case "Obs":
			inSeries = false
			time, value = attributes["TIME_PERIOD"], attributes["OBS_VALUE"]
		}
	}
}

// TestPairLabels: the file with codes and labels and the file with labels only have the
// same 19 values.
func TestPairLabels(t *testing.T) {
	both, labels := readOne(t, "eurostat/sdmx-csv/ei_bpm6ca_q-both.csv"), readOne(t, "eurostat/sdmx-csv/ei_bpm6ca_q-labels.csv")
	if len(both.All) != 19 || len(labels.All) != 19 {
		t.Fatalf("%d and %d observations", len(both.All), len(labels.All))
	}
	for i, o := range both.All {
		p := labels.All[i]
		if o.Value != p.Value || o.Period != p.Period || o.Frequency != p.Frequency || o.Frequency != stat.Quarter {
			t.Errorf("%v and %v", o, p)
		}
		other := labels.Dataset.Axes()
		for j, axis := range both.Dataset.Axes() {
			if got, want := other[j].Codes[p.Key[j]].ID, axis.Codes[o.Key[j]].Label; got != want || axis.ID != other[j].ID {
				t.Errorf("%s is %q, and %q in the other", axis.ID, want, got)
			}
		}
	}
}

// TestFrequencyStated: the frequency is that of the frequency column, whatever the form
// of the periods.
func TestFrequencyStated(t *testing.T) {
	tables, err := readText(t, "DATAFLOW,FREQ,GEO,TIME_PERIOD,OBS_VALUE\nBIS:X(1.0),Q,FR,2020-03-31,1\nBIS:X(1.0),_Z,FR,2020,1\n", nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []stat.Frequency{stat.Quarter, 0} {
		if got := tables[0].All[i].Frequency; got != want {
			t.Errorf("observation %d: frequency %d, want %d", i, got, want)
		}
	}
}

// BenchmarkRead reads a file of 60 MB that is like ilc_lvps08.csv.
func BenchmarkRead(b *testing.B) {
	var text strings.Builder
	text.WriteString("DATAFLOW,LAST UPDATE,freq,age,sex,unit,geo,TIME_PERIOD,OBS_VALUE,OBS_FLAG\r\n")
	for i := 0; text.Len() < 60<<20; i++ {
		fmt.Fprintf(&text, "ESTAT:ILC_LVPS08(1.0),27/10/23 23:00:00,A,Y%d,%c,PC,%c%c,%d,%d.%d,%s\r\n",
			i/20000%80, "FMT"[i/6000%3], 'A'+i/600%26, 'A'+i/20%26, 2003+i%20, i*7%100, i%10, []string{"", "", "b", "", "e"}[i%5])
	}
	data := []byte(text.String())
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		in := format.Input{Name: "ilc_lvps08.csv", Again: again(data)}
		for table, err := range sdmxcsv.Formats()[0].Read(b.Context(), in) {
			if err != nil {
				b.Fatal(err)
			}
			for _, err := range table.Observations {
				if err != nil {
					b.Fatal(err)
				}
			}
		}
	}
}
