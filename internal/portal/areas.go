package portal

import (
	"cmp"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/collate"
)

// area is an area of the directory.
type area struct {
	Code, Kind, Name string
	Codes            map[string]string
	Datasets         int
	Groups           []membership
	PartOf           *areaName `json:"part_of"`
	Members          []membership
	OfficialName     string `json:"official_name"`

	Lists string // whose codes it has, if another area of the index has the same name
}

// Address is that of the page of the area.
func (a *area) Address() string { return areaAddress(a.Code) }

func areaAddress(code string) string { return "/areas/" + url.PathEscape(code) }

// maxAreas is the number of areas of a kind that a page lists.
const maxAreas = 1000

// areasHere returns the areas of a kind that datasets here have, by name: all, or the parts of an area.
func (p *page) areasHere(kind, within string) ([]area, error) {
	var answer struct{ Data []area }
	query := url.Values{"kind": {kind}, "here": {"true"}, "limit": {strconv.Itoa(maxAreas)}, "lang": {p.lang.Code}}
	if within != "" {
		query.Set("within", within)
	}
	if err := p.read("/api/areas", query, &answer); err != nil {
		return nil, err
	}
	answer.Data = slices.DeleteFunc(answer.Data, func(a area) bool { return a.Code == within })
	order := collate.New(p.lang.tag)
	slices.SortStableFunc(answer.Data, func(a, b area) int { return order.CompareString(a.Name, b.Name) })
	return answer.Data, nil
}

// mostCovered returns the n areas with the most datasets, in the order in which they are.
func mostCovered(areas []area, n int) []area {
	if len(areas) <= n {
		return areas
	}
	counts := []int{}
	for _, a := range areas {
		counts = append(counts, a.Datasets)
	}
	slices.SortFunc(counts, func(a, b int) int { return cmp.Compare(b, a) })
	least, more := counts[n-1], 0 // of those with the least number, as many as have room
	for _, count := range counts[:n] {
		if count == least {
			more++
		}
	}
	var some []area
	for _, a := range areas {
		if a.Datasets == least {
			more--
		}
		if a.Datasets > least || a.Datasets == least && more >= 0 {
			some = append(some, a)
		}
	}
	return some
}

// areaIndex is the content of the page of all areas.
type areaIndex struct {
	Kinds []*areaKind
}

type areaKind struct {
	Number int
	Name   string
	Areas  []area
}

// IsLong reports whether the list is behind a control.
func (k *areaKind) IsLong() bool { return len(k.Areas) > 300 }

// areas is the page of all areas that datasets here have.
func (p *page) areas() error {
	p.reader = p.opts.Aside
	if q := strings.TrimSpace(p.r.URL.Query().Get("q")); q != "" { // the form that finds an area
		p.redirect(areaAddress(q), http.StatusSeeOther)
		return nil
	}
	c := &areaIndex{}
	n := 0
	p.Title, p.Trail = p.lang.text("areas.title"), []link{{p.lang.text("nav.areas"), ""}}
	within := p.r.URL.Query().Get("within")
	if within != "" {
		var of struct{ Area area }
		if err := p.read("/api/areas/"+url.PathEscape(within), url.Values{"lang": {p.lang.Code}}, &of); err != nil {
			return err
		}
		within, p.Title = of.Area.Code, p.lang.text("areas.within", "area", of.Area.Name)
		p.Trail = []link{{p.lang.text("nav.areas"), "/areas"}, {of.Area.Name, of.Area.Address()}, {p.lang.text("area.parts"), ""}}
	}
	for _, kind := range []string{"country", "group", "former", "region"} {
		list, err := p.areasHere(kind, within)
		if err != nil {
			return err
		}
		if len(list) > 0 {
			if err := p.tellAreasApart(list); err != nil {
				return err
			}
			n += len(list)
			c.Kinds = append(c.Kinds, &areaKind{len(c.Kinds) + 1, p.lang.text("areas." + kind), list})
		}
	}
	p.template, p.Section, p.Content = "areas", "areas", c
	p.Aside = p.lang.text("areas", "n", n)
	return nil
}

// tellAreasApart says of areas of one name whose lists of codes they are from. The world of one office has other countries than that
// of another, so they are different areas.
func (p *page) tellAreasApart(list []area) error {
	count := map[string]int{}
	for _, a := range list {
		count[a.Name]++
	}
	if len(count) == len(list) {
		return nil
	}
	all, err := p.allSources()
	if err != nil {
		return err
	}
	names := map[string]string{}
	for _, s := range all {
		names[s.ID] = s.Name
	}
	again := map[string]int{}
	for i := range list {
		if count[list[i].Name] == 1 {
			continue
		}
		var lists []string
		for _, id := range slices.Sorted(maps.Keys(list[i].Codes)) {
			lists = append(lists, cmp.Or(names[id], p.listName(id)))
		}
		list[i].Lists = cmp.Or(strings.Join(lists, ", "), p.lang.text("areas.unlisted"))
		again[list[i].Name+list[i].Lists]++
	}
	for i := range list {
		if again[list[i].Name+list[i].Lists] > 1 {
			list[i].Lists = list[i].Code
		}
	}
	return nil
}

// listName is the name of a list of codes.
func (p *page) listName(id string) string {
	return p.lang.textOr("list."+id, cmp.Or(listNames[id], strings.ToUpper(id)))
}
