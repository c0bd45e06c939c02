package chart

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"almanac/internal/chart/caption"
	"almanac/internal/chart/font"
	"almanac/internal/chart/words"
	"almanac/internal/geo"
	"almanac/internal/lazyregexp"
	"almanac/internal/multiples"
	"almanac/internal/stat"
	"almanac/internal/transform"
)

// textInput holds what the texts of a picture depend on.
type textInput struct {
	*selection
	query   stat.Query
	options *Options
	updated time.Time
	derived *transform.Derived
	joined  *joined // of several datasets; else nil
}

// describe writes the texts: title, subtitle, notes and source.
func (s *Spec) describe(w *textInput) {
	if units := w.units(); len(units) == 1 {
		s.Unit = units[0]
	}
	if s.Stack == StackPercent {
		s.Unit = s.Words().Text("% of the sum")
	}
	title := strings.TrimSpace(w.options.Title)
	if font.Clean(title) == "" {
		title = ""
	}
	c := s.inFull(w, title)
	s.unstated = w.unstatedOf(&c)
	if c.Title == caption.Untitled {
		c.Title = s.Words().Text(c.Title)
	}
	if caption.IsFillerUnit(s.Unit) {
		s.filler, s.Unit = s.Unit, ""
	}
	switch {
	case !w.options.IncludeTitle:
		s.Name = c.Title
	case s.Type == Map && w.options.IncludeDate && !hasYear.MatchString(c.Title):
		s.Title = s.withComma(strings.TrimRight(c.Title, ".:; ")) + s.period()
	default:
		s.Title = c.Title
	}
	if w.joined == nil && len(s.Series) == 1 && (s.Series[0].Label == w.dataset.Name || w.isCodeOfAll(s.Series[0].Label)) && title == "" {
		s.Series[0].Label = c.Title // a line is not named again beside a title that says it
	}
	s.parts = c.Of
	s.Subtitle = s.subtitle(w, &c)
	s.Edition = w.edition(s.Words())
	if w.isSpark {
		s.Notes = s.implausibleNotes(w.selection) // for Alt
		return
	}
	if w.options.IncludeSource {
		s.Source = w.source(s.Words(), c.Collection)
	}
	s.findTotals(w)
	s.Notes = s.notes(w)
}

// withComma returns a text with the comma of its script, and a space where the script has one.
func (s *Spec) withComma(text string) string {
	last, _ := utf8.DecodeLastRuneInString(text)
	switch {
	case unicode.Is(unicode.Arabic, last):
		return text + "، "
	case unicode.In(last, unicode.Hiragana, unicode.Katakana) || unicode.Is(unicode.Han, last) && s.Words().Code == "ja":
		return text + "、"
	case unicode.Is(unicode.Han, last):
		return text + "，"
	}
	return text + ", "
}

// isCodeOfAll reports whether a label is the code of all that is drawn, without a name: the key of
// a series.
func (w *textInput) isCodeOfAll(label string) bool {
	for axis := range w.dataset.Dimensions {
		if code := w.dataset.Dimensions[axis].Codes[w.series[0].key[axis]]; code.ID == label && code.Label == label {
			return caption.IsCode(label)
		}
	}
	return false
}

// hasYear matches titles with a year, which should not have the date of a map beside it.
var hasYear = lazyregexp.New(`\b(19|20)\d\d\b`)

// inFull returns the caption of the picture. If its unit is a multiple and no name in the
// picture says a multiple, numbers are written in full.
func (s *Spec) inFull(w *textInput, title string) caption.Caption {
	c := w.caption(title, s.Unit)
	full, ok := c.InFull(&caption.Picture{Title: title, Unit: s.Unit})
	isMultiple := func(series Series) bool { return multiples.Has(series.Label) }
	if !ok || len(s.Series) > 1 && slices.ContainsFunc(s.Series, isMultiple) || slices.ContainsFunc(s.Categories, func(c Category) bool { return multiples.Has(c.Label) }) {
		return c
	}
	if s.Counted, s.Power = caption.CutMultiple(s.Unit); caption.IsFillerUnit(s.Counted) {
		s.Counted = ""
	}
	return full
}

// caption returns the caption of the picture. title is the caller's, or empty.
func (w *textInput) caption(title, unit string) caption.Caption {
	if w.joined == nil {
		return caption.Of(&caption.Picture{Dataset: w.dataset, Key: w.series[0].key, Varies: w.varyingAxes(), Title: title, Unit: unit, OwnUnit: w.ownUnit(unit), UnitsDiffer: len(w.units()) > 1})
	}
	c := w.joined.caption
	c.Title, c.Parts = cmp.Or(title, c.Title), slices.Clone(c.Parts)
	return c
}

