package request

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/text/language"

	"almanac/internal/chart/words"
	"almanac/internal/geo"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// langParam is the name of the parameter that chooses a language.
const langParam = "lang"

// maxAcceptLanguage bounds the header that is read, in bytes.
const maxAcceptLanguage = 1000

// Localised is a vintage in the language that a caller chose.
type Localised struct {
	*store.Vintage
	// Language is that of its texts; empty if it is unknown.
	Language string
	// Chosen is the language that the caller chose; empty if none.
	Chosen string
	// Notices says that the vintage has no texts in the language of the parameter lang.
	Notices []Notice
}

// Localise returns a vintage with its texts in a language: that of lang, the parameter of
// the same name, else the first of accept, the header Accept-Language, that the office has.
// Without either, and for a language that the office does not have, the texts are those
// that the vintage has for everybody. With lang, countries without a name by the office have
// that of the Unicode CLDR. The error is [stat.Invalid] if lang is no language.
func Localise(ctx context.Context, v *store.Vintage, lang, accept string) (Localised, error) {
	own := Localised{Vintage: v, Language: v.Dataset.Language}
	if lang == "" {
		return localisedIn(ctx, v, preferred(v, accept))
	}
	tag, err := parseLanguage(lang)
	if err != nil {
		return own, err
	}
	languages := languagesOf(v)
	if chosen := match(languages, tag); chosen != "" {
		return localisedIn(ctx, v, chosen)
	}
	base, _ := tag.Base()
	if own.Chosen = base.String(); own.Language == "" && own.Chosen == english {
		return own, nil // as far as is known
	}
	own.Notices = []Notice{noTextsIn(lang, languages)}
	own.Vintage, err = viewIn(ctx, v, own.Chosen)
	return own, err
}

// maxLanguageTag is the length of a tag that RFC 5646 has software support, in bytes.
const maxLanguageTag = 35

func parseLanguage(lang string) (language.Tag, error) {
	tag, err := language.Parse(lang)
	if err != nil || len(lang) > maxLanguageTag {
		return tag, stat.Errorf(stat.Invalid, "parameter lang must be a language tag such as de or pt-BR, not %.40q", lang)
	}
	return tag, nil
}

// BaseLanguage returns the language that a caller wants, that of the parameter lang, else the first of the
// header Accept-Language, as in ISO 639-1 where that has it: pt for pt-BR. It is empty if the caller
// wants none. The error is [stat.Invalid] if lang is no tag.
func BaseLanguage(lang, header string) (string, error) {
	wanted := acceptedLanguages(header)
	if lang != "" {
		tag, err := parseLanguage(lang)
		if err != nil {
			return "", err
		}
		wanted = []language.Tag{tag}
	}
	for _, tag := range wanted {
		if base, confidence := tag.Base(); confidence >= language.High {
			return base.String(), nil
		}
	}
	return "", nil
}

// localisedIn returns a vintage in one of its languages; the empty one is its own.
func localisedIn(ctx context.Context, v *store.Vintage, chosen string) (Localised, error) {
	if chosen == "" {
		return Localised{Vintage: v, Language: v.Dataset.Language}, nil
	}
	if chosen == v.Dataset.Language {
		return Localised{Vintage: withOwnNames(v), Language: chosen, Chosen: chosen}, nil
	}
	view, err := viewIn(ctx, v, chosen)
	return Localised{Vintage: view, Language: chosen, Chosen: chosen}, err
}

// english is the language of texts for everybody, where the office has it.
const english = "en"

// languagesOf returns the languages of a vintage, its own first, if it is known.
func languagesOf(v *store.Vintage) []string {
	if all := v.Languages(); all != nil || v.Dataset.Language == "" {
		return all
	}
	return []string{v.Dataset.Language}
}

