package sdmx

import (
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// keySeparator stands between the keys of a part that has several.
const keySeparator = ";"

const oneFilter = `(startPeriod|endPeriod|firstNObservations|lastNObservations|c\[[A-Za-z0-9_]+\])=[A-Za-z0-9_.,:+-]+`

var (
	// versionPattern matches the version after a final @. An @ before other letters belongs
	// to the ID of the dataflow, as in DSD_NAMAIN1@DF_QNA.
	versionPattern = regexp.MustCompile(`^([^/?]*[^/?,])@([0-9]+(?:\.[0-9]+)+)([/?].*)?$`)
	// filtersPattern matches the filters that select observations. Others would change the form
	// of the response.
	filtersPattern = regexp.MustCompile(`^` + oneFilter + `(&` + oneFilter + `)*$`)
	yearPattern    = regexp.MustCompile(`^[12][0-9]{3}$`)
)

// withVersion writes the version of a code as SDMX does: FLOW@1.1 becomes AGENCY,FLOW,1.1.
func (s *server) withVersion(code string) string {
	match := versionPattern.FindStringSubmatch(code)
	if match == nil || strings.Count(match[1], ",") > 1 {
		return code
	}
	if !strings.Contains(match[1], ",") {
		match[1] = map[bool]string{true: "all", false: s.Agency}[s.Agency == ""] + "," + match[1]
	}
	return match[1] + "," + match[2] + match[3]
}

// keys returns the keys of the series; one empty key for all.
func (f dataflow) keys() []string { return strings.Split(f.key, keySeparator) }

// queries returns the requests for the data, one for each key. Years in the filters bound
// them, so that they can be split further.
func (f dataflow) queries() (list []query) {
	filters, _ := url.ParseQuery(f.filters)
	year := func(name string) int {
		n, _ := strconv.Atoi(filters.Get(name))
		if !yearPattern.MatchString(filters.Get(name)) {
			return 0
		}
		return n
	}
	for _, key := range f.keys() {
		list = append(list, query{key: key, from: year("startPeriod"), to: year("endPeriod")})
	}
	return list
}

// otherFilters returns the filters that are not years of a request.
func (f dataflow) otherFilters() string {
	others := slices.DeleteFunc(strings.Split(f.filters, "&"), func(filter string) bool {
		name, value, _ := strings.Cut(filter, "=")
		return (name == "startPeriod" || name == "endPeriod") && yearPattern.MatchString(value)
	})
	return strings.Join(others, "&")
}

// hasPeriods reports whether the filters select periods other than whole years.
func (f dataflow) hasPeriods() bool {
	others := f.otherFilters()
	return strings.Contains(others, "Period=") || strings.Contains(others, "TIME_PERIOD") || strings.Contains(others, "NObservations=")
}

// part describes the part in the name of its dataset; empty for the whole.
func (f dataflow) part() string {
	text := f.key
	if f.filters != "" {
		text += "?" + f.filters
	}
	return text
}

// Join returns the code of several parts of one dataflow that differ in their keys; ok is
// false if the codes are no such parts.
func (s *server) Join(codes []string) (code string, ok bool) {
	var joined dataflow
	var keys []string
	for i, code := range codes {
		f, err := s.parseFlow(code)
		if err != nil || f.key == "" {
			return "", false
		}
		these := f.keys()
		if f.key = ""; i > 0 && f != joined {
			return "", false
		}
		joined = f
		for _, key := range these {
			if !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
		}
	}
	joined.key = strings.Join(keys, keySeparator)
	return s.code(joined), len(keys) > 0
}
