package portal_test

import (
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/importer"
	"almanac/internal/stattest"
)

// Values of which a file has only codes have the names of the office's lists in pickers and tables, as in charts, and are chosen by
// their codes.
func TestNamesOfCodes(t *testing.T) {
	s := newStore(t)
	im, err := importer.New(s, importer.Options{Accept: true})
	if err != nil {
		t.Fatal(err)
	}
	im.Import(t.Context(), filepath.Join(stattest.DataDir(t), "eurostat", "tsv-old", "une_rt_a.tsv.gz"))
	base := serve(t, s, nil)
	root := openPage(t, base+"/datasets/1/une_rt_a?country=EL&dim3=PC_ACT&dim3=THS_PER")
	for _, page := range []string{"pick", "table"} {
		form := parse(t, "")
		for _, tag := range []string{"form", "section"} {
			if all := elements(root, tag, "id="+page); len(all) > 0 {
				form = all[0]
			}
		}
		if text := textOf(form); !strings.Contains(text, "Thousand persons") || strings.Contains(text, "THS_PER") {
			t.Errorf("%s: %.900q", page, text)
		}
	}
	chosen := 0
	for _, field := range elements(root, "input", "name=dim3", "checked") {
		if code, _ := attribute(field, "value"); code == "PC_ACT" || code == "THS_PER" {
			chosen++
		}
	}
	if chosen != 2 {
		t.Errorf("%d of two values are chosen", chosen)
	}
}

// A long code of a facet is broken between its parts.
func TestFacetsBreakAtUnderscores(t *testing.T) {
	base := serve(t, sampleStore(t), nil)
	if body := ask(t, "GET", base+"/search?source=destatis_cubes").body; !strings.Contains(body, "destatis_<wbr>cubes") {
		t.Error("the code of a source is not broken at its underscore")
	}
}
