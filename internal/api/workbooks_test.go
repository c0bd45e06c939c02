package api_test

import (
	"archive/zip"
	"io"
	"strings"
	"testing"

	"almanac/internal/api"
)

// Sheets of texts that are written from right to left are so too, whether the file states its
// language or not, and the title of the sheet About is one cell over all columns.
func TestWorkbookDirection(t *testing.T) {
	const arabic = `#almanac-tidy,1
#source,x,جهاز الإحصاء
#dataset,t,معدل الخصوبة الكلي في الدول العربية
#dimension,ind,المؤشر
#code,F,معدل الخصوبة
#geography,geo,البلد
#code,EG,مصر
#code,DZ,الجزائر
ind,geo,TIME_PERIOD,OBS_VALUE
F,EG,2020,2.9
F,DZ,2020,3.1
`
	english := strings.NewReplacer("معدل الخصوبة الكلي في الدول العربية", "Fertility", "المؤشر", "Indicator", "معدل الخصوبة", "Fertility", "البلد", "Country", "مصر", "Egypt").Replace(arabic)
	for _, c := range []struct {
		name, file, query string
		want              bool
	}{
		{"labels in Arabic, no language stated", arabic, "", true},
		{"a wide table", arabic, "?wide=area", true},
		{"one label in Arabic", english, "", false},
		{"a language", english, "?lang=ar", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStore(t)
			load(t, s, "t.csv", strings.NewReader(c.file))
			got := ask(t, "GET", serve(t, newAPI(t, api.Options{Store: s}))+"/api/datasets/1/data.xlsx"+c.query)
			book, err := zip.NewReader(strings.NewReader(got.body), int64(len(got.body)))
			if err != nil {
				t.Fatal(err)
			}
			data, about := partOf(t, book, "xl/worksheets/sheet1.xml"), partOf(t, book, "xl/worksheets/sheet2.xml")
			for _, sheet := range []string{data, about} {
				if got := strings.Contains(sheet, ` rightToLeft="1"`); got != c.want {
					t.Errorf("right to left: %t, want %t: %.600s", got, c.want, sheet)
				}
			}
			if !strings.Contains(about, `</sheetData><mergeCells count="1"><mergeCell ref="A1:B1"/></mergeCells><pageMargins`) {
				t.Errorf("the title is not one cell: %s", about)
			}
		})
	}
}

// docs/downloads.md: JSON-stat and Excel say what the flags of the dataset mean. Estimates of the World Economic
// Outlook are forecasts.
func TestMeaningOfFlags(t *testing.T) {
	const outlook = `#almanac-tidy,1
#source,imf,International Monetary Fund
#dataset,WEO,Outlook
#geography,geo,Area
#code,DE,Germany
geo,TIME_PERIOD,OBS_VALUE,OBS_STATUS
DE,2025,1,IMF:--
DE,2026,2,E
`
	s := newStore(t)
	load(t, s, "t.csv", strings.NewReader(outlook))
	base := serve(t, newAPI(t, api.Options{Store: s})) + "/api/datasets/1/data"
	got := ask(t, "GET", base+".xlsx").body
	book, err := zip.NewReader(strings.NewReader(got), int64(len(got)))
	if err != nil {
		t.Fatal(err)
	}
	texts, file := partOf(t, book, "xl/sharedStrings.xml"), ask(t, "GET", base+".jsonstat").body
	for _, want := range []string{"orecast: an estimate or projection of the office after the last observed year", "oo small to be shown"} {
		if !strings.Contains(texts, want) || !strings.Contains(file, want) {
			t.Errorf("not said: %q in %s or %s", want, texts, file)
		}
	}
}

func partOf(t *testing.T, book *zip.Reader, name string) string {
	t.Helper()
	f, err := book.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// docs/downloads.md, Excel: in the sheets About and Flags counts are numbers, and days and moments dates, and
// the workbook says where all versions are listed.
func TestWorkbookTypes(t *testing.T) {
	s := newStore(t)
	load(t, s, "t.csv", strings.NewReader("#almanac-tidy,1\n#source,x,Office\n#dataset,t,Table\n#updated,2026-05-01\n#geography,geo,Area\ngeo,TIME_PERIOD,OBS_VALUE,OBS_STATUS\nDE,2020,1,P\nFR,2020,2,P\n"))
	got := ask(t, "GET", serve(t, newAPI(t, api.Options{Store: s}))+"/api/datasets/1/data.xlsx")
	book, err := zip.NewReader(strings.NewReader(got.body), int64(len(got.body)))
	if err != nil {
		t.Fatal(err)
	}
	texts := partOf(t, book, "xl/sharedStrings.xml")
	if !strings.Contains(texts, "All versions") || !strings.Contains(texts, "/api/datasets/1/versions<") {
		t.Errorf("the workbook does not say where the versions are: %s", texts)
	}
	for part, cells := range map[string][]string{
		"xl/worksheets/sheet2.xml": {`<c s="1"><v>46143</v></c>`, `<c s="8"><v>45982.43090277778</v></c>`, `<c s="9"><v>2</v></c>`}, // 2026-05-01, 2025-11-21 10:20:30
		"xl/worksheets/sheet3.xml": {`<c s="6"><v>2</v></c>`},
	} {
		for _, cell := range cells {
			if sheet := partOf(t, book, part); !strings.Contains(sheet, cell) {
				t.Errorf("%s has no cell %s: %s", part, cell, sheet)
			}
		}
	}
}
