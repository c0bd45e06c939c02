// Package sdmxrest turns the requests of the SDMX REST API into queries, without HTTP: the
// dataflow, the key and the filters of a request for data, the artefacts of a request for
// structures, and the media type of the response.
//
// There are two versions of the API: that of SDMX 2.1 (sdmx-rest 1.5) and that of SDMX 3.0
// (sdmx-rest 2.1). See https://github.com/sdmx-twg/sdmx-rest.
package sdmxrest

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/encode/sdmx"
	"almanac/internal/format/office"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// Reference names artefacts by agency, ID and version. Empty lists are wildcards.
type Reference struct {
	Agencies, IDs []string
	Version       string // empty: the current one
	// Since, if not empty, is the version that the current one is or follows: "1+.0.0" is any since
	// 1.0, "1.2+.0" any since 1.2 with the same first number.
	Since string
}

// wildcards are the words for everything, and for the current version.
var wildcards = []string{"", "*", "all", "ALL", "latest", "LATEST", "+", "~"}

// serviceAgency names the service itself: all agencies. Clients that have one agency for each
// service send it.
const serviceAgency = "ALMANAC"

// ParseFlow reads the reference to a dataflow in SDMX 2.1: "ESTAT,une_rt_a,1.0",
// "ESTAT,une_rt_a" or "une_rt_a".
func ParseFlow(text string) (Reference, error) {
	parts := strings.Split(text, ",")
	switch len(parts) {
	case 1:
		return NewReference("", parts[0], ""), nil
	case 2, 3:
		return NewReference(parts[0], parts[1], strings.Join(parts[2:], "")), nil
	}
	return Reference{}, stat.Errorf(stat.Invalid, "a dataflow is written AGENCY,ID,VERSION, AGENCY,ID or ID, not %.200q", text)
}

// NewReference returns a reference with an agency, an ID and a version. Each may be a wildcard
// or, but for the version, several separated by + or comma.
func NewReference(agency, id, version string) Reference {
	r := Reference{Agencies: listOf(agency), IDs: listOf(id)}
	if slices.ContainsFunc(r.Agencies, func(agency string) bool { return strings.EqualFold(agency, serviceAgency) }) {
		r.Agencies = nil
	}
	switch {
	case slices.Contains(wildcards, version):
	case strings.HasSuffix(version, "+"):
		r.Version = strings.TrimSuffix(version, "+") // the last number says nothing here
	case strings.Contains(version, "+"):
		r.Since = version
	default:
		r.Version = version
	}
	return r
}

// listOf returns the values of a list, nil if any is a wildcard.
func listOf(text string) []string {
	if slices.Contains(wildcards, text) {
		return nil
	}
	return strings.FieldsFunc(text, func(r rune) bool { return r == '+' || r == ',' })
}

// Entries returns the datasets of a catalogue that the reference names as dataflows. Whether there is
// the version of one that is named is not looked at. The error says that there are none.
func (r Reference) Entries(c *store.Catalog) ([]*store.Entry, error) {
	return r.entries(c, func(id string) string { return id })
}

// entries is [Reference.Entries] for IDs from which flowOf takes that of the dataflow.
func (r Reference) entries(c *store.Catalog, flowOf func(id string) string) ([]*store.Entry, error) {
	var found []*store.Entry
	add := func(e *store.Entry) {
		if e != nil && r.reaches(e.Version) && (r.IDs != nil || r.hasVersion(e.Version)) && !slices.Contains(found, e) {
			found = append(found, e)
		}
	}
	for i := range c.Entries {
		if e := &c.Entries[i]; r.IDs == nil && r.hasAgency(e.Source) {
			add(e)
		}
	}
	for _, id := range r.IDs {
		code := sdmx.Unescape(flowOf(id))
		for _, agency := range r.Agencies {
			for _, source := range sourcesOf(agency) {
				add(c.Find(source, code))
			}
		}
		for i := range c.Entries {
			if e := &c.Entries[i]; r.Agencies == nil && strings.EqualFold(e.Code, code) {
				add(e)
			}
		}
	}
	if len(found) == 0 {
		return nil, stat.Errorf(stat.NotFound, "there is no dataflow %.300s here; dataflow/all lists all dataflows, with the version that each has now", r)
	}
	return found, nil
}