func noTextsIn(lang string, languages []string) Notice {
	n := NewNotice(langParam, lang, fmt.Sprintf("the dataset has no texts in %s", lang))
	if _, ok := geo.NameFor("DE", strings.ToLower(lang)); ok {
		n.Message = fmt.Sprintf("apart from names of countries, the dataset has no texts in %s", lang)
	}
	if len(languages) > 0 {
		n.Message += "; it has them in " + strings.Join(languages, ", ")
		n.Nearest = languages
	}
	return n
}

// preferred returns the first language of an Accept-Language header that a vintage has,
// empty for its own where that is unknown, and if it has none of them.
func preferred(v *store.Vintage, accept string) string {
	languages := v.Languages()
	if languages == nil {
		return ""
	}
	for _, tag := range acceptedLanguages(accept) {
		if chosen := match(languages, tag); chosen != "" {
			return chosen
		}
		if base, _ := tag.Base(); v.Dataset.Language == "" && base.String() == english {
			return ""
		}
	}
	return ""
}

// acceptedLanguages returns the languages of an Accept-Language header, the preferred one first. A
// header that is broken or longer than maxAcceptLanguage states no preference.
func acceptedLanguages(header string) []language.Tag {
	if header == "" || len(header) > maxAcceptLanguage {
		return nil
	}
	tags, _, err := language.ParseAcceptLanguage(header)
	if err != nil {
		return nil
	}
	return tags
}

// match returns the language that a reader of the wanted one reads: de for de-AT, no for nb.
// It is empty if there is none.
func match(languages []string, wanted language.Tag) string {
	if at := slices.Index(languages, stat.LanguageTag(wanted.String())); at >= 0 {
		return languages[at]
	}
	var tags []language.Tag
	var known []string
	for _, l := range languages {
		if tag, err := language.Parse(l); err == nil {
			tags, known = append(tags, tag), append(known, l)
		}
	}
	if tags == nil {
		return ""
	}
	if _, at, confidence := language.NewMatcher(tags).Match(wanted); confidence >= language.High {
		return known[at]
	}
	return ""
}

type viewKey struct{ language string }

// viewIn returns a view of a vintage in a language, made once.
func viewIn(ctx context.Context, v *store.Vintage, wanted string) (*store.Vintage, error) {
	if wanted == v.Dataset.Language {
		return v, nil
	}
	t, err := v.Translation(ctx, wanted)
	if err != nil {
		return nil, err
	}
	if t == nil && !slices.Contains(geo.Languages(), namesIn(wanted)) {
		return v, nil // the number of languages without any texts is unlimited
	}
	return v.Memo(viewKey{wanted}, func() any { return v.View(translated(v.Dataset, t, wanted)) }).(*store.Vintage), nil
}

// withOwnNames returns a view of a vintage in which areas that have their English name, because the office gives none,
// have that in the vintage's own language. It returns v if there are none.
func withOwnNames(v *store.Vintage) *store.Vintage {
	names := namesIn(v.Dataset.Language)
	if names == "" || names == english {
		return v
	}
	return v.Memo(viewKey{v.Dataset.Language}, func() any {
		d, t, isChanged := v.Dataset, &stat.Translation{}, false
		labels := t.Dimension(d.Geography.ID).Codes
		for i := range d.Geography.Codes {
			c := &d.Geography.Codes[i]
			labels[c.ID] = cmp.Or(c.SourceLabel, c.Label)
			name, ok := geo.NameOf(d.Source.ID, c.ID, c.Area, names)
			if ok && labels[c.ID] == geo.AreaOf(d.Source.ID, c.ID, c.Area).Name && name != labels[c.ID] {
				labels[c.ID], isChanged = name, true
			}
		}
		if !isChanged {
			return v
		}
		return v.View(translated(d, t, d.Language))
	}).(*store.Vintage)
}

