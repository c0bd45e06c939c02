package exports_test

import (
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/format/formattest"
	"almanac/internal/stattest"
)

// allDays reads the real file of all days.
func allDays(t *testing.T) formattest.Table {
	table := formattest.ReadOne(t, named(t, "ecb-rates"), stattest.Sample(t, "ecb/eurofxref-hist.csv"))
	if problem := formattest.Problem(table); problem != "" {
		t.Error(problem)
	}
	return table
}

// TestAllDays compares every cell of the real file with encoding/csv.
func TestAllDays(t *testing.T) {
	rows, err := csv.NewReader(bytes.NewReader(stattest.Sample(t, "ecb/eurofxref-hist.csv").Data)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, row := range rows[1:] {
		for i, cell := range row[1:] {
			if cell == "" {
				continue
			}
			number := `NaN "ECB:N/A"`
			if cell != "N/A" {
				value, err := strconv.ParseFloat(cell, 64)
				if err != nil {
					t.Fatal(err)
				}
				number = fmt.Sprint(value)
			}
			day := strings.Split(row[0], "-")
			want = append(want, fmt.Sprintf("%s, %s/%s/%s = %s", rows[0][i+1], day[2], day[1], day[0], number))
		}
	}
	table := allDays(t)
	formattest.SameLines(t, table, want)
	if len(rows)-1 != 6782 || len(rows[0]) != 43 || table.Report.Read != 6782*41 {
		t.Errorf("%d rows of %d columns, %d cells read", len(rows)-1, len(rows[0]), table.Report.Read)
	}
}

// TestPairWithEXR checks that the rates of the Australian dollar equal those of the
// daily series of the dataset EXR on all days that both have.
func TestPairWithEXR(t *testing.T) {
	table := allDays(t)
	ours := map[string]float64{}
	for _, o := range table.All {
		if table.Dataset.Dimensions[0].Codes[o.Key[0]].ID == "AUD" {
			ours[o.Period.SDMX()] = o.Value
		}
	}
	for name, want := range map[string]int{"ecb-data-generic-2.1.xml": 4358, "ecb-data-specific-2.1.xml": 4363} {
		theirs := dailyAUD(t, stattest.Sample(t, "ecb/"+name).Data)
		equal := 0
		for day, value := range theirs {
			if our, ok := ours[day]; ok && our != value {
				t.Errorf("%s: %s is %v here and %v there", name, day, our, value)
			} else if ok {
				equal++
			}
		}
		if equal != want || len(theirs) != want {
			t.Errorf("%s: %d of %d values are equal, want %d", name, equal, len(theirs), want)
		}
	}
}

// dailyAUD reads the observations of the daily series of the Australian dollar,
// from either form of SDMX-ML.
func dailyAUD(t *testing.T, data []byte) map[string]float64 {
	values := map[string]float64{}
	decoder := xml.NewDecoder(bytes.NewReader(data))
	key, inKey, day := map[string]string{}, false, ""
	for {
		token, err := decoder.Token()
		if err != nil {
			return values
		}
		start, ok := token.(xml.StartElement)
		if end, isEnd := token.(xml.EndElement); isEnd && end.Name.Local == "SeriesKey" {
			inKey = false
		}
		if !ok {
			continue
		}
		a := map[string]string{}
		for _, attr := range start.Attr {
			a[attr.Name.Local] = attr.Value
		}
		switch start.Name.Local {
		case "Series":
			key = a
		case "SeriesKey":
			inKey = true
		case "Value":
			if inKey {
				key[a["id"]] = a["value"]
			}
		case "Obs":
			day = a["TIME_PERIOD"]
		case "ObsDimension":
			day = a["value"]
		}
		text := a["OBS_VALUE"]
		if start.Name.Local == "ObsValue" {
			text = a["value"]
		}
		if text == "" || key["FREQ"] != "D" || key["CURRENCY"] != "AUD" {
			continue
		}
		if value, err := strconv.ParseFloat(text, 64); err == nil && text != "NaN" {
			values[day] = value
		}
	}
}
