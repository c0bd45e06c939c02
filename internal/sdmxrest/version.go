package sdmxrest

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/encode/sdmx"
	"almanac/internal/stat"
)

// Versions says which versions of an artefact an address names: those that any of its terms fits.
// Without terms it is the current one.
//
//	1.3.0, 1.3        this version; numbers that are left out are 0
//	+, ~, latest      the current version
//	1.2+.0            the latest version since 1.2 with the same first number; ~ says the same
//	1.+.0             the latest version with this first number
//	*, all            all versions
//	1.2*.0, 1.*       all versions since 1.2 with the same first number, or all with it
//	1.0,1.2           several of these
//
// See https://github.com/sdmx-twg/sdmx-rest/blob/master/doc/querying_versions.md.
type Versions []versionTerm

// versionTerm names versions. They have the same numbers as least before the number that is open, and are
// not before least.
type versionTerm struct {
	text  string
	least [3]int
	open  int  // position of the number with a mark; 3: none, so that it is one version
	isAll bool // all that fit, else the latest of them
}

// allVersions are the words for all versions, and currentVersion those for the current one.
var (
	allVersions    = []string{"*", "all", "ALL"}
	currentVersion = []string{"", "+", "~", "latest", "LATEST"}
)

var versionSyntax = regexp.MustCompile(`^(\d{1,9}|[+~*]|\d{1,9}[+~*])(\.(\d{1,9}|[+~*]|\d{1,9}[+~*])){0,2}$`)

// ParseVersions reads the version in an address. Several are separated by commas, in SDMX 2.1 by +.
func ParseVersions(text string) (Versions, error) {
	if slices.Contains(currentVersion, text) {
		return nil, nil
	}
	var all Versions
	for term := range strings.SplitSeq(plusBetween.ReplaceAllString(text, ",$1"), ",") {
		v, err := parseVersionTerm(term)
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, nil
}

// plusBetween is a plus between two versions, as in 1.0+1.1. A plus that marks a number has none behind it.
var plusBetween = regexp.MustCompile(`\+(\d)`)

func parseVersionTerm(text string) (versionTerm, error) {
	t := versionTerm{text: text, open: 3}
	switch {
	case slices.Contains(allVersions, text):
		t.open, t.isAll = 0, true
		return t, nil
	case slices.Contains(currentVersion, text):
		t.open = 0
		return t, nil
	case !versionSyntax.MatchString(text) || strings.Count(text, "+")+strings.Count(text, "~")+strings.Count(text, "*") > 1:
		return t, stat.Errorf(stat.Invalid, "version %.40q is not written as versions are: 1.3.0 or 1.3 for one, latest (in 3.0 + or ~) for the current one, 1+.2.0 or 1.2+.0 for the latest since 1.2, all (in 3.0 *) for all", text)
	}
	for i, part := range strings.Split(text, ".") {
		number := strings.TrimRight(part, "+~*")
		if number != part {
			t.open, t.isAll = i, strings.HasSuffix(part, "*")
		}
		t.least[i], _ = strconv.Atoi(number) // none is 0
	}
	return t, nil
}

// isAny reports whether the term fits every version.
func (t *versionTerm) isAny() bool { return t.open == 0 && t.least == [3]int{} }

// fits reports whether the term fits a version such as "1.3".
func (t *versionTerm) fits(version string) bool {
	var have [3]int
	for i, number := range strings.Split(sdmx.SemanticVersion(version), ".") {
		have[i], _ = strconv.Atoi(number)
	}
	if t.open == 3 {
		return have == t.least
	}
	return slices.Equal(have[:t.open], t.least[:t.open]) && slices.Compare(have[:], t.least[:]) >= 0
}

// Of returns those of the versions, oldest first, that are named.
func (v Versions) Of(versions []string) []string {
	if v == nil {
		return versions[len(versions)-1:]
	}
	isNamed := make([]bool, len(versions))
	for i := range v {
		for at := len(versions) - 1; at >= 0; at-- {
			if v[i].fits(versions[at]) {
				isNamed[at] = true
				if !v[i].isAll {
					break
				}
			}
		}
	}
	var named []string
	for at, version := range versions {
		if isNamed[at] {
			named = append(named, version)
		}
	}
	return named
}

// isCurrentOrAll reports whether no version is chosen: the current one is named, or all are.
func (v Versions) isCurrentOrAll() bool { return v == nil || len(v) == 1 && v[0].isAny() }

// isOne reports whether a single version is chosen by its number.
func (v Versions) isOne() bool { return len(v) == 1 && v[0].open == len(v[0].least) }

// number returns the number of the version as datasets have it: "1.3".
func (t *versionTerm) number() string {
	return strings.TrimSuffix(fmt.Sprintf("%d.%d.%d", t.least[0], t.least[1], t.least[2]), ".0")
}

// String returns the versions as the address names them, empty for the current one.
func (v Versions) String() string {
	var all []string
	for i := range v {
		all = append(all, v[i].text)
	}
	return strings.Join(all, ",")
}