// translated returns a dataset with its texts in a language; what t lacks stays. t may be
// nil.
func translated(d *stat.Dataset, t *stat.Translation, language string) *stat.Dataset {
	all, names := *d, cmp.Or(namesIn(language), language)
	all.Language, all.Base = language, d
	if t != nil {
		replace(&all.Name, t.Name, d.Curated["name"])
		replace(&all.Description, t.Description, d.Curated["description"])
		replace(&all.Unit, t.Unit, "")
		all.Notes, all.SeriesUnits = t.Notes, t.SeriesUnits
	}
	all.Dimensions = slices.Clone(d.Dimensions)
	for _, axis := range all.Axes() {
		texts := t.Texts(axis.ID)
		axis.Label = cmp.Or(texts.Label, axis.Label)
		axis.Codes = translatedCodes(d.Source.ID, axis, texts, names)
	}
	all.Fixed = slices.Clone(d.Fixed)
	for i := range all.Fixed {
		f := &all.Fixed[i]
		texts := t.Texts(f.ID)
		f.Label = cmp.Or(texts.Label, f.Label)
		replace(&f.Code.Label, texts.Codes[f.Code.ID], "")
		replace(&f.Code.Unit, texts.Units[f.Code.ID], "")
	}
	return &all
}

// replace replaces a text, unless there is no other or a curator chose it.
func replace(text *string, other, curated string) {
	if other != "" && *text != "" && curated == "" {
		*text = other
	}
}

// translatedCodes returns the codes of an axis with labels in a language: the office's, else
// the names of areas in the language names, else as they are. It returns the same codes if
// none changes.
func translatedCodes(source string, axis *stat.Dimension, texts stat.DimensionTexts, names string) []stat.Code {
	labels := make([]string, len(axis.Codes))
	isChanged := len(texts.Units) > 0
	for i := range axis.Codes {
		code := &axis.Codes[i]
		label := texts.Codes[code.ID]
		if label == "" && axis.Role == stat.RoleGeo {
			label, _ = geo.NameOf(source, code.ID, code.Area, names)
		}
		if labels[i] = cmp.Or(label, code.SourceLabel, code.Label); label != "" {
			isChanged = true
		}
	}
	if !isChanged {
		return axis.Codes
	}
	codes := slices.Clone(axis.Codes)
	for i, label := range stat.UniqueLabels(codes, labels, nil) {
		c := &codes[i]
		c.Label, c.SourceLabel = label, ""
		if label != labels[i] {
			c.SourceLabel = labels[i]
		}
		replace(&c.Unit, texts.Units[c.ID], "")
	}
	return codes
}

// namesIn returns the language of [geo.Languages] for the names of areas in a text in a language,
// empty if there is none.
func namesIn(wanted string) string {
	tag, err := language.Parse(wanted)
	if err != nil {
		return ""
	}
	return match(geo.Languages(), tag)
}

// UseLanguage has the chart's own words in the language that the caller chose, unless locale
// says another, and names series in the texts of the chosen language where the request has those
// without a choice.
func (c *Chart) UseLanguage(l Localised) {
	base, _, _ := strings.Cut(l.Chosen, "-")
	if c.Options.Locale == "" && slices.Contains(words.Codes, base) {
		c.Options.Locale = base
	}
	if l.IsView() {
		c.Options.Colours, c.Options.Labels = renamed(c.Options.Colours, l.Vintage), renamed(c.Options.Labels, l.Vintage)
	}
	c.Data.Lang = ""
}

// renamed returns a map with the labels of a view for those of its vintage as keys.
func renamed(byLabel map[string]string, v *store.Vintage) map[string]string {
	if len(byLabel) == 0 {
		return byLabel
	}
	all := maps.Clone(byLabel)
	for at, axis := range v.Stored().Dataset.Axes() {
		codes := v.Dataset.Axes()[at].Codes
		for i := range axis.Codes {
			value, isKey := byLabel[axis.Codes[i].Label]
			if _, isGiven := byLabel[codes[i].Label]; isKey && !isGiven {
				delete(all, axis.Codes[i].Label)
				all[codes[i].Label] = value
			}
		}
	}
	return all
}
