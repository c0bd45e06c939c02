package geo

import (
	"slices"
	"strings"
	"sync"
)

// Composition says which countries belong to a group. Days are written as 2004-05-01, or
// as a year where the source gives no more.
type Composition struct {
	// From and To are the days from and to which the group had exactly these members, as in
	// EU28. Both are empty for a group that changes with its members, as EU does.
	From, To string
	Source   string // who states the members
	Members  []Member
}

// Member is a country that belongs to a group, or did. From and To are the days from and
// to which it does: empty if they are not recorded or have not come.
type Member struct {
	Area     string // alpha-2
	From, To string
}

// Membership is the same seen from the country.
type Membership struct {
	Group    string // by its ID
	From, To string
}

// isEdition reports whether the composition is one that does not change.
func (c *Composition) isEdition() bool { return c.From != "" }

// Current returns the alpha-2 codes of the members: those of today for a group that changes
// with its members, all for one that does not.
func (c *Composition) Current() []string {
	var current []string
	for _, m := range c.Members {
		if c.isEdition() || m.To == "" {
			current = append(current, m.Area)
		}
	}
	return current
}

// compositions has the groups by ID, and the groups of each country in the order of the
// tables.
type compositions struct {
	byGroup   map[string]*Composition
	byCountry map[string][]Membership
	series    map[string]*editions // by the ID of each group that has them, and of each of them
}

var loadCompositions = sync.OnceValue(readCompositions)

func readCompositions() *compositions {
	all := &compositions{byGroup: map[string]*Composition{}, byCountry: map[string][]Membership{}, series: map[string]*editions{}}
	for _, f := range lines("memberships") {
		c := &Composition{Source: f[2]}
		if f[1] != "-" {
			c.From, c.To, _ = strings.Cut(f[1], "/")
		}
		ids := strings.Fields(f[0])
		if group, ok := strings.CutPrefix(f[3], "="); ok {
			c.Members = all.byGroup[group].at(c.From)
			all.addEdition(group, ids)
		} else {
			c.Members = parseMembers(f[3])
			all.addGroup(ids)
		}
		all.add(ids[0], c)
		for _, id := range ids[1:] {
			all.byGroup[id] = c
		}
	}
	for _, f := range lines(membersFile) {
		if strings.HasPrefix(f[0], "un:") {
			all.add(f[0], &Composition{Source: "United Nations, M49", Members: parseMembers(f[1])})
		}
	}
	return all
}

func (all *compositions) add(id string, c *Composition) {
	all.byGroup[id] = c
	for _, m := range c.Members {
		all.byCountry[m.Area] = append(all.byCountry[m.Area], Membership{id, m.From, m.To})
	}
}

// at returns those who were members on a day.
func (c *Composition) at(day string) []Member {
	return slices.DeleteFunc(slices.Clone(c.Members), func(m Member) bool {
		return m.From > day || m.To != "" && m.To < day
	})
}

// parseMembers reads "DE FR:1958-01-01 GB:1973-01-01/2020-01-31".
func parseMembers(text string) []Member {
	var members []Member
	for field := range strings.FieldsSeq(text) {
		area, days, _ := strings.Cut(field, ":")
		from, to, _ := strings.Cut(days, "/")
		members = append(members, Member{area, from, to})
	}
	return members
}

// CompositionOf returns the members of a group by its key in the directory. ok is false if they are not
// listed. The caller must not change it.
func CompositionOf(id string) (c *Composition, ok bool) {
	c, ok = loadCompositions().byGroup[id]
	return c, ok
}

// GroupsOf returns the groups to which a country belongs or did, by its alpha-2 code, if
// their members are listed: a group that several offices have in the list of one of them. The
// caller must not change them.
func GroupsOf(alpha2 string) []Membership { return loadCompositions().byCountry[alpha2] }

// MembersOf returns the alpha-2 codes of the members of the group that a text means, as
// [Composition.Current] does. ok is false if the text is no group whose members are listed.
func MembersOf(text string) (members []string, ok bool) {
	for _, r := range Lookup(text) {
		if c, ok := CompositionOf(r.Key); ok {
			return c.Current(), true
		}
	}
	return nil, false
}
