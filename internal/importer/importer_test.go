package importer_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/internal/importer"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// births is a small Eurostat file in the new style with values, a flag, a missing
// and a confidential value.
const births = "freq,sex,geo\\TIME_PERIOD\t2022 \t2023 \n" +
	"A,T,DE\t738819 \t692989 p\n" +
	"A,T,FR\t725997 \t: \n" +
	"A,F,DE\t360000 \t: c\n"

func openStore(t *testing.T) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), store.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// importText imports a file with a name and content, and returns the outcome
// of the one dataset that it must hold.
func importText(t *testing.T, s *store.Store, o importer.Options, name, content string) importer.Outcome {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	im, err := importer.New(s, o)
	if err != nil {
		t.Fatal(err)
	}
	outcomes := im.Import(t.Context(), path)
	if len(outcomes) != 1 {
		t.Fatalf("%d outcomes, want 1: %+v", len(outcomes), outcomes)
	}
	outcomes[0].Error = strings.ReplaceAll(outcomes[0].Error, path, name)
	return outcomes[0]
}

// mustImport is importText for a file that must not be refused.
func mustImport(t *testing.T, s *store.Store, o importer.Options, name, content string) importer.Outcome {
	t.Helper()
	got := importText(t, s, o, name, content)
	if got.Status == importer.Refused || got.Status == importer.Quarantined {
		t.Fatalf("%s: %s", got.Status, got.Error)
	}
	return got
}

func current(t *testing.T, s *store.Store, id int) *store.Vintage {
	t.Helper()
	v, err := s.Vintage(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func note(o importer.Outcome, kind string) *stat.Note {
	for _, n := range o.Notes {
		if n.Kind == kind {
			return &n
		}
	}
	return nil
}

func gzipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestCreatedUpdatedUnchanged(t *testing.T) {
	s := openStore(t)
	first := mustImport(t, s, importer.Options{}, "births.tsv", births)
	want := importer.Counts{Read: 6, Stored: 4, Missing: 2}
	if first.Status != importer.Created || first.Version != "1.0" || first.Code != "births" ||
		first.Format != "eurostat-tsv" || first.Series != 3 || first.Observations != want {
		t.Errorf("first import: %+v, want created, version 1.0, 3 series and %+v", first, want)
	}
	again := mustImport(t, s, importer.Options{}, "births.tsv", births)
	if again.Status != importer.Unchanged || again.ID != first.ID || again.Version != "1.0" || again.Observations != want {
		t.Errorf("the same file again: %+v, want unchanged and the same counts", again)
	}
	renamed := mustImport(t, s, importer.Options{}, "estat_BIRTHS_tabular.tsv.gz", gzipped(t, births))
	if renamed.Status != importer.Unchanged || renamed.ID != first.ID {
		t.Errorf("the same data, packed and named as in the bulk download: %+v, want unchanged", renamed)
	}
	touched := mustImport(t, s, importer.Options{Updated: time.Date(2025, 7, 4, 0, 0, 0, 0, time.UTC)}, "births.tsv", births)
	if touched.Status != importer.Unchanged {
		t.Errorf("a file that differs only in its time of update: %+v, want unchanged", touched)
	}

	changed := strings.ReplaceAll(births, "738819 ", "738820 ")                       // revised
	changed = strings.ReplaceAll(changed, "725997 \t: ", ": \t677803 ")               // removed and added
	second := mustImport(t, s, importer.Options{Accept: true}, "births.tsv", changed) // one of four values is gone
	if second.Status != importer.Updated || second.ID != first.ID || second.Version != "1.1" {
		t.Errorf("a changed file: %+v, want updated to version 1.1", second)
	}
	vintages, err := s.Vintages(t.Context(), first.ID)
	if err != nil {
		t.Fatal(err)
	}
	if v := vintages[len(vintages)-1]; v.Added != 1 || v.Revised != 1 || v.Removed != 1 {
		t.Errorf("added %d, revised %d, removed %d, want one of each", v.Added, v.Revised, v.Removed)
	}
}

// read = stored + missing + dropped, and dropped is the sum of the notes with
// drops.
func TestEveryCellIsAccountedFor(t *testing.T) {
	cases := []struct {
		rule, name, content string
		want                importer.Counts
		notes               map[string]int
	}{
		{
			rule: "weeks that do not exist are dropped as undated", name: "deaths.tsv",
			content: "sex,geo\\time\t2020W99 \t2020W02 \t2020W01 \nT,DE\t5 \t: \t7 p\nT,FR\t: \t8 \t9 \n",
			want:    importer.Counts{Read: 6, Stored: 3, Missing: 2, Dropped: 1},
			notes:   map[string]int{stat.NoteUndated: 1},
		}, {
			rule: "a repeated value is dropped as doubled", name: "twice.tsv",
			content: "freq,geo\\TIME_PERIOD\t2022 \t2023 \nA,DE\t1 \t: c\nA,FR\t3 \t4 \nA,DE\t1 \t: c\n",
			want:    importer.Counts{Read: 6, Stored: 3, Missing: 1, Dropped: 2},
			notes:   map[string]int{stat.NoteDoubled: 2},
		}, {
			rule: "a record without a value is missing", name: "x.csv",
			content: tidyHead + "sex,geo,TIME_PERIOD,OBS_VALUE,OBS_STATUS\nT,DE,2022,1,\nT,DE,2023,,\nT,DE,2024,,M\n",
			want:    importer.Counts{Read: 3, Stored: 1, Missing: 2},
		}, {
			rule: "zero is not missing", name: "x.csv",
			content: tidyHead + "sex,geo,TIME_PERIOD,OBS_VALUE\nT,DE,2022,0\n",
			want:    importer.Counts{Read: 1, Stored: 1},
		},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			got := mustImport(t, openStore(t), importer.Options{}, c.name, c.content)
			if got.Observations != c.want {
				t.Errorf("counts %+v, want %+v", got.Observations, c.want)
			}
			dropped := 0
			for _, n := range got.Notes {
				if n.Drops {
					dropped += n.Count
				}
			}
			if dropped != c.want.Dropped {
				t.Errorf("the notes that drop sum to %d, want %d: %+v", dropped, c.want.Dropped, got.Notes)
			}
			for kind, count := range c.notes {
				if n := note(got, kind); n == nil || n.Count != count || n.Example == "" {
					t.Errorf("note %s: %+v, want a count of %d and an example", kind, n, count)
				}
			}
		})
	}
}

