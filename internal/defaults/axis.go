package defaults

import (
	"slices"

	"almanac/internal/stat"
)

// FreeAxis returns the dimension that bars of a dataset of one area run over, and its codes
// without those that mean everything, which would dwarf the others: of the dimensions whose
// values can be compared, the one with the most codes. ok is false if the dataset has
// several areas, or no such dimension.
func FreeAxis(d *stat.Dataset) (axis int, codes []int32, ok bool) {
	if len(d.Geography.Codes) != 1 {
		return 0, nil, false
	}
	for i := range d.Dimensions {
		dim := &d.Dimensions[i]
		if dim.Role != stat.RoleOther || isMeasure(dim) || isCurrency(dim) || isAdjustment(dim) {
			continue
		}
		if parts := partsOf(dim); len(parts) > 1 && len(parts) > len(codes) {
			axis, codes = i, parts
		}
	}
	return axis, codes, codes != nil
}

// partsOf returns the positions of the codes of a dimension that are neither totals nor
// about quality.
func partsOf(d *stat.Dimension) []int32 {
	c := &chooser{dimension: d}
	var parts []int32
	for i, code := range d.Codes {
		label := labelOf(code)
		isTotal := code.ID == d.Total || slices.Contains(totalLabels, lastPart(label)) || startsWithTotal(label) || endsWithTotal(label) ||
			isTotalCode(code) || slices.Contains(allLabels, label) || c.isSum(code)
		if !isTotal && !isAboutQuality(code) {
			parts = append(parts, int32(i))
		}
	}
	return parts
}

// isAdjustment reports whether the codes of a dimension are the same data with and without
// adjustment.
func isAdjustment(d *stat.Dimension) bool {
	return slices.ContainsFunc(d.Codes, isAdjusted) || slices.ContainsFunc(d.Codes, isCentral)
}
