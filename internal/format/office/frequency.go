package office

import (
	"strings"

	"almanac/internal/stat"
)

// Frequency codes. Those of SDMX CL_FREQ are what most agencies use; where an
// agency's list means something else by a letter, that comes first.
var (
	sdmxFrequencies = map[string]stat.Frequency{
		"A": stat.Annual, "S": stat.HalfYear, "H": stat.HalfYear, "Q": stat.Quarter,
		"M": stat.Month, "W": stat.Week, "D": stat.Day, "B": stat.Day,
	}
	agencyFrequencies = map[string]map[string]stat.Frequency{
		"insee": {"T": stat.Quarter, "B": 0}, // trimestriel; bimestriel
		// B of the ECB and others is business-daily, as in CL_FREQ.
		"statcan": {"1": stat.Day, "2": stat.Week, "6": stat.Month, "9": stat.Quarter, "11": stat.HalfYear, "12": stat.Annual},
	}
)

// Frequency tells what a code of an office's list of frequencies means. ok
// is false for codes that stand for no frequency that can be stored, such as
// every two months.
func Frequency(source, code string) (f stat.Frequency, ok bool) {
	code = strings.ToUpper(code)
	if own, found := agencyFrequencies[source][code]; found {
		return own, own != 0
	}
	f, ok = sdmxFrequencies[code]
	return f, ok
}
