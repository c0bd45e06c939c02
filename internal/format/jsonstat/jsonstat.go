// Package jsonstat reads JSON-stat, the JSON of many statistical offices: of
// Eurostat's web service, and of what PxWeb and PxStat serve.
//
// A dataset is a cube. It lists its dimensions, each dimension its categories,
// and the values stand in one row, the last dimension running fastest:
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
// Values may also be an object {"0": 25100, "1": 24900, …} that leaves out
// what is missing; a status may be one text for all cells, an array or an
// object. In the versions 1.x, id, size and role stand inside dimension, and
// datasets stand as members of an object ("bundle"), often as its one member
// "dataset". Eurostat's service of 2016 wraps a dataset into an object with
// its code as the name, and the status into {"value": […], "category": …}.
// A collection of links to other files holds no data and is refused.
//
// # What is read how
//
//   - Cells of the report are all positions of an array, and the entries of
//     value and status together of an object.
//   - A text in the place of a value is a number only if it is written like
//     one; marks such as ".." are missing with their mark.
//   - A status is a mark of the office's own, because JSON-stat has no list of
//     them: Eurostat's letters mean what its list OBS_FLAG says, "." of SSB
//     becomes "SSB:.". Dots and colons say that there is no value.
//   - Notes on categories are notes of the observations that have them; notes
//     on the dataset and on dimensions are its description.
//   - Time is the dimension with the role of time, else the one named so, else
//     the one whose codes and labels all are periods.
//
// A file is read twice: the structure, which may come after the values, and
// then the values. Memory grows with categories and with cells that have a
// status of their own.
package jsonstat

import (
	"context"
	"iter"

	"almanac/internal/format"
	"almanac/internal/format/jsonscan"
	"almanac/internal/stat"
)

// Formats returns the one format of this package.
func Formats() []format.Format {
	return []format.Format{{Name: "json-stat", Recognise: recognise, Read: read}}
}

// read yields the datasets of a file that have values, in order.
func read(ctx context.Context, in format.Input) iter.Seq2[*stat.Table, error] {
	return func(yield func(*stat.Table, error) bool) {
		noted := &stat.Report{}
		f, err := readFile(in.Again, in.Encoding, noted)
		if err != nil {
			yield(nil, err)
			return
		}
		cubes, err := f.withValues(noted)
		if err != nil {
			yield(nil, err)
			return
		}
		values := jsonscan.NewFile(in.Again, in.Encoding)
		defer values.Close()
		for _, c := range cubes {
			t, err := newTable(ctx, c, in, noted)
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
