package api_test

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"almanac/internal/api"
	"almanac/internal/importer"
	"almanac/internal/stattest"
)

// multilingual are datasets with labels in at least three languages: the files to import, the
// language without a choice first among the languages, and how many of the labels that the
// service shows are in the files.
var multilingual = []struct {
	name      string
	files     []string
	languages []string
	labels    int // at least, in all languages
}{
	{"Switzerland", []string{"px/bfs/px-x-0602000000_107.px"}, []string{"en", "de", "fr", "it"}, 130},
	{"Greenland, education", []string{"px/greenland/SOXATI4.px"}, []string{"en", "da", "kl"}, 60},
	{"Greenland, population", []string{"px/greenland/BEXSTA_windows_1252.px"}, []string{"en", "da", "kl"}, 60},
	{"Finland", []string{"px/statfin/perheet-LargeFinnishDatasetWithManyValues.px"}, []string{"en", "fi", "sv"}, 900},
	{"Sweden", []string{"px/scb/BE0101F1langensvfiolikacelln.px"}, []string{"en", "fi", "sv"}, 20},
	{"Eurostat, accounts", []string{"eurostat/sdmx-ml/nama_10_fcs.sdmx.zip"}, []string{"en", "de", "fr"}, 150},
	{"Eurostat, energy", []string{"eurostat/sdmx-ml/NRG_BAL_S-dsd.xml", "eurostat/sdmx-ml/NRG_BAL_S-data.xml"}, []string{"en", "de", "fr"}, 10},
	{"OECD, main indicators", []string{"oecd/oecd-mei-datastructure-2.0.xml", "oecd/oecd-mei-data-generic.xml"}, []string{"en", "fr"}, 6},
	{"OECD", []string{"../data-more/oecd-gdp/structure.xml", "../data-more/oecd-gdp/data.csv"}, []string{"en", "ar", "fr", "he"}, 150},
	{"UNICEF", []string{"../recordings/answers/unicef-cme-dsd.xml", "unicef/CME_MRY0T4_all_2020.csv"}, []string{"en", "ar", "es", "fr"}, 100},
	{"France, production", []string{"insee/insee-datastructure-2.1.xml", "insee/insee-data-generic-2.1.xml"}, []string{"en", "fr"}, 20},
	{"France, consumption", []string{"../recordings/answers/insee-cna-structure.xml", "../data-more/sdmx-CNA-2010-CONSO-SI-A17/CNA-2010-CONSO-SI-A17.xml"}, []string{"en", "fr"}, 4},
}

// shownDimensions are the labels of a response of /dimensions.
type shownDimensions struct {
	Dimensions []struct {
		ID, Label string
		Values    []shownCode
	}
	Geography []shownCode
}

type shownCode struct{ Code, Label string }

// TestLabelsOfFiles compares the labels that the service shows in each language with those of
// the offices' files, which a simple reader reads on its own.
func TestLabelsOfFiles(t *testing.T) {
	dir := stattest.DataDir(t)
	for _, c := range multilingual {
		t.Run(c.name, func(t *testing.T) {
			for _, file := range c.files {
				if strings.HasPrefix(file, "../data-more/") {
					stattest.SampleMore(t, strings.TrimPrefix(file, "../data-more/")) // may skip
				}
			}
			if missing := missingFile(dir, c.files); missing != "" {
				stattest.SkipOrFail(t, missing+" is not beside the offices' files")
			}
			base := serveFiles(t, dir, c.files)
			raw, checked := readRaw(t, c.files...), 0
			var meta struct{ Languages []string }
			readJSON(t, base+"/api/datasets/1/meta", &meta)
			if len(meta.Languages) < len(c.languages) || meta.Languages[0] != c.languages[0] {
				t.Errorf("the dataset has %q, want at least %q", meta.Languages, c.languages)
			}
			for _, language := range c.languages {
				var shown shownDimensions
				readJSON(t, base+"/api/datasets/1/dimensions?lang="+language, &shown)
				for _, dim := range shown.Dimensions {
					checked += checkLabels(t, raw[strings.ToLower(dim.ID)], language, append(dim.Values, shownCode{"", dim.Label}))
				}
				checked += checkLabels(t, raw[geographyOf(raw)], language, shown.Geography)
			}
			if checked < c.labels {
				t.Errorf("%d labels were compared, want at least %d", checked, c.labels)
			}
		})
	}
}

// missingFile returns the first file that the machine does not have.
func missingFile(dir string, files []string) string {
	for _, file := range files {
		if found, _ := filepath.Glob(filepath.Join(dir, file)); found == nil {
			return file
		}
	}
	return ""
}

// serveFiles imports files as the first dataset of a new store and serves it.
func serveFiles(t *testing.T, dir string, files []string) string {
	t.Helper()
	s := newStore(t)
	im, err := importer.New(s, importer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, file := range files {
		paths = append(paths, filepath.Join(dir, file))
	}
	outcomes := im.Import(t.Context(), paths...)
	if last := outcomes[len(outcomes)-1]; last.ID != 1 {
		t.Fatalf("importing %q: %+v", files, outcomes)
	}
	return serve(t, newAPI(t, api.Options{Store: s}))
}

func readJSON(t *testing.T, address string, into any) {
	t.Helper()
	a := ask(t, "GET", address)
	if a.StatusCode != 200 {
		t.Fatalf("%s: %d %s", address, a.StatusCode, a.body)
	}
	if err := json.Unmarshal([]byte(a.body), into); err != nil {
		t.Fatal(err)
	}
}

// geographyOf returns the dimension of a file that is the geography.
func geographyOf(raw rawLabels) string {
	for _, id := range []string{"ref_area", "geo", "alue", "location"} {
		if raw[id] != nil {
			return id
		}
	}
	return ""
}

// checkLabels compares the labels of a dimension with those in its file, and returns how many
// the file has in the language. Where codes share a label, it ends with the code.
func checkLabels(t *testing.T, raw map[string]map[string]string, language string, shown []shownCode) (checked int) {
	t.Helper()
	for _, c := range shown {
		want := raw[c.Code][language]
		if want == "" {
			continue
		}
		checked++
		isShared := slices.ContainsFunc(shown, func(other shownCode) bool { return other.Code != c.Code && raw[other.Code][language] == want })
		if c.Label != want && !(isShared && c.Label == want+" ["+c.Code+"]") {
			t.Errorf("%s in %s: %q, the file has %q", c.Code, language, c.Label, want)
		}
	}
	return checked
}
