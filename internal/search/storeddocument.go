package search

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"almanac/internal/chart/caption"
	"almanac/internal/defaults"
	"almanac/internal/offer"
	"almanac/internal/search/index"
	"almanac/internal/search/terms"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// storedDocument returns a dataset of the store. rows is what its office offers under the
// same code, if anything. The error is [stat.NotFound] if the dataset was removed.
func (s *Search) storedDocument(ctx context.Context, e *store.Entry) (r record, d index.Document, err error) {
	v, err := s.opts.Store.Vintage(ctx, e.ID)
	if err != nil {
		return r, d, err
	}
	translations, err := v.Translations(ctx)
	if err != nil {
		return r, d, err
	}
	var rows []offer.Offer
	listed := stat.ListedCode(e.Source, e.Code)
	if _, isOffered := s.offeredAt[key(e.Source, listed)]; isOffered {
		if rows, err = s.opts.Offers.Find(ctx, e.Source, listed); err != nil {
			return r, d, err
		}
	}
	r = record{source: e.Source, code: e.Code, id: e.ID, publisher: e.SourceName}
	for _, named := range s.table.Sources(e.SourceName) {
		if len(named.Places) == len(terms.Words(e.SourceName)) {
			r.publishers = named.IDs
		}
	}
	r.addTitle(v.Dataset.Language, e.Name)
	for _, language := range slices.Sorted(maps.Keys(translations)) {
		r.addTitle(language, translations[language].Name)
	}
	for _, o := range rows {
		r.add(o)
	}
	isUntitled := strings.EqualFold(e.Name, e.Code)
	if isUntitled && len(r.titles) == 1 {
		r.addTitle("en", caption.KnownTitle(e.Source, e.Code))
	}
	r.have = s.sameList(areasOf(v.Dataset))
	r.own = newOwnPlaces(s.sameList(citiesOf(v.Dataset)), s.sameList(besideOf(v.Dataset)))
	r.labelled = s.sameList(s.placesInLabels(v.Dataset))
	r.first, r.last = v.Oldest.String(), v.Newest.String()
	r.frequency = v.Newest.Frequency().Code()
	r.annual = stat.AnnualFrequency(v.Periods)
	r.updated = v.LastUpdate.Format(time.RFC3339)
	d = index.Document{Code: r.code, Values: valueCodes(v.Dataset), Texts: r.titleTexts()}
	if isUntitled && len(r.titles) == 1 {
		d.Texts[0].Field = index.Description // a code may be the name of a file, which is no title
	}
	if rows != nil {
		d.Texts = append(d.Texts, offerTexts(rows)...)
	}
	if isUntitled {
		d.Texts = append(d.Texts, r.measureTexts()...)
	}
	d.Texts = append(d.Texts, storedTexts(v.Dataset)...)
	for language, t := range translations {
		d.Texts = append(d.Texts, translatedTexts(language, t)...)
	}
	s.complete(&r)
	return r, d, nil
}

// known returns what the table of well-known datasets says of a dataset. A local file is that of the office that is its source.
func (r *record) known() (known defaults.Known) {
	known, ok := defaults.LookUp(r.source, r.code)
	for _, office := range r.publishers {
		if !ok && r.source == stat.LocalSource {
			known, ok = defaults.LookUp(office, r.code)
		}
	}
	return known
}

// measureTexts returns what the default series of a well-known dataset measures.
func (r *record) measureTexts() (texts []index.Text) {
	for _, concept := range defaults.Concepts() {
		if concept.ID == r.known().Concept {
			texts = append(texts, index.Text{Field: index.Description, Language: "en", Text: concept.Label})
		}
	}
	return texts
}

// sameList returns a list of areas, of their names or of topics that equals another, of an earlier dataset if there is one.
func (s *Search) sameList(list []string) []string {
	joined := strings.Join(list, "\n")
	if same, ok := s.lists[joined]; ok {
		return same
	}
	s.lists[joined] = list
	return list
}

// storedTexts returns the texts of a dataset besides its name. Labels whose language is unknown are mostly in English.
func storedTexts(d *stat.Dataset) []index.Text {
	language := cmp.Or(d.Language, "en")
	texts := []index.Text{
		{Field: index.Description, Language: language, Text: cut(d.Description, maxDescription)},
		{Field: index.Source, Text: d.Source.ID + " " + d.Source.Name},
	}
	left := maxAllLabels
	for i := range d.Dimensions {
		dim := &d.Dimensions[i]
		texts = append(texts, index.Text{Field: index.Dimension, Language: language, Text: dim.Label})
		n := min(len(dim.Codes), maxLabels, left)
		for _, c := range dim.Codes[:n] {
			texts = append(texts, index.Text{Field: index.Label, Language: language, Text: c.Label})
			if known := KnownLabel(d, i, &c); known != "" {
				texts = append(texts, index.Text{Field: index.Label, Language: "en", Text: known})
			}
		}
		left -= n
	}
	left = maxAreaLabels
	for i := range d.Geography.Codes {
		if c := &d.Geography.Codes[i]; left > 0 && isOwnArea(c) {
			texts = append(texts, index.Text{Field: index.Label, Language: language, Text: c.Label})
			left--
		}
	}
	return texts
}

// valueCodes returns the codes of the values of a dataset.
func valueCodes(d *stat.Dataset) (codes []string) {
	for i := range d.Dimensions {
		for _, c := range d.Dimensions[i].Codes[:min(len(d.Dimensions[i].Codes), maxValueCodes)] {
			if len(index.FoldCode(c.ID)) >= minValueCode {
				codes = append(codes, c.ID)
			}
		}
	}
	return codes
}

// KnownLabel returns the name in English that well-known code lists have for a code to which the office gives no label, as charts show
// it: "Female" for SEX_FMLE of the WHO. It is empty if there is none.
func KnownLabel(d *stat.Dataset, axis int, c *stat.Code) string {
	dim := &d.Dimensions[axis]
	if c.Label != c.ID || dim.Role != stat.RoleOther || !caption.IsCode(c.ID) {
		return ""
	}
	if name := caption.Label(d.Source.ID, dim.ID, *c); name != c.ID {
		return name
	}
	return ""
}

// translatedTexts returns the texts of a dataset in another language, besides its name.
func translatedTexts(language string, t *stat.Translation) []index.Text {
	texts := []index.Text{{Field: index.Description, Language: language, Text: cut(t.Description, maxDescription)}}
	left := maxAllLabels
	for _, dim := range t.Dimensions {
		texts = append(texts, index.Text{Field: index.Dimension, Language: language, Text: dim.Label})
		n := min(len(dim.Codes), maxLabels, left)
		left -= n
		for _, label := range dim.Codes {
			if n--; n < 0 {
				break
			}
			texts = append(texts, index.Text{Field: index.Label, Language: language, Text: label})
		}
	}
	return texts
}
