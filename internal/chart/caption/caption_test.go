package caption_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/chart/caption"
	"almanac/internal/importer"
	"almanac/internal/request"
	"almanac/internal/stat"
	"almanac/internal/stattest"
	"almanac/internal/store"
)

// TestCaptions compares the captions in testdata/captions.txt, which describes its cases.
func TestCaptions(t *testing.T) {
	stattest.Meanings(t, func(t *testing.T, text string) string {
		if files, ok := strings.CutPrefix(text, "file "); ok {
			return ofFile(t, strings.Fields(files))
		}
		p := read(t, text)
		p.Unit = caption.UnitOf(p.Dataset, p.Key, "")
		got := caption.Of(p)
		lines := "title: " + got.Title + "\n"
		if got.Parts != nil {
			lines += "parts: " + strings.Join(got.Parts, " · ") + "\n"
		}
		if got.Unit != "" {
			lines += "unit: " + got.Unit + "\n"
		}
		if p.Unit != got.Unit {
			lines += "unit of the values: " + p.Unit + "\n"
		}
		return lines
	})
}

// ofFile returns the texts of the default line chart of an office's file; others hold its
// code lists.
func ofFile(t *testing.T, files []string) string {
	ctx, dir := context.Background(), stattest.DataDir(t)
	s, err := store.Open(ctx, store.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	im, err := importer.New(s, importer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range files {
		files[i] = filepath.Join(dir, filepath.FromSlash(files[i]))
	}
	im.Import(ctx, files...)
	v, err := s.Vintage(ctx, 1)
	if err != nil {
		t.Fatal(err)
	}
	c, err := request.ReadChart([]byte(`{"datasetId": 1, "chartType": "line"}`))
	if err != nil {
		t.Fatal(err)
	}
	spec, _, err := request.Spec(ctx, v, c)
	if err != nil {
		t.Fatal(err)
	}
	return spec.Title + "\n" + spec.Subtitle + "\nunit of the values: " + spec.Unit + "\n"
}

func read(t *testing.T, question string) *caption.Picture {
	p := &caption.Picture{Dataset: &stat.Dataset{}}
	for line := range strings.Lines(question) {
		kind, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		fields := strings.Split(rest, "|")
		for i := range fields {
			fields[i] = strings.TrimSpace(fields[i])
		}
		switch kind {
		case "dataset":
			p.Dataset.Code, p.Dataset.Name, p.Dataset.Unit = fields[0], fields[1], strings.Join(fields[2:], "")
		case "title":
			p.Title = rest
		case "source":
			p.Dataset.Source.ID = rest
		case "dim":
			d := stat.Dimension{ID: fields[0], Label: fields[1], Role: stat.Role(fields[2])}
			for text := range strings.SplitSeq(fields[3], "; ") {
				id, label, ok := strings.Cut(text, "=")
				if id == "*" {
					p.Varies = append(p.Varies, len(p.Dataset.Dimensions))
					continue
				}
				if !ok {
					label = id
				}
				label, unit, _ := strings.Cut(label, " in ")
				d.Codes = append(d.Codes, stat.Code{ID: id, Label: label, Unit: unit})
			}
			p.Dataset.Dimensions = append(p.Dataset.Dimensions, d)
			p.Key = append(p.Key, 0)
		default:
			t.Fatalf("unknown line %q", line)
		}
	}
	return p
}

// TestUnitNotStated: the name of a file is no unit, even if the office has one for what the name says.
func TestUnitNotStated(t *testing.T) {
	for _, code := range []string{"gdp", "gdp_csv", "gdp-tidy", "foo"} {
		d := &stat.Dataset{Code: code, Name: code, Source: stat.Source{ID: "worldbank", Name: "World Bank"}}
		if unit := caption.UnitOf(d, nil, ""); unit != "" {
			t.Errorf("the unit of %s is %q, which no file states", code, unit)
		}
	}
}

func TestUnitOfTitle(t *testing.T) {
	for title, want := range map[string]string{
		"GDP (current US$)": "current US$",
		"Unemployment, total (% of total labor force) (modeled ILO estimate)": "% of total labor force",
		"Fertility rate, total (births per woman)":                            "births per woman",
		"Medical doctors (per 10,000)":                                        "per 10,000",
		"Labour force participation rate (% ages 15 and older)":               "% ages 15 and older",
		"Share of adults (% aged 65 years or over)":                           "% aged 65 years or over",
		"Imports and exports (% of GDP or of trade)":                          "",
		"24369 - Taxa de desocupação - PNADC - %":                             "%",
		"Absolute value in thousands":                                         "thousands",
		"GDP in billions of current dollars":                                  "billions of current dollars",
		"GDP in billions of chained 2009 dollars":                             "billions of chained 2009 dollars",
		"Consumer prices (2015 = 100)":                                        "2015 = 100",
		"Population (persons) 1/":                                             "persons",
		"GDP and expenditure (million euro and % of GDP)":                     "",
		"Young people (NEET rates) (from 2008)":                               "",
		"Average wage (national currency)":                                    "national currency",
		"GDP per capita (current LCU)":                                        "current LCU",
		"Wages in national currency":                                          "national currency",
		"Salaire moyen (monnaie nationale)":                                   "monnaie nationale",
		"Durchschnittslohn, Landeswährung":                                    "Landeswährung",
		"Salario medio (moneda nacional)":                                     "moneda nacional",
		"平均賃金（自国通貨）":                                                          "",
		"平均賃金 (自国通貨)":                                                         "自国通貨",
		"Loans of the national currency board":                                "",
		"Population, total":                                                   "",
		"East Asia & Pacific (excluding high income)":                         "",
	} {
		if got := caption.UnitOf(&stat.Dataset{Name: title}, nil, ""); got != want {
			t.Errorf("the unit of %q is %q, want %q", title, got, want)
		}
	}
}

func TestIsFiller(t *testing.T) {
	for label, want := range map[string]bool{
		"Total": true, "_Z": true, "Both sexes": true, "Insgesamt": true, "総数": true, "Area type: National": true, "": true,
		"All items": false, "Females": false, "Total economy": false, "World": false, "15 years and over": false, "Not specified": false,
	} {
		if got := caption.IsFiller(label); got != want {
			t.Errorf("IsFiller(%q) = %v", label, got)
		}
	}
}
