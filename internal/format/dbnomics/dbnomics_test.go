package dbnomics_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"almanac/internal/format"
	"almanac/internal/format/dbnomics"
	"almanac/internal/format/formattest"
	"almanac/internal/stat"
	"almanac/internal/stattest"
)

func reader() format.Format { return dbnomics.Formats()[0] }

// TestCases compares the meanings of the cases in testdata, whose titles are the rules.
func TestCases(t *testing.T) {
	stattest.Cases(t, dbnomics.Formats())
}

const realFile = "dbnomics/CEPII-CHELEM-TRADE-CHEL.json"

func sample(t testing.TB) formattest.Sample {
	t.Helper()
	return stattest.Sample(t, realFile)
}

// TestConform checks that the reader keeps the contract with the real file.
func TestConform(t *testing.T) { formattest.Conform(t, reader(), sample(t)) }

// TestStrict checks that, of all real files, only the one of DBnomics is recognised.
func TestStrict(t *testing.T) {
	stattest.CheckRecognition(t, dbnomics.Formats(), realFile)
}

// TestFile compares every observation of the real file with what encoding/json
// reads, and the counts with the list of the files.
func TestFile(t *testing.T) {
	s := sample(t)
	tables, err := formattest.Read(t.Context(), reader(), s)
	if err != nil {
		t.Fatal(err)
	}
	var small struct {
		Series struct {
			Docs []struct {
				Dimensions map[string]string
				Period     []string
				Value      []json.Number
			}
		}
	}
	if err := json.Unmarshal(s.Data, &small); err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, doc := range small.Series.Docs {
		for i, period := range doc.Period {
			value, err := strconv.ParseFloat(string(doc.Value[i]), 64)
			if err != nil {
				t.Fatal(err)
			}
			d := doc.Dimensions
			want = append(want, fmt.Sprintf("%s,%s,%s,%s, %s = %v", d["importer"], d["secgroup"], d["product"], d["exporter"], period, value))
		}
	}
	table := tables[0]
	formattest.SameLines(t, table, want)
	if len(tables) != 1 || len(small.Series.Docs) != 1000 || len(want) != 55000 || table.Report.Read != 55000 || table.Report.Missing != 0 {
		t.Errorf("%d tables, %d series, %d values, %d read; want 1000 series and 55000 observations", len(tables), len(small.Series.Docs), len(want), table.Report.Read)
	}
	if table.Partial != "1000 of 7419264 series" || table.Share != (stat.Share{First: 1, Last: 1000, Of: 7419264}) {
		t.Errorf("the part is %q, %+v", table.Partial, table.Share)
	}
	for _, o := range table.All {
		if o.Frequency != stat.Annual {
			t.Fatalf("line %d: the frequency is %v", o.At.Line, o.Frequency)
		}
	}
	d := table.Dataset
	if d.Source != (stat.Source{ID: "cepii", Name: "Centre d'études prospectives et d'informations internationales", URL: "http://www.cepii.fr/"}) {
		t.Errorf("the source is %+v", d.Source)
	}
	if d.Geography.ID != "exporter" || d.GeographyAt != 0 {
		t.Errorf("the geography is %q", d.Geography.ID)
	}
	if d.MetadataURL != "http://www.cepii.fr/CEPII/en/bdd_modele/presentation.asp?id=17" || !strings.HasPrefix(d.Description, "CHELEM-TRADE contains") {
		t.Errorf("%q, %.40q", d.MetadataURL, d.Description)
	}
	if want := time.Date(2023, 6, 8, 14, 45, 21, 851e6, time.UTC); !table.Prepared.Equal(want) {
		t.Errorf("prepared %v", table.Prepared)
	}
}

func FuzzRead(f *testing.F) {
	var seeds []formattest.Sample
	for _, text := range []string{
		`{"_meta":{"args":{"provider_code":"X","dimensions":{"a":["1"]}}},"dataset":{"code":"d","provider_code":"X","dimensions_codes_order":["geo","a"],"nb_series":5,` +
			`"dimensions_values_labels":{"geo":{"1":"one"},"a":[["1","one"]]},"indexed_at":"2023-06-08T14:45:21.851Z"},"provider":{"code":"X","name":"x"},` +
			`"series":{"num_found":2,"offset":0,"docs":[{"@frequency":"annual","dataset_code":"d","provider_code":"X","series_code":"s","dimensions":{"geo":"1","a":"2"},` +
			`"attributes":{"UNIT":"EUR","UNIT_MULT":"6"},"notes":["n"],"period":["2021","2020-W99"],"value":[1.5,"NA"],"observations_attributes":[["OBS_STATUS",["E","M"]]]}]}}`,
		`{"series":{"docs":[{"dataset_code":"d","provider_code":"X","series_code":"s","period":["2021"],"value":["..","1"]},{"dataset_code":"e","provider_code":"X","series_code":"t","period":["2021"],"value":[-0]}]},` +
			`"datasets":{"X/d":{"code":"d"},"Y/d":{"code":"d","provider_code":"Y"}},"providers":[{"code":""}]}`,
	} {
		seeds = append(seeds, formattest.Sample{Name: "fuzz", Data: []byte(text)})
	}
	formattest.Fuzz(f, reader(), seeds...)
}

