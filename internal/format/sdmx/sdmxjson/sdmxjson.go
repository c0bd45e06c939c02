// Package sdmxjson reads data messages in SDMX-JSON, versions 1.0 and 2.0. The structure
// of a message, before or after the data, lists the components and their values; the
// data consist of positions in these lists:
//
//	{"header": {"prepared": "2012-11-29T08:40:26Z", "sender": {"id": "ECB"}},
//	 "structure": {
//	  "links": [{"rel": "dataflow", "href": "https://…/dataflow/ECB/EXR/1.0"}],
//	  "dimensions": {
//	   "dataSet":     [{"id": "FREQ", "keyPosition": 0, "values": [{"id": "D", "name": "Daily"}]}],
//	   "series":      [{"id": "CURRENCY", "keyPosition": 1, "values": [{"id": "NZD"}, {"id": "RUB"}]}],
//	   "observation": [{"id": "TIME_PERIOD", "role": "time", "values": [{"id": "2013-01-18"}, …]}]},
//	  "attributes": {
//	   "observation": [{"id": "OBS_STATUS", "values": [{"id": "A"}]}]}},
//	 "dataSets": [{"series": {"1": {"observations": {"0": [40.3426, 0]}}}}]}
//
// The only observation is 40.3426 with status A, for D and RUB on 2013-01-18. Each
// component is on the level on which it varies: the data set, the series or the
// observation. Any dimension may be on any level; a flat message has all on the level of
// the observation, whose names are then "0:1:0". Positions after those of the attributes
// are of annotations.
//
// Version 2.0 allows several structures, data within "data", attributes of groups
// ("dimensionGroupAttributes", whose names have a position for each dimension of all
// levels, empty for any value), several measures, and values of attributes in place of
// positions.
//
// The file is read twice, because the structure and the attributes of a data set or a
// series may follow the observations. Data sets of one structure become one table. The
// report counts observations, or, with several measures, their numbers.
package sdmxjson

import (
	"context"
	"iter"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/jsonscan"
	"almanac/internal/stat"
)

// Formats returns the one format.
func Formats() []format.Format {
	return []format.Format{{Name: "sdmx-json", Recognise: recognise, Read: read}}
}

func recognise(_ string, head []byte) bool {
	return jsonscan.HasPath(head, func(path []string, _ []byte) bool {
		switch strings.TrimPrefix(strings.Join(path, "."), "data.") {
		case "dataSets",
			"structure.dimensions.dataSet", "structure.dimensions.series", "structure.dimensions.observation",
			"structures..dimensions.dataSet", "structures..dimensions.series", "structures..dimensions.observation":
			return true
		}
		return false
	})
}

func read(ctx context.Context, in format.Input) iter.Seq2[*stat.Table, error] {
	return func(yield func(*stat.Table, error) bool) {
		encoding := &stat.Report{}
		m, err := readMessage(in, encoding)
		if err != nil {
			yield(nil, err)
			return
		}
		for i := range m.structures {
			if len(m.structures[i].sets) == 0 {
				continue
			}
			t, err := newTable(ctx, in, m, &m.structures[i])
			if err != nil {
				yield(nil, err)
				return
			}
			t.Report.Merge(encoding) // with the first table
			encoding = &stat.Report{}
			if !yield(t.Reading(t.read), nil) {
				return
			}
		}
	}
}