const tidyHead = "#almanac-tidy,1\n#source,nso,National Statistical Office\n#dataset,births,Births\n#dimension,sex,Sex\n#geography,geo,Country\n"

func TestCallerOverridesFile(t *testing.T) {
	s := openStore(t)
	got := mustImport(t, s, importer.Options{
		Code: "b1", Name: "Births by sex", Description: "Live births.", Source: "Statistical Office of Nowhere",
		SourceURL: "https://example.org/b1", MetadataURL: "https://example.org/b1/about",
		Updated: time.Date(2025, 7, 4, 11, 0, 0, 0, time.FixedZone("", 7200)),
	}, "births.tsv", births)
	v := current(t, s, got.ID)
	d := v.Dataset
	stored := []string{d.Code, d.Name, d.Description, d.Source.ID, d.Source.Name, d.SourceURL, d.MetadataURL, v.LastUpdate.Format(time.RFC3339)}
	want := []string{
		"b1", "Births by sex", "Live births.", "statistical-office-of-nowhere", "Statistical Office of Nowhere",
		"https://example.org/b1", "https://example.org/b1/about", "2025-07-04T11:00:00+02:00",
	}
	if !slices.Equal(stored, want) {
		t.Errorf("stored %q\nwant %q", stored, want)
	}
	mustImport(t, s, importer.Options{Code: "b1", Source: "Statistical Office of Nowhere"}, "births.tsv", strings.ReplaceAll(births, "738819", "1"))
	d = current(t, s, got.ID).Dataset
	if d.Name != "Births by sex" || d.Description != "Live births." || d.MetadataURL != "https://example.org/b1/about" {
		t.Errorf("name %q, description %q, metadata at %q: want those of the first import", d.Name, d.Description, d.MetadataURL)
	}
}

func TestFileWithoutGeography(t *testing.T) {
	const rates = "freq,currency\\TIME_PERIOD\t2022 \t2023 \nA,USD\t1.0530 \t1.0813 \n"
	const revised = "freq,currency\\TIME_PERIOD\t2022 \t2023 \nA,USD\t1.0530 \t1.0814 \n"
	s := openStore(t)
	refused := importText(t, s, importer.Options{}, "rates.tsv", rates)
	if refused.Status != importer.Refused || !strings.Contains(refused.Error, "--country") {
		t.Errorf("without --country: %+v, want a refusal that names the flag", refused)
	}
	got := mustImport(t, s, importer.Options{Country: "EA20"}, "rates.tsv", rates)
	geography := current(t, s, got.ID).Dataset.Geography
	if len(geography.Codes) != 1 || geography.Codes[0].Area != "EA20" || !strings.Contains(geography.Codes[0].Label, "uro area") {
		t.Errorf("geography %+v, want the euro area alone", geography.Codes)
	}
	later := mustImport(t, s, importer.Options{}, "rates.tsv", revised)
	if later.ID != got.ID || later.Status != importer.Updated {
		t.Errorf("a later import: %+v, want the area of the first one", later)
	}
	after := current(t, s, got.ID).Dataset.Geography
	if len(after.Codes) != 1 || !reflect.DeepEqual(after.Codes[0], geography.Codes[0]) {
		t.Errorf("geography %+v, want %+v as before", after.Codes, geography.Codes)
	}
}

