package defaults

import (
	"slices"

	"almanac/internal/stat"
	"almanac/internal/totals"
)

// FreeAxis returns the dimension that bars of a dataset of one area run over, and its codes
// without those that mean everything, which would dwarf the others: of the dimensions whose
// values can be compared, the one with the most codes; measures only if nothing else and if
// all have the unit of the dataset. ok is false if the dataset has several areas, or no such
// dimension.
func FreeAxis(d *stat.Dataset) (axis int, codes []int32, ok bool) {
	if len(d.Geography.Codes) != 1 {
		return 0, nil, false
	}
	for _, ofMeasures := range []bool{false, d.Unit != ""} {
		for i := range d.Dimensions {
			dim := &d.Dimensions[i]
			if dim.Role != stat.RoleOther || isMeasure(dim) != ofMeasures || hasOwnUnits(dim) || IsCurrency(dim) || isAdjustment(dim) {
				continue
			}
			if parts := partsOf(dim); len(parts) > 1 && len(parts) > len(codes) {
				axis, codes = i, parts
			}
		}
		if codes != nil {
			break
		}
	}
	return axis, codes, codes != nil
}

func hasOwnUnits(d *stat.Dimension) bool {
	return slices.ContainsFunc(d.Codes, func(c stat.Code) bool { return c.Unit != "" })
}

// partsOf returns the positions of the codes of a dimension that are neither totals nor
// about quality.
func partsOf(d *stat.Dimension) []int32 {
	c := &chooser{dataset: &Dataset{Dataset: &stat.Dataset{}}, dimension: d}
	for i := range d.Codes {
		c.codes = append(c.codes, int32(i))
	}
	roots, isSum := preferRoot(c), c.sums()
	var parts []int32
	for i, code := range d.Codes {
		label := labelOf(code)
		isTotal := code.ID == d.Total || isTotalLabel(label) || totals.Begins(label) || totals.Ends(label) ||
			isTotalCode(code) || isAllLabel(label) || isSum(code) || slices.Contains(roots, int32(i))
		if !isTotal && !isAboutQuality(code) {
			parts = append(parts, int32(i))
		}
	}
	return parts
}

// isAdjustment reports whether the codes of a dimension are the same data with and without
// adjustment, or with several bases of an index.
func isAdjustment(d *stat.Dimension) bool {
	return areBases(d) || slices.ContainsFunc(d.Codes, isAdjusted) || slices.ContainsFunc(d.Codes, isCentral)
}
