package eurostat_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"almanac/internal/format"
	"almanac/internal/format/eurostat"
	"almanac/internal/stat"
	"almanac/internal/stattest"
)

// readWith reads a small table with a folder of labels.
func readWith(t testing.TB, labels fs.FS, name, text string) (*stat.Dataset, *stat.Report) {
	return readBy(t, eurostat.Format(labels), name, text)
}

func readBy(t testing.TB, f format.Format, name, text string) (*stat.Dataset, *stat.Report) {
	for table, err := range f.Read(context.Background(), format.Input{Name: name, Data: strings.NewReader(text)}) {
		if err != nil {
			t.Fatal(err)
		}
		for _, err := range table.Observations {
			if err != nil {
				t.Fatal(err)
			}
		}
		return table.Dataset, table.Report
	}
	t.Fatal("no table")
	return nil, nil
}

func labelOf(dim stat.Dimension, code string) string {
	for _, c := range dim.Codes {
		if c.ID == code {
			return c.Label
		}
	}
	return "no code " + code
}

// officeLabels is the folder of the office's files; it holds dictionaries in
// all forms, and data files, which are to be passed over.
func officeLabels(t testing.TB) fs.FS {
	return os.DirFS(filepath.Join(stattest.DataDir(t), "eurostat"))
}

// TestOfficeLabels: labels come from every form of dictionary that the office
// has, the newest vintage first.
func TestOfficeLabels(t *testing.T) {
	d, report := readWith(t, officeLabels(t), "nrg_bal_s.tsv", `freq,nrg_bal,siec,unit,na_item,age,icd10,coicop,citizen,geo\TIME_PERIOD	2014 `+"\n"+
		"A,PPRD,TOTAL,GWH,P31_S14,Y15-24,A-R_U-Y,CP00,FR,FRA\t1 \n")
	dims := map[string]stat.Dimension{"geo": d.Geography}
	for _, dim := range d.Dimensions {
		dims[dim.ID] = dim
	}
	for _, c := range []struct{ form, dim, code, want string }{
		{"SDMX-ML 2.1 code list", "nrg_bal", "PPRD", "Primary production"},
		{"SDMX-ML 2.1 code list", "freq", "A", "Annual"},
		{"SDMX-ML 2.1, the newest of all", "unit", "GWH", "Gigawatt-hour"},
		{"SDMX-ML 2.0 code list in a zip file", "na_item", "P31_S14", "Final consumption expenditure of households"},
		{"8-bit .dic", "coicop", "CP00", "All-items HICP"},
		{"TSV code list", "icd10", "A-R_U-Y", "All causes of death (A00-Y89) excluding S00-T98"},
		{".dic fills in what newer lists lack", "age", "Y15-24", "From 15 to 24 years"},
		{"UTF-8 .dic of 2021 before the one of 2011", "geo", "EU", "European Union (EU6-1958, EU9-1973, EU10-1981, EU12-1986, EU15-1995, EU25-2004, EU27-2007, EU28-2013, EU27-2020)"},
		{"UTF-8 .dic; FRA is not France", "geo", "FRA", "Départements d'outre-mer (NUTS 2013)"},
	} {
		if got := labelOf(dims[c.dim], c.code); got != c.want {
			t.Errorf("%s: %s %s is %q; want %q", c.form, c.dim, c.code, got, c.want)
		}
	}
	for dim, want := range map[string]string{
		"nrg_bal": "Energy balance", "siec": "Standard international energy product classification (SIEC)",
		"age": "Age class", "citizen": "Country of citizenship", "geo": "Geopolitical entity (reporting)",
	} {
		if got := dims[dim].Label; got != want {
			t.Errorf("dimension %s is %q; want %q", dim, got, want)
		}
	}
	for _, n := range report.Notes() {
		if n.Kind == "labels-unread" {
			t.Errorf("not read: %d, %s", n.Count, n.Example)
		}
	}
}

