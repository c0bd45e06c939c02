package sdmx

import (
	"strings"

	"almanac/internal/stat"
)

// SplitFlags returns flags as attributes: the codes of CL_OBS_STATUS, the office's own flags, and
// the codes of CONF_STATUS, each separated by spaces.
func SplitFlags(f stat.Flags) (status, own, confidentiality string) {
	status, confidentiality = f.Split()
	if !strings.Contains(status, ":") {
		return status, "", confidentiality
	}
	var codes, others []string
	for code := range strings.FieldsSeq(status) {
		if strings.Contains(code, ":") {
			others = append(others, code)
		} else {
			codes = append(codes, code)
		}
	}
	return strings.Join(codes, " "), strings.Join(others, " "), confidentiality
}

// ObsStatus are the codes of CL_OBS_STATUS 2.2 with their names.
var ObsStatus = [][2]string{
	{"A", "Normal value"}, {"B", "Time series break"}, {"D", "Definition differs"}, {"E", "Estimated value"}, {"F", "Forecast value"},
	{"G", "Experimental value"}, {"H", "Missing value; holiday or weekend"}, {"I", "Imputed value"}, {"J", "Derogation"},
	{"K", "Data included in another category"}, {"L", "Missing value; data exist but were not collected"}, {"M", "Missing value; data cannot exist"},
	{"N", "Not significant"}, {"O", "Missing value"}, {"P", "Provisional value"}, {"Q", "Missing value; suppressed"},
	{"S", "Strike and other special events"}, {"U", "Low reliability"}, {"V", "Unvalidated value"}, {"W", "Includes data from another category"},
}

// Where the list of [ObsStatus] is maintained.
const (
	StatusAgency  = "SDMX"
	StatusList    = "CL_OBS_STATUS"
	StatusVersion = "2.2"
)

// StatusNames returns the names of the codes of OBS_STATUS, separated by semicolons.
func StatusNames(codes string) string {
	var names []string
	for code := range strings.FieldsSeq(codes) {
		for _, c := range ObsStatus {
			if c[0] == code {
				names = append(names, c[1])
			}
		}
	}
	return strings.Join(names, "; ")
}
