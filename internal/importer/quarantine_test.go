package importer_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/internal/importer"
	"almanac/internal/stat"
	"almanac/internal/stattest"
	"almanac/internal/store"
)

// importReal imports a file of one dataset, which must not be refused.
func importReal(t *testing.T, s *store.Store, o importer.Options, path string) importer.Outcome {
	t.Helper()
	im, err := importer.New(s, o)
	if err != nil {
		t.Fatal(err)
	}
	outcomes := im.Import(t.Context(), path)
	if len(outcomes) != 1 || outcomes[0].Error != "" {
		t.Fatalf("%s: %+v", path, outcomes)
	}
	return outcomes[0]
}

// realLines returns the lines of an office's file, unpacked.
func realLines(t *testing.T, path string) []string {
	t.Helper()
	body, err := os.ReadFile(filepath.Join(stattest.DataDir(t), path))
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(path, ".gz") {
		r, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if body, err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
	return slices.Collect(strings.Lines(string(body)))
}

// without removes the given number of every ten lines, but keeps the first line.
func without(lines []string, ofTen int) string {
	kept := lines[0]
	for i, line := range lines[1:] {
		if i%10 >= ofTen {
			kept += line
		}
	}
	return kept
}

// A real file with seven of ten rows is quarantined, also if its download was cut off at
// the end of a line. A file with nine of ten rows is published. An accepted file is served
// like any other.
func TestQuarantineOfRealFiles(t *testing.T) {
	for _, c := range []struct{ name, path string }{
		{"sdg_08_10.tsv", "eurostat/tsv-new/sdg_08_10.tsv"},
		{"edat_lfse_22.tsv", "eurostat/tsv-new/edat_lfse_22.tsv.gz"},
	} {
		t.Run(c.name, func(t *testing.T) {
			lines := realLines(t, c.path)
			s := openStore(t)
			first := mustImport(t, s, importer.Options{}, c.name, strings.Join(lines, ""))
			if got := mustImport(t, s, importer.Options{}, c.name, without(lines, 1)); got.Status != importer.Updated || got.Changes.Removed == 0 {
				t.Errorf("nine of ten rows: %+v", got)
			}
			mustImport(t, s, importer.Options{}, c.name, strings.Join(lines, ""))
			before := current(t, s, first.ID)
			for what, text := range map[string]string{"seven of ten rows": without(lines, 3), "cut": strings.Join(lines[:len(lines)*7/10], "")} {
				got := importText(t, s, importer.Options{}, c.name, text)
				if got.Status != importer.Quarantined || got.ID != first.ID || got.Version != before.Version || got.Changes.Removed*5 <= before.Observations ||
					!regexp.MustCompile(`lacks \d+ of \d+ values \([23]\d\.\d %\).*almanac dataset accept 1.*almanac dataset reject 1`).MatchString(got.Error) {
					t.Errorf("%s: %+v", what, got)
				}
				if n := got.Observations; n.Read != n.Stored+n.Missing+n.Dropped || n.Stored == 0 {
					t.Errorf("%s: %+v", what, n)
				}
				if now := current(t, s, first.ID); now.Version != before.Version || now.Observations != before.Observations {
					t.Errorf("%s: version %s with %d observations is current", what, now.Version, now.Observations)
				}
			}
			third := importText(t, s, importer.Options{}, c.name, without(lines, 3))
			r, err := s.Accept(t.Context(), first.ID)
			if err != nil || r.Vintage.Removed != third.Changes.Removed || r.Vintage.Observations != third.Observations.Stored {
				t.Fatalf("accepted: %+v, %v, want %+v", r, err, third)
			}
			other := openStore(t)
			mustImport(t, other, importer.Options{}, c.name, strings.Join(lines, ""))
			accepted := mustImport(t, other, importer.Options{Accept: true}, c.name, without(lines, 3))
			if want := current(t, other, accepted.ID).Digest; r.Vintage.Digest != want {
				t.Error("the dataset accepted from quarantine differs from the one that --accept publishes")
			}
		})
	}
}

// The importer remembers neither the codes nor the options of a quarantined file.
func TestQuarantinedFilesAreNotRemembered(t *testing.T) {
	s := openStore(t)
	const table = "Country,Year,Value\nAT,2022,%\nDE,2022,2\n"
	mustImport(t, s, importer.Options{Source: "My office"}, "menge.csv", strings.Replace(table, "%", "1", 1))
	got := importText(t, s, importer.Options{Source: "My office", Decimal: ","}, "menge.csv", "Country,Year,Value\nAT,2022,\"1,5\"\n")
	if got.Status != importer.Quarantined {
		t.Fatalf("%+v", got)
	}
	if r, _, ok, err := s.ReadOptions(t.Context(), "", "menge"); err != nil || r.Decimal != "" {
		t.Errorf("remembered %+v, %v, %v", r, ok, err)
	}
}

// An archive that lacks a member goes into quarantine, even if few values are missing. Fewer
// members with all values are published.
func TestQuarantineOfArchiveWithoutAMember(t *testing.T) {
	s := openStore(t)
	o := importer.Options{Code: "births"}
	de, fr, it := member{"de.tsv", birthsOf("DE", 20)}, member{"fr.tsv", birthsOf("FR", 20)}, member{"it.tsv", birthsOf("IT", 2)}
	mustImport(t, s, o, "all.zip", zipped(t, de, fr, it))
	got := importText(t, s, o, "all.zip", zipped(t, de, fr))
	if got.Status != importer.Quarantined || !strings.Contains(got.Error, "lacks 1 of the 3 parts of the file;") {
		t.Errorf("%+v", got)
	}
	_, row, _ := strings.Cut(birthsOf("IT", 20), "\n")
	fr.content += row
	if got := mustImport(t, s, o, "all.zip", zipped(t, de, fr)); got.Status != importer.Updated {
		t.Errorf("all values in two members: %+v", got)
	}
}

// birthsOf returns a Eurostat file with one row for the given number of years.
func birthsOf(area string, years int) string {
	head, row := "freq,geo\\TIME_PERIOD", "A,"+area
	for i := range years {
		head += "\t" + time.Date(2000+i, 1, 1, 0, 0, 0, 0, time.UTC).Format("2006") + " "
		row += "\t1 "
	}
	return head + "\n" + row + "\n"
}

// A file that is older than the stored version is imported, with a note of both times. A
// date without a time is not before any time of its day.
func TestOlderRelease(t *testing.T) {
	at := func(text string) time.Time {
		u, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	revised := strings.Replace(births, "738819", "738820", 1)
	for _, c := range []struct {
		name, stored, file string
		note               string
	}{
		{"earlier", "2025-07-04T11:00:00+02:00", "2025-07-03T11:00:00+02:00", "updated 2025-07-03T11:00:00+02:00, and what is stored 2025-07-04T11:00:00+02:00"},
		{"earlier that day", "2025-07-04T11:00:00+02:00", "2025-07-04T08:59:59Z", "updated 2025-07-04T08:59:59Z, and what is stored 2025-07-04T11:00:00+02:00"},
		{"the same moment", "2025-07-04T11:00:00+02:00", "2025-07-04T09:00:00Z", ""},
		{"later", "2025-07-04T11:00:00+02:00", "2025-07-05T00:00:00Z", ""},
		{"a date without a time", "2025-07-04T11:00:00+02:00", "2025-07-04T00:00:00Z", ""},
		{"the day before", "2025-07-04T00:30:00+02:00", "2025-07-03T00:00:00Z", "updated 2025-07-03T00:00:00Z, and what is stored 2025-07-04T00:30:00+02:00"},
		{"a file without a time of update", "2025-07-04T11:00:00+02:00", "", ""},
		{"a version without a time of update", "", "2025-07-04T11:00:00+02:00", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := openStore(t)
			var stored, file importer.Options
			if c.stored != "" {
				stored.Updated = at(c.stored)
			}
			if c.file != "" {
				file.Updated = at(c.file)
			}
			mustImport(t, s, stored, "births.tsv", births)
			got := mustImport(t, s, file, "births.tsv", revised)
			var text string
			if n := note(got, importer.NoteOlderRelease); n != nil {
				if text = n.Example; n.Count != 1 || n.Drops {
					t.Errorf("%+v", n)
				}
			}
			if text != c.note || got.Status != importer.Updated {
				t.Errorf("%s, note %q, want %q", got.Status, text, c.note)
			}
		})
	}
}

// Files that the caller joins are one dataset, although each looks complete. If one is
// refused, nothing is stored.
func TestJoined(t *testing.T) {
	s, dir := openStore(t), t.TempDir()
	bring := func(files map[string]string) []importer.Outcome {
		t.Helper()
		im, err := importer.New(s, importer.Options{Joined: true, Code: "births"})
		if err != nil {
			t.Fatal(err)
		}
		var paths []string
		for _, name := range []string{"a.tsv", "b.tsv", "c.tsv"} {
			if files[name] != "" {
				writeFile(t, filepath.Join(dir, name), files[name])
				paths = append(paths, filepath.Join(dir, name))
			}
		}
		return im.Import(t.Context(), paths...)
	}
	broken := strings.Replace(birthsOf("FR", 10), "\t1 ", "\tmany ", 1)
	if got := bring(map[string]string{"a.tsv": birthsOf("DE", 10), "b.tsv": broken}); len(got) != 1 || got[0].Status != importer.Refused {
		t.Errorf("one of two files is broken: %+v", got)
	}
	if n := len(s.Catalog().Entries); n != 0 {
		t.Errorf("%d datasets stored, although a part was refused", n)
	}
	all := map[string]string{"a.tsv": birthsOf("DE", 10), "b.tsv": birthsOf("FR", 10), "c.tsv": birthsOf("IT", 2)}
	got := bring(all)
	if len(got) != 1 || got[0].Status != importer.Created || got[0].Observations.Stored != 22 || got[0].Series != 3 {
		t.Errorf("three parts: %+v", got)
	}
	if got := bring(all); len(got) != 1 || got[0].Status != importer.Unchanged {
		t.Errorf("the same parts: %+v", got)
	}
	delete(all, "c.tsv") // the number of files does not matter; 2 of 22 values may be missing
	if got := bring(all); len(got) != 1 || got[0].Status != importer.Updated {
		t.Errorf("fewer files: %+v", got)
	}
	delete(all, "b.tsv")
	if got := bring(all); len(got) != 1 || got[0].Status != importer.Quarantined {
		t.Errorf("half of the values: %+v", got)
	}
}

// ImportCodes stores the codes of a file for its office, as Import does. A file without
// codes is an error.
func TestImportCodes(t *testing.T) {
	s, dir := openStore(t), t.TempDir()
	im, err := importer.New(s, importer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "sex.dic"), "T\tTotal\nF\tWomen\n")
	writeFile(t, filepath.Join(dir, "births.tsv"), births)
	writeFile(t, filepath.Join(dir, "page.html"), "<!DOCTYPE html><html><body>503</body></html>")
	writeFile(t, filepath.Join(dir, "cut.zip"), zipped(t, member{"sex.dic", "T\tTotal\n"})[:40])
	for name, reason := range map[string]string{
		"births.tsv":  "births.tsv: the file contains no codes; it must be a dictionary",
		"page.html":   "page.html: ",
		"cut.zip":     "cut.zip:1:1: the zip archive is damaged",
		"nothing.dic": "nothing.dic: there is no such file",
	} {
		err := im.ImportCodes(t.Context(), filepath.Join(dir, name))
		if stat.KindOf(err) != stat.Refused || !strings.Contains(err.Error(), reason) {
			t.Errorf("%s: %v (kind %d), want %q", name, err, stat.KindOf(err), reason)
		}
	}
	if err := im.ImportCodes(t.Context(), filepath.Join(dir, "sex.dic")); err != nil {
		t.Fatal(err)
	}
	for what, by := range map[string]*importer.Importer{"the same importer": im, "another": nil} {
		var got importer.Outcome
		if by != nil {
			got = by.Import(t.Context(), filepath.Join(dir, "births.tsv"))[0]
		} else {
			got = mustImport(t, s, importer.Options{}, "other.tsv", births)
		}
		if label := current(t, s, got.ID).Dataset.Dimensions[1].Codes[1].Label; label != "Women" {
			t.Errorf("%s: the label of F is %q (%+v)", what, label, got)
		}
	}
}

// ImportCodes stores the codes of the offices' own files.
func TestImportCodesOfRealFiles(t *testing.T) {
	dir := stattest.DataDir(t)
	for _, file := range []string{"ecb/ecb-datastructure-2.1.xml", "eurostat/codelist/ESTAT_ICD10_5.1_EN.tsv.gz", "eurostat/toc/table_of_contents_en.txt"} {
		s := openStore(t)
		im, err := importer.New(s, importer.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := im.ImportCodes(t.Context(), filepath.Join(dir, file)); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		office, _, _ := strings.Cut(file, "/")
		known, err := s.Dictionary(t.Context(), office)
		if err != nil || len(known.Lists)+len(known.Structures) == 0 {
			t.Errorf("%s: no dictionary of %s is stored, %v", file, office, err)
		}
	}
}