func readText(t *testing.T, text string) ([]formattest.Table, error) {
	t.Helper()
	return formattest.Read(t.Context(), reader(), formattest.Sample{Name: "file", Data: []byte(text)})
}

// TestHostile checks that hostile files are refused quickly, with a position.
func TestHostile(t *testing.T) {
	var wide strings.Builder
	for i := range 100 {
		fmt.Fprintf(&wide, `"d%d":"1",`, i)
	}
	for name, c := range map[string]struct{ text, want string }{
		"nested 100,000 deep": {`{"dataset":{"x":` + strings.Repeat(`[`, 1e5), "nested more than"},
		"a text without end":  {`{"dataset":{"name":"` + strings.Repeat("x", 2<<20), "more than"},
		"100 dimensions":      {`{"series":{"docs":[{"dataset_code":"d","dimensions":{` + wide.String() + `"x":"1"}}]}}`, "more than 64 dimensions"},
		"cut off":             {`{"series":{"docs":[{"dataset_code":"d"`, "cut off"},
		"a list":              {`[]`, "one object"},
		"nothing":             {``, "the text ends where a value"},
		"no series":           {`{}`, "none of their values"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := readText(t, c.text)
			if err == nil || stat.KindOf(err) != stat.Refused || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v; want %q", err, c.want)
			}
		})
	}
}

// TestManyDatasets checks that the series of many datasets are read in one pass,
// because each begins where the one before ended.
func TestManyDatasets(t *testing.T) {
	const n = 300
	var b strings.Builder
	b.WriteString(`{"series":{"num_found":300,"docs":[`)
	for i := range n {
		if i > 0 {
			b.WriteString(",\n")
		}
		fmt.Fprintf(&b, `{"dataset_code":"d%d","provider_code":"X","series_code":"s","dimensions":{"a":"1"},"period":["2021"],"value":[%d]}`, i, i)
	}
	b.WriteString(`]}}`)
	tables, err := readText(t, b.String())
	if err != nil || len(tables) != n || tables[n-1].Dataset.Code != "d299" || tables[n-1].All[0].Value != 299 {
		t.Errorf("%d tables, %v", len(tables), err)
	}
}

// TestUpdated checks that the dataset keeps the provider's time of update, and that the
// file was prepared at DBnomics' time.
func TestUpdated(t *testing.T) {
	tables, err := readText(t, `{"dataset":{"code":"d","provider_code":"X","updated_at":"2024-05-06","indexed_at":"2024-05-07T08:00:00Z"},`+
		`"series":{"docs":[{"dataset_code":"d","series_code":"s","period":["2021"],"value":[1]}]}}`)
	if err != nil {
		t.Fatal(err)
	}
	if got := tables[0].Dataset.Updated.Format(time.DateOnly); got != "2024-05-06" {
		t.Errorf("updated %s", got)
	}
	if got := tables[0].Prepared.Format(time.DateOnly); got != "2024-05-07" {
		t.Errorf("prepared %s", got)
	}
}

func BenchmarkRead(b *testing.B) {
	s := sample(b)
	b.SetBytes(int64(len(s.Data)))
	for b.Loop() {
		if _, err := formattest.Read(b.Context(), reader(), s); err != nil {
			b.Fatal(err)
		}
	}
}

// TestTooManyDatasets checks that a file with a dataset for every series is
// refused, because each would be read separately.
func TestTooManyDatasets(t *testing.T) {
	text := `{"series":{"docs":[`
	for i := range 1001 {
		text += fmt.Sprintf(`{"dataset_code":"d%d","series_code":"s","period":["2021"],"value":[1]},`, i)
	}
	_, err := readText(t, strings.TrimSuffix(text, ",")+`]}}`)
	if err == nil || !strings.Contains(err.Error(), "more than 1000 datasets") {
		t.Error(err)
	}
}
