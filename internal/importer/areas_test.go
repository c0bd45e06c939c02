package importer_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/geo"
	"almanac/internal/importer"
	"almanac/internal/stat"
	"almanac/internal/stattest"
)

// If a geography code in an office's file stands for a country, its label is a name of
// that country, as this office or another one spells it.
func TestLabelsNameTheArea(t *testing.T) {
	stattest.SkipUnderRace(t)
	compared := 0
	for _, f := range realFiles(t) {
		f.eachArea(func(i importer.Inspection, c stat.Code) {
			area, ok := geo.Find(c.Area)
			if !ok || area.Alpha2 == "" || area.ID != c.Area {
				return
			}
			compared++
			label := c.Label
			if c.SourceLabel != "" {
				label = c.SourceLabel
			}
			if !namesArea(i.Source, c.ID, label, area.ID) {
				t.Errorf("%s: %s is %s (%s), and is labelled %q", i.File, c.ID, area.ID, area.Name, label)
			}
		})
	}
	if compared < 2500 {
		t.Errorf("compared only %d labels", compared)
	}
	t.Logf("compared %d labels", compared)
}

// A code that stands for an area because of its label still does so in a later file
// without labels. The code of a region remains the office's own.
func TestAreaByLabel(t *testing.T) {
	s := openStore(t)
	im, err := importer.New(s, importer.Options{Source: "scb"})
	if err != nil {
		t.Fatal(err)
	}
	const file = `{"version":"2.0","class":"dataset","label":"Births","id":["region","time"],"size":[2,1],` +
		`"role":{"geo":["region"],"time":["time"]},"extension":{"px":{"tableid":"TAB1"}},` +
		`"dimension":{"region":{"category":{"index":["00","01"]LABELS}},"time":{"category":{"index":["2020"]}}},"value":[VALUES]}`
	for _, c := range []struct{ labels, values string }{
		{`,"label":{"00":"Sweden","01":"Stockholm county"}`, "3,1"},
		{"", "4,2"},
	} {
		path := filepath.Join(t.TempDir(), "births.json")
		text := strings.NewReplacer("LABELS", c.labels, "VALUES", c.values).Replace(file)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		outcomes := im.Import(t.Context(), path)
		if len(outcomes) != 1 || outcomes[0].Status == importer.Refused {
			t.Fatalf("%+v", outcomes)
		}
		codes := current(t, s, outcomes[0].ID).Dataset.Geography.Codes
		if len(codes) != 2 || codes[0].Area != "SE" || codes[1].Area != "scb:01" {
			t.Errorf("labels %s: %+v, want the areas SE and scb:01", c.labels, codes)
		}
	}
}

// eachArea calls a function for every geography code of a file.
func (f *realFile) eachArea(check func(importer.Inspection, stat.Code)) {
	for _, i := range f.inspected {
		for _, d := range i.Dimensions {
			if d.Dim != "geography" {
				continue
			}
			for _, c := range d.Codes {
				check(i, c)
			}
		}
	}
}

// namesArea reports whether a label is a name of an area, as its source or any other
// office spells it.
func namesArea(source, code, label, area string) bool {
	label, _ = strings.CutPrefix(label, code+" ")
	for _, s := range []string{source, "eurostat", "unsd", "worldbank", "imf", "oecd", "ilo", "owid", "who", "unicef", "fao"} {
		if r := geo.ResolveAll(s, "", []geo.Labelled{{Code: label}}); r.Known[0] {
			return r.Areas[0].ID == area
		}
	}
	return false
}

// In a column of names, a short name is a name too, and keeps the office's spelling. In a column of
// codes it is a code, whose label is the English name of its area.
func TestShortNames(t *testing.T) {
	for _, c := range []struct{ areas, want string }{
		{"USSR,France,Viet Nam,USA,Spain", "USSR,France,Viet Nam,USA,Spain"},
		{"USA,FRA,VNM", "United States,France,Vietnam"},
	} {
		s := openStore(t)
		text := "Area,Year,Value\n"
		for area := range strings.SplitSeq(c.areas, ",") {
			text += area + ",1980,1\n"
		}
		o := mustImport(t, s, importer.Options{}, "areas.csv", text)
		v, err := s.Vintage(t.Context(), o.ID)
		if err != nil {
			t.Fatal(err)
		}
		var labels []string
		for _, code := range v.Dataset.Geography.Codes {
			labels = append(labels, code.Label)
		}
		if got := strings.Join(labels, ","); got != c.want {
			t.Errorf("%s: labels %s, want %s", c.areas, got, c.want)
		}
	}
}
