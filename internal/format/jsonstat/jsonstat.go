// Package jsonstat reads JSON-stat, the JSON of many statistical offices: of
// Eurostat's web service, and of PxWeb and PxStat servers.
//
// A dataset is a cube. It lists its dimensions, each dimension its categories,
// and the values come in one row in which the last dimension changes fastest:
//
//	{ "version": "2.0", "class": "dataset", "label": "Births",
//	  "source": "Statistics Norway", "updated": "2024-03-01",
//	  "id": ["sex", "geo", "time"], "size": [2, 1, 2],
//	  "role": {"time": ["time"], "geo": ["geo"]},
//	  "dimension": {
//	    "sex": {"label": "Sex", "category": {
//	       "index": ["F", "M"], "label": {"F": "Female", "M": "Male"}}},
//	    "geo": {"category": {"label": {"NO": "Norway"}}},
//	    "time": {"category": {"index": {"2022": 0, "2023": 1}}}},
//	  "value": [25100, 24900, 26300, null],
//	  "status": {"3": ".."} }
//
// Values may also be an object {"0": 25100, "1": 24900, …} that leaves out missing
// ones; a status may be one text for all cells, an array or an object. In versions
// 1.x, id, size and role are fields of dimension, and datasets are fields of an
// object ("bundle"), often of its only field "dataset". Eurostat's service of 2016
// wraps a dataset into an object with its code as the name, and the status into
// {"value": […], "category": …}. A collection of links to other files has no data
// and is refused.
//
// # How it is read
//
//   - The report counts all positions of an array as cells; of an object, the
//     entries of value and status together.
//   - A text in place of a value is a number if it is written like one; marks such
//     as ".." are missing values with that flag.
//   - JSON-stat has no list of statuses, so a status is the office's own: Eurostat's
//     letters have the meaning of its list OBS_FLAG, "." of SSB becomes "SSB:.".
//     Dots and colons mean that there is no value.
//   - Notes on categories become notes of their observations; notes on the dataset
//     and on dimensions become its description.
//   - Time is the dimension with the role of time, else the one with the name of a
//     time, else the one whose codes and labels are all periods.
//
// A file is read twice: first the structure, which may follow the values, then the
// values. Memory grows with categories and with cells that have a status of their
// own.
package jsonstat

import (
	"context"
	"iter"
	"regexp"
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/jsonscan"
	"almanac/internal/stat"
)

// Formats returns the one format of this package.
func Formats() []format.Format {
	return []format.Format{{Name: "json-stat", Recognise: recognise, Read: read}}
}

// recognise reads the beginning of a file and looks for fields that only JSON-stat has.
func recognise(_ string, head []byte) bool {
	j, ok := jsonscan.Head(head, jsonscan.Object)
	if !ok {
		return false
	}
	f := &file{json: j}
	err := f.readObject("", stat.Position{}, 0) // the head may be cut off
	return slices.ContainsFunc(f.objects, func(c *cube) bool { return c.isRecognised(err != nil) }) || err != nil && looksDamaged(head)
}

var (
	dimensionField = regexp.MustCompile(`"dimension"\s*:\s*\{`)
	categoryField  = regexp.MustCompile(`"category"\s*:\s*\{`)
)

// looksDamaged reports whether a text that is not JSON has the fields of JSON-stat, so
// that reading it tells what is wrong and where.
func looksDamaged(head []byte) bool { return dimensionField.Match(head) && categoryField.Match(head) }

// minCells is how many numbered cells at the beginning of a file are those of a cube.
const minCells = 100

// isRecognised reports whether the cube is JSON-stat: it has a class, dimensions with
// categories, or, if it is cut off among numbered cells, other fields of a dataset.
func (c *cube) isRecognised(isCutOff bool) bool {
	isClass := slices.Contains([]string{"dataset", "collection", "bundle", "dimension"}, c.meta["class"])
	if isClass && (c.ids != nil || c.sizes != nil || strings.HasPrefix(c.meta["version"], "1.") || strings.HasPrefix(c.meta["version"], "2.")) {
		return true
	}
	for _, d := range c.dims {
		if d.hasCategory {
			return true
		}
	}
	if c.dims != nil && c.ids != nil && c.sizes != nil {
		return true
	}
	isDataset := isClass || c.name == "dataset" || slices.ContainsFunc([]string{"wsVersion", "label", "source", "updated"}, func(field string) bool { return c.meta[field] != "" })
	entries := c.values.entries + len(c.status.entries)
	return isCutOff && (isDataset && entries > 0 || entries >= minCells)
}

// read yields the datasets of a file that have values, in order.
func read(ctx context.Context, in format.Input) iter.Seq2[*stat.Table, error] {
	return func(yield func(*stat.Table, error) bool) {
		report := &stat.Report{}
		f, err := readFile(in.Again, in.Encoding, report)
		if err != nil {
			yield(nil, err)
			return
		}
		cubes, err := f.withValues(report)
		if err != nil {
			yield(nil, err)
			return
		}
		values := jsonscan.NewFile(in.Again, in.Encoding)
		defer values.Close()
		for _, c := range cubes {
			t, err := newReader(ctx, c, in, report)
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(t.Reading(func() error { return t.read(values) }), nil) {
				return
			}
		}
	}
}
