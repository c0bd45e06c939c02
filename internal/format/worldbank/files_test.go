package worldbank_test

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/format/formattest"
	"almanac/internal/format/worldbank"
	"almanac/internal/stattest"
)

// files are the real files with data, with the numbers of cells and values of the
// manifest.
var files = []struct {
	path          string
	cells, values int
	code, updated string
	partial       string
}{
	{"api-v1/NYGDPMKTPKDZ-fra.json", 20, 18, "NYGDPMKTPKDZ", "2016-01-06", ""},
	{"api-v2/NY.GDP.MKTP.CD.json", 10000, 8031, "NY.GDP.MKTP.CD", "2024-03-28", "page 1 of 2"},
	{"csv/API_SP.DYN.TFRT.IN_DS2_en_csv_v2.csv", 264 * 58, 13523, "SP.DYN.TFRT.IN", "2018-01-25", ""},
	{"csv/API_SP.POP.TOTL_DS2_en_csv_v2.csv", 264 * 58, 14885, "SP.POP.TOTL", "2018-01-25", ""},
}

// TestFiles compares every observation of the real files with an independent reader,
// and the counts with those of the manifest.
func TestFiles(t *testing.T) {
	for _, file := range files {
		t.Run(file.path, func(t *testing.T) {
			s := stattest.Sample(t, "worldbank/"+file.path)
			f := formattest.FormatOf(t, worldbank.Formats(), s)
			formattest.Conform(t, f, s)
			table := formattest.ReadOne(t, f, s)
			d := table.Dataset
			if d.Code != file.code || d.Updated.Format("2006-01-02") != file.updated || table.Partial != file.partial || d.Source.ID != "worldbank" {
				t.Errorf("dataset %s:%s of %s, partial %q", d.Source.ID, d.Code, d.Updated, table.Partial)
			}
			if r := table.Report; r.Read != file.cells || r.Read-r.Missing != file.values || r.Dropped() > 0 || len(r.Notes()) > 0 {
				t.Errorf("read %d, missing %d, notes %v; want %d cells and %d values", r.Read, r.Missing, r.Notes(), file.cells, file.values)
			}
			want := independentJSON
			if !s.HasEnd {
				want = independentCSV
			}
			compare(t, table, want(t, s.Data))
		})
	}
}

// place identifies a value.
type place struct{ country, period string }

// entry is a value with its flag and the country's name.
type entry struct {
	value       float64
	flag, label string
}

// compare compares a table with an independent reading of its file.
func compare(t *testing.T, table formattest.Table, want map[place]entry) {
	t.Helper()
	seen := 0
	for _, o := range table.All {
		c := table.Dataset.Geography.Codes[o.Key[0]]
		w, ok := want[place{c.ID, o.Period.String()}]
		if math.IsNaN(o.Value) {
			t.Fatalf("%s %s has no value, but was yielded", c.ID, o.Period)
		}
		if !ok || math.Float64bits(w.value) != math.Float64bits(o.Value) || string(o.Flags) != w.flag || w.label != c.Label {
			t.Fatalf("line %d: %v %s = %v %q; the independent reader has %v", o.At.Line, c, o.Period, o.Value, o.Flags, w)
		}
		seen++
	}
	if seen != len(want) {
		t.Errorf("%d values, the independent reader has %d", seen, len(want))
	}
}

func independentJSON(t *testing.T, data []byte) map[place]entry {
	t.Helper()
	var parts []json.RawMessage
	var records []struct {
		Country         struct{ ID, Value string }
		CountryISO3Code string
		Date            string
		Value           *float64
		ObsStatus       string `json:"obs_status"`
	}
	if err := json.Unmarshal(data, &parts); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(parts[1], &records); err != nil {
		t.Fatal(err)
	}
	inBank := map[string]string{"High income": "HIC", "Low income": "LIC", "Lower middle income": "LMC", "Upper middle income": "UMC", "Not classified": "INX"}
	values := map[place]entry{}
	for _, r := range records {
		code := r.CountryISO3Code
		if code == "" {
			code = inBank[r.Country.Value]
		}
		if r.Value != nil {
			values[place{code, r.Date}] = entry{*r.Value, r.ObsStatus, r.Country.Value}
		}
	}
	return values
}

