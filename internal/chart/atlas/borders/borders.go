// Package borders reads the outlines that a host gives: a folder of GeoJSON and TopoJSON
// files, such as those of NUTS regions, which may not be part of the program.
//
// Which property of a file holds the codes of the areas is found: the one with most codes
// that package geo knows, else the only one whose values look like the codes of an office.
// A file borders.json in the folder states it for files where that fails, and the country
// whose own codes they are:
//
//	{"kreise.geojson": {"code": "AGS", "country": "DE"}}
package borders

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"almanac/internal/chart/atlas"
	"almanac/internal/chart/atlas/topology"
	"almanac/internal/geo"
)

// statements is the name of the file that says what cannot be found.
const statements = "borders.json"

// statement is what the host says of one file.
type statement struct {
	Code    string `json:"code"`    // the property that holds the codes; TopoJSON and GeoJSON features may also have an id
	Country string `json:"country"` // alpha-2, of codes of a national office
}

// maxFile bounds a file in bytes: GISCO's largest has 60 MB.
const maxFile = 256 << 20

// maxAreas bounds the areas of a set.
const maxAreas = 30_000

// Report says what was read from a file, for the host.
type Report struct {
	File string
	Text string // "1514 areas by NUTS_ID", or why the file is not used
}

// Read reads all files of a folder and returns their sets of outlines. Of files with the
// same codes the last by name comes first: the newest version of NUTS, and of its
// resolutions the coarsest. Errors name the file and the feature; all files are read
// before they are returned together.
func Read(folder fs.FS) (sets []*atlas.Set, reports []Report, err error) {
	entries, err := fs.ReadDir(folder, ".")
	if err != nil {
		return nil, nil, err
	}
	stated, err := readStatements(folder)
	if err != nil {
		return nil, nil, err
	}
	var wrong []error
	for _, e := range slices.Backward(entries) {
		extension := strings.ToLower(path.Ext(e.Name()))
		if e.IsDir() || e.Name() == statements || !slices.Contains([]string{".json", ".geojson", ".topojson"}, extension) {
			continue
		}
		f := file{name: e.Name(), statement: stated[e.Name()]}
		delete(stated, e.Name())
		if err := f.read(folder); err != nil {
			wrong = append(wrong, fmt.Errorf("%s: %w", f.name, err))
		}
		sets, reports = append(sets, f.sets...), append(reports, f.reports...)
	}
	for _, name := range slices.Sorted(maps.Keys(stated)) {
		wrong = append(wrong, fmt.Errorf("%s: there is no file %s in the folder", statements, name))
	}
	if len(sets) == 0 && wrong == nil {
		wrong = append(wrong, errors.New("the folder has no outlines of regions: want files .geojson, .topojson or .json"))
	}
	return sets, reports, errors.Join(wrong...)
}

func readStatements(folder fs.FS) (map[string]statement, error) {
	stated := map[string]statement{}
	data, err := fs.ReadFile(folder, statements)
	if errors.Is(err, fs.ErrNotExist) {
		return stated, nil
	}
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&stated); err != nil {
		return nil, fmt.Errorf(`%s: %w; want {"FILE": {"code": "PROPERTY", "country": "DE"}}`, statements, err)
	}
	for name, s := range stated {
		if a, ok := geo.Find(s.Country); s.Country != "" && (!ok || a.Alpha2 != s.Country) {
			return nil, fmt.Errorf("%s: unknown country %.40q for %s; want a code of two letters of ISO 3166-1", statements, s.Country, name)
		}
	}
	return stated, nil
}

// file is a file that is being read.
type file struct {
	name string
	statement
	digest  [sha256.Size]byte
	sets    []*atlas.Set
	reports []Report
}

func (f *file) read(folder fs.FS) error {
	opened, err := folder.Open(f.name)
	if err != nil {
		return err
	}
	defer opened.Close()
	data, err := io.ReadAll(io.LimitReader(opened, maxFile+1))
	if err != nil {
		return err
	}
	if len(data) > maxFile {
		return fmt.Errorf("the file has more than %d MiB; use a version with fewer points", maxFile>>20)
	}
	layers, err := topology.Parse(bytes.TrimPrefix(data, []byte("\ufeff")))
	if err != nil {
		return err
	}
	f.digest = sha256.Sum256(data)
	withoutCodes := errors.New("no feature is a polygon")
	for i := range layers {
		l := &layers[i]
		if len(l.Features) == 0 {
			continue
		}
		property, err := f.property(l)
		if err != nil {
			withoutCodes = err
			continue // other layers of TopoJSON may have codes
		}
		if err := f.layer(l, property); err != nil {
			return err
		}
	}
	if f.reports == nil {
		return withoutCodes
	}
	return nil
}

// layer makes the sets of a layer, whose codes are in a property.
func (f *file) layer(l *topology.Layer, property string) error {
	byLevel := map[int][]topology.Shape{}
	without, countries := 0, 0
	c := f.codesOf(l, property)
	for _, feature := range l.Features {
		code := feature.Properties[property]
		if code == "" {
			without++
			continue
		}
		if a, ok := geo.Find(code); ok && a.Kind == geo.Country {
			countries++
		}
		level := c.level(code)
		byLevel[level] = append(byLevel[level], topology.Shape{ID: c.id(code), Polygons: feature.Polygons})
	}
	title := strings.TrimSpace(f.name + " " + l.Name)
	if 2*countries > len(l.Features) {
		f.reports = append(f.reports, Report{title, "not used, because its areas are countries, of which the program has outlines"})
		return nil
	}
	for _, level := range slices.Sorted(maps.Keys(byLevel)) {
		t := topology.Build(byLevel[level])
		if len(t.Areas) > maxAreas {
			return fmt.Errorf("%d areas, want at most %d", len(t.Areas), maxAreas)
		}
		t.Refine()
		t.Rank()
		f.sets = append(f.sets, atlas.NewSet(f.setName(l.Name, property, level), t))
		f.reports = append(f.reports, Report{title, describe(len(t.Areas), property, without)})
	}
	return nil
}

// setName returns a name that is that of no other outlines.
func (f *file) setName(layer, property string, level int) string {
	name := strings.TrimSuffix(f.name, path.Ext(f.name))
	sum := sha256.Sum256(fmt.Appendf(nil, "%x %s %s %d %s", f.digest, layer, property, level, f.Country))
	return fmt.Sprintf("%s %x", name, sum[:8])
}

func describe(areas int, property string, without int) string {
	text := fmt.Sprintf("%d areas by %s", areas, cmp.Or(strings.Trim(property, "()"), property))
	if without > 0 {
		text += fmt.Sprintf("; %d features without it are left out", without)
	}
	return text
}