func (r Reference) hasAgency(source string) bool {
	return r.Agencies == nil || slices.ContainsFunc(r.Agencies, func(agency string) bool { return slices.Contains(sourcesOf(agency), source) })
}

// sourcesOf returns the IDs of the sources that an agency can mean: that with the same name, and
// the office that uses the agency in its own files, as ESTAT is Eurostat and OECD.SDD a part of
// the OECD.
func sourcesOf(agency string) []string {
	id := sdmx.UnescapeName(agency)
	return slices.Compact([]string{strings.ToLower(id), office.Find(id).ID})
}

// IsProvider reports whether the providers that an address of SDMX 2.1 names, such as ESTAT,EUROSTAT, include
// a source: each may have the agency of its scheme before a comma. A wildcard includes all.
func IsProvider(text, source string) bool {
	if slices.Contains(wildcards, text) {
		return true
	}
	return slices.ContainsFunc(strings.Split(text, "+"), func(provider string) bool {
		id := provider[strings.LastIndexByte(provider, ',')+1:]
		return strings.EqualFold(id, serviceAgency) || slices.Contains(sourcesOf(id), source)
	})
}

func (r Reference) hasVersion(version string) bool {
	return r.Version == "" || r.Version == version || r.Version == sdmx.SemanticVersion(version)
}

// reaches reports whether a version is one since that of the reference.
func (r Reference) reaches(version string) bool {
	if r.Since == "" {
		return true
	}
	numbers := strings.Split(sdmx.SemanticVersion(version), ".")
	isOpen := false
	for i, text := range strings.Split(r.Since, ".") {
		text, isMarked := strings.CutSuffix(text, "+")
		least, err := strconv.Atoi(text)
		if err != nil || i >= len(numbers) {
			return false
		}
		isOpen = isOpen || isMarked
		if have, _ := strconv.Atoi(numbers[i]); have != least {
			return isOpen && have > least
		}
	}
	return true
}

// At returns the version of the data that the reference names: the current one, that with its
// number, or the one that was current at the time of the parameter asOf. The error is
// [stat.Invalid], or [stat.NotFound] for what is not the number of a version.
func (r Reference) At(asOf string) (at store.At, err error) {
	if asOf != "" {
		if r.Version != "" {
			return at, stat.Errorf(stat.Invalid, "version %.40s and parameter asOf both choose a version; give only one of them", r.Version)
		}
		at.Time, err = ParseInstant("asOf", asOf)
		return at, err
	}
	at.Version = r.Version
	if strings.Count(r.Version, ".") == 2 {
		at.Version = strings.TrimSuffix(r.Version, ".0")
	}
	if strings.Count(at.Version, ".") != 1 && at.Version != "" {
		err = stat.Errorf(stat.NotFound, "there is no version %.40q; versions are written 1.3 or 1.3.0", r.Version)
	}
	return at, err
}

// String returns the reference as SDMX 2.1 writes it.
func (r Reference) String() string {
	text := cmp.Or(strings.Join(r.Agencies, "+"), "all") + "," + cmp.Or(strings.Join(r.IDs, "+"), "all")
	if version := r.Version + r.Since; version != "" {
		text += "," + version
	}
	return text
}

// Entry returns the only dataset that the reference names. The error is [stat.Invalid] if there
// are several.
func (r Reference) Entry(c *store.Catalog) (*store.Entry, error) {
	found, err := r.Entries(c)
	if err != nil {
		return nil, err
	}
	if len(found) > 1 {
		return nil, stat.Errorf(stat.Invalid, "%d dataflows are called %s, such as %s,%s and %s,%s; name the agency and one dataflow", len(found), r,
			sdmx.AgencyOf(found[0].Source), sdmx.EscapeID(found[0].Code), sdmx.AgencyOf(found[1].Source), sdmx.EscapeID(found[1].Code))
	}
	return found[0], nil
}
