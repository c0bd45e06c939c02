package plain_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/format/formattest"
	"almanac/internal/format/plain"
	"almanac/internal/format/tidy"
	"almanac/internal/stat"
	"almanac/internal/stattest"
)

// TestCases compares the meanings of the cases in testdata.
func TestCases(t *testing.T) {
	stattest.Cases(t, plain.Formats())
}

// plainFiles are real files that are read as plain tables without a mapping, with
// the rows of an independent reader.
var plainFiles = []struct {
	path   string
	header int // number of the heading among the records
	wide   int // first column of periods; 0: the table is long
	row    func(row []string) string
	rows   int
}{
	{"worldbank/csv/gdp-tidy.csv", 0, 0, func(r []string) string { return r[1] + ", " + r[2] + " = " + r[3] }, 13979},
	{"owid/co2-emissions-per-capita.csv", 0, 0, func(r []string) string {
		if r[1] == "" {
			return r[0] + ", " + r[2] + " = " + r[3]
		}
		return r[1] + ", " + r[2] + " = " + r[3]
	}, 25728},
	{"worldbank/csv/API_SP.POP.TOTL_DS2_en_csv_v2.csv", 2, 4, func(r []string) string { return r[3] + "," + r[1] + "," }, 14885},
	{"worldbank/csv/API_SP.DYN.TFRT.IN_DS2_en_csv_v2.csv", 2, 4, func(r []string) string { return r[3] + "," + r[1] + "," }, 13523},
}

// TestPlainFiles compares every cell of real files with encoding/csv.
func TestPlainFiles(t *testing.T) {
	for _, c := range plainFiles {
		s := stattest.Sample(t, c.path)
		start := s // the contract needs many readings, for which the beginning is enough
		start.Data = s.Data[:bytes.LastIndexByte(s.Data[:min(len(s.Data), 60_000)], '\n')+1]
		formattest.Conform(t, plain.Formats()[1], start)
		tables, err := formattest.Read(t.Context(), plain.Formats()[1], s)
		if err != nil {
			t.Fatalf("%s: %v", c.path, err)
		}
		r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(s.Data, []byte("\ufeff"))))
		r.FieldsPerRecord = -1
		records, err := r.ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for _, row := range records[c.header+1:] {
			if c.wide == 0 {
				want = append(want, normal(c.row(row)))
				continue
			}
			for i := c.wide; i < len(row); i++ {
				if row[i] != "" {
					want = append(want, normal(c.row(row)+" "+records[c.header][i]+" = "+row[i]))
				}
			}
		}
		if len(want) != c.rows {
			t.Errorf("%s: the file has %d values, the manifest says %d", c.path, len(want), c.rows)
		}
		formattest.SameLines(t, tables[0], want)
	}
}

// normal rewrites the number at the end of a line as Go formats it.
func normal(line string) string {
	text, number, _ := strings.Cut(line, " = ")
	v, err := strconv.ParseFloat(number, 64)
	if err != nil {
		v = math.NaN()
	}
	return fmt.Sprintf("%s = %v", text, v)
}

// TestNoTables checks that lists of countries are refused because they have no periods.
func TestNoTables(t *testing.T) {
	for _, path := range []string{"geo/UNSD-M49-en.csv", "geo/UNSD-M49-ar.csv", "geo/UNSD-M49-ru.csv", "geo/country-codes.csv", "worldbank/csv/WDICountry.csv"} {
		_, err := formattest.Read(t.Context(), plain.Formats()[1], stattest.Sample(t, path))
		if err == nil || !strings.Contains(err.Error(), "has no column of periods") || len(stat.SuggestionsOf(err)) > 0 {
			t.Errorf("%s: the error is %v", path, err)
		}
	}
}

