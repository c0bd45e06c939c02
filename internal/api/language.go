package api

import (
	"slices"
	"strings"
	"time"

	"almanac/internal/request"
	"almanac/internal/store"
)

// localised returns a vintage in the language that the caller chooses, and sets the headers
// that depend on it.
func (x *exchange) localised(v *store.Vintage, lang string) (request.Localised, error) {
	l, err := request.Localise(x.r.Context(), v, lang, x.acceptLanguage())
	x.varyByLanguage(v)
	if err == nil && l.Language != "" && (lang != "" || v.Languages() != nil) {
		x.w.Header()["Content-Language"] = []string{l.Language}
	}
	return l, err
}

// acceptLanguage returns the header Accept-Language, empty if there is none.
func (x *exchange) acceptLanguage() string { return strings.Join(x.r.Header["Accept-Language"], ",") }

// varyByLanguage adds Accept-Language to Vary if the vintage has several languages. Other
// responses do not depend on it.
func (x *exchange) varyByLanguage(v *store.Vintage) {
	h := x.w.Header()
	switch {
	case v.Languages() == nil:
	case slices.Equal(h["Vary"], varyForm):
		h["Vary"] = varyFormLanguage
	case slices.Equal(h["Vary"], varyCaller):
		h["Vary"] = varyLanguage
	}
}

// variesByLanguage reports whether the response depends on Accept-Language.
func (x *exchange) variesByLanguage() bool {
	vary := x.w.Header()["Vary"]
	return slices.Equal(vary, varyLanguage) || slices.Equal(vary, varyFormLanguage)
}

// localisedVintage opens the version of the dataset in the address that the caller chooses, in the
// language that the caller chooses. The notices are those of [request.Localised].
func (x *exchange) localisedVintage(lang string, e request.Edition) (*store.Vintage, []request.Notice, error) {
	v, err := x.vintage(e)
	if err != nil {
		return nil, nil, err
	}
	l, err := x.localised(v, lang)
	l.Notices = append(l.Notices, insteadNotice(v, e)...)
	return l.Vintage, l.Notices, err
}

// insteadNotice returns the notice that a vintage is served instead of the current one, which is damaged,
// unless the caller chose it.
func insteadNotice(v *store.Vintage, e request.Edition) []request.Notice {
	if e != (request.Edition{}) || !v.IsInstead() {
		return nil
	}
	return []request.Notice{request.NewNotice("version", v.Version, "the file of the current version is damaged, so this is the one before, published here at "+
		v.Imported.UTC().Format(time.RFC3339)+"; the current one is there again once the same data are imported")}
}
