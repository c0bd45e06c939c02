package gho_test

import (
	"encoding/csv"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/format/assemble"
	"almanac/internal/format/formattest"
	"almanac/internal/format/gho"
	"almanac/internal/stat"
	"almanac/internal/stattest"
)

// rowsOf reads a CSV file as records by heading.
func rowsOf(t testing.TB, data []byte) []map[string]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(string(data))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var records []map[string]string
	for _, row := range rows[1:] {
		record := map[string]string{}
		for i, name := range rows[0] {
			record[name] = row[i]
		}
		records = append(records, record)
	}
	return records
}

// independent returns the numbers of both files by "sex,estimate,place year".
func independent(t testing.TB, data []byte) map[string]float64 {
	t.Helper()
	values := map[string]float64{}
	set := func(key, text string) {
		if text == "" {
			return
		}
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := values[key]; ok {
			t.Fatalf("%s is repeated", key)
		}
		values[key] = v
	}
	for _, r := range rowsOf(t, data) {
		if place, ok := r["SpatialDimValueCode"]; ok {
			set(fmt.Sprintf("%s, %s", place, r["Period"]), r["FactValueNumeric"])
			continue
		}
		for name, estimate := range map[string]string{"NumericValue": "VALUE", "Low": "LOWER", "High": "UPPER"} {
			set(fmt.Sprintf("%s,%s,%s, %s", r["DisaggregatingDimension1ValueCode"], estimate, r["SpatialDimensionValueCode"], r["TimeDim"]), r[name])
		}
	}
	return values
}

// TestFiles compares every observation of the real files with an independent reader,
// and the counts with those of the manifest.
func TestFiles(t *testing.T) {
	for _, file := range []struct {
		name, code, title, updated string
		read, missing              int
		rounded                    int // numbers of 17 digits, as sums of floats have
	}{
		{"HWF_0001-gho-export.csv", "HWF_0001", "Medical doctors (per 10,000)", "2021-02-17T00:00:00Z", 2563, 0, 0},
		{"WHOSIS_000001.csv", "WHOSIS_000001", "", "2024-08-02T09:43:39Z", 3 * 12936, 40, 108},
	} {
		t.Run(file.name, func(t *testing.T) {
			s := stattest.Sample(t, "who/"+file.name)
			f := formattest.FormatOf(t, gho.Formats(), s)
			formattest.Conform(t, f, s)
			table := formattest.ReadOne(t, f, s)
			d, r := table.Dataset, table.Report
			if d.Source.ID != "who" || d.Code != file.code || d.Name != file.title || d.Updated.Format("2006-01-02T15:04:05Z07:00") != file.updated {
				t.Errorf("dataset %s:%s %q of %s", d.Source.ID, d.Code, d.Name, d.Updated)
			}
			rounded := 0
			for _, note := range r.Notes() {
				switch {
				case note.Kind == stat.NoteRounded:
					rounded = note.Count
				case note.Kind != assemble.NoteAttributeNotKept || note.Example != "ParentLocationCode, ParentLocation":
					t.Errorf("note %v", note)
				}
			}
			if r.Read != file.read || r.Missing != file.missing || rounded != file.rounded {
				t.Errorf("read %d, missing %d, notes %v", r.Read, r.Missing, r.Notes())
			}
			want := independent(t, s.Data)
			for _, o := range table.All {
				key, _, _ := strings.Cut(formattest.Line(d, o), " = ")
				if w, ok := want[key]; !ok || math.Float64bits(w) != math.Float64bits(o.Value) {
					t.Fatalf("line %d: %s = %v, the independent reader has %v", o.At.Line, key, o.Value, w)
				}
			}
			if len(table.All) != len(want) {
				t.Errorf("%d values, the independent reader has %d", len(table.All), len(want))
			}
		})
	}
}

