package importer

import (
	"math"
)

// previewCells is how many cells an [Inspection] shows.
const previewCells = 10

// Cell is an observation as it would be served.
type Cell struct {
	Area   string   `json:"area"`           // the label
	Geo    string   `json:"geo"`            // the code by which country= finds it; empty without a geography
	Period string   `json:"period"`         // as the API writes it
	Codes  []string `json:"codes"`          // of dim1 … dim8
	Labels []string `json:"labels"`         // likewise
	Value  *float64 `json:"value"`          // null if there are only flags or a note
	Unit   string   `json:"unit,omitempty"` // as stated by the source
	Flags  []string `json:"flags,omitempty"`
	Note   string   `json:"note,omitempty"`
}

// previewOf returns cells of a table, from the first to the last.
func previewOf(t *table) ([]Cell, error) {
	d := t.dataset
	sample, err := t.draft.Sample(previewCells)
	if err != nil {
		return nil, err
	}
	cells := []Cell{}
	for _, o := range sample {
		area := d.Geography.Codes[o.Key[len(d.Dimensions)]]
		c := Cell{
			Area: area.Label, Geo: area.Area, Period: o.Period.String(), Codes: []string{}, Labels: []string{},
			Unit: d.UnitOf(o.Key, o.Unit), Flags: o.Flags.List(), Note: o.Note,
		}
		if !math.IsNaN(o.Value) {
			c.Value = &o.Value
		}
		for i := range d.Dimensions {
			code := d.Dimensions[i].Codes[o.Key[i]]
			c.Codes, c.Labels = append(c.Codes, code.ID), append(c.Labels, code.Label)
		}
		cells = append(cells, c)
	}
	return cells, nil
}
