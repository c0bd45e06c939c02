package search

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/geo"
	"almanac/internal/offer"
	"almanac/internal/search/index"
	"almanac/internal/search/terms"
	"almanac/internal/topics"
)

// segment is a segment of the index with the datasets that its documents are.
type segment struct {
	*index.Segment
	records []record // by document
	hidden  []bool   // by document; nil: none
}

// record is what is known of a dataset without its texts in the index.
type record struct {
	source, code string
	titles       []title
	publisher    string   // the name that a stored dataset has for its source
	publishers   []string // the IDs of the sources of which that is a name
	theme        string
	frequency    string
	annual       string // see [Hit]
	first, last  string
	updated      string // RFC 3339 or a day
	concept      string
	id           int      // in the store; 0: only offered
	areas        []string // countries and groups that titles name
	regions      []string // of countries, that titles name
	by           terms.Breakdown
	isByTheme    bool       // only the theme says that the dataset is by region
	have         []string   // areas of a stored dataset; shared by those with the same
	own          *ownPlaces // of a stored dataset; nil: it has none
	labelled     []string   // places that labels of a stored dataset of few areas name
	topics       []string   // codes as in package topics, best first; shared like have
	home         string     // country of a national office; empty for others
	isEuropean   bool       // the source has the countries of Europe and hardly others
	hasRegions   bool       // the source has regions of many countries
	lastYear     int16      // 0: unknown
	prior        float32
}

type title struct{ language, text string }

// key identifies a dataset in both the store and the offers.
func key(source, code string) string { return strings.ToLower(source) + "\x00" + strings.ToLower(code) }

// offerDocument returns a dataset of an office's list from its rows, one for each language.
func (s *Search) offerDocument(rows []offer.Offer) (record, index.Document) {
	r := record{source: rows[0].Source, code: rows[0].Code}
	for _, o := range rows {
		r.add(o)
	}
	d := index.Document{Code: r.code, Texts: append(r.titleTexts(), offerTexts(rows)...)}
	s.complete(&r)
	return r, d
}

// offerTexts returns the texts of rows besides the titles.
func offerTexts(rows []offer.Offer) (texts []index.Text) {
	for _, o := range rows {
		texts = append(texts,
			index.Text{Field: index.Topic, Language: o.Language, Text: o.Topic},
			index.Text{Field: index.Description, Language: o.Language, Text: cut(o.Description, maxDescription)})
	}
	return append(texts, index.Text{Field: index.Source, Text: rows[0].Source})
}

// add takes over what a row of an office's list says.
func (r *record) add(o offer.Offer) {
	r.addTitle(o.Language, o.Title)
	r.theme = cmp.Or(r.theme, o.Topic)
	r.frequency = cmp.Or(r.frequency, o.Frequency)
	r.first, r.last = cmp.Or(r.first, o.First), cmp.Or(r.last, o.Last)
	r.updated = max(r.updated, o.Updated)
}

func (r *record) addTitle(language, text string) {
	t := title{language, text}
	if text != "" && !slices.ContainsFunc(r.titles, func(other title) bool { return other.text == text }) {
		r.titles = append(r.titles, t)
	}
}

// titleTexts returns the titles in order. A dataset without one has its code.
func (r *record) titleTexts() (texts []index.Text) {
	if r.titles == nil {
		r.titles = []title{{"", r.code}}
	}
	for _, t := range r.titles {
		texts = append(texts, index.Text{Field: index.Title, Language: t.language, Text: t.text})
	}
	return texts
}

// Limits of what is indexed of one dataset.
const (
	maxDescription = 600    // bytes
	maxLabels      = 2_000  // of one dimension, in one language
	maxAllLabels   = 5_000  // in one language
	maxAreaLabels  = 40_000 // of areas whose codes are not known, in one language
	maxValueCodes  = 50_000 // of one dimension
)

func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "")
}

// complete fills what follows from the texts.
func (s *Search) complete(r *record) {
	r.concept = r.known().Concept
	r.lastYear = yearOf(r.last)
	r.home = homeOf(r.source)
	r.hasRegions = strings.EqualFold(r.source, "oecd")
	r.isEuropean = slices.Contains(european, strings.ToLower(r.source))
	r.topics = s.sameList(topicsOf(r))
	for _, t := range r.titles {
		for _, area := range s.table.Areas(t.text) {
			to := &r.areas
			if geo.IsRegion(area.ID) {
				to = &r.regions
			}
			if !slices.Contains(*to, area.ID) {
				*to = append(*to, area.ID)
			}
		}
		r.by = r.by.Join(s.table.Breakdown(t.text))
	}
	byTitle := r.by
	r.by = r.by.Join(s.table.Breakdown(r.theme[strings.LastIndex(r.theme, ">")+1:])) // the innermost folder
	r.isByTheme = byTitle == terms.Breakdown{} && r.by != byTitle
	r.prior = priorOf(r, s.opts.Now().Year())
}

// topicsOf returns the topics of a dataset: those that its office's theme speaks of, else its titles.
func topicsOf(r *record) []string {
	if found := topics.Of(r.theme); len(found) > 0 {
		return found
	}
	texts := []string{""} // no theme
	for _, t := range r.titles {
		text := t.text
		if strings.EqualFold(text, r.code) {
			text = dataWords.ReplaceAllString(text, " ")
		}
		texts = append(texts, text)
	}
	return topics.Of(texts...)
}

// dataWords match the words for data in a code that is the name of a file: undata_export_20241005 is not about exports.
var dataWords = regexp.MustCompile(`(?i)(^|[^a-z])(export|import)([^a-z]|$)`)

// yearOf returns the year in a period as a source writes it: 2024, 2024-03, Q1/2024.
func yearOf(period string) int16 {
	for i := 0; i+4 <= len(period); i++ {
		year, err := strconv.Atoi(period[i : i+4])
		if err == nil && year >= 1000 && (i == 0 || period[i-1] < '0' || period[i-1] > '9') {
			return int16(year)
		}
	}
	return 0
}
