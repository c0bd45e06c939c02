package api

import (
	"slices"
	"strings"

	"almanac/internal/geo"
	"almanac/internal/request"
	"almanac/internal/stat"
)

// areaMeaning is an area that a text may mean.
type areaMeaning struct {
	entry   *geo.Entry
	details *areaDetails
	lists   []string
	isHere  bool // only datasets here have it
}

// names returns the names of the area in all languages.
func (m *areaMeaning) names(language string) map[string]string {
	names := map[string]string{}
	if m.isHere {
		names[language] = m.details.Name
	}
	if m.entry.Kind == geo.Group {
		names["en"] = m.entry.Name
	}
	for _, l := range geo.Languages() {
		if name, ok := m.entry.NameIn(l); ok {
			names[l] = name
		}
	}
	return names
}

// meanings returns the areas that a text means: those of the directory, before them if these are
// none, or only of lists of other organisations, the areas of datasets here with that code. The error is
// that of [request.FindArea] if there are none.
func (x *exchange) meanings(text, language string, p request.Area) ([]areaMeaning, error) {
	found, err := request.FindArea(text, p)
	if err != nil && stat.KindOf(err) != stat.NotFound {
		return nil, err
	}
	isNameless := len(found) > 0 && found[0].Name == found[0].ID // a region by the form of its code
	var all []areaMeaning
	if len(found) == 0 || found[0].IsSecondary() || isNameless {
		here, err := x.areasHere(text, language, p.Lang)
		if err != nil {
			return nil, err
		}
		if all = here; isNameless && len(here) > 0 {
			named := *found[0].Entry
			named.Name = here[0].entry.Name
			found[0].Entry, all = &named, nil
		}
	}
	for _, r := range found {
		all = append(all, areaMeaning{entry: r.Entry, details: describe(r.Entry, language), lists: r.Lists})
	}
	if len(all) == 0 {
		return nil, err
	}
	return all, nil
}

// maxAreaDatasets is the number of datasets that are opened for the label of a code.
const maxAreaDatasets = 5

// areasHere returns the areas that datasets here have by a code of available_geo, one for each source,
// with their labels.
func (x *exchange) areasHere(code, language, lang string) (found []areaMeaning, err error) {
	s := x.api.opts.Store
	catalog := s.Catalog()
	var sources []string
	opened := 0
	for _, at := range catalog.With(code) {
		e := &catalog.Entries[at]
		if slices.Contains(sources, e.Source) {
			continue
		}
		if opened++; opened > maxAreaDatasets {
			break
		}
		v, err := s.Vintage(x.r.Context(), e.ID)
		if stat.KindOf(err) == stat.NotFound {
			continue // removed since
		}
		if err != nil {
			return nil, err
		}
		l, err := request.Localise(x.r.Context(), v, lang, x.acceptLanguage())
		if err != nil {
			return nil, err
		}
		codes := l.Dataset.Geography.Codes
		if i := slices.IndexFunc(codes, func(c stat.Code) bool { return strings.EqualFold(c.Area, code) }); i >= 0 {
			sources = append(sources, e.Source)
			found = append(found, meaningHere(e.Source, &codes[i], language))
		}
	}
	return found, nil
}

// meaningHere describes an area by its code in a dataset.
func meaningHere(source string, c *stat.Code, language string) areaMeaning {
	e := &geo.Entry{Area: geo.Area{ID: c.Area, Name: c.Label, Kind: geo.KindOf(source, c.ID, c.Area, c.Label)}, Key: c.Area, Codes: []geo.Code{{List: source, Code: c.ID}}}
	if home, ok := geo.HomeOf(source); ok && e.Kind == geo.Region {
		e.Above = home.ID
	}
	return areaMeaning{entry: e, details: describe(e, language), lists: []string{source}, isHere: true}
}