// TestPlainStrict checks that, of all real files, only delimited text is recognised, and lists of
// records in JSON: any JSON and XML that no other format recognises may be nested records.
func TestPlainStrict(t *testing.T) {
	for _, path := range []string{
		"bis/BIS_DER-generic.xml", "dbnomics/CEPII-CHELEM-TRADE-CHEL.json", "jsonstat/oecd.json", "px/scb/BE0101A1.px", "px/scb/BE101ACEkeys.px",
		"px/ine/27067.px", "geo/gisco-WORLD_4326_2021.topojson", "statcan/34100158.zip", "worldbank/api-v2/countries.json", "eurostat/toc/table_of_contents.xml",
	} {
		s := stattest.Sample(t, path)
		for _, f := range append(plain.Formats(), tidy.Formats()...) {
			isNested := f.Name == "table-json" || f.Name == "table-xml"
			if !isNested && f.Recognise(s.Name, s.Data[:min(len(s.Data), 64<<10)]) {
				t.Errorf("%s recognises %s", f.Name, path)
			}
		}
	}
}

func FuzzPlain(f *testing.F) {
	formattest.Fuzz(f, plain.Formats()[1],
		formattest.Sample{Name: "t.csv", Data: []byte("Country,Code,Sex,Year,Value,Flag\nA,AA,F,2020,\"1,234.5\",P\nB,BB,M,2021 Q1,..,\n")},
		formattest.Sample{Data: []byte("Region;1950-1955;1960\nA;1,5;2\nB;;-\n")})
}

// FuzzMapping checks that reading with any mapping ends without a panic.
func FuzzMapping(f *testing.F) {
	for _, text := range []string{`geo=a:b, period=t, value="v, ""w""", ignore=*`, "period=y+m, value=*", "header=2, separator=;", `geo="`, "value=v, lower=l, upper=u"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := formattest.Sample{Name: "t.csv", Data: []byte("a,b,t,v\nA,B,2020,1\nA,C,2021,2\n")}
		s.In.Mapping = text
		tables, err := formattest.Read(t.Context(), plain.Formats()[1], s)
		for _, table := range tables {
			if problem := formattest.Problem(table); problem != "" && err == nil {
				t.Error(problem)
			}
		}
	})
}

// TestPlainIndicators compares daily exchange rates, with a column for each
// currency, with encoding/csv.
func TestPlainIndicators(t *testing.T) {
	data := stattest.Sample(t, "ecb/eurofxref-hist.csv").Data
	tables, err := formattest.Read(t.Context(), plain.Formats()[1], formattest.Sample{Name: "rates.csv", Data: data})
	if err != nil {
		t.Fatal(err)
	}
	records, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	missing := 0
	for _, row := range records[1:] {
		for i := 1; i < len(row)-1; i++ {
			date := row[0][8:10] + "/" + row[0][5:7] + "/" + row[0][:4]
			line := normal(records[0][i] + ", " + date + " = " + row[i])
			if row[i] == "N/A" {
				missing++
				line += ` "LOCAL:N/A"`
			}
			want = append(want, line)
		}
	}
	formattest.SameLines(t, tables[0], want)
	if r := tables[0].Report; r.Read != 6782*41 || r.Missing != missing {
		t.Errorf("read %d, missing %d; 6782 days of 41 currencies, %d of them missing", r.Read, r.Missing, missing)
	}
}

// TestSameAsText checks that a real table has the same data in a workbook as in text.
func TestSameAsText(t *testing.T) {
	data := stattest.Sample(t, "worldbank/csv/gdp-tidy.csv").Data
	records, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range records {
		for j, cell := range row {
			if i > 0 && j >= 2 {
				row[j] = number(cell)
			} else {
				row[j] = strings.ReplaceAll(cell, "&", "&amp;")
			}
		}
	}
	text, err := formattest.Read(t.Context(), plain.Formats()[1], formattest.Sample{Name: "gdp.csv", Data: data})
	if err != nil {
		t.Fatal(err)
	}
	packed := book{sheets: []string{"gdp", cells(records...)}}.xlsx(t)
	sheet, err := formattest.Read(t.Context(), plain.Formats()[0], formattest.Sample{Name: "gdp.xlsx", Data: packed})
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, o := range text[0].All {
		want = append(want, formattest.Line(text[0].Dataset, o))
	}
	formattest.SameLines(t, sheet[0], want)
	if len(want) != 13979 {
		t.Errorf("%d observations, the manifest says 13979", len(want))
	}
}