// TestJSONPair checks that records in the service's JSON are the same dataset as in CSV.
func TestJSONPair(t *testing.T) {
	s := stattest.Sample(t, "who/WHOSIS_000001.csv")
	var b strings.Builder
	b.WriteString(`{"@odata.context":"https://ghoapi.azureedge.net/api/$metadata#WHOSIS_000001","value":[`)
	for i, r := range rowsOf(t, s.Data)[:2000] {
		if i > 0 {
			b.WriteByte(',')
		}
		orNull := func(text string) string {
			if text == "" {
				return "null"
			}
			return text
		}
		fmt.Fprintf(&b, `{"Id":%s,"IndicatorCode":%q,"SpatialDimType":%q,"SpatialDim":%q,"TimeDimType":"YEAR","TimeDim":%s,"Dim1Type":"SEX","Dim1":%q,`+
			`"Dim2Type":null,"Dim2":null,"Value":%q,"NumericValue":%s,"Low":%s,"High":%s,"Comments":null,"Date":%q,"TimeDimensionValue":%q,"ParentLocationCode":%q,"ParentLocation":%q}`,
			r["Id"], r["IndicatorCode"], r["SpatialDimension"], r["SpatialDimensionValueCode"], r["TimeDim"], r["DisaggregatingDimension1ValueCode"],
			r["Value"], orNull(r["NumericValue"]), orNull(r["Low"]), orNull(r["High"]), r["Date"], r["TimeDimensionValue"], r["ParentLocationCode"], r["ParentLocation"])
	}
	b.WriteString("]}")
	lines := strings.SplitAfterN(string(s.Data), "\n", 2002)
	s.Data = []byte(strings.Join(lines[:2001], ""))
	answer := formattest.Sample{Name: "answer.json", Data: []byte(b.String()), HasEnd: true}
	formattest.Conform(t, gho.Formats()[0], answer)
	one := meaning(t, answer)
	other := meaning(t, s)
	if one != other {
		t.Error("the answer and the table give different datasets")
	}
}

// TestOthers checks that no file of another office is recognised.
func TestOthers(t *testing.T) {
	stattest.CheckRecognition(t, gho.Formats(), "who/HWF_0001-gho-export.csv", "who/WHOSIS_000001.csv")
}

func FuzzJSON(f *testing.F) {
	formattest.Fuzz(f, gho.Formats()[0],
		formattest.Sample{Name: "file.json", Data: []byte(`{"@odata.context":"x","@odata.count":3,"value":[` +
			`{"Id":1,"IndicatorCode":"X","SpatialDim":"SOM","TimeDimType":"YEAR","TimeDim":2008,"Dim1Type":"SEX","Dim1":"SEX_BTSX","Value":"48.0 [46.7-49.6]","NumericValue":48.03754,"Low":46.7,"High":null,"Date":"2024-08-02T09:43:39Z"},` +
			`{"IndicatorCode":"X","SpatialDim":"SOM","TimeDim":2008,"TimeDimensionValue":"2000-2008","DataSourceDim":"DHS","Value":"No data","NumericValue":null}],"@odata.nextLink":"y"}`)},
		formattest.Sample{Data: []byte(`{"value":[{"IndicatorCode":"X","SpatialDim":null,"TimeDim":"2008W99","NumericValue":"1"}]}`)})
}

func FuzzCSV(f *testing.F) {
	formattest.Fuzz(f, gho.Formats()[1],
		formattest.Sample{Name: "file.csv", Data: []byte("IndicatorCode,SpatialDimensionValueCode,TimeDim,DisaggregatingDimension1,DisaggregatingDimension1ValueCode,Value,NumericValue,Low,High\n" +
			"X,SOM,2008,SEX,SEX_MLE,48.0 [46.7-49.6],48.03754,46.71678,49.62846\nX,SOM,2009,,,Yes,,,\n")},
		formattest.Sample{Data: []byte("IndicatorCode,Indicator,SpatialDimValueCode,Location,Period,Dim1 type,Dim1,Dim1ValueCode,DataSource,FactValueNumericPrefix,FactValueNumeric,FactValueUoM\nX,x,TCD,Chad,2015-2019,Age Group,All,Y,DHS,<,0.5,%\n")})
}