func TestCountryIsIgnoredIfTheFileHasAGeography(t *testing.T) {
	s := openStore(t)
	got := mustImport(t, s, importer.Options{Country: "IT"}, "births.tsv", births)
	if n := note(got, stat.NoteCountryNotUsed); n == nil || n.Drops || n.Example != "IT" {
		t.Errorf("notes %+v, want %s", got.Notes, stat.NoteCountryNotUsed)
	}
	var areas []string
	for _, c := range current(t, s, got.ID).Dataset.Geography.Codes {
		areas = append(areas, c.Area)
	}
	if !slices.Equal(areas, []string{"DE", "FR"}) {
		t.Errorf("areas %q, want those of the file", areas)
	}
}

func TestUnknownArea(t *testing.T) {
	s := openStore(t)
	got := mustImport(t, s, importer.Options{}, "births.tsv", strings.ReplaceAll(births, ",FR\t", ",QQ_NOWHERE\t"))
	if n := note(got, stat.NoteUnknownArea); n == nil || n.Count != 1 || n.Example != "QQ_NOWHERE" || n.Drops {
		t.Errorf("notes %+v, want one unknown area", got.Notes)
	}
	if c := current(t, s, got.ID).Dataset.Geography.Codes[1]; c.Area != "QQ_NOWHERE" || c.Label != "QQ_NOWHERE" {
		t.Errorf("%+v, want the code as area and label", c)
	}
}

func TestAreasOfTheOfficesCodeSystem(t *testing.T) {
	s := openStore(t)
	got := mustImport(t, s, importer.Options{}, "births.tsv", strings.NewReplacer(",DE\t", ",EL\t", ",FR\t", ",UK\t").Replace(births))
	codes := current(t, s, got.ID).Dataset.Geography.Codes
	if codes[0].ID != "EL" || codes[0].Area != "GR" || codes[0].Label != "Greece" || codes[1].Area != "GB" {
		t.Errorf("%+v, want EL as Greece (GR) and UK as GB", codes)
	}
}

// manyDimensions is a Eurostat file with n dimensions beside geography; those
// at the positions in several have two codes, the others one.
func manyDimensions(n int, several ...int) string {
	var head, first, second []string
	for i := range n {
		head = append(head, fmt.Sprintf("d%d", i))
		first = append(first, "A")
		if slices.Contains(several, i) {
			second = append(second, "B")
		} else {
			second = append(second, "A")
		}
	}
	return strings.Join(head, ",") + ",geo\\TIME_PERIOD\t2023 \n" +
		strings.Join(first, ",") + ",DE\t1 \n" + strings.Join(second, ",") + ",FR\t2 \n"
}

func TestMoreThanEightDimensions(t *testing.T) {
	s := openStore(t)
	o := importer.Options{Code: "wide"}
	got := mustImport(t, s, o, "wide.tsv", "freq,"+strings.NewReplacer("\nA,", "\nA,A,", "\nB,", "\nA,B,").Replace(manyDimensions(9, 0, 1, 2, 3, 4, 5)))
	d := current(t, s, got.ID).Dataset
	var fixed []string
	for _, f := range d.Fixed {
		fixed = append(fixed, f.ID+"="+f.Code.ID)
	}
	if want := []string{"freq=A", "d6=A", "d7=A", "d8=A"}; !slices.Equal(fixed, want) {
		t.Fatalf("fixed %q, want %q: dimensions with a single code are not in the key", fixed, want)
	}
	if len(d.Dimensions) != 6 || d.Dimensions[0].ID != "d0" || got.Series != 2 {
		t.Errorf("%d dimensions from %s, %d series: want 6 from d0 and 2 series", len(d.Dimensions), d.Dimensions[0].ID, got.Series)
	}
}

