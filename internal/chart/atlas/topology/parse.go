package topology

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"almanac/internal/chart/scene"
)

// Layer is a list of features: a file of GeoJSON, or an object of TopoJSON.
type Layer struct {
	Name     string // of the object; empty in GeoJSON
	Features []Feature
}

// Feature is an area of a file. Features without polygons, such as labels and lines, are
// left out.
type Feature struct {
	Number     int               // in the layer, from 1
	Properties map[string]string // texts and numbers; IDKey is the feature's id member
	Polygons   []Polygon
}

// IDKey is the key of a feature's id among its properties. It is not a property of a file,
// which has letters in its names.
const IDKey = "(id)"

// Parse reads GeoJSON (RFC 7946) or TopoJSON. Coordinates are degrees east and north
// (EPSG:4326), or those of EPSG:3857 or EPSG:3035 if the file says so in a member crs.
// Errors name the feature.
func Parse(data []byte) ([]Layer, error) {
	var file struct {
		Type      string
		CRS       json.RawMessage
		Features  []json.RawMessage
		Objects   map[string]json.RawMessage
		Arcs      [][][]float64
		Transform *struct{ Scale, Translate [2]float64 }
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("invalid JSON: %w", err)
	}
	toDegrees, err := readCRS(file.CRS)
	if err != nil {
		return nil, err
	}
	r := reader{toDegrees: toDegrees}
	switch file.Type {
	case "FeatureCollection":
		layer, err := r.layer("", file.Features)
		return []Layer{layer}, err
	case "Topology":
		if file.Transform != nil {
			unpackArcs(file.Arcs, file.Transform.Scale, file.Transform.Translate)
		}
		r.arcs = file.Arcs
		return r.objects(file.Objects)
	}
	return nil, fmt.Errorf("the member type is %.40q; want FeatureCollection (GeoJSON) or Topology (TopoJSON)", file.Type)
}

// unpackArcs converts steps from point to point into coordinates.
func unpackArcs(arcs [][][]float64, scale, shift [2]float64) {
	for _, arc := range arcs {
		var at [2]float64
		for i, p := range arc {
			if len(p) < 2 {
				continue // place reports it
			}
			at[0], at[1] = at[0]+p[0], at[1]+p[1]
			arc[i] = []float64{at[0]*scale[0] + shift[0], at[1]*scale[1] + shift[1]}
		}
	}
}

// reader reads the features of a file.
type reader struct {
	toDegrees func(x, y float64) (lon, lat float64)
	arcs      [][][]float64 // of TopoJSON
}

// objects reads the objects of TopoJSON that have polygons.
func (r *reader) objects(objects map[string]json.RawMessage) (layers []Layer, err error) {
	for _, name := range slices.Sorted(maps.Keys(objects)) {
		var object struct {
			Type       string
			Geometries []json.RawMessage
		}
		if err := json.Unmarshal(objects[name], &object); err != nil {
			return nil, fmt.Errorf("object %q: %w", name, err)
		}
		if object.Type != "GeometryCollection" {
			object.Geometries = []json.RawMessage{objects[name]}
		}
		layer, err := r.layer(name, object.Geometries)
		if err != nil {
			return nil, fmt.Errorf("object %q: %w", name, err)
		}
		layers = append(layers, layer)
	}
	return layers, nil
}

// feature is a feature of GeoJSON or a geometry of TopoJSON.
type feature struct {
	Type        string
	ID          json.RawMessage
	Properties  map[string]json.RawMessage
	Geometry    *feature        // of GeoJSON
	Coordinates json.RawMessage // of its geometry
	Arcs        json.RawMessage // of a geometry of TopoJSON
}

func (r *reader) layer(name string, features []json.RawMessage) (Layer, error) {
	layer := Layer{Name: name}
	for i, text := range features {
		var f feature
		if err := json.Unmarshal(text, &f); err != nil {
			return layer, fmt.Errorf("feature %d: %w", i+1, err)
		}
		polygons, err := r.polygons(&f)
		if err != nil {
			return layer, fmt.Errorf("feature %d%s: %w", i+1, f.title(), err)
		}
		if polygons != nil {
			layer.Features = append(layer.Features, Feature{Number: i + 1, Properties: f.texts(), Polygons: polygons})
		}
	}
	return layer, nil
}

