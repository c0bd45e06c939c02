package api

import (
	"encoding/json"
	"fmt"
	"slices"

	"almanac/internal/geo"
	"almanac/internal/request"
)

// areaSummary is an area in a list.
type areaSummary struct {
	Code  string            `json:"code"`
	Kind  geo.Kind          `json:"kind,omitempty"` // empty only for an area of datasets here of which nothing is known
	Name  string            `json:"name"`
	Codes map[string]string `json:"codes"`              // the main code of each list
	Here  int               `json:"datasets,omitempty"` // that are here and have the area
}

// areaDetails is an area with everything that is known of it.
type areaDetails struct {
	areaSummary
	OfficialName string              `json:"official_name,omitempty"`
	OtherCodes   map[string][]string `json:"other_codes,omitempty"` // further codes, such as former ones
	PartOf       *areaInGroup        `json:"part_of,omitempty"`
	Groups       []areaInGroup       `json:"groups,omitempty"`
	Composition  *composition        `json:"composition,omitempty"`
	Members      []areaInGroup       `json:"members,omitempty"`
	Names        map[string]string   `json:"names,omitempty"`
}

// composition says when a group had its members, and who states them.
type composition struct {
	From   string `json:"from,omitempty"`
	To     string `json:"to,omitempty"`
	Source string `json:"source"`
}

// areaInGroup is a group of an area or a member of a group, with the days of membership.
type areaInGroup struct {
	Code string `json:"code"`
	Name string `json:"name"`
	From string `json:"from,omitempty"`
	To   string `json:"to,omitempty"`
}

// meaning is another area that a code or name may mean.
type meaning struct {
	areaSummary
	Lists []string `json:"lists"`
}

// areas replies with a page of the directory of areas.
func (x *exchange) areas() (*reply, error) {
	p, err := bind[request.Areas](x)
	if err == nil {
		err = x.api.checkLimit(p.Limit)
	}
	if err != nil {
		return nil, err
	}
	language, notices, err := x.nameLanguage(p.Lang)
	if err != nil {
		return nil, err
	}
	found, lost, err := request.FindAreas(p)
	if err != nil {
		return nil, err
	}
	notices = append(notices, lost...)
	counts := x.api.datasetsByArea()
	if p.Here {
		found = slices.DeleteFunc(slices.Clone(found), func(e *geo.Entry) bool { return counts[e.Key] == 0 })
	}
	x.linkPages(p.Page, p.Limit, len(found))
	from, to := pageBounds(p.Page, p.Limit, len(found))
	page := make([]areaSummary, 0, to-from)
	for _, e := range found[from:to] {
		one := summarize(e, language)
		one.Here = counts[e.Key]
		page = append(page, one)
	}
	text, err := json.Marshal(page)
	if err != nil {
		return nil, fmt.Errorf("encoding areas: %w", err)
	}
	text = appendPagination(append([]byte(`{"data":`), text...), p.Page, p.Limit, len(found))
	return constantReply(append(appendNotices(text, notices), '}')), nil
}

type areaCountsKey struct{}

// datasetsByArea returns how many datasets here have an area, by the codes of available_geo.
func (a *API) datasetsByArea() map[string]int {
	catalog := a.opts.Store.Catalog()
	return catalog.Memo(areaCountsKey{}, func() any {
		counts := map[string]int{}
		for at := range catalog.Entries {
			for _, code := range catalog.Areas(at) {
				counts[code]++
			}
		}
		return counts
	}).(map[string]int)
}

// area replies with the area that a code or name means.
func (x *exchange) area() (*reply, error) {
	p, err := bind[request.Area](x)
	if err != nil {
		return nil, err
	}
	language, notices, err := x.nameLanguage(p.Lang)
	if err != nil {
		return nil, err
	}
	all, err := x.meanings(x.r.PathValue("area"), language, p)
	if err != nil {
		return nil, err
	}
	body := struct {
		Area  *areaDetails `json:"area"`
		Lists []string     `json:"lists"`
		Other []meaning    `json:"other_meanings"`
	}{Area: all[0].details, Lists: all[0].lists, Other: []meaning{}}
	body.Area.Here = x.api.datasetsByArea()[body.Area.Code]
	if p.Names == "all" {
		body.Area.Names = all[0].names(language)
	}
	for _, m := range all[1:] {
		if geo.IsSameRegion(m.entry.ID, all[0].entry.ID) {
			continue // the same by its code in another list
		}
		body.Other = append(body.Other, meaning{m.details.areaSummary, m.lists})
	}
	text, err := json.Marshal(body)
	if err != nil {
		return nil, fmt.Errorf("encoding an area: %w", err)
	}
	return constantReply(append(appendNotices(text[:len(text)-1], notices), '}')), nil
}

// nameLanguage returns the language of names that the caller wants, and sets the headers that
// say so.
func (x *exchange) nameLanguage(lang string) (language string, notices []request.Notice, err error) {
	language, isKnown, err := request.NameLanguage(lang, x.r.Header.Get("Accept-Language"))
	if err != nil {
		return "", nil, err
	}
	h := x.w.Header()
	h["Content-Language"], h["Vary"] = []string{language}, varyLanguage
	if !isKnown {
		notices = []request.Notice{request.NewNotice("lang", lang, fmt.Sprintf("there are no names of areas in this language; they are in the language %q", language))}
	}
	return language, notices, nil
}

// nameOf returns the name of an area in a language, else its English or own name.
func nameOf(e *geo.Entry, language string) string {
	if name, ok := e.NameIn(language); ok && (language != "en" || e.Kind == geo.Region) {
		return name
	}
	return e.Name
}

func summarize(e *geo.Entry, language string) areaSummary {
	s := areaSummary{Code: e.Key, Kind: e.Kind, Name: nameOf(e, language), Codes: map[string]string{}}
	for _, c := range e.Codes {
		if s.Codes[c.List] == "" {
			s.Codes[c.List] = c.Code
		}
	}
	return s
}

func describe(e *geo.Entry, language string) *areaDetails {
	d := &areaDetails{areaSummary: summarize(e, language)}
	for _, c := range e.Codes {
		if d.Codes[c.List] != c.Code {
			if d.OtherCodes == nil {
				d.OtherCodes = map[string][]string{}
			}
			d.OtherCodes[c.List] = append(d.OtherCodes[c.List], c.Code)
		}
	}
	var ok bool
	if d.OfficialName, ok = geo.OfficialName(e.ID, language); !ok {
		d.OfficialName, _ = geo.OfficialName(e.ID, "en")
	}
	named := func(key, from, to string) areaInGroup {
		if e, ok := geo.FindEntry(key); ok {
			return areaInGroup{e.Key, nameOf(e, language), from, to}
		}
		return areaInGroup{key, key, from, to}
	}
	if e.Above != "" {
		above := named(e.Above, "", "")
		d.PartOf = &above
	}
	for _, g := range geo.GroupsOf(e.Alpha2) {
		d.Groups = append(d.Groups, named(g.Group, g.From, g.To))
	}
	if c, ok := geo.CompositionOf(e.Key); ok {
		d.Composition = &composition{c.From, c.To, c.Source}
		for _, m := range c.Members {
			d.Members = append(d.Members, named(m.Area, m.From, m.To))
		}
	}
	return d
}
