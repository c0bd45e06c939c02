// Package sdmxrest turns the requests of the SDMX REST API into queries, without HTTP: the
// dataflow, the key and the filters of a request for data, the artefacts of a request for
// structures, and the media type of the response.
//
// There are two versions of the API: that of SDMX 2.1 (sdmx-rest 1.5) and that of SDMX 3.0
// (sdmx-rest 2.1). See https://github.com/sdmx-twg/sdmx-rest.
package sdmxrest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"almanac/internal/encode/sdmx"
	"almanac/internal/format/office"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// Reference names artefacts by agency, ID and version. Empty lists are wildcards.
type Reference struct {
	Agencies, IDs []string
	Versions      Versions
}

// wildcards are the words for everything.
var wildcards = []string{"", "*", "all", "ALL"}

// serviceAgency names the service itself: all agencies. Clients that have one agency for each
// service send it.
const serviceAgency = "ALMANAC"

// ParseFlow reads the reference to a dataflow in SDMX 2.1: "ESTAT,une_rt_a,1.0",
// "ESTAT,une_rt_a" or "une_rt_a".
func ParseFlow(text string) (Reference, error) {
	parts := strings.Split(text, ",")
	switch len(parts) {
	case 1:
		return NewReference("", parts[0], "")
	case 2, 3:
		return NewReference(parts[0], parts[1], strings.Join(parts[2:], ""))
	}
	return Reference{}, stat.Errorf(stat.Invalid, "a dataflow is written AGENCY,ID,VERSION, AGENCY,ID or ID, not %.200q", text)
}

// NewReference returns a reference with an agency, an ID and a version. Agency and ID may be a wildcard or
// several separated by + or comma; see [Versions] for the version.
func NewReference(agency, id, version string) (r Reference, err error) {
	r = Reference{Agencies: listOf(agency), IDs: listOf(id)}
	if slices.ContainsFunc(r.Agencies, func(agency string) bool { return strings.EqualFold(agency, serviceAgency) }) {
		r.Agencies = nil
	}
	r.Versions, err = ParseVersions(version)
	return r, err
}

// listOf returns the values of a list, nil if any is a wildcard.
func listOf(text string) []string {
	if slices.Contains(wildcards, text) {
		return nil
	}
	return strings.FieldsFunc(text, func(r rune) bool { return r == '+' || r == ',' })
}

// Entries returns the datasets of a catalogue that the reference names as dataflows, in any version. The
// error says that there are none.
func (r Reference) Entries(c *store.Catalog) ([]*store.Entry, error) {
	return r.entries(c, func(id string) string { return id })
}

// entries is [Reference.Entries] for IDs from which flowOf takes that of the dataflow.
func (r Reference) entries(c *store.Catalog, flowOf func(id string) string) ([]*store.Entry, error) {
	var found []*store.Entry
	add := func(e *store.Entry) {
		if e != nil && !slices.Contains(found, e) {
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
		return nil, stat.Errorf(stat.NotFound, "there is no dataflow %.300s here; dataflow/all lists all dataflows", r)
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

// At returns the version of the data that the reference names: the current one, that with its
// number, or the one that was current at the time of the parameter asOf. kept returns the versions
// that there are, oldest first. The error is [stat.Invalid], [stat.NotFound] or [NotImplemented].
func (r Reference) At(asOf string, kept func() ([]string, error)) (at store.At, err error) {
	switch {
	case r.Versions.isCurrentOrAll():
		if asOf != "" {
			at.Time, err = ParseInstant("asOf", asOf)
		}
		return at, err
	case asOf != "":
		return at, stat.Errorf(stat.Invalid, "version %.40s and parameter asOf both choose a version; give only one of them", r.Versions)
	case r.Versions.isOne():
		at.Version = r.Versions[0].number() // the store says which there are if it is none of them
		return at, nil
	}
	all, err := kept()
	if err != nil {
		return at, err
	}
	named := r.Versions.Of(all)
	switch len(named) {
	case 1:
		at.Version = named[0]
	case 0:
		err = stat.Errorf(stat.NotFound, "no version of %s fits %.100s; it has %s to %s", strings.Join(r.IDs, "+"), r.Versions, all[0], all[len(all)-1])
	default:
		err = &NotImplemented{fmt.Sprintf("%d versions fit %.100s, and data are of one version; includeHistory=true gives the versions up to one", len(named), r.Versions)}
	}
	return at, err
}

// String returns the reference as SDMX 2.1 writes it.
func (r Reference) String() string {
	text := cmp.Or(strings.Join(r.Agencies, "+"), "all") + "," + cmp.Or(strings.Join(r.IDs, "+"), "all")
	if version := r.Versions.String(); version != "" {
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
