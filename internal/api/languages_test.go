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
	stattest.SkipUnderRace(t)
	dir := stattest.DataDir(t)
	for _, c := range stattest.MultilingualDatasets() {
		t.Run(c.Name, func(t *testing.T) {
			for _, file := range c.Files {
				if strings.HasPrefix(file, "../data-more/") {
					stattest.SampleMore(t, strings.TrimPrefix(file, "../data-more/")) // may skip
				}
			}
			if missing := missingFile(dir, c.Files); missing != "" {
				stattest.SkipOrFail(t, missing+" is not beside the offices' files")
			}
			base := serveFiles(t, dir, c.Files)
			raw, checked := readRaw(t, c.Files...), 0
			var meta struct{ Languages []string }
			readJSON(t, base+"/api/datasets/1/meta", &meta)
			if len(meta.Languages) < len(c.Languages) || meta.Languages[0] != c.Languages[0] {
				t.Errorf("the dataset has %q, want at least %q", meta.Languages, c.Languages)
			}
			for _, language := range c.Languages {
				var shown shownDimensions
				readJSON(t, base+"/api/datasets/1/dimensions?lang="+language, &shown)
				for _, dim := range shown.Dimensions {
					checked += checkLabels(t, raw[strings.ToLower(dim.ID)], language, append(dim.Values, shownCode{"", dim.Label}))
				}
				checked += checkLabels(t, raw[geographyOf(raw)], language, shown.Geography)
			}
			if checked < c.Labels {
				t.Errorf("%d labels were compared, want at least %d", checked, c.Labels)
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
