package importer_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"almanac/internal/importer"
	"almanac/internal/stattest"
	"almanac/internal/store"
)

// The table of contents of 2023 says when the office had updated its datasets then. Files of other
// years, and some of that year, are of other releases: none has the time of the table.
func TestTableOfContentsIsOfAnotherRelease(t *testing.T) {
	office := filepath.Join(stattest.DataDir(t), "eurostat")
	s := openStore(t)
	im, err := importer.New(s, importer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	contents := filepath.Join(office, "toc/table_of_contents_en.txt")
	for _, c := range []struct{ file, code, title, updated string }{
		// Its data are of 1992 to 2019, those of the table of 2003 to 2022.
		{"tsv-old/une_rt_a.tsv.gz", "une_rt_a", "Unemployment by sex and age – annual data", ""},
		{"tsv-old/tgs00026.tsv.gz", "tgs00026", "Disposable income of private households by NUTS 2 regions", ""},
		{"tsv-old/migr_emi2.tsv.gz", "migr_emi2", "Emigration by age and sex", ""},
		// They have the first and last period of the table. One states its own time, three months later.
		{"tsv-new/edat_lfse_22.tsv.gz", "edat_lfse_22", "Young people neither in employment nor in education and training by sex and NUTS 2 regions (NEET rates)", ""},
		{"sdmx-csv/ilc_lvps08.csv", "ILC_LVPS08", "Share of young adults aged 18-34 living with their parents by age and sex - EU-SILC survey", "2023-10-27T23:00:00+0200"},
	} {
		outcomes := im.Import(t.Context(), contents, filepath.Join(office, c.file))
		o := outcomes[len(outcomes)-1]
		if o.Status != importer.Created {
			t.Fatalf("%s: %+v", c.file, o)
		}
		v := current(t, s, o.ID)
		updated := ""
		if !v.Dataset.Updated.IsZero() {
			updated = v.Dataset.Updated.Format("2006-01-02T15:04:05-0700")
		}
		if v.Dataset.Code != c.code || v.Dataset.Name != c.title || updated != c.updated {
			t.Errorf("%s: %s %q updated %q, want %s %q updated %q", c.file, v.Dataset.Code, v.Dataset.Name, updated, c.code, c.title, c.updated)
		}
		if c.updated == "" && !v.LastUpdate.Equal(v.Imported.Truncate(time.Second)) {
			t.Errorf("%s: last update %s, want the time of the import, %s", c.file, v.LastUpdate, v.Imported)
		}
	}
}

// An earlier program gave versions the time of the table of contents. The next import of a file
// that states no time removes it from them; a time that is not that of the table stays.
func TestDateOfContentsIsRemoved(t *testing.T) {
	listed, other := time.Date(2023, 7, 14, 0, 0, 0, 0, time.UTC), time.Date(2022, 1, 31, 0, 0, 0, 0, time.UTC)
	const one, two = "geo\\time\t2014 \nAT\t1 \n", "geo\\time\t2014 \nAT\t2 \n"
	for _, c := range []struct {
		name         string
		dates        []time.Time // of the versions that are stored
		again        string
		status       importer.Status
		want         []time.Time
		note, states string
	}{
		{"the same file", []time.Time{listed}, one, importer.Unchanged, []time.Time{{}}, "2023-07-14 of version 1.0", ""},
		{"another file", []time.Time{listed}, two, importer.Updated, []time.Time{{}, {}}, "2023-07-14 of version 1.0", ""},
		{"earlier versions", []time.Time{other, listed, listed}, one, importer.Unchanged, []time.Time{other, {}, {}}, "2023-07-14 of version 1.1 and 1.2", ""},
		{"another date", []time.Time{other}, one, importer.Unchanged, []time.Time{other}, "", ""},
		{"a file that states its date", []time.Time{listed}, one, importer.Unchanged, []time.Time{listed}, "", "2023-07-14"},
	} {
		dir := t.TempDir()
		s, err := store.Open(t.Context(), store.Options{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		importText(t, s, importer.Options{}, "table_of_contents_en.txt",
			"\"title\"\t\"code\"\t\"type\"\t\"last update of data\"\n\"Title\"\t\"x\"\t\"dataset\"\t\"14.07.2023\"\n")
		texts := map[bool]string{true: one, false: two}
		isOne := len(c.dates)%2 == 1 // the last is one
		for _, date := range c.dates {
			mustImport(t, s, importer.Options{Updated: date}, "x.tsv", texts[isOne])
			isOne = !isOne
		}
		options := importer.Options{}
		if c.states != "" {
			options.Updated = listed
		}
		o := mustImport(t, s, options, "x.tsv", c.again)
		if o.Status != c.status {
			t.Errorf("%s: %+v, want %s", c.name, o, c.status)
		}
		note := note(o, importer.NoteDateRemoved)
		if (note == nil) != (c.note == "") || note != nil && note.Example != c.note {
			t.Errorf("%s: note %+v, want %q", c.name, note, c.note)
		}
		checkDates(t, s, c.name, c.want)
		s.Close()
		files, _ := filepath.Glob(filepath.Join(dir, "catalog.db*"))
		for _, file := range files {
			os.Remove(file)
		}
		if s, err = store.Open(t.Context(), store.Options{Dir: dir}); err != nil { // rebuilds it from the files
			t.Fatal(err)
		}
		checkDates(t, s, c.name+", rebuilt", c.want)
		s.Close()
	}
}

// checkDates checks the times of update of all versions of dataset 1, oldest first.
func checkDates(t *testing.T, s *store.Store, name string, want []time.Time) {
	t.Helper()
	versions, err := s.Versions(t.Context(), 1)
	if err != nil || len(versions) != len(want) {
		t.Fatalf("%s: versions %+v, %v, want %d", name, versions, err, len(want))
	}
	for i, version := range versions {
		v, err := s.VintageAt(t.Context(), 1, store.At{Version: version.Version})
		if err != nil {
			t.Fatal(err)
		}
		last := want[i]
		if last.IsZero() {
			last = v.Imported.Truncate(time.Second)
		}
		if !v.Dataset.Updated.Equal(want[i]) || !v.LastUpdate.Equal(last) || !version.LastUpdate.Equal(last) {
			t.Errorf("%s: version %s is updated %s, last update %s, listed with %s, want %s and %s", name, version.Version, v.Dataset.Updated, v.LastUpdate, version.LastUpdate, want[i], last)
		}
	}
	if e := s.Catalog().Entry(1); !e.LastUpdate.Equal(versions[len(versions)-1].LastUpdate) {
		t.Errorf("%s: the list has %s", name, e.LastUpdate)
	}
}
