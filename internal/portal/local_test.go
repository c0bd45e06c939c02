package portal_test

import (
	"fmt"
	"strings"
	"testing"

	"almanac/internal/importer"
	"almanac/internal/stat"
)

// A file that anybody may have made names an office: its page does not lead to local files in the name of the office, and the page of
// the office has it beside its own datasets.
func TestOfficeNamedByLocalFile(t *testing.T) {
	s := newStore(t)
	for i, source := range []stat.Source{{Name: "World Bank"}, {ID: stat.LocalSource, Name: "World Bank"}, {ID: stat.LocalSource, Name: "Penn World Table"}, {ID: stat.LocalSource, Name: "Local file"}} {
		o := importer.Options{}
		if source.ID == "" {
			o.Source = source.Name
		}
		im, err := importer.New(s, o)
		if err != nil {
			t.Fatal(err)
		}
		im.Read(t.Context(), fmt.Sprintf("d%d.csv", i), strings.NewReader(fmt.Sprintf("country,year,value\nDE,2020,%d\n", i)))
		if source.ID == "" {
			continue
		}
		if _, err := s.Edit(t.Context(), i+1, func(d *stat.Dataset) error { d.Source = source; return nil }); err != nil {
			t.Fatal(err)
		}
	}
	base := serve(t, s, nil)
	for id, want := range map[int]struct{ source, link string }{
		1: {"World Bank", "World Bank /sources/worldbank"},
		2: {"World Bank, as the file says; Local files", "Local files /sources/local"},
		3: {"Penn World Table, as the file says; Local files", "Local files /sources/local"},
		4: {"Local files", "Local files /sources/local"},
	} {
		root := openPage(t, fmt.Sprintf("%s/datasets/%d/d%d", base, id, id-1))
		fact := elements(root, "dd")[0]
		link := elements(fact, "a")[0]
		address, _ := attribute(link, "href")
		if got := textOf(link) + " " + address; textOf(fact) != want.source || got != want.link {
			t.Errorf("dataset %d: source %q, which leads to %q; want %v", id, textOf(fact), got, want)
		}
		if trail := textOf(elements(root, "div", "class=run")[0]); !strings.Contains(trail, strings.Fields(want.link)[0]) {
			t.Errorf("dataset %d: the way to it is %q", id, trail)
		}
	}
	root := openPage(t, base+"/sources/worldbank")
	var names []string
	for _, p := range elements(root, "p", "class=note more") {
		for _, a := range elements(p, "a") {
			address, _ := attribute(a, "href")
			names = append(names, address)
		}
	}
	if len(names) != 1 || names[0] != "/datasets/2/d1" {
		t.Errorf("the page of the World Bank has datasets of local files at %q", names)
	}
	if text := textOf(elements(openPage(t, base+"/sources/local"), "main")[0]); strings.Contains(text, "names this office too") {
		t.Error("the page of local files has them as those of another office")
	}
}