func TestFixedDimensionsRemainFixed(t *testing.T) {
	s := openStore(t)
	first := mustImport(t, s, importer.Options{}, "wide.tsv", manyDimensions(9, 0, 1, 2, 3))
	fixed := len(current(t, s, first.ID).Dataset.Fixed)

	fewer := mustImport(t, s, importer.Options{Accept: true}, "wide.tsv", manyDimensions(9, 0, 1))
	d := current(t, s, fewer.ID).Dataset
	if len(d.Fixed) != fixed || len(d.Dimensions) != 4 {
		t.Errorf("%d fixed, %d in the key: want %d and 4 as in the first import, although two more have a single code now", len(d.Fixed), len(d.Dimensions), fixed)
	}
	several := importText(t, s, importer.Options{}, "wide.tsv", manyDimensions(9, 0, 1, 2, 3, 8))
	if several.Status != importer.Refused || !strings.Contains(several.Error, "d8") {
		t.Errorf("a fixed dimension with several codes: %+v, want a refusal that names d8", several)
	}
	if v := current(t, s, first.ID); v.Version != fewer.Version {
		t.Errorf("version %s after a refused file, want %s", v.Version, fewer.Version)
	}

	changed := mustImport(t, s, importer.Options{}, "wide.tsv",
		strings.NewReplacer(",A,DE", ",Z,DE", ",A,FR", ",Z,FR").Replace(manyDimensions(9, 0, 1)))
	if n := note(changed, importer.NoteFixedChanged); n == nil || n.Drops || n.Example != "d8: A is now Z" {
		t.Errorf("notes %+v, want one for the new code of d8", changed.Notes)
	}
	if f := current(t, s, first.ID).Dataset.Fixed; f[len(f)-1].Code.ID != "Z" {
		t.Errorf("fixed dimensions %+v, want d8 with code Z", f)
	}
}

func TestLabelsFolderIsRemembered(t *testing.T) {
	s := openStore(t)
	labels := t.TempDir()
	if err := os.WriteFile(filepath.Join(labels, "sex.dic"), []byte("T\tTotal\nF\tFemales\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	label := func(id int) string {
		for _, c := range current(t, s, id).Dataset.Dimensions[1].Codes {
			if c.ID == "F" {
				return c.Label
			}
		}
		return "none"
	}
	without := mustImport(t, s, importer.Options{}, "births.tsv", births)
	if got := label(without.ID); got != "F" {
		t.Errorf("without a folder the label of F is %q, want the code", got)
	}
	given := mustImport(t, s, importer.Options{Labels: labels}, "births.tsv", births)
	if got := label(given.ID); got != "Females" || given.Status != importer.Updated {
		t.Errorf("with the folder: label %q, %s", got, given.Status)
	}
	later := mustImport(t, s, importer.Options{}, "births2.tsv", births)
	if got := label(later.ID); got != "Females" {
		t.Errorf("a later file: label %q, want that of the remembered folder", got)
	}
	if err := os.RemoveAll(labels); err != nil {
		t.Fatal(err)
	}
	gone := mustImport(t, s, importer.Options{}, "births.tsv", strings.ReplaceAll(births, "738819", "738820"))
	if n := note(gone, importer.NoteLabelsMissing); n == nil || n.Example != labels {
		t.Errorf("notes %+v, want one for the missing folder", gone.Notes)
	}
	if got := label(gone.ID); got != "Females" {
		t.Errorf("label %q, want that of the previous version", got)
	}
}

func TestImportKeepsTheCuratedDefault(t *testing.T) {
	s := openStore(t)
	got := mustImport(t, s, importer.Options{}, "births.tsv", births)
	_, err := s.Edit(t.Context(), got.ID, func(d *stat.Dataset) error {
		d.Dimensions[1].Default = "F"
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	again := mustImport(t, s, importer.Options{}, "births.tsv", births)
	if d := current(t, s, got.ID).Dataset; again.Status != importer.Unchanged || d.Dimensions[1].Default != "F" {
		t.Errorf("%s, default %q: want unchanged and F", again.Status, d.Dimensions[1].Default)
	}
}

func TestInterruptedImportStoresNothing(t *testing.T) {
	s := openStore(t)
	im, err := importer.New(s, importer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	got := im.Read(ctx, "births.tsv", strings.NewReader(births))
	if len(got) != 1 || got[0].Status != importer.Refused || !strings.Contains(got[0].Error, "interrupted") {
		t.Errorf("%+v, want one refused outcome that says interrupted", got)
	}
	if n := len(s.Catalog().Entries); n != 0 {
		t.Errorf("the catalogue has %d datasets, want none", n)
	}
}

func TestProgressEndsAtTheSizeOfTheFile(t *testing.T) {
	packed := gzipped(t, births)
	var done, total int64
	got := mustImport(t, openStore(t), importer.Options{Progress: func(d, n int64) { done, total = d, n }}, "births.tsv.gz", packed)
	if want := int64(len(packed)); got.Status != importer.Created || done != want || total != want {
		t.Errorf("progress ended at %d of %d, want %d of %d", done, total, want, want)
	}
}

func TestOptionsAreCheckedTogether(t *testing.T) {
	_, err := importer.New(openStore(t), importer.Options{Labels: "/nowhere/at/all", Country: "Atlantis", Source: "?"})
	if err == nil || stat.KindOf(err) != stat.Invalid {
		t.Fatalf("error %v, want an invalid option", err)
	}
	for _, part := range []string{"labels", "Atlantis", "source"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q does not mention %s", err, part)
		}
	}
}
