package sdmx

import (
	"cmp"
	"slices"
	"strings"

	"almanac/internal/stat"
)

// SplitFlags returns flags as attributes: OBS_STATUS, which holds one code of CL_OBS_STATUS, the
// first in the order of importance; OBS_FLAG, all flags if OBS_STATUS does not hold them all; and
// the codes of CONF_STATUS. Several are separated by spaces.
func SplitFlags(f stat.Flags) (status, all, confidentiality string) {
	all, confidentiality = f.Split()
	if !strings.ContainsAny(all, " :") {
		return all, "", confidentiality
	}
	first := slices.MinFunc(strings.Fields(all), func(a, b string) int { return cmp.Compare(importance(a), importance(b)) })
	if strings.Contains(first, ":") {
		return "", all, confidentiality
	}
	return first, all, confidentiality
}

// byImportance orders the codes of CL_OBS_STATUS where only one can be given. A break comes before all
// others and O before M, as in "Possible ways of implementing the observation status concept" of
// SDMX; reasons for missing values come before what qualifies a number.
const byImportance = "BOMLHQSDJKWIFEGNUVPA"

// importance returns the place of a code in the order of importance; an office's own flag is
// after all codes.
func importance(code string) int {
	if at := strings.Index(byImportance, code); at >= 0 {
		return at
	}
	return len(byImportance)
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

// StatusName returns the name of a code of OBS_STATUS, empty for any other text.
func StatusName(code string) string {
	for _, c := range ObsStatus {
		if c[0] == code {
			return c[1]
		}
	}
	return ""
}
