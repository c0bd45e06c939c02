// Package dbnomics reads the answers of DBnomics, which hands on the series of
// many offices ("providers") in one JSON:
//
//	{ "_meta": {"args": {"provider_code": "CEPII", …}, "version": "22.1.17"},
//	  "dataset": {
//	    "code": "CHELEM", "name": "International trade",
//	    "dimensions_codes_order": ["exporter", "product"],
//	    "dimensions_labels": {"exporter": "Exporter", "product": "Product"},
//	    "dimensions_values_labels": {
//	       "exporter": {"FRA": "France"},
//	       "product": [["CA", "Iron and steel"]] } },
//	  "provider": {"code": "CEPII", "name": "Centre d'études …"},
//	  "series": {
//	    "limit": 1000, "offset": 0, "num_found": 7419264,
//	    "docs": [{
//	       "@frequency": "annual",
//	       "dataset_code": "CHELEM",
//	       "dimensions": {"exporter": "FRA", "product": "CA"},
//	       "period": ["2021", "2022"], "value": [4.41, "NA"] }] } }
//
// The source is the provider, whose codes the series have. Labels of values
// stand in an object or in a list of pairs. "NA" is a missing value. An answer
// with fewer series than were found is a part of its dataset. Answers may mix
// the series of several datasets, described under "datasets": each is a
// dataset of its own.
//
// What is said of single observations stands beside the values, one for each:
//
//	"observations_attributes": [["OBS_STATUS", ["", "p"]]]
//
// Cells of the report are the values, "NA" among them. The file is read twice,
// first for its structure: which codes occur, and where each series stands.
package dbnomics

import (
	"context"
	"errors"
	"iter"

	"almanac/internal/format"
	"almanac/internal/format/jsonscan"
	"almanac/internal/stat"
)

// Formats returns the one format of this package.
func Formats() []format.Format {
	return []format.Format{{Name: "dbnomics-json", Recognise: recognise, Read: read}}
}

// read yields the datasets of an answer, in the order of their first series.
func read(ctx context.Context, in format.Input) iter.Seq2[*stat.Table, error] {
	return func(yield func(*stat.Table, error) bool) {
		noted := &stat.Report{}
		a, err := readAnswer(in, noted)
		if err != nil {
			yield(nil, err)
			return
		}
		file := jsonscan.NewFile(in.Again, in.Encoding)
		defer file.Close()
		for _, s := range a.sets {
			if s.values == 0 {
				continue
			}
			d, err := newDataset(ctx, a, s, in)
			if err != nil {
				yield(nil, err)
				return
			}
			d.Report.Merge(noted)
			if !yield(d.Reading(func() error { return d.read(file) }), nil) {
				return
			}
		}
	}
}

// recognise knows an answer by what only DBnomics has: the arguments of its
// web service, or the order of dimensions of a dataset, or the fields of a
// series.
func recognise(_ string, head []byte) bool {
	j, ok := jsonscan.Head(head, jsonscan.Object)
	if !ok {
		return false
	}
	err := look(j, "") // which may fail too, where the head is cut off
	return errors.Is(err, errRecognised)
}

var errRecognised = errors.New("a field of DBnomics")

// bones are fields that only DBnomics has in these places, and branches the
// objects to look for them in.
var bones = map[string]bool{
	"_meta.args.provider_code": true, "_meta.args.series_ids": true, "_meta.args.align_periods": true,
	"dataset.dimensions_codes_order": true, "datasets.*.dimensions_codes_order": true,
	"series.docs.@frequency": true, "series.docs.series_code": true,
}

var branches = map[string]bool{"_meta": true, "_meta.args": true, "dataset": true, "datasets": true, "datasets.*": true, "series": true}

// look reads the fields of an object at a path up to one of the bones.
func look(j *jsonscan.Scanner, path string) error {
	return j.Object(func(name string, value jsonscan.Token) error {
		at := name
		switch {
		case path == "datasets":
			at = "datasets.*"
		case path != "":
			at = path + "." + name
		}
		switch {
		case bones[at]:
			return errRecognised
		case branches[at] && value.Kind == jsonscan.Object:
			return look(j, at)
		case at == "series.docs" && value.Kind == jsonscan.Array:
			return j.Array(func(item jsonscan.Token) error {
				if item.Kind != jsonscan.Object {
					return j.SkipRest(item)
				}
				return look(j, at)
			})
		}
		return j.SkipRest(value)
	})
}
