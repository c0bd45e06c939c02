package jsonstat

import (
	"bytes"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/format/jsonscan"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// cube is a dataset in the file, or an object that may contain datasets.
type cube struct {
	name string // of its field; empty for the whole file
	at   stat.Position
	meta map[string]string // its texts by field: "label", "extension.id"

	ids    []string
	sizes  []int
	roles  map[string][]string
	dims   map[string]*dimension
	order  []*dimension // in the order of ids; set by checkDimensions
	notes  []string
	totals map[string]string // codes of totals by dimension, as PxStat has them

	cells  int64 // product of the sizes
	values section
	status statuses
}

func (c *cube) isDataset() bool { return c.dims != nil || c.values.kind != 0 }

// textFields are the fields of a dataset whose text is kept.
var textFields = []string{
	"label", "source", "updated", "href", "class", "version", "wsVersion", "code", "title", "description", "lastUpdateDate",
}

type file struct {
	json    *jsonscan.Scanner
	objects []*cube
	links   int // to datasets in other files
}

func readFile(open func() (io.ReadCloser, error), encoding string, report *stat.Report) (*file, error) {
	f := &file{}
	err := jsonscan.Read(open, encoding, report, func(j *jsonscan.Scanner, first jsonscan.Token) error {
		if first.Kind != jsonscan.Object {
			return stat.BadFile(first.At, "the file must be one object of JSON-stat, which begins with {")
		}
		f.json = j
		return f.readObject("", first.At, 0)
	})
	return f, err
}

// withValues returns the datasets with values, in the order of the values in the file,
// so that one pass reads them.
func (f *file) withValues(report *stat.Report) ([]*cube, error) {
	slices.SortStableFunc(f.objects, func(a, b *cube) int { return a.values.at.Compare(b.values.at) })
	var full, empty []*cube
	for _, c := range f.objects {
		if !c.isDataset() {
			continue
		}
		if c.values.notNull == 0 && len(c.status.entries) == 0 {
			report.Add(stat.NoteNotRead, 1, "the dataset "+text.Clip(c.title())+" has no values")
			empty = append(empty, c)
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
		return nil, stat.BadFile(stat.Position{Line: 1}, "the file is a collection of %d links to datasets in other files and has no values itself; load those files", f.links)
	case len(empty) == 0:
		return nil, stat.BadFile(stat.Position{Line: 1}, "the file has no dataset of JSON-stat, which has the fields \"dimension\" and \"value\"")
	}
	return nil, stat.BadFile(empty[0].at, "the dataset %q has no values, only a structure", text.Clip(empty[0].title()))
}

// maxNesting is the greatest depth of a dataset: in a bundle in a wrapper.
const maxNesting = 3

// readObject reads the rest of an object that is a dataset or contains some.
func (f *file) readObject(name string, at stat.Position, depth int) error {
	c := &cube{name: name, at: at, meta: map[string]string{}, roles: map[string][]string{}}
	f.objects = append(f.objects, c)
	err := f.json.Object(func(name string, value jsonscan.Token) (err error) {
		isObject, isArray := value.Kind == jsonscan.Object, value.Kind == jsonscan.Array
		switch {
		case name == "dimension" && isObject:
			return c.readDimensions(f.json)
		case name == "value" && (isArray || isObject):
			return c.values.count(f.json, value)
		case name == "status":
			return c.status.read(f.json, value)
		case name == "id" && isArray:
			c.ids, err = list(f.json, value)
		case name == "size" && isArray:
			return c.readSizes(f.json)
		case name == "role":
			c.roles, err = jsonscan.MapOf(f.json, value, list)
		case name == "note":
			return addTexts(&c.notes)(f.json, value)
		case name == "extension":
			return c.readExtension(f.json, value)
		case name == "link":
			return f.readLinks(value, depth)
		case slices.Contains(textFields, name):
			return c.keep(name)(f.json, value)
		case isObject && depth < maxNesting:
			return f.readObject(name, value.At, depth+1)
		default:
			err = f.json.SkipRest(value)
		}
		return err
	})
	if err == nil && !c.isDataset() && (c.meta["class"] == "dataset" || c.meta["class"] == "collection" && depth > 0) {
		f.links++
	}
	return err
}

// readLinks reads the datasets in link.item of a collection.
func (f *file) readLinks(value jsonscan.Token, depth int) error {
	return f.json.Decode(value, map[string]any{"item": jsonscan.Items(func(item jsonscan.Token) error {
		if item.Kind != jsonscan.Object || depth >= maxNesting {
			return f.json.SkipRest(item)
		}
		return f.readObject("", item.At, depth+1)
	})})
}

// readDimensions reads the dimensions, and the fields beside them in version 1.
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
		d := &dimension{id: name, at: value.At, notes: map[string][]string{}, roles: map[string][]string{}}
		c.dims[name] = d
		err = d.read(j, value)
		if name == "role" && !d.hasCategory {
			c.roles = d.roles
			delete(c.dims, name)
		}
		return err
	})
}

