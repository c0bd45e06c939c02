package importer_test

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"almanac/internal/importer"
	"almanac/internal/stat"
	"almanac/internal/stattest"
	"almanac/internal/store"
)

// TestRealArchives compares the values of archives with those of the member that holds
// the data, area and period included.
func TestRealArchives(t *testing.T) {
	t.Run("World Bank, DataBank", func(t *testing.T) {
		data := stattest.SampleMore(t, "wdi-zip/P_Data_Extract_From_World_Development_Indicators.zip")
		rows := csvMember(t, data.Data, "_Data.csv")
		want := map[string]float64{}
		for _, row := range rows[1:] {
			if len(row[1]) != 3 {
				continue // notes below the table
			}
			for i, cell := range row[4:] {
				addNumber(t, want, cell, ".", row[1], row[3], rows[0][4+i][:4])
			}
		}
		got := importValues(t, importer.Options{}, data.Name, data.Data)
		compareValues(t, got["p_data_extract_from_world_development_indicators"], want, 4415)
	})
}

// TestRealBooks compares the values of workbooks with those that a small reader finds in
// the XML of their sheets.
func TestRealBooks(t *testing.T) {
	t.Run("Penn World Table", func(t *testing.T) {
		data := stattest.SampleMore(t, "pwt/pwt1001.xlsx")
		rows := sheetCells(t, data.Data, "sheet1.xml")
		want := map[string]float64{}
		for _, row := range rows[1:] {
			for i, measure := range rows[0][4:] {
				addNumber(t, want, row[4+i], ".", row[0], measure, row[3])
			}
		}
		got := map[string]float64{}
		for key, v := range importValues(t, importer.Options{}, data.Name, data.Data)["pwt1001"] {
			parts := strings.Split(key, " | ")
			measure := slices.IndexFunc(parts, func(p string) bool { return p == "hc" || p == "ctfp" })
			got[parts[0]+" | "+parts[measure]+" | "+parts[len(parts)-1]] = v
		}
		compareValues(t, got, want, 15044)
	})
	t.Run("Maddison Project", func(t *testing.T) {
		data := stattest.SampleMore(t, "maddison/mpd2020.xlsx")
		rows := sheetCells(t, data.Data, "sheet3.xml")
		want := map[string]float64{}
		for _, row := range rows[1:] {
			for i, measure := range rows[0][3:] {
				addNumber(t, want, row[3+i], ".", row[0], measure, fmt.Sprintf("%04s", row[2]))
			}
		}
		compareValues(t, importValues(t, importer.Options{}, data.Name, data.Data)["mpd2020"], want, 36905)
	})
	t.Run("FRED", func(t *testing.T) {
		data := stattest.SampleMore(t, "fred-cpi-xlsx/CPIAUCSL.xlsx")
		want := map[string]float64{}
		for _, row := range sheetCells(t, data.Data, "sheet2.xml")[1:] {
			days, err := strconv.Atoi(row[0])
			if err != nil {
				t.Fatal(err)
			}
			month := time.Date(1899, 12, 30+days, 0, 0, 0, 0, time.UTC)
			addNumber(t, want, row[1], ".", "US", month.Format("01/2006"))
		}
		compareValues(t, importValues(t, importer.Options{Country: "US"}, data.Name, data.Data)["cpiaucsl"], want, 252)
	})
}

// sheetCells reads the cells of a sheet, whose rows begin in the first column.
func sheetCells(t *testing.T, data []byte, name string) (rows [][]string) {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	decode := func(path string, into any) {
		file, err := archive.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		if err := xml.NewDecoder(file).Decode(into); err != nil {
			t.Fatal(err)
		}
	}
	var texts struct {
		Items []struct {
			Text string `xml:"t"`
		} `xml:"si"`
	}
	var sheet struct {
		Rows []struct {
			Cells []struct {
				Place string `xml:"r,attr"`
				Type  string `xml:"t,attr"`
				Value string `xml:"v"`
				Text  string `xml:"is>t"`
			} `xml:"c"`
		} `xml:"sheetData>row"`
	}
	if _, err := archive.Open("xl/sharedStrings.xml"); err == nil {
		decode("xl/sharedStrings.xml", &texts)
	}
	decode("xl/worksheets/"+name, &sheet)
	for _, r := range sheet.Rows {
		row := make([]string, len(sheet.Rows[0].Cells))
		for _, c := range r.Cells {
			at := int(c.Place[0] - 'A')
			if row[at] = c.Value + c.Text; c.Type == "s" {
				n, _ := strconv.Atoi(c.Value)
				row[at] = texts.Items[n].Text
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// csvMember reads the CSV of a member of an archive by the end of its name.
func csvMember(t *testing.T, data []byte, name string) [][]string {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.File {
		if !strings.HasSuffix(f.Name, name) {
			continue
		}
		file, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		r := csv.NewReader(file)
		r.FieldsPerRecord = -1
		rows, err := r.ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		rows[0][0] = strings.TrimPrefix(rows[0][0], "\ufeff")
		return rows
	}
	t.Fatalf("no member %s", name)
	return nil
}

// addNumber adds the number of a cell with the parts of its key; cells without digits
// are missing.
func addNumber(t *testing.T, to map[string]float64, cell, decimal string, key ...string) {
	t.Helper()
	if !strings.ContainsAny(cell, "0123456789") {
		return
	}
	v, err := strconv.ParseFloat(strings.ReplaceAll(cell, decimal, "."), 64)
	if err != nil {
		t.Fatal(err)
	}
	to[strings.Join(key, " | ")] = v
}

// importValues imports a file and returns the values of each dataset by its code: by area,
// the codes of the dimensions, and period.
func importValues(t *testing.T, o importer.Options, name string, data []byte) map[string]map[string]float64 {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	s := openStore(t)
	im, err := importer.New(s, o)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]map[string]float64{}
	for _, outcome := range im.Import(t.Context(), path) {
		if outcome.Error != "" {
			t.Fatal(outcome.Error)
		}
		all[strings.ToLower(outcome.Code)] = valuesOf(t, s, outcome.ID)
	}
	return all
}

func valuesOf(t *testing.T, s *store.Store, id int) map[string]float64 {
	t.Helper()
	v, err := s.Vintage(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	x, err := v.Select(t.Context(), stat.Query{})
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]float64{}
	for b, err := range x.Blocks {
		if err != nil {
			t.Fatal(err)
		}
		for row := range b.Periods {
			for i := b.RowStart[row]; i < b.RowStart[row+1]; i++ {
				if math.IsNaN(b.Value[i]) {
					continue
				}
				key := []string{x.Dataset.Geography.Codes[b.Areas[b.Area[i]]].ID}
				for dim, code := range b.Key {
					key = append(key, x.Dataset.Dimensions[dim].Codes[code].ID)
				}
				values[strings.Join(append(key, x.Periods[b.Periods[row]].String()), " | ")] = b.Value[i]
			}
		}
	}
	return values
}

func compareValues(t *testing.T, got, want map[string]float64, count int) {
	t.Helper()
	if len(want) != count {
		t.Errorf("the independent reader finds %d values, want %d", len(want), count)
	}
	shown := 0
	for _, key := range slices.Sorted(maps.Keys(want)) {
		if v, ok := got[key]; (!ok || v != want[key]) && shown < 5 {
			t.Errorf("%s is %s, want %v", key, numberText(v, ok), want[key])
			shown++
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d values, want %d", len(got), len(want))
	}
}

func numberText(v float64, ok bool) string {
	if !ok {
		return "missing"
	}
	return fmt.Sprint(v)
}