// subtitle names what applies to the whole picture: what is measured and for whom, the
// unit, the area if there is only one, and the period.
func (s *Spec) subtitle(w *textInput, c *caption.Caption) string {
	parts := c.Parts
	if by := w.breakdown(s); by != "" && !caption.Contains(c.Title, by) {
		if w.fits(s.Words()) {
			by = s.Words().Text("by %s", by)
		}
		parts = append(parts, by)
	}
	isSaid := func(text string) bool { return caption.Contains(text, w.amounts) }
	if w.amounts != "" && !isSaid(c.Title) && !slices.ContainsFunc(parts, isSaid) {
		parts = append(parts, w.amounts)
	}
	if c.Unit != "" {
		parts = append(parts, s.Words().Text(c.Unit))
	}
	if area := w.areaLabel(w.series[0].area); !w.areas && !w.dataset.HasNoArea() && !caption.IsFiller(area) && !caption.Contains(c.Title, area) && !caption.IsRate(s.Unit) {
		code := w.dataset.Geography.Codes[w.series[0].area]
		parts = slices.DeleteFunc(parts, func(part string) bool { return geo.IsName(code.Area, part) })
		if role := w.areaRole(); role != "" {
			area = role + ": " + area
		}
		parts = append(parts, area)
	} else if shared := w.sharedPlace(); w.areas && shared != "" && !caption.Contains(c.Title, shared) {
		parts = append(parts, shared)
	} else if place := cmp.Or(w.placeOfParts(), s.Words().Text(c.Place), w.sharedCountry()); place != "" && !caption.Contains(c.Title, place) {
		parts = append(parts, place)
	}
	inTitle := s.Type == Map && w.options.IncludeTitle && !hasYear.MatchString(c.Title)
	if !inTitle && (s.Type != Map || w.options.IncludeDate) {
		parts = append(parts, s.Span())
	}
	if w.joined == nil && w.dataset.Partial != "" {
		parts = append(parts, s.Words().Text("incomplete data: %s", s.Words().Part(w.dataset.Partial)))
	}
	return capitalised(strings.Join(parts, " · "))
}

// fits reports whether the chart's own words are in the language that the reader chose for the labels,
// so that they can be in one phrase.
func (w *textInput) fits(l *words.Language) bool {
	language, _, _ := strings.Cut(w.dataset.Language, "-")
	return w.dataset.Base == nil || language == l.Code
}

// breakdown returns the name of what the bars or lines are: "age". It is needed if they are
// ranges, whose labels may be numbers only, or if their labels mean something only with the part
// that they play, as countries do of which people are citizens.
func (w *textInput) breakdown(s *Spec) string {
	switch {
	case w.categoryAxis != nil && s.Ordered:
		if by := caption.Breakdown(w.dataset, *w.categoryAxis); by != "" {
			return by + s.fewNumbers()
		}
	case w.categoryAxis != nil:
		return strings.ToLower(caption.RoleOf(w.dataset, *w.categoryAxis))
	case w.areas:
		return cmp.Or(strings.ToLower(w.areaRole()), w.kindOfAreas())
	case len(w.distinctAxes) == 1:
		return strings.ToLower(caption.RoleOf(w.dataset, w.distinctAxes[0]))
	}
	return ""
}

// areaRole returns the part that the areas play in trade; empty for most datasets.
func (w *textInput) areaRole() string {
	if role := caption.RoleOf(w.own, len(w.own.Dimensions)); role == "Importer" || role == "Exporter" {
		return caption.RoleOf(w.dataset, len(w.own.Dimensions))
	}
	return ""
}

// sharedPlace returns where all areas lie, if their labels say it and their short names do not.
func (w *textInput) sharedPlace() string {
	shared := w.names.areaStyle.Shared()
	for _, code := range w.dataset.Geography.Codes[:min(len(w.dataset.Geography.Codes), 10)] {
		if shared != "" && code.Area == "US-"+shared { // "NY"
			return code.Label
		}
	}
	return shared
}

// capitalised returns a text with a capital first letter, unless its first word is written
// in small and capital letters, as kWh.
func capitalised(text string) string {
	first, _, _ := strings.Cut(text, " ")
	if text == "" || strings.ContainsFunc(first, unicode.IsUpper) {
		return text
	}
	r, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToTitle(r)) + text[size:]
}

// Span returns the time that a picture is about: "1955–2005".
func (s *Spec) Span() string {
	if n := len(s.Periods); n > 0 {
		return s.Words().Span(s.Periods[0], s.Periods[n-1])
	}
	return s.period()
}

// period returns the only period of a picture as readers expect it; empty if it has
// several.
func (s *Spec) period() string {
	if p, err := stat.ParsePeriod(s.Period); err == nil {
		return s.Words().Period(p)
	}
	return s.Period
}
