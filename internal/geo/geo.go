// Package geo knows areas: which country, group of countries or region a code
// of a statistical office means. It does no I/O and imports nothing of ours.
//
// A code means what its office's code system says, never what its shape
// suggests: 156 is China in UN M49 and Canada in the IMF's list, EA is the
// euro area for Eurostat and Ceuta in ISO 3166, FRA is France in ISO alpha-3
// and the French overseas departments in NUTS. So every question names the
// source; [SystemOf] says which code system it uses.
//
// Each area has one ID, the form that available_geo of the interface holds:
//
//	ISO 3166-1 alpha-2 where the area has it     DE, GR (Eurostat's EL), CA (the IMF's 156)
//	else the office's own code                   EU27_2020, WLD, FRA1
//	else, where that is digits only              un:002, imf:001, scb:01
//
// Alpha-3 codes and M49 numbers are those of golang.org/x/text. What it lacks,
// has without a name or by an old one, and all that is not in ISO, stands in
// the tables folder: one file of countries with their English names, one of
// each office's other codes. They are read once, when first needed.
package geo

import (
	"strings"
)

// Kind says what sort of area something is.
type Kind string

// The kinds of areas. A code that no system knows has none.
const (
	Country Kind = "country" // a country or territory
	Former  Kind = "former"  // a country that is no more, or has other borders now
	Group   Kind = "group"   // several countries: European Union, Africa, high income
	Region  Kind = "region"  // a part of a country: NUTS region, city
	Other   Kind = "other"   // no place: total, not specified, an institution
)

// Area is a country, a group of countries or a region.
type Area struct {
	ID     string // as in available_geo: alpha-2, else own code, else source:digits
	Alpha2 string // ISO 3166-1 alpha-2, or the code it had for a former country; empty for others
	Alpha3 string // ISO 3166-1 alpha-3; empty where there is none
	M49    string // UN M49 number in three digits; empty where there is none
	Name   string // in English; the code where no name is known
	Kind   Kind
}

// Resolve tells which area a code of a source's geography means. Sources that
// write names instead of codes may be asked with a name. Case and white space
// around it do not matter.
//
// ok is false where the source's code system does not know the code. The Area
// then serves as itself: its Name is the code and its ID the code, or
// source:code where the code is digits only.
func Resolve(source, code string) (a Area, ok bool) {
	source, code = canonicalSource(source), strings.TrimSpace(code)
	system := systemOf(source)
	if p := system.lookup(code); p != nil {
		return p.from(source), true
	}
	if upper := strings.ToUpper(code); system.regions && isEurostatRegion(upper) {
		return Area{ID: upper, Name: upper, Kind: Region}, true
	}
	if system.names {
		if p := system.lookupName(code); p != nil {
			return p.from(source), true
		}
	}
	return Area{ID: ownID(source, code), Name: code}, false
}

// ResolveName tells which area a source means by a name: "Türkiye", "Viet
// Nam", "Euro area - 20 countries (from 2023)". The source's own names come
// before those that all use; letters' case and accents, punctuation and a
// leading "the" do not matter, "&" is "and", "St." is "Saint". Nothing is
// guessed beyond the tables.
//
// ok is false where no table has the name. National offices know their own
// country only, by its names in English and in their language, because their
// Georgia may be a state. The Area is then as for [Resolve].
func ResolveName(source, name string) (a Area, ok bool) {
	source, name = canonicalSource(source), strings.TrimSpace(name)
	if p := systemOf(source).lookupName(name); p != nil {
		return p.from(source), true
	}
	return Area{ID: ownID(source, name), Name: name}, false
}

// ResolveLabelled tells which area a source means by a code that its file
// labels. The code decides. Where the source's code system does not know it,
// the label does if it is the name of an area: the OECD's system is alpha-3, but
// an "AT" of it that is labelled "Austria" is Austria. The label of a national
// office's code is only ever its country ("00 Sweden", "SSS": "Whole country").
// Of the codes of a source that is not listed nothing is assumed, whatever
// their labels: its "Mexico" may be a state of that country.
//
// ok is false where neither tells; the Area is then as for [Resolve].
func ResolveLabelled(source, code, label string) (a Area, ok bool) {
	if a, ok = Resolve(source, code); ok {
		return a, ok
	}
	system := systemOf(canonicalSource(source))
	if !system.names && system.home == "" {
		return a, false
	}
	if label = strings.TrimSpace(label); label == "" {
		label = code
	}
	label, _ = strings.CutPrefix(label, strings.TrimSpace(code)+" ")
	if named, ok := ResolveName(source, label); ok {
		return named, true
	}
	return a, false
}

// HomeOf returns the one area that a source's data are about where its files
// name none: the country of a national office, the euro area for the European
// Central Bank. ok is false for sources that have no such area.
func HomeOf(source string) (a Area, ok bool) {
	source = canonicalSource(source)
	s, ok := sources[source]
	if !ok || s.home == "" {
		return Area{}, false
	}
	if p := systemOf(source).lookup(s.home); p != nil {
		return p.from(source), true
	}
	return Area{}, false
}

// canonicalSource is the form in which sources are listed and prefixed.
func canonicalSource(source string) string {
	return strings.ToLower(strings.TrimSpace(source))
}

// ownID is the ID of an area that has only its source's code.
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