func (c *cube) readSizes(j *jsonscan.Scanner) error {
	c.sizes = []int{}
	return j.Array(func(value jsonscan.Token) error {
		size, err := strconv.Atoi(strings.TrimSpace(string(value.Text)))
		isNumber := value.Kind == jsonscan.Number || value.Kind == jsonscan.String // some programs write "2"
		if !isNumber || err != nil || size < 0 {
			return stat.BadFile(value.At, "a size must be a whole number from 0 on")
		}
		c.sizes = append(c.sizes, size)
		return nil
	})
}

// keep returns a reader that keeps the text of a field.
func (c *cube) keep(name string) jsonscan.Reader {
	return func(j *jsonscan.Scanner, value jsonscan.Token) (err error) {
		c.meta[name], err = j.TextOf(value)
		return err
	}
}

// readExtension reads what PxWeb, PxStat and Eurostat add to a dataset.
func (c *cube) readExtension(j *jsonscan.Scanner, value jsonscan.Token) error {
	return j.Decode(value, map[string]any{
		"id":          c.keep("extension.id"),
		"matrix":      c.keep("extension.matrix"),
		"agencyId":    c.keep("extension.agencyId"),
		"note":        addTexts(&c.notes),
		"elimination": &c.totals,
		"annotation":  jsonscan.Items(func(item jsonscan.Token) error { return c.readAnnotation(j, item) }),
		"status":      jsonscan.Reader(c.status.readLabels),
		"px": map[string]any{
			"language":    c.keep("extension.px.language"),
			"tableid":     c.keep("extension.px.tableid"),
			"infofile":    c.keep("extension.px.infofile"),
			"description": c.keep("extension.px.description"),
		},
	})
}

// readAnnotation keeps the address of the explanatory texts and the size of the whole
// dataset, which are annotations of Eurostat.
func (c *cube) readAnnotation(j *jsonscan.Scanner, item jsonscan.Token) error {
	annotation, err := j.Texts(item)
	switch annotation["type"] {
	case "ESMS_HTML":
		c.meta["explained"] = annotation["href"]
	case "OBS_COUNT":
		c.meta["count"] = annotation["title"]
	}
	return err
}

func (c *cube) check() error {
	if err := c.checkDimensions(); err != nil {
		return err
	}
	if c.values.kind == jsonscan.Array && int64(c.values.entries) != c.cells {
		return stat.BadFile(c.values.at, "there are %d values, but the product of the sizes of the dimensions %s is %d",
			c.values.entries, text.Clip(strings.Join(c.ids, ", ")), c.cells)
	}
	return c.status.check(c.cells)
}

// checkDimensions orders the dimensions, checks them, and counts the cells.
func (c *cube) checkDimensions() error {
	if len(c.ids) == 0 {
		return stat.BadFile(c.at, "the dataset %q has no list \"id\" of its dimensions", text.Clip(c.title()))
	}
	if c.sizes != nil && len(c.sizes) != len(c.ids) {
		return stat.BadFile(c.at, "\"id\" lists %d dimensions and \"size\" %d sizes", len(c.ids), len(c.sizes))
	}
	c.cells = 1
	for i, id := range c.ids {
		d := c.dims[id]
		if d == nil || id == "" || d.isListed {
			return stat.BadFile(c.at, "\"id\" lists the dimension %q, which is missing in \"dimension\", listed twice, or without a name", text.Clip(id))
		}
		d.isListed = true
		c.order = append(c.order, d)
		size := -1
		if c.sizes != nil {
			size = c.sizes[i]
		}
		if err := d.check(size); err != nil {
			return err
		}
		if c.cells > math.MaxInt64>>2/int64(len(d.codes)) {
			return stat.BadFile(c.at, "the dataset has too many cells to count: its sizes are %v", c.sizes)
		}
		c.cells *= int64(len(d.codes))
	}
	return nil
}

// Variable is a dimension of a dataset that is described without its values.
type Variable struct {
	ID       string
	Codes    []string
	IsMetric bool // its codes are measures
}

// Variables reads the dimensions of a dataset that a server describes, in the order
// of the cells. Sizes are ignored: on some servers they differ from the dimensions.
func Variables(text []byte) ([]Variable, error) {
	open := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }
	f, err := readFile(open, "", &stat.Report{})
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(f.objects, (*cube).isDataset)
	if at < 0 {
		return nil, stat.BadFile(stat.Position{Line: 1}, "the text has no dimensions")
	}
	c := f.objects[at]
	c.sizes = nil
	if err := c.checkDimensions(); err != nil {
		return nil, err
	}
	var all []Variable
	for _, d := range c.order {
		all = append(all, Variable{ID: d.id, Codes: d.codes, IsMetric: slices.Contains(c.roles["metric"], d.id)})
	}
	return all, nil
}
