package topology

import (
	"math"
	"os"
	"strings"
	"testing"

	"almanac/internal/chart/scene"
)

func parseFile(t *testing.T, path string) []Layer {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	layers, err := Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return layers
}

// Features without polygons are left out, holes and third coordinates are read.
func TestParseGeoJSON(t *testing.T) {
	layers := parseFile(t, "testdata/geojson.json")
	if len(layers) != 1 || len(layers[0].Features) != 2 {
		t.Fatalf("got %+v, want one layer of two features", layers)
	}
	west, east := layers[0].Features[0], layers[0].Features[1]
	if west.Properties["NUTS_ID"] != "DE1" || west.Properties["LEVL_CODE"] != "1" || west.Properties[IDKey] != "DE1" {
		t.Errorf("properties %v", west.Properties)
	}
	if east.Number != 2 || len(east.Polygons) != 1 || len(east.Polygons[0]) != 2 || east.Polygons[0][0][1] != (scene.Point{X: 2, Y: 0}) {
		t.Errorf("second feature: %+v", east)
	}
}

func TestParseTopoJSON(t *testing.T) {
	layers := parseFile(t, "testdata/topojson.json")
	if len(layers) != 2 || layers[0].Name != "lines" || len(layers[0].Features) != 0 || len(layers[1].Features) != 2 {
		t.Fatalf("got %+v, want lines without features and two regions", layers)
	}
	west, east := layers[1].Features[0], layers[1].Features[1]
	if west.Properties[IDKey] != "01" || east.Properties[IDKey] != "2" || east.Properties["name"] != "East" {
		t.Errorf("properties %v, %v", west.Properties, east.Properties)
	}
	if got := content(west.Polygons[0][0]); got != 1 {
		t.Errorf("the first region has the area %v, want 1", got)
	}
	if built := Build([]Shape{{ID: "w", Polygons: west.Polygons}, {ID: "e", Polygons: east.Polygons}}); len(built.Arcs) != 3 {
		t.Errorf("%d arcs, want the border and two coasts", len(built.Arcs))
	}
}

// The EPSG registry's example for 3035 has 50° N 5° E at 3962799.45, 2999718.85.
func TestCoordinateSystems(t *testing.T) {
	got := parseFile(t, "testdata/metres.json")[0].Features[0].Polygons[0][0]
	for i, want := range []scene.Point{{X: 5, Y: 50}, {X: 10, Y: 52}} {
		if math.Hypot(got[i].X-want.X, got[i].Y-want.Y) > 1e-6 {
			t.Errorf("point %d is at %v, want %v", i, got[i], want)
		}
	}
	if lon, lat := fromWebMercator(-11169055.58, 2800000); math.Hypot(lon+100.3333333, lat-24.3817867) > 1e-4 {
		t.Errorf("the EPSG registry's example for 3857 is at %v, %v, want -100.33, 24.38", lon, lat)
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ name, file, want string }{
		{"no JSON", `<svg>`, "invalid JSON"},
		{"other JSON", `{"a": 1}`, `the member type is ""; want FeatureCollection (GeoJSON) or Topology (TopoJSON)`},
		{"metres", `{"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"NAME": "Bern"}, "geometry":
			{"type": "Polygon", "coordinates": [[[2600000, 1200000], [2600001, 1200000], [2600000, 1200001]]]}}]}`,
			`feature 1 (NAME "Bern"): the position 2600000, 1200000 is not in degrees`},
		{"unknown system", `{"type": "FeatureCollection", "crs": {"type": "name", "properties": {"name": "EPSG:2056"}}, "features": []}`,
			`the coordinates are in "EPSG:2056"; want EPSG:4326`},
		{"no numbers", `{"type": "FeatureCollection", "features": [{"type": "Feature", "id": 7, "geometry": {"type": "Polygon", "coordinates": [[["a"]]]}}]}`,
			`feature 1 (id "7"): invalid Polygon`},
		{"half a position", `{"type": "FeatureCollection", "features": [{"type": "Feature", "geometry": {"type": "Polygon", "coordinates": [[[1]]]}}]}`,
			"feature 1: a position has fewer than two numbers"},
		{"missing arc", `{"type": "Topology", "arcs": [[[0, 0], [1, 1]]], "objects": {"r": {"type": "GeometryCollection", "geometries": [
			{"type": "Polygon", "id": "X", "arcs": [[0, -3]]}]}}}`, `object "r": feature 1 (id "X"): invalid Polygon: it refers to arc 2, but the file has 1 arcs`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := Parse([]byte(c.file)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got the error %v, want %q", err, c.want)
			}
		})
	}
}
