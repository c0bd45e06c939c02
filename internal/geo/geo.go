// Package geo resolves codes and names of areas: which country, group of countries
// or region a code of a statistical office means. It does no I/O and imports no other
// package of this module.
//
// The meaning of a code depends on the code system of its office, not on its form:
// 156 is China in UN M49 and Canada in the IMF's list, EA is the euro area for
// Eurostat and Ceuta in ISO 3166, FRA is France in ISO alpha-3 and the French overseas
// departments in NUTS. So callers name the source.
//
// Each area has one ID, as in available_geo of the interface:
//
//	ISO 3166-1 alpha-2, if the area has it       DE, GR (Eurostat's EL), CA (the IMF's 156)
//	else the office's own code                   EU27_2020, WLD, FRA1
//	else, if that consists of digits             un:002, imf:001, scb:01
//
// Alpha-3 codes and M49 numbers are those of golang.org/x/text. The tables folder has
// what it lacks, current names, and everything that is not in ISO: one file of
// countries with their English names, and one file of other codes for each office.
// They are read once, when first needed.
package geo

import (
	"strings"
	"sync"

	"almanac/internal/totals"
)

// Kind is the kind of an area.
type Kind string

// The kinds of areas. The kind of an unknown code is empty.
const (
	Country Kind = "country" // a country or territory
	Former  Kind = "former"  // a country that no longer exists or has changed its borders
	Group   Kind = "group"   // several countries: European Union, Africa, high income
	Region  Kind = "region"  // a part of a country: NUTS region, city
	Other   Kind = "other"   // not a place: total, not specified, an institution
)

// Area is a country, a group of countries or a region.
type Area struct {
	ID     string // as in available_geo: alpha-2, else own code, else source:digits
	Alpha2 string // ISO 3166-1 alpha-2, also of former countries; empty for others
	Alpha3 string // ISO 3166-1 alpha-3; empty if there is none
	M49    string // UN M49 number with three digits; empty if there is none
	Name   string // in English; the code if the name is unknown
	Kind   Kind
}

// Resolve returns the area that a code of a source means. For sources that write names
// instead of codes, code may be a name. Case and surrounding white space do not matter.
//
// ok is false if the code is not in the source's code system. The Name of the Area is
// then the code, and its ID is the code, or source:code if the code consists of digits.
func Resolve(source, code string) (a Area, ok bool) {
	source, code = canonicalSource(source), strings.TrimSpace(code)
	office := officeOf(source)
	if p := office.lookup(code); p != nil {
		return p.from(source), true
	}
	if upper := strings.ToUpper(code); office.regions && isEurostatRegion(upper) {
		return Area{ID: upper, Name: upper, Kind: Region}, true
	}
	if office.names {
		if p := office.lookupName(foldName(code)); p != nil {
			return p.from(source), true
		}
	}
	return Area{ID: ownID(source, code), Name: code}, false
}

// AreaOf returns the area of a stored code by its ID: what the code means in its office's code
// system, so that DEA is a region for Eurostat and a group of countries for the World Bank. The
// kind of an unknown code is empty.
func AreaOf(source, code, id string) Area {
	if a, ok := Resolve(source, code); ok && a.ID == id {
		return a
	}
	if a, ok := FindSubdivision(id); ok {
		return a
	}
	if a, ok := Find(id); ok && a.Alpha2 == id {
		return a
	}
	return Area{}
}

// channelIslands is the name of a group that offices list as one economy, without its parts.
const channelIslands = "Channel Islands"

// IsAggregate reports whether a stored code with a label is no single country or region: a
// group of countries, several regions, or no place, such as "not specified".
func IsAggregate(source, code, id, label string) bool {
	switch a := AreaOf(source, code, id); a.Kind {
	case Group, Other:
		return a.Name != channelIslands
	case "":
		if _, isGroup := FindGroup(label); isGroup {
			return true
		}
		home, isNational := HomeOf(source)
		return isNational && IsSeveralParts(home.Alpha2, label)
	}
	return false
}

// KindOf returns the kind of a stored code with a label: that of its area. The own codes of a
// national office are parts of its country unless the label says that they are all of it. It is
// empty if nothing is known.
func KindOf(source, code, id, label string) Kind {
	if a := AreaOf(source, code, id); a.Kind != "" {
		return a.Kind
	}
	_, isGroup := FindGroup(label)
	switch {
	case totals.Is(label):
		return Other
	case isGroup:
		return Group
	case officeOf(canonicalSource(source)).System == National && !isElsewhere(id):
		return Region
	}
	return ""
}

// HomeOf returns the area of a source's files that name no area: the country of a
// national office, the euro area for the European Central Bank. ok is false for sources
// without such an area.
func HomeOf(source string) (a Area, ok bool) {
	a, ok = homes()[canonicalSource(source)]
	return a, ok
}

// homes has the areas of all sources that have one.
var homes = sync.OnceValue(func() map[string]Area {
	all := map[string]Area{}
	for source, office := range loadOffices() {
		if office.home != "" {
			all[source] = office.lookup(office.home).from(source)
		}
	}
	return all
})

// canonicalSource returns the form in which sources are listed and used as prefixes.
func canonicalSource(source string) string {
	return strings.ToLower(strings.TrimSpace(source))
}

// ownID returns the ID of an area that has only a code of its source.
func ownID(source, code string) string {
	if source != "" && isDigits(code) {
		return source + ":" + code
	}
	return code
}

func isDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}
