package request

import (
	"net/url"
	"strings"

	"almanac/internal/stat"
)

// MaxSelections is how many selections one request may have.
const MaxSelections = 20

// ManyData are the parameters of a read of several datasets.
type ManyData struct {
	S []string `param:"s" needed:"true" example:"1:country=Germany" doc:"A selection: a dataset and, after a colon, parameters of its data endpoint. The dataset is its id, or its source and code. Each & % + and # of the parameters is percent-encoded once more than in an address of its own: s=1:country%3DGermany%26period%3D2005. At most 20."`
}

// DatasetSelection is a part of a dataset as a request for several names it.
type DatasetSelection struct {
	Text    string // as the caller wrote it: "14:country=DE"
	Dataset string // "14" or "eurostat:une_rt_a"
	Query   string // parameters of the data endpoint, percent-encoded
}

// Selections returns the parts of S. The error is [stat.Invalid].
func (p *ManyData) Selections() ([]DatasetSelection, error) {
	const want = "an id, or a source and code, then a colon and parameters of the data endpoint, such as 14:country=DE or eurostat:une_rt_a:country=DE"
	if len(p.S) == 0 {
		return nil, stat.Errorf(stat.Invalid, "parameter s is missing; it must be %s", want)
	}
	if len(p.S) > MaxSelections {
		return nil, stat.Errorf(stat.Invalid, "parameter s is given %d times; at most %d selections are accepted", len(p.S), MaxSelections)
	}
	var selections []DatasetSelection
	for _, text := range p.S {
		one := DatasetSelection{Text: text}
		one.Dataset, one.Query, _ = strings.Cut(text, ":")
		if !isInteger(one.Dataset) {
			var code string
			code, one.Query, _ = strings.Cut(one.Query, ":")
			code, err := url.PathUnescape(code)
			if err != nil || one.Dataset == "" || code == "" {
				return nil, stat.Errorf(stat.Invalid, "parameter s must be %s, not %.80q", want, text)
			}
			one.Dataset += ":" + code
		}
		selections = append(selections, one)
	}
	return selections, nil
}