// texts returns the properties that are texts or numbers.
func (f *feature) texts() map[string]string {
	texts := map[string]string{}
	add := func(key string, value json.RawMessage) {
		var v any
		decoder := json.NewDecoder(strings.NewReader(string(value)))
		decoder.UseNumber()
		if decoder.Decode(&v) != nil {
			return
		}
		switch v := v.(type) {
		case string:
			texts[key] = strings.TrimSpace(v)
		case json.Number:
			texts[key] = v.String()
		}
	}
	for key, value := range f.Properties {
		add(key, value)
	}
	add(IDKey, f.ID)
	return texts
}

// title returns what helps to find a feature in its file.
func (f *feature) title() string {
	texts := f.texts()
	if id := texts[IDKey]; id != "" {
		return fmt.Sprintf(" (id %.40q)", id)
	}
	for _, key := range slices.Sorted(maps.Keys(texts)) {
		if strings.Contains(strings.ToLower(key), "name") {
			return fmt.Sprintf(" (%s %.40q)", key, texts[key])
		}
	}
	return ""
}

// polygons returns the polygons of a feature, nil if it has none.
func (r *reader) polygons(f *feature) (polygons []Polygon, err error) {
	if f.Type == "Feature" {
		if f.Geometry == nil {
			return nil, nil
		}
		f = f.Geometry
	}
	var lists [][][][]float64
	switch {
	case f.Type != "Polygon" && f.Type != "MultiPolygon":
		return nil, nil
	case r.arcs != nil:
		lists, err = r.stitched(f)
	case f.Type == "Polygon":
		lists = make([][][][]float64, 1)
		err = json.Unmarshal(f.Coordinates, &lists[0])
	default:
		err = json.Unmarshal(f.Coordinates, &lists)
	}
	if err != nil {
		return nil, fmt.Errorf("invalid %s: %w", f.Type, err)
	}
	for _, rings := range lists {
		p := make(Polygon, len(rings))
		for i, ring := range rings {
			if p[i], err = r.ring(ring); err != nil {
				return nil, err
			}
		}
		if len(p) > 0 {
			polygons = append(polygons, p)
		}
	}
	return polygons, nil
}

// stitched returns the rings of a geometry of TopoJSON as coordinates.
func (r *reader) stitched(f *feature) ([][][][]float64, error) {
	refs := make([][][]int, 1)
	var err error
	if f.Type == "Polygon" {
		err = json.Unmarshal(f.Arcs, &refs[0])
	} else {
		err = json.Unmarshal(f.Arcs, &refs)
	}
	if err != nil {
		return nil, err
	}
	polygons := make([][][][]float64, len(refs))
	for i, rings := range refs {
		for _, ring := range rings {
			var points [][]float64
			for _, ref := range ring {
				number := max(ref, ^ref)
				if number >= len(r.arcs) {
					return nil, fmt.Errorf("it refers to arc %d, but the file has %d arcs", number, len(r.arcs))
				}
				arc := slices.Clone(r.arcs[number])
				if ref < 0 {
					slices.Reverse(arc)
				}
				points = append(points, arc...)
			}
			polygons[i] = append(polygons[i], points)
		}
	}
	return polygons, nil
}

// ring converts coordinates to degrees.
func (r *reader) ring(coordinates [][]float64) ([]scene.Point, error) {
	const slack = 1e-3 // degrees by which a quantised file may be beyond the poles
	points := make([]scene.Point, len(coordinates))
	for i, c := range coordinates {
		if len(c) < 2 {
			return nil, errors.New("a position has fewer than two numbers")
		}
		lon, lat := r.toDegrees(c[0], c[1])
		if !(lon >= -180-slack && lon <= 360+slack && lat >= -90-slack && lat <= 90+slack) {
			return nil, fmt.Errorf("the position %.7g, %.7g is not in degrees; want longitude and latitude (EPSG:4326), or EPSG:3857 or EPSG:3035 with a member crs that says so", c[0], c[1])
		}
		points[i] = scene.Point{X: lon, Y: min(max(lat, -90), 90)}
	}
	return points, nil
}
