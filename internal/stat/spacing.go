package stat

import (
	"strconv"
)

// OccasionalAnnual is the code in SDMX CL_FREQ of years that are not equally far apart.
const OccasionalAnnual = "OA"

// AnnualFrequency returns how often there are years among periods in order of time, if fewer than four of five from the first to the last
// are there, as a code in SDMX CL_FREQ: A2, A3 … if each follows the one before after 2, 3 … years, else [OccasionalAnnual]. It is empty
// for annual periods and if there are none.
func AnnualFrequency(periods []Period) string {
	var years []int
	for _, p := range periods {
		if p.Frequency() == Annual {
			years = append(years, p.Year())
		}
	}
	if len(years) == 0 {
		return ""
	}
	first, last := years[0], years[len(years)-1]
	if 5*len(years) >= 4*(last-first+1) {
		return ""
	}
	apart := years[1] - first
	for i := range years[1:] {
		if years[i+1]-years[i] != apart {
			return OccasionalAnnual
		}
	}
	if len(years) == 2 { // no rule can be seen
		return OccasionalAnnual
	}
	return Annual.Code() + strconv.Itoa(apart)
}
