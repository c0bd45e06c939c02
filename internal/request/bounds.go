package request

import (
	"almanac/internal/chart"
	"almanac/internal/stat"
)

// withBounds returns the query of a drawing, with the bounds of its values if these can be
// drawn: for few lines of the office's own values.
func (d *Drawing) withBounds(dataset *stat.Dataset) stat.Query {
	most := map[chart.Type]int{chart.Line: chart.MaxBandedLines, chart.SmallMultiples: chart.MaxBandedPanels}[d.Options.Type]
	if !d.Options.Derive.IsZero() || !d.Options.ShowBands || most == 0 {
		return d.Options.Derive.Query(d.Query)
	}
	lines := 1
	for axis, dim := range dataset.Axes() {
		if codes := d.Query.Select[axis]; codes == nil {
			lines *= len(dim.Codes)
		} else {
			lines *= len(codes)
		}
	}
	for axis, dim := range dataset.Axes()[:len(dataset.Dimensions)] {
		if codes := d.Query.Select[axis]; lines <= most && len(codes) == 1 && d.Options.Bounds == nil {
			if b, ok := chart.BoundsOf(axis, dim, codes[0]); ok {
				d.Options.Bounds = &b
			}
		}
	}
	if d.Options.Bounds == nil {
		return d.Query
	}
	return d.Options.Bounds.Query(d.Query)
}
