package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"almanac/internal/chart/atlas/topology"
	"almanac/internal/chart/scene"
	"almanac/internal/geo"
)

// step is the grid of the files of subdivisions in degrees: about 50 metres.
const step = 0.0005

// makeSet writes the file of a set of shapes. A shape that is nothing but a line on the
// source's grid, like Falls Church in Virginia, becomes a triangle of about two square
// kilometres, so that it is on the map.
func makeSet(path string, shapes []topology.Shape, stdout io.Writer) error {
	t := topology.Build(shapes)
	for _, a := range t.Areas {
		if i := slices.IndexFunc(shapes, func(s topology.Shape) bool { return s.ID == a.ID }); len(a.Polygons) == 0 {
			at := shapes[i].Polygons[0][0][0]
			const side = 0.02 // degrees
			shapes[i].Polygons = []topology.Polygon{{{at, {X: at.X + side, Y: at.Y}, {X: at.X, Y: at.Y + side}}}}
		}
	}
	t = topology.Build(shapes)
	t.Refine()
	w := &world{scale: [2]float64{step, step}}
	for _, a := range t.Arcs {
		w.arcs = append(w.arcs, arc{pts: onGrid(a.Points)})
	}
	for _, a := range t.Areas {
		into := &area{id: a.ID}
		for _, p := range a.Polygons {
			var rings polygon
			for _, r := range p {
				rings = append(rings, r)
			}
			into.polygons = append(into.polygons, rings)
		}
		w.areas = append(w.areas, into)
	}
	slices.SortFunc(w.areas, func(a, b *area) int { return cmp.Compare(a.id, b.id) })
	w.rank()
	return w.write(path, stdout)
}

// onGrid returns the points on the grid, without repetitions; the ends remain.
func onGrid(points []scene.Point) []pt {
	var pts []pt
	for i, p := range points {
		q := pt{int(math.Round(p.X / step)), int(math.Round(p.Y / step))}
		if i < 2 || i == len(points)-1 || q != pts[len(pts)-1] {
			pts = append(pts, q)
		}
	}
	return pts
}

// makeUnitedStates writes the states and the counties. States have codes of ISO 3166-2,
// counties the country and their FIPS code: US:01001. The territories in the Pacific are
// left out; the map has no place for them.
func makeUnitedStates(from, to string, stdout io.Writer) error {
	layers, err := parse("us", from)
	if err != nil {
		return err
	}
	pacific := []string{"60", "66", "69", "78"} // American Samoa, Guam, Northern Marianas; and the Virgin Islands
	var states, counties []topology.Shape
	for _, layer := range layers {
		for _, f := range layer.Features {
			fips := f.Properties[topology.IDKey]
			if len(fips) < 2 || slices.Contains(pacific, fips[:2]) {
				continue
			}
			switch layer.Name {
			case "states":
				id, ok := stateOf(fips)
				if !ok {
					return fmt.Errorf("unknown state %s", fips)
				}
				states = append(states, topology.Shape{ID: id, Polygons: f.Polygons})
			case "counties":
				counties = append(counties, topology.Shape{ID: "US:" + fips, Polygons: f.Polygons})
			}
		}
	}
	if err := makeSet(to+"/us.bin", states, stdout); err != nil {
		return err
	}
	return makeSet(to+"/us-counties.bin", counties, stdout)
}

// stateOf returns the state with a FIPS code. Puerto Rico is a country in ISO 3166.
func stateOf(fips string) (id string, ok bool) {
	if fips == "72" {
		return "PR", true
	}
	a, ok := geo.Subdivision("US", fips)
	return a.ID, ok
}

func parse(kind, path string) ([]topology.Layer, error) {
	data, err := readInput(kind, path)
	if err != nil {
		return nil, err
	}
	layers, err := topology.Parse(data)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return layers, nil
}

// makeCantons writes the cantons of Switzerland. Their codes in the source (CH.ZH) are
// those of ISO 3166-2 with a full stop.
func makeCantons(from, to string, stdout io.Writer) error {
	layers, err := parse("cantons", from)
	if err != nil {
		return err
	}
	var shapes []topology.Shape
	for _, f := range layers[0].Features {
		id := strings.Replace(f.Properties[topology.IDKey], ".", "-", 1)
		if _, ok := geo.FindSubdivision(id); !ok {
			return fmt.Errorf("unknown canton %s", id)
		}
		shapes = append(shapes, topology.Shape{ID: id, Polygons: f.Polygons})
	}
	return makeSet(to+"/ch.bin", shapes, stdout)
}

// currentCode maps codes of the source to those of ISO 3166-2 today. Those of Moscow and of
// the region around it are exchanged in the source.
var currentCode = map[string]string{
	"RU-MOW": "RU-MOS", "RU-MOS": "RU-MOW",
	"ZA-GT": "ZA-GP", "ZA-NL": "ZA-KZN",
	"IN-CT": "IN-CG", "IN-OR": "IN-OD", "IN-TG": "IN-TS", "IN-UT": "IN-UK",
}

// makeStates writes the subdivisions of the countries in Natural Earth, except the United
// States: one file for each. Outlines without a code of ISO 3166-2 are left out (Jervis
// Bay Territory). Crimea and Sevastopol have codes of Ukraine in the source and are left
// out as well.
func makeStates(from, to string, stdout io.Writer) error {
	if _, err := readInput("states", from+"/Rdata.rdb"); err != nil {
		return err
	}
	states, err := loadR(from, "states50")
	if err != nil {
		return err
	}
	byCountry := map[string][]topology.Shape{}
	for i, id := range states.item("iso_3166_2").Texts {
		id = cmp.Or(currentCode[id], id)
		country, _, _ := strings.Cut(id, "-")
		if strings.HasSuffix(id, "~") || country == "UA" || country == "US" {
			continue
		}
		if _, ok := geo.FindSubdivision(id); !ok {
			return fmt.Errorf("unknown subdivision %s (%s)", id, states.item("name").Texts[i])
		}
		byCountry[country] = append(byCountry[country], topology.Shape{ID: id, Polygons: polygonsOf(states.item("geometry").Items[i])})
	}
	for _, country := range []string{"AU", "BR", "CA", "CN", "ID", "IN", "RU", "ZA"} {
		if err := makeSet(to+"/"+strings.ToLower(country)+".bin", byCountry[country], stdout); err != nil {
			return err
		}
	}
	return nil
}

// atMeridian moves points near the 180th meridian onto it. The two parts of Chukotka differ
// there by some metres, so that they would not be joined.
func atMeridian(p scene.Point) scene.Point {
	const near = .001
	if math.Abs(p.X) < 180-near {
		return p
	}
	return scene.Point{X: math.Copysign(180, p.X), Y: math.Round(p.Y/near) * near}
}

// polygonsOf returns the polygons of a MULTIPOLYGON of R's package sf: a list of lists of
// matrices with two columns.
func polygonsOf(v *rValue) (polygons []topology.Polygon) {
	for _, item := range v.Items {
		var p topology.Polygon
		for _, matrix := range item.Items {
			ring := make([]scene.Point, len(matrix.Reals)/2)
			for i := range ring {
				ring[i] = atMeridian(scene.Point{X: matrix.Reals[i], Y: matrix.Reals[len(ring)+i]})
			}
			p = append(p, ring)
		}
		polygons = append(polygons, p)
	}
	return polygons
}
