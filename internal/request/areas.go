package request

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/language"

	"almanac/internal/geo"
	"almanac/internal/stat"
)

// Areas are the parameters of the list of areas.
type Areas struct {
	Kind   string `param:"kind" example:"country" enum:"country,former,group,region,other" doc:"Only areas of this kind: country, former (countries that no longer exist), group, region or other (no places, such as 'not specified')."`
	Within string `param:"within" example:"EU27_2020" doc:"Only this area and its parts: the members of a group as they are now, the subdivisions (US-GA) and regions (NUTS) of a country. Any code."`
	Q      string `param:"q" example:"guinea" doc:"Only areas with a code that equals this text, or a name of which a word begins with it, in any language."`
	Here   bool   `param:"here" example:"true" default:"false" doc:"true: only areas of datasets that are here."`
	Lang   string `param:"lang" example:"de" doc:"The language of the names, as a tag of BCP 47. Without it, the header Accept-Language decides. Names that do not exist in the language are English, or the office's own."`
	Page   int    `param:"page" example:"0" default:"0" min:"0" doc:"Page number, counted from 0. A page past the end is empty."`
	Limit  int    `param:"limit" example:"100" default:"100" min:"1" doc:"Areas per page."`
}

// Area are the parameters of one area.
type Area struct {
	Lang  string `param:"lang" example:"de" doc:"The language of the names, as a tag of BCP 47. Without it, the header Accept-Language decides. Names that do not exist in the language are English, or the office's own."`
	Names string `param:"names" example:"all" doc:"all adds the names of the area in all languages."`
}

var areaKinds = []string{string(geo.Country), string(geo.Former), string(geo.Group), string(geo.Region), string(geo.Other)}

// FindAreas returns the areas that the parameters select, in the order of [geo.Entries], or
// with Q the likeliest first. The notice says that Within is no area. The error is [stat.Invalid].
func FindAreas(p Areas) ([]*geo.Entry, []Notice, error) {
	if p.Kind != "" && !slices.Contains(areaKinds, p.Kind) {
		return nil, nil, stat.Errorf(stat.Invalid, "parameter kind must be %s, not %.40q", strings.Join(areaKinds, ", "), p.Kind)
	}
	found := geo.Entries()
	if p.Q != "" {
		found = geo.SearchNames(p.Q)
	}
	if p.Kind == "" && p.Within == "" {
		return found, nil, nil
	}
	var notices []Notice
	if p.Within != "" && len(geo.Lookup(p.Within)) == 0 {
		notices = []Notice{unknownArea(withinParam, p.Within, fmt.Sprintf("no area has the code or name %.80q", p.Within))}
	}
	whole := geo.WholeOf(p.Within)
	var chosen []*geo.Entry
	for _, e := range found {
		if (p.Kind == "" || string(e.Kind) == p.Kind) && (p.Within == "" || e.IsWithin(whole)) {
			chosen = append(chosen, e)
		}
	}
	return chosen, notices, nil
}

// unknownArea returns a notice on a text that is no area, with similar codes and names.
func unknownArea(parameter, text, message string) Notice {
	n := NewNotice(parameter, text, message)
	n.suggest(geo.Spellings(text), 0)
	return n
}

// nearestAreas returns the end of a message that names the areas with the most similar codes and
// names, empty if there are none.
func nearestAreas(text string) string {
	if len(text) > maxSuggestedLength {
		return ""
	}
	near := stat.Nearest(text, geo.Spellings(text))
	if len(near) == 0 {
		return ""
	}
	return "; nearest: " + strings.Join(near, ", ")
}

// FindArea returns the meanings of a text, the likeliest first. The error is [stat.Invalid] for
// an unknown value of names, and [stat.NotFound] with similar names if there is no meaning.
func FindArea(text string, p Area) ([]geo.Reading, error) {
	if p.Names != "" && p.Names != "all" {
		return nil, stat.Errorf(stat.Invalid, "parameter names must be all, not %.40q", p.Names)
	}
	if found := geo.Lookup(text); len(found) > 0 {
		for _, e := range geo.Cities(text) {
			if !slices.ContainsFunc(found, func(r geo.Reading) bool { return r.Entry == e }) {
				found = append(found, geo.Reading{Entry: e, Lists: []string{geo.NameList}})
			}
		}
		return found, nil
	}
	return nil, stat.Errorf(stat.NotFound, "no area has the code or name %.80q%s; /api/areas lists all areas", text, nearestAreas(text))
}

var nameLanguages = sync.OnceValue(func() language.Matcher { return matcherOf(geo.Languages()) })

// matcherOf returns the matcher of languages, which takes milliseconds to make.
func matcherOf(codes []string) language.Matcher {
	var tags []language.Tag
	for _, code := range codes {
		tags = append(tags, language.MustParse(code))
	}
	return language.NewMatcher(tags)
}

// NameLanguage returns the language of [geo.Languages] that a caller wants for names: that of
// the parameter lang, else of the header Accept-Language, else English. isKnown is false if the
// parameter names another language. The error is [stat.Invalid] if the parameter is no tag.
func NameLanguage(lang, header string) (code string, isKnown bool, err error) {
	var wanted []language.Tag
	if lang != "" {
		tag, err := parseLanguage(lang)
		if err != nil {
			return "", false, err
		}
		wanted = []language.Tag{tag}
	} else {
		wanted = acceptedLanguages(header)
	}
	_, at, confidence := nameLanguages().Match(wanted...)
	isKnown = lang == "" || confidence == language.Exact
	if !isKnown { // de-AT is German; Hawaiian, for which English is the best match, is not English
		want, _ := wanted[0].Base()
		got, _ := language.MustParse(geo.Languages()[at]).Base()
		isKnown = want == got
	}
	return geo.Languages()[at], isKnown, nil
}
