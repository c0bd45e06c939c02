package chart

import "almanac/internal/stat"

// Flag returns the flags of a value.
func (s *Series) Flag(at int) stat.Flags {
	if at < len(s.Flags) {
		return s.Flags[at]
	}
	return ""
}

// BreakRemark is how notes name breaks.
const BreakRemark = "Break in the series"
