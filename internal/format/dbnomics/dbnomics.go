// Package dbnomics reads the answers of DBnomics, which republishes the series of
// many offices ("providers") in one JSON format:
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
// The source is the provider, whose codes the series have. Labels of codes are an
// object or a list of pairs. "NA" is a missing value. An answer with fewer series
// than were found is a part of its dataset. Answers may mix the series of several
// datasets, described under "datasets"; each becomes a separate dataset.
//
// Attributes of observations are arrays beside the values, with a text for each value:
//
//	"observations_attributes": [["OBS_STATUS", ["", "p"]]]
//
// The report counts the values as cells, including "NA". The file is read twice,
// first for its structure: which codes occur, and where each series is.
package dbnomics

import (
	"context"
	"iter"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/jsonscan"
	"almanac/internal/stat"
)

// Formats returns the format of DBnomics.
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
			if s.valuesCount == 0 {
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

// recognise looks for the fields that only DBnomics has in their places: arguments
// of its web service, the order of a dataset's dimensions, fields of a series.
func recognise(_ string, head []byte) bool {
	return jsonscan.HasPath(head, func(path []string, _ []byte) bool {
		if len(path) == 3 && path[0] == "datasets" {
			path = []string{"dataset", path[2]}
		}
		return ownFields[strings.Join(path, ".")]
	})
}

// ownFields are paths of fields; an element of an array is an empty name.
var ownFields = map[string]bool{
	"_meta.args.provider_code": true, "_meta.args.series_ids": true, "_meta.args.align_periods": true,
	"dataset.dimensions_codes_order": true, "series.docs..@frequency": true, "series.docs..series_code": true,
}
