package request

import (
	"almanac/internal/chart"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// withBounds returns the query of a drawing, with the bounds of its values if these can be
// drawn: for few lines of the office's own values.
func (d *Drawing) withBounds(v *store.Vintage) stat.Query {
	dataset := v.Dataset
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
	for axis := range dataset.Dimensions {
		if codes := d.Query.Select[axis]; lines <= most && len(codes) == 1 && d.Options.Bounds == nil {
			d.Options.Bounds = boundsOf(v, axis, codes[0])
		}
	}
	if d.Options.Bounds == nil {
		return d.Query
	}
	return d.Options.Bounds.Query(d.Query)
}

// boundsKey is the key under which the bounds of a code on an axis are kept with a vintage.
type boundsKey struct {
	axis int
	code int32
}

// boundsOf returns the bounds of a code, nil if it has none.
func boundsOf(v *store.Vintage, axis int, code int32) *chart.Bounds {
	return v.Memo(boundsKey{axis, code}, func() any {
		b, ok := chart.BoundsOf(axis, &v.Dataset.Dimensions[axis], code)
		if !ok {
			return (*chart.Bounds)(nil)
		}
		return &b
	}).(*chart.Bounds)
}