func independentCSV(t *testing.T, data []byte) map[place]entry {
	t.Helper()
	at := strings.Index(string(data), "\"Country Name\"")
	rows, err := csv.NewReader(strings.NewReader(string(data[at:]))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	values := map[place]entry{}
	for _, row := range rows[1:] {
		for i := 4; i < len(row); i++ {
			if row[i] == "" {
				continue
			}
			v, err := strconv.ParseFloat(row[i], 64)
			if err != nil {
				t.Fatal(err)
			}
			values[place{row[1], rows[0][i]}] = entry{v, "", row[0]}
		}
	}
	return values
}

// TestLists checks that lists of countries are recognised.
func TestLists(t *testing.T) {
	for _, path := range []string{"csv/WDICountry.csv", "api-v2/countries.json"} {
		f := formattest.FormatOf(t, worldbank.Formats(), stattest.Sample(t, "worldbank/"+path))
		if f.Holds != "a list of countries of the World Bank" || f.Read != nil {
			t.Errorf("%s: %q", path, f.Holds)
		}
	}
}

// TestOthers checks that no file of another office is recognised.
func TestOthers(t *testing.T) {
	own := []string{"worldbank/csv/WDICountry.csv", "worldbank/api-v2/countries.json"}
	for _, f := range files {
		own = append(own, "worldbank/"+f.path)
	}
	stattest.CheckRecognition(t, worldbank.Formats(), own...)
}

// TestPair checks that an answer and a download of an indicator are the same dataset.
func TestPair(t *testing.T) {
	answer := formattest.Sample{Name: "a.json", Data: []byte(`[{"page":1,"pages":1,"total":2},[` +
		`{"indicator":{"id":"SP.POP.TOTL","value":"Population, total"},"country":{"id":"AW","value":"Aruba"},"countryiso3code":"ABW","date":"1960","value":54211},` +
		`{"indicator":{"id":"SP.POP.TOTL","value":"Population, total"},"country":{"id":"XD","value":"High income"},"countryiso3code":"","date":"1960","value":5}]]`)}
	download := formattest.Sample{Name: "API_SP.POP.TOTL_DS2_en_csv_v2_1.csv", Data: []byte("Data Source,World Development Indicators,\n\n" +
		"Country Name,Country Code,Indicator Name,Indicator Code,1960,\nAruba,ABW,\"Population, total\",SP.POP.TOTL,54211,\nHigh income,HIC,\"Population, total\",SP.POP.TOTL,5,\n")}
	one, other := meaning(t, answer), meaning(t, download)
	if one != other {
		t.Errorf("the answer means\n%s\nand the download\n%s", one, other)
	}
}

func FuzzJSON(f *testing.F) {
	formattest.Fuzz(f, worldbank.Formats()[0],
		formattest.Sample{Name: "file.json", Data: []byte(`[{"page":1,"pages":2,"total":"3","lastupdated":"2024-03-28"},[` +
			`{"indicator":{"id":"X","value":"x"},"country":{"id":"XD","value":"High income"},"countryiso3code":"","date":"2014Q1","value":1.5,"unit":"","obs_status":"F","decimal":1},` +
			`{"indicator":{"id":"Y","value":"y"},"country":{"id":"FR","value":"France"},"countryiso3code":"FRA","date":"2014YTD","value":"-0"},` +
			`{"indicator":{"id":"X","value":"x"},"country":{"id":"FR","value":"France"},"countryiso3code":"FRA","date":"2013M01","value":null,"obs_status":"M"}]]`)},
		formattest.Sample{Data: []byte(`[{"message":[{"id":"120","key":"Invalid value","value":"No."}]}]`)},
		formattest.Sample{Data: []byte(`[{"page":1},null]`)})
}

func FuzzCSV(f *testing.F) {
	formattest.Fuzz(f, worldbank.Formats()[1],
		formattest.Sample{Name: "API_FRA_DS2_en_csv_v2_1.csv", Data: []byte("\ufeff\"Data Source\",\"WDI\",\n\n\"Last Updated Date\",\"2018-01-25\",\n\n" +
			"\"Country Name\",\"Country Code\",\"Indicator Name\",\"Indicator Code\",\"1960\",\"1961\",\n\"Aruba\",\"ABW\",\"x, y\",\"X\",\"1.5\",\"\",\n")},
		formattest.Sample{Data: []byte("Country Name,Country Code,Series Name,Series Code,2020 [YR2020]\nFrance,FRA,x,X,..\nFrance,FRA,y,Y,1e3\n\nData from database: W\nLast Updated: 02/21/2024\n")})
}
