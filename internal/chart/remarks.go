package chart

import "almanac/internal/stat"

// Flag returns the flags of a value.
func (s *Series) Flag(at int) stat.Flags {
	if at < len(s.Flags) {
		return s.Flags[at]
	}
	return ""
}

// IsForecast reports whether a value is a forecast. Provisional and estimated values are
// not, because they are about the past.
func IsForecast(f stat.Flags) bool { return f.Has("F") }

// BreakRemark is how notes name breaks.
const BreakRemark = "Break in the series"
