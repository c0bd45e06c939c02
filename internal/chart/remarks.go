package chart

import "almanac/internal/stat"

// flag returns the flags of a value.
func (s *Series) flag(at int) stat.Flags {
	if at < len(s.Flags) {
		return s.Flags[at]
	}
	return ""
}

// isForecast reports whether a value is a forecast. Provisional and estimated values are
// not, because they are about the past.
func isForecast(f stat.Flags) bool { return f.Has("F") }

// breakRemark is how notes name breaks.
const breakRemark = "Break in the series"
