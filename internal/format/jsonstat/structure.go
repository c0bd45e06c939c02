package jsonstat

import (
	"cmp"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/format/jsonscan"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// cube is a dataset as the file has it.
type cube struct {
	name string // of the field that it is the value of; empty for the whole file
	at   stat.Position
	meta map[string]string // texts about it by field: "label", "extension.id"

	ids   []string
	sizes []int
	roles map[string][]string
	dims  map[string]*dimension
	notes []string

	totals map[string]string // codes of totals by dimension, as PxStat has them
	cells  int64             // product of the sizes
	value  section
	status statuses
}

// kept are the fields of a dataset whose text is kept. Those of the extension
// are PxWeb's, PxStat's and Eurostat's.
var kept = map[string]bool{
	"label": true, "source": true, "updated": true, "href": true, "class": true,
	"wsVersion": true, "code": true, "title": true, "description": true, "lastUpdateDate": true,
	"extension.px.tableid": true, "extension.px.infofile": true, "extension.px.description": true,
	"extension.matrix": true, "extension.id": true, "extension.agencyId": true,
}

// file is a file while its structure is read.
type file struct {
	json  *jsonscan.Scanner
	cubes []*cube
	links int // to datasets in other files
}

// readFile reads everything but the values of all datasets.
func readFile(open func() (io.ReadCloser, error), encoding string, report *stat.Report) (*file, error) {
	f := &file{}
	err := jsonscan.Read(open, encoding, report, func(j *jsonscan.Scanner, first jsonscan.Token) error {
		if first.Kind != jsonscan.Object {
			return stat.BadFile(first.At, "the file is to be one object of JSON-stat, which begins with {")
		}
		f.json = j
		return f.readCube("", first.At, 0)
	})
	return f, err
}

// withValues leaves out the datasets without values, and orders the others by
// where those stand, so that the file is read through once.
func (f *file) withValues(report *stat.Report) ([]*cube, error) {
	slices.SortStableFunc(f.cubes, func(a, b *cube) int {
		return cmp.Or(cmp.Compare(a.value.at.Line, b.value.at.Line), cmp.Compare(a.value.at.Column, b.value.at.Column))
	})
	var full []*cube
	for _, c := range f.cubes {
		if c.value.given == 0 && len(c.status.entries) == 0 {
			report.Add(stat.NoteNotRead, 1, "the dataset "+text.Clip(c.title())+" has no values")
			continue
		}
		if err := c.check(); err != nil {
			return nil, err
		}
		full = append(full, c)
	}
	switch {
	case len(full) > 0:
		return full, nil
	case f.links > 0:
		return nil, stat.BadFile(stat.Position{Line: 1}, "the file is a collection of %d links to datasets in other files, and holds no values itself; load those files", f.links)
	case len(f.cubes) == 0:
		return nil, stat.BadFile(stat.Position{Line: 1}, "the file holds no dataset of JSON-stat, which has the fields \"dimension\" and \"value\"")
	}
	return nil, stat.BadFile(f.cubes[0].at, "the dataset %q holds no values: it tells of the structure only", text.Clip(f.cubes[0].title()))
}

// maxNesting is how deep datasets are looked for: in a bundle in a wrapper.
const maxNesting = 3

// readCube reads the rest of an object that is a dataset, or holds some.
func (f *file) readCube(name string, at stat.Position, depth int) error {
	c := &cube{name: name, at: at, meta: map[string]string{}, roles: map[string][]string{}}
	isDataset := false
	err := f.json.Object(func(name string, value jsonscan.Token) (err error) {
		switch {
		case name == "dimension" && value.Kind == jsonscan.Object:
			isDataset = true
			return c.readDimensions(f.json)
		case name == "value" && (value.Kind == jsonscan.Array || value.Kind == jsonscan.Object):
			isDataset = true
			return c.value.look(f.json, value)
		case name == "status":
			return c.status.read(f.json, value)
		case name == "id" && value.Kind == jsonscan.Array:
			c.ids, err = list(f.json, value)
		case name == "size" && value.Kind == jsonscan.Array:
			return c.readSizes(f.json)
		case name == "role":
			c.roles, err = jsonscan.MapOf(f.json, value, list)
		case name == "note":
			c.notes, err = texts(f.json, value)
		case name == "extension" && value.Kind == jsonscan.Object:
			return c.readExtension(f.json, "extension")
		case name == "link" && value.Kind == jsonscan.Object:
			return f.readLinks(depth)
		case kept[name]:
			c.meta[name], err = f.json.TextOf(value)
		case value.Kind == jsonscan.Object && depth < maxNesting:
			return f.readCube(name, value.At, depth+1)
		default:
			err = f.json.SkipRest(value)
		}
		return err
	})
	switch {
	case err != nil:
		return err
	case isDataset:
		f.cubes = append(f.cubes, c)
	case c.meta["class"] == "dataset" || c.meta["class"] == "collection" && depth > 0:
		f.links++
	}
	return nil
}

// readLinks reads the datasets in link.item of a collection.
func (f *file) readLinks(depth int) error {
	return f.json.Object(func(name string, value jsonscan.Token) error {
		if name != "item" || value.Kind != jsonscan.Array || depth >= maxNesting {
			return f.json.SkipRest(value)
		}
		return f.json.Array(func(item jsonscan.Token) error {
			if item.Kind != jsonscan.Object {
				return f.json.SkipRest(item)
			}
			return f.readCube("", item.At, depth+1)
		})
	})
}

// readDimensions reads the dimensions, and of version 1 what stands beside
// them.
func (c *cube) readDimensions(j *jsonscan.Scanner) error {
	c.dims = map[string]*dimension{}
	return j.Object(func(name string, value jsonscan.Token) (err error) {
		switch {
		case name == "id" && value.Kind == jsonscan.Array:
			c.ids, err = list(j, value)
			return err
		case name == "size" && value.Kind == jsonscan.Array:
			return c.readSizes(j)
		case value.Kind != jsonscan.Object:
			return j.SkipRest(value)
		}
		d, err := readDimension(j, value)
		if name == "role" && err == nil && !d.category {
			c.roles = d.roles
			return nil
		}
		c.dims[name] = d
		return err
	})
}

func (c *cube) readSizes(j *jsonscan.Scanner) error {
	c.sizes = []int{}
	return j.Array(func(value jsonscan.Token) error {
		size, err := strconv.Atoi(string(value.Text))
		if value.Kind != jsonscan.Number || err != nil || size < 0 {
			return stat.BadFile(value.At, "a size is no whole number from 0 on")
		}
		c.sizes = append(c.sizes, size)
		return nil
	})
}

// readExtension reads the fields that are kept of an extension.
func (c *cube) readExtension(j *jsonscan.Scanner, path string) error {
	return j.Object(func(name string, value jsonscan.Token) (err error) {
		name = path + "." + name
		switch {
		case kept[name]:
			c.meta[name], err = j.TextOf(value)
		case name == "extension.note":
			var more []string
			more, err = texts(j, value)
			c.notes = append(c.notes, more...)
		case name == "extension.elimination":
			c.totals, err = j.Texts(value)
		case name == "extension.annotation" && value.Kind == jsonscan.Array:
			return j.Array(func(item jsonscan.Token) error { return c.readAnnotation(j, item) })
		case name == "extension.status.label":
			c.status.labels, err = j.Texts(value)
		case (name == "extension.px" || name == "extension.status") && value.Kind == jsonscan.Object:
			return c.readExtension(j, name)
		default:
			err = j.SkipRest(value)
		}
		return err
	})
}

// readAnnotation reads one of Eurostat's annotations, of which the address of
// the explanatory texts and the size of the whole dataset are kept.
func (c *cube) readAnnotation(j *jsonscan.Scanner, item jsonscan.Token) error {
	about, err := j.Texts(item)
	switch about["type"] {
	case "ESMS_HTML":
		c.meta["explained"] = about["href"]
	case "OBS_COUNT":
		c.meta["count"] = about["title"]
	}
	return err
}

// check checks that the parts of a dataset fit together.
func (c *cube) check() error {
	if err := c.checkDimensions(); err != nil {
		return err
	}
	if c.value.kind == jsonscan.Array && int64(c.value.entries) != c.cells {
		return stat.BadFile(c.value.at, "there are %d values, and the sizes of the dimensions %s multiply to %d",
			c.value.entries, text.Clip(strings.Join(c.ids, ", ")), c.cells)
	}
	return c.status.check(c.cells)
}

// checkDimensions checks that there are the dimensions that the dataset lists,
// and counts its cells.
func (c *cube) checkDimensions() error {
	if len(c.ids) == 0 {
		return stat.BadFile(c.at, "the dataset %q has no list \"id\" of its dimensions", text.Clip(c.title()))
	}
	if c.sizes != nil && len(c.sizes) != len(c.ids) {
		return stat.BadFile(c.at, "\"id\" lists %d dimensions and \"size\" %d sizes", len(c.ids), len(c.sizes))
	}
	c.cells = 1
	seen := map[string]bool{}
	for i, id := range c.ids {
		d := c.dims[id]
		if d == nil || seen[id] || id == "" {
			return stat.BadFile(c.at, "\"id\" lists a dimension %q that \"dimension\" does not have, or lists it twice, or without a name", text.Clip(id))
		}
		seen[id] = true
		size := -1
		if c.sizes != nil {
			size = c.sizes[i]
		}
		if err := d.check(id, size); err != nil {
			return err
		}
		if c.cells > math.MaxInt64>>2/int64(len(d.codes)) {
			return stat.BadFile(c.at, "the dataset has more cells than can be counted: its sizes are %v", c.sizes)
		}
		c.cells *= int64(len(d.codes))
	}
	return nil
}