// TestOfficeTitles: titles and times of update come from the table of
// contents, the text of 2023 before the XML of 2015, which gives the address
// of the metadata; else from table_dic.
func TestOfficeTitles(t *testing.T) {
	f := eurostat.Format(officeLabels(t))
	d, report := readBy(t, f, "nama_10_gdp.tsv", "geo\\time\t2014 \nAT\t1 \n")
	if d.Name != "GDP and main components (output, expenditure and income)" {
		t.Errorf("name %q", d.Name)
	}
	if got := d.Updated.Format("2006-01-02T15:04:05-0700"); got != "2023-08-16T00:00:00+0000" {
		t.Errorf("updated %s", got)
	}
	if d.MetadataURL != "http://ec.europa.eu/eurostat/cache/metadata/en/nama_10_esms.htm" {
		t.Errorf("metadata at %q", d.MetadataURL)
	}
	for _, n := range report.Notes() {
		if n.Kind == stat.NoteCodeFromFilename || n.Kind == "contents-older" {
			t.Errorf("note %+v of a dataset that the contents know", n)
		}
	}
	d, _ = readBy(t, f, "estat_une_rt_a.tsv", "geo\\time\t2014 \nAT\t1 \n")
	if d.Name != "Unemployment by sex and age – annual data" {
		t.Errorf("name %q, in UTF-8", d.Name)
	}
	d, _ = readBy(t, f, "tet00041.tsv", "geo\\time\t2014 \nAT\t1 \n")
	if d.Name != "Extra-EU27 trade of food, drinks and tobacco (SITC 0+1), by main partners" {
		t.Errorf("name %q; want that of table_dic, without its odd spaces", d.Name)
	}
	d, report = readBy(t, f, "not_a_code.tsv", "geo\\time\t2014 \nAT\t1 \n")
	want := stat.Note{Kind: stat.NoteCodeFromFilename, Count: 1, Example: "not_a_code"}
	if d.Name != "not_a_code" || d.SourceURL != "" || !slices.Contains(report.Notes(), want) {
		t.Errorf("name %q at %q, notes %v; want the code and a note", d.Name, d.SourceURL, report.Notes())
	}
}

// TestForeignFolder: a folder with the files of all offices does no harm: only
// Eurostat's own lists count.
func TestForeignFolder(t *testing.T) {
	all := os.DirFS(stattest.DataDir(t))
	text := "unit,sex,geo\\time\t2014 \nPC,F,AT\t1 \n"
	want, _ := readWith(t, officeLabels(t), "une_rt_a.tsv", text)
	got, _ := readWith(t, all, "une_rt_a.tsv", text)
	if got.Name != want.Name || len(got.Geography.Codes) != len(want.Geography.Codes) {
		t.Errorf("%q with %d areas; want %q with %d", got.Name, len(got.Geography.Codes), want.Name, len(want.Geography.Codes))
	}
	for i := range want.Dimensions {
		if len(got.Dimensions[i].Codes) != len(want.Dimensions[i].Codes) {
			t.Errorf("%s: %d codes, want %d", want.Dimensions[i].ID, len(got.Dimensions[i].Codes), len(want.Dimensions[i].Codes))
		}
	}
}

// TestNoFolder: a folder of labels that is not there is an error, for whoever
// named it wants labels.
func TestNoFolder(t *testing.T) {
	missing := os.DirFS(filepath.Join(t.TempDir(), "missing"))
	in := format.Input{Name: "x.tsv", Data: strings.NewReader("geo\\time\t2020 \nAT\t1 \n")}
	for _, err := range eurostat.Format(missing).Read(context.Background(), in) {
		if !errors.Is(err, fs.ErrNotExist) || stat.KindOf(err) != stat.Refused {
			t.Errorf("got %v; want that the folder is not there", err)
		}
	}
}

// countingFS counts how often each file is opened.
type countingFS struct {
	fstest.MapFS
	mu    sync.Mutex
	opens map[string]int
}

func (c *countingFS) Open(name string) (fs.File, error) {
	c.mu.Lock()
	c.opens[name]++
	c.mu.Unlock()
	return c.MapFS.Open(name)
}

// TestReadOnce: files read through one Format, at the same time too, share
// dictionaries that are read once, and only those that are asked for.
func TestReadOnce(t *testing.T) {
	labels := &countingFS{opens: map[string]int{}, MapFS: fstest.MapFS{
		"geo.dic":  {Data: []byte("AT\tAustria\n")},
		"nace.dic": {Data: []byte("A\tAgriculture\n")},
	}}
	f := eurostat.Format(labels)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			d, _ := readBy(t, f, "x.tsv", "geo\\time\t2020 \nAT\t1 \nXX\t1 \n")
			if got := labelOf(d.Geography, "AT"); got != "Austria" {
				t.Errorf("AT is %q", got)
			}
		})
	}
	wait.Wait()
	if labels.opens["geo.dic"] != 1 || labels.opens["nace.dic"] != 0 {
		t.Errorf("opened: %v; want geo.dic once and nace.dic never", labels.opens)
	}
}
