package borders

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"almanac/internal/chart/atlas"
	"almanac/internal/stattest"
)

// squares returns GeoJSON with a square of a degree for each row: the values of its
// properties, separated by blanks. The first square lies at lon, lat, the others east of it.
func squares(properties string, lon, lat int, rows ...string) *fstest.MapFile {
	var b strings.Builder
	b.WriteString(`{"type": "FeatureCollection", "features": [`)
	for i, row := range rows {
		if i > 0 {
			b.WriteString(",\n")
		}
		var members []string
		values := strings.Fields(row)
		for j, name := range strings.Fields(properties) {
			members = append(members, fmt.Sprintf("%q: %q", name, strings.Trim(values[j], "-")))
		}
		x := lon + i
		fmt.Fprintf(&b, `{"type": "Feature", "properties": {%s}, "geometry": {"type": "Polygon", "coordinates": [[[%d, %d], [%d, %d], [%d, %d], [%d, %d], [%d, %d]]]}}`,
			strings.Join(members, ", "), x, lat, x+1, lat, x+1, lat+1, x, lat+1, x, lat)
	}
	b.WriteString("]}")
	return &fstest.MapFile{Data: []byte(b.String())}
}

func text(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }

// The codes are found among other properties, or stated.
func TestCodesAreFound(t *testing.T) {
	for _, c := range []struct {
		name   string
		folder fstest.MapFS
		want   []string // the IDs of the outlines of each set
		report string
	}{
		{"NUTS among names and countries", fstest.MapFS{"n.geojson": squares("NUTS_NAME CNTR NUTS_ID", 9, 50, "Baden DE DE1", "Bayern DE DE2", "Ile FR FR1")},
			[]string{"DE1 DE2 FR1"}, "3 areas by NUTS_ID"},
		{"levels of one file", fstest.MapFS{"n.geojson": squares("id", 9, 50, "DE1", "DE11", "DE12", "DE2", "FR1")},
			[]string{"DE1 DE2 FR1", "DE11 DE12"}, "3 areas by id"},
		{"ISO 3166-2", fstest.MapFS{"n.json": squares("name iso_3166_2", 9, 50, "Hessen DE-HE", "Bayern DE-BY")},
			[]string{"DE-BY DE-HE"}, "2 areas by iso_3166_2"},
		{"an office's own codes, of the country in which the areas lie", fstest.MapFS{"k.geojson": squares("GEN AGS", 9, 50, "Kassel 06611", "Fulda 06631", "Hof 09464")},
			[]string{"DE:06611 DE:06631 DE:09464"}, "3 areas by AGS"},
		{"stated", fstest.MapFS{"k.geojson": squares("a b", 9, 50, "01 11", "02 12"), statements: text(`{"k.geojson": {"code": "b", "country": "SE"}}`)},
			[]string{"SE:11 SE:12"}, "2 areas by b"},
		{"parts of an area, and one without a code", fstest.MapFS{"n.geojson": squares("id", 9, 50, "DE1", "DE1", "DE2", "-")},
			[]string{"DE1 DE2"}, "2 areas by id; 1 features without it are left out"},
		{"newest version first", fstest.MapFS{"nuts_2016.geojson": squares("id", 9, 50, "DE1", "DE2"), "nuts_2021.geojson": squares("id", 9, 50, "DE1", "DE3"), "readme.txt": text("x")},
			[]string{"DE1 DE3", "DE1 DE2"}, "2 areas by id"},
		{"countries are not used", fstest.MapFS{"c.geojson": squares("id", 9, 50, "DE", "FR", "IT"), "n.geojson": squares("id", 9, 50, "DE1", "DE2")},
			[]string{"DE1 DE2"}, "2 areas by id"},
	} {
		t.Run(c.name, func(t *testing.T) {
			sets, reports, err := Read(c.folder)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, s := range sets {
				got = append(got, strings.Join(s.IDs(), " "))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got the sets %q, want %q", got, c.want)
			}
			if reports[0].Text != c.report {
				t.Errorf("the report says %q, want %q", reports[0].Text, c.report)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		name   string
		folder fstest.MapFS
		want   string
	}{
		{"empty", fstest.MapFS{}, "the folder has no outlines of regions: want files .geojson, .topojson or .json"},
		{"all broken files", fstest.MapFS{"a.geojson": text("{"), "b.json": text(`{"type": "x"}`)}, "b.json: the member type is \"x\"; want FeatureCollection (GeoJSON) or Topology (TopoJSON)\na.geojson: invalid JSON"},
		{"no codes", fstest.MapFS{"n.geojson": squares("name place", 9, 50, "Köln x", "Bonn y")}, "n.geojson: no property holds codes of areas; the properties are name, place; state one in borders.json"},
		{"two candidates", fstest.MapFS{"n.geojson": squares("first second", 9, 50, "01 11", "02 12")}, "n.geojson: the codes may be in the properties first, second; state one in borders.json"},
		{"stated property missing", fstest.MapFS{"n.geojson": squares("a b", 9, 50, "01 11", "- 12"), statements: text(`{"n.geojson": {"code": "a"}}`)},
			`n.geojson: feature 2 has no property "a", which borders.json states as that of the code`},
		{"stated file missing", fstest.MapFS{"n.geojson": squares("id", 9, 50, "DE1", "DE2"), statements: text(`{"m.geojson": {"code": "a"}}`)}, "borders.json: there is no file m.geojson in the folder"},
		{"unknown statement", fstest.MapFS{statements: text(`{"m.geojson": {"property": "a"}}`)}, `borders.json: json: unknown field "property"; want {"FILE": {"code": "PROPERTY", "country": "DE"}}`},
		{"unknown country", fstest.MapFS{statements: text(`{"m.geojson": {"country": "Germany"}}`)}, `borders.json: unknown country "Germany" for m.geojson; want a code of two letters of ISO 3166-1`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, _, err := Read(c.folder); err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("got the error\n%v\nwant\n%s", err, c.want)
			}
		})
	}
}

// Outlines with other points have another name, so that a picture with them has another
// address.
func TestNamesDependOnTheOutlines(t *testing.T) {
	name := func(f *fstest.MapFile) string {
		sets, _, err := Read(fstest.MapFS{"n.geojson": f})
		if err != nil {
			t.Fatal(err)
		}
		return sets[0].Name()
	}
	here := name(squares("id", 9, 50, "DE1", "DE2"))
	if again := name(squares("id", 9, 50, "DE1", "DE2")); again != here {
		t.Errorf("the same file has the names %q and %q", here, again)
	}
	if there := name(squares("id", 9, 51, "DE1", "DE2")); there == here {
		t.Errorf("two files with other outlines have the name %q", here)
	}
}

// GISCO's NUTS regions of level 2 in the version of 2021.
func TestNUTS(t *testing.T) {
	folder := os.DirFS(filepath.Join(stattest.DataDir(t), "geo"))
	const file = "gisco-NUTS_RG_60M_2021_4326_LEVL_2.geojson"
	data, err := fs.ReadFile(folder, file)
	if err != nil {
		stattest.SkipOrFail(t, err.Error())
	}
	sets, reports, err := Read(fstest.MapFS{file: &fstest.MapFile{Data: data}})
	if err != nil || len(sets) != 1 || !strings.HasPrefix(reports[0].Text, "334 areas by ") {
		t.Fatalf("%d sets, %v, %v; want one with 334 areas", len(sets), reports, err)
	}
	if got := atlas.New(sets...).Fitting([]string{"DE", "FR", "DE11", "DE12", "FRE1"}); got != sets[0] {
		t.Errorf("the set of two countries and three regions is %s", got.Name())
	}
	if f := sets[0].Frame(sets[0].IDs()); f.Bare || f.Of != "" {
		t.Errorf("the frame of all regions is %+v, want all of Europe with its surroundings", f)
	}
	if f := sets[0].Frame([]string{"DE11", "DE12", "DE80"}); !f.Bare || f.Of != "DE" {
		t.Errorf("the frame of regions of Germany is %+v, want Germany without surroundings of another source", f)
	}
	isFrench := func(id string) bool { return strings.HasPrefix(id, "FR") }
	france := slices.DeleteFunc(sets[0].IDs(), func(id string) bool { return !isFrench(id) })
	mainland := slices.DeleteFunc(slices.Clone(france), func(id string) bool { return strings.HasPrefix(id, "FRY") || id == "FRM0" })
	all, core := sets[0].Frame(france).Box, sets[0].Frame(mainland).Box
	if share := all.W * all.H / (core.W * core.H); share < 1.1 || share > 1.35 {
		t.Errorf("the frame of France is %.2f times that of its mainland, want it with Corsica and without French Guiana", share)
	}
}

// FuzzRead checks that a folder is refused or gives sets whose areas can be drawn.
func FuzzRead(f *testing.F) {
	f.Add(squares("id", 9, 50, "DE1", "DE2").Data)
	f.Add(squares("name AGS", 9, 50, "Kassel 06611", "Fulda 06631").Data)
	f.Fuzz(func(t *testing.T, data []byte) {
		sets, _, err := Read(fstest.MapFS{"n.geojson": {Data: data}})
		if err != nil {
			return
		}
		for _, s := range sets {
			s.Frame(s.IDs())
			for _, id := range s.IDs() {
				if !s.Has(id) {
					t.Errorf("the set lists %q, but does not have it", id)
				}
			}
		}
	})
}
