package request

import (
	"fmt"
	"slices"
	"strings"

	"almanac/internal/geo"
	"almanac/internal/store"
)

// membersSuffix after a group stands for its members: EU27_2020.members.
const membersSuffix = ".members"

// aggregatesParam is the parameter whose value false leaves out groups.
const aggregatesParam = "aggregates"

// cutMembers returns the group in front of the suffix, which is in any case. ok is false if the
// text does not end in it.
func cutMembers(text string) (group string, ok bool) {
	at := len(text) - len(membersSuffix)
	if at < 0 || !strings.EqualFold(text[at:], membersSuffix) {
		return "", false
	}
	return text[:at], true
}

// isOfMembers reports whether values for areas are all members of groups, so that the caller named none of them.
func isOfMembers(values []string) bool {
	isOther := func(value string) bool {
		_, ok := cutMembers(value)
		return !ok
	}
	return len(values) > 0 && !slices.ContainsFunc(values, isOther)
}

// memberPositions returns the positions in the geography of the members of a group, and a
// notice of those that the dataset lacks, or that no members are listed. ok is false if the
// value does not end in the suffix.
func memberPositions(v *store.Vintage, value string) (found []int32, lost []Notice, ok bool) {
	group, ok := cutMembers(value)
	if !ok {
		return nil, nil, false
	}
	members, isListed := geo.MembersOf(group)
	if !isListed {
		return nil, []Notice{NewNotice("country", value, fmt.Sprintf("no members of %.80q are listed; /api/areas?kind=group lists the groups", group))}, true
	}
	var missing []string
	for _, member := range members {
		areas := areaPositions(v, member)
		if found = append(found, areas...); len(areas) == 0 {
			missing = append(missing, member)
		}
	}
	if len(missing) > 0 {
		lost = []Notice{NewNotice("country", value, fmt.Sprintf("the dataset does not have %d of the %d members: %s", len(missing), len(members), strings.Join(missing, ", ")))}
	}
	return found, lost, true
}

type singleAreasKey struct{}

// withoutAggregates leaves out the groups of a selection of areas; nil is all areas.
func withoutAggregates(v *store.Vintage, selected []int32) []int32 {
	v = v.Stored() // the same areas in each language
	single := v.Memo(singleAreasKey{}, func() any {
		single := []int32{}
		for i, c := range v.Dataset.Geography.Codes {
			if !geo.IsAggregate(v.Dataset.Source.ID, c.ID, c.Area, c.Label) {
				single = append(single, int32(i))
			}
		}
		return single
	}).([]int32)
	if selected == nil {
		return single
	}
	return slices.DeleteFunc(slices.Clone(selected), func(at int32) bool { return !slices.Contains(single, at) })
}

// leaveOutGroups leaves the groups out of a selection of all areas that [withoutAggregates] keeps:
// a picture sets the Channel Islands apart from the countries, as it does all groups.
func leaveOutGroups(v *store.Vintage, selection [][]int32) {
	geography := len(selection) - 1
	selection[geography] = slices.DeleteFunc(slices.Clone(selection[geography]), func(at int32) bool {
		c := &v.Dataset.Geography.Codes[at]
		return geo.AreaOf(v.Dataset.Source.ID, c.ID, c.Area).Kind == geo.Group
	})
}

// CountryAreas returns the areas that a text means in the list of datasets: those of
// [geo.AreasOf], a group by its name in any composition, or the members of a group.
func CountryAreas(text string) []string {
	if group, ok := cutMembers(text); ok {
		if members, ok := geo.MembersOf(group); ok {
			return members
		}
	}
	areas := geo.AreasOf(text)
	return append(areas.All(), areas.Editions...)
}

// maxCode is the length of the longest code of a country.
const maxCode = 3

// IsNoArea reports whether a text is longer than the codes of countries and no code or name of an
// area. Shorter ones may be codes that are not listed.
func IsNoArea(text string) bool {
	group, isMembers := cutMembers(text)
	return len(text) > maxCode && len(geo.Lookup(text)) == 0 && !(isMembers && len(geo.Lookup(group)) > 0)
}
