package sdmx

import (
	"cmp"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/stat"
)

// dataflow is a dataflow, or the part of one that a key selects. Its code is
//
//	EXR                               a dataflow of the office's own agency
//	OECD.SDD.NAD,DSD_NAMAIN1@DF_QNA   of another agency, or if there are several
//	ECB,EXR,1.0                       in a certain version
//	EXR/D.USD+GBP.EUR.SP00.A          only the series of this key
//	EXR/D.USD.EUR.SP00.A;M..EUR.SP00.A   of several keys
//	EXR/D.USD.EUR.SP00.A?startPeriod=2015   with the filters of SDMX REST
//
// A code without a version means the latest one, so that it stays the same when the
// office publishes a new version. A code with a key is a separate dataset, so that a part
// never replaces the whole.
type dataflow struct {
	agency  string // empty: the office's own, or any that has the dataflow
	id      string
	version string // empty: the latest
	key     string // empty: all series; several are separated by semicolons
	filters string // as in addresses
}

var (
	idPattern  = regexp.MustCompile(`^[A-Za-z0-9_@$][A-Za-z0-9_@$.-]*$`)
	keyPattern = regexp.MustCompile(`^[A-Za-z0-9_@$.+*-]+(;[A-Za-z0-9_@$.+*-]+)*$`)
)

// parseFlow parses a code.
func (s *server) parseFlow(code string) (dataflow, error) {
	path, filters, hasFilters := strings.Cut(s.withVersion(code), "?")
	ref, key, hasKey := strings.Cut(path, "/")
	parts := strings.Split(ref, ",")
	f := dataflow{id: parts[0], filters: filters}
	switch len(parts) {
	case 2:
		f.agency, f.id = parts[0], parts[1]
	case 3:
		f.agency, f.id, f.version = parts[0], parts[1], parts[2]
	}
	isValid := len(parts) <= 3 && idPattern.MatchString(f.id) && (!hasKey || keyPattern.MatchString(key)) && (!hasFilters || filtersPattern.MatchString(filters))
	for _, part := range parts {
		isValid = isValid && idPattern.MatchString(part)
	}
	if !isValid {
		return dataflow{}, stat.Errorf(stat.Invalid, "%q does not name a dataset of %s; write FLOW, AGENCY,FLOW or AGENCY,FLOW,VERSION, followed by a key or filters for a part, as in EXR/D.USD.EUR.SP00.A?startPeriod=2015", code, s.Name)
	}
	if strings.EqualFold(f.agency, s.Agency) && f.version == "" {
		f.agency = ""
	}
	if strings.Trim(key, ".*") != "" && key != "all" {
		f.key = key
	}
	return f, nil
}

// Normalize returns a code, or a pattern of codes, without the office's own agency.
func (s *server) Normalize(code string) string {
	code = s.withVersion(code)
	agency, rest, _ := strings.Cut(code, ",")
	flow, _, _ := strings.Cut(rest, "/")
	if flow == "" || strings.Contains(flow, ",") || !strings.EqualFold(agency, s.Agency) {
		return code
	}
	return rest
}

// code returns a dataflow in the form that parseFlow reads.
func (s *server) code(f dataflow) string {
	code := f.ref(s.Agency)
	if f.key != "" {
		code += "/" + f.key
	}
	if f.filters != "" {
		code += "?" + f.filters
	}
	return code
}

// ref returns the dataflow as in addresses. The office's own agency is left out unless a
// version follows.
func (f dataflow) ref(own string) string {
	switch {
	case f.version != "":
		return cmp.Or(f.agency, own, "all") + "," + f.id + "," + f.version
	case f.agency != "" && !strings.EqualFold(f.agency, own):
		return f.agency + "," + f.id
	}
	return f.id
}

// stubs is the query for dataflows without what they refer to.
const stubs = "?detail=allstubs"

// listAddress returns the address of the list of an agency's dataflows; of all if agency
// is empty.
func (s *server) listAddress(agency string) string {
	if s.Agency != "" || !idPattern.MatchString(agency) {
		agency = s.Agency
	}
	switch {
	case s.Office.Contents != "":
		return s.Office.Contents
	case s.Version == "3.0":
		return s.Address + "/structure/dataflow/" + cmp.Or(agency, "*") + "/*/+" + stubs
	}
	return s.Address + "/dataflow/" + cmp.Or(agency, "all") + "/all/latest" + stubs
}

// structureAddress returns the address of a dataflow's structure, with code lists and
// everything else it refers to.
func (s *server) structureAddress(f dataflow) string {
	agency, version := cmp.Or(f.agency, s.Agency), f.version
	if s.Version == "3.0" {
		return s.Address + "/structure/dataflow/" + cmp.Or(agency, "*") + "/" + f.id + "/" + cmp.Or(version, "+") + "?references=all"
	}
	// Structures are next to the list of dataflows. If the address of the list has no
	// version, that of a structure has none, either.
	base, form, _ := strings.Cut(s.listAddress(""), "/dataflow")
	address := base + "/dataflow/" + cmp.Or(agency, "all") + "/" + f.id
	form, _, _ = strings.Cut(form, "?")
	if strings.Count(form, "/") >= 3 {
		address += "/" + cmp.Or(version, "latest")
	}
	return address + "?references=all"
}

// query is a request for data: some series, some years.
type query struct {
	key      string // empty: all series
	from, to int    // years; 0: from the beginning, to the end
}

// dataAddress returns the address of a request for data.
func (s *server) dataAddress(f dataflow, q query) string {
	own := f.ref(s.Agency)
	var address string
	switch {
	case s.Data != "":
		if q.key != "" {
			own += "/" + q.key
		}
		address = strings.ReplaceAll(s.Data, "{code}", own)
	case s.Version == "3.0":
		address = s.Address + "/data/dataflow/" + cmp.Or(f.agency, s.Agency, "*") + "/" + f.id + "/" + cmp.Or(f.version, "+") + "/" + cmp.Or(q.key, "*")
	default:
		address = s.Address + "/data/" + own + "/" + cmp.Or(q.key, "all")
	}
	for _, filters := range []string{q.years(s.Version), f.otherFilters()} {
		switch {
		case filters == "":
		case strings.Contains(address, "?"):
			address += "&" + filters
		default:
			address += "?" + filters
		}
	}
	return address
}

// years returns the parameters for the years of a request.
func (q query) years(version string) string {
	var from, to string
	if q.from != 0 {
		from = strconv.Itoa(q.from)
	}
	if q.to != 0 {
		to = strconv.Itoa(q.to)
	}
	name, first, last, and := "", "startPeriod=", "endPeriod=", "&"
	if version == "3.0" {
		name, first, last, and = "c%5BTIME_PERIOD%5D=", "ge:", "le:", "+"
	}
	switch {
	case from != "" && to != "":
		return name + first + from + and + last + to
	case from != "":
		return name + first + from
	case to != "":
		return name + last + to
	}
	return ""
}

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
