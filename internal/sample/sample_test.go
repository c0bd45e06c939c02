package sample_test

import (
	"context"
	"io/fs"
	"testing"

	"almanac/internal/format"
	"almanac/internal/format/tidy"
	"almanac/internal/sample"
	"almanac/internal/stat"
)

// dataset is a sample dataset with its numbers by key.
type dataset struct {
	*stat.Dataset
	values map[string]float64 // "pop DE 2005"
	series map[string]int     // observations of each key
}

func load(t *testing.T, file string) dataset {
	t.Helper()
	f, err := sample.Files().Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	d := dataset{values: map[string]float64{}, series: map[string]int{}}
	for table, err := range tidy.Formats()[0].Read(context.Background(), format.Input{Name: file, Data: f}) {
		if err != nil {
			t.Fatal(err)
		}
		d.Dataset = table.Dataset
		for o, err := range table.Observations {
			if err != nil {
				t.Fatal(err)
			}
			key := d.Dimensions[0].Codes[o.Key[0]].ID + " " + d.Geography.Codes[o.Key[1]].ID
			if _, doubled := d.values[key+" "+o.Period.String()]; doubled {
				t.Errorf("%s %s appears twice", key, o.Period)
			}
			d.values[key+" "+o.Period.String()] = o.Value
			d.series[key]++
		}
		if notes := table.Report.Notes(); len(notes) > 0 || table.Report.Missing > 0 {
			t.Errorf("%d missing values and notes %v, want none", table.Report.Missing, notes)
		}
	}
	return d
}

// check compares the shape, and single numbers typed from the files of
// vega-datasets.
func (d dataset) check(t *testing.T, series, length int, values map[string]float64) {
	t.Helper()
	if len(d.series) != series {
		t.Errorf("%d series, want %d", len(d.series), series)
	}
	for key, n := range d.series {
		if n != length {
			t.Errorf("%s has %d observations, want %d", key, n, length)
		}
	}
	for key, want := range values {
		if got, ok := d.values[key]; !ok || got != want {
			t.Errorf("%s is %v (found: %t), want %v", key, got, ok, want)
		}
	}
}

func TestGapminder(t *testing.T) {
	d := load(t, "gapminder.tidy.csv")
	if len(d.Geography.Codes) != 62 || len(d.Dimensions) != 1 || d.Dimensions[0].Label != "Indicator" {
		t.Errorf("%d countries, dimensions %v", len(d.Geography.Codes), d.Dimensions)
	}
	d.check(t, 3*62, 11, map[string]float64{
		"life_expect AF 1955": 43.88,
		"fertility AF 1955":   7.42,
		"pop AF 1955":         7971931,
		"pop AF 1960":         8622466,
		"life_expect AF 1960": 45.03,
		"fertility AF 1965":   7.35,
		"pop DE 2005":         81212168,
		"pop CN 2005":         1304887562,
		"pop HK 1975":         4451220,
		"life_expect RW 1995": 46.41,
		"fertility GD 1955":   6.43,
		"life_expect VE 2005": 75.01,
		"fertility KP 2000":   1.97,
	})
	for code, label := range map[string]string{"HK": "Hong Kong, China", "KP": "North Korea", "KR": "South Korea", "VE": "Venezuela"} {
		if got := d.label(code); got != label {
			t.Errorf("%s is %q, want %q", code, got, label)
		}
	}
	for i, unit := range []string{"years", "children per woman", "persons"} {
		if got := d.Dimensions[0].Codes[i].Unit; got != unit {
			t.Errorf("%s is in %q, want %q", d.Dimensions[0].Codes[i].ID, got, unit)
		}
	}
}

// label returns the label of an area, or "" if the dataset lacks it.
func (d dataset) label(area string) string {
	for _, c := range d.Geography.Codes {
		if c.ID == area {
			return c.Label
		}
	}
	return ""
}

func TestUSEmployment(t *testing.T) {
	d := load(t, "us_employment.tidy.csv")
	if len(d.Geography.Codes) != 1 || d.label("US") != "United States" || d.Unit != "thousand persons" {
		t.Errorf("areas %v, unit %q", d.Geography.Codes, d.Unit)
	}
	d.check(t, 23, 120, map[string]float64{
		"nonfarm US 01/2006":         135450,
		"nonfarm US 12/2015":         143093,
		"construction US 01/2006":    7601,
		"wholesale_trade US 01/2006": 5840.4,
		"utilities US 12/2015":       556.5,
		"government US 12/2015":      22100,
		"nonfarm_change US 02/2006":  312,
		"nonfarm_change US 12/2015":  234,
	})
	// The parts add up, as in the office's table.
	for _, month := range []string{"01/2006", "06/2009", "12/2015"} {
		at := func(code string) float64 { return d.values[code+" US "+month] }
		if at("private")+at("government") != at("nonfarm") || at("goods_producing")+at("service_providing") != at("nonfarm") {
			t.Errorf("%s: the parts of total nonfarm do not add up", month)
		}
	}
}

// TestLicences checks that every dataset names its publisher, its licence and the
// required attribution.
func TestLicences(t *testing.T) {
	files, err := fs.Glob(sample.Files(), "*")
	if err != nil || len(files) != 2 {
		t.Fatalf("files %v, error %v", files, err)
	}
	for _, file := range files {
		d := load(t, file)
		for name, text := range map[string]string{
			"source": d.Source.Name, "name": d.Name, "description": d.Description,
			"source_url": d.SourceURL, "licence": d.Licence, "attribution": d.Attribution,
		} {
			if text == "" {
				t.Errorf("%s has no %s", file, name)
			}
		}
	}
}
