package dbnomics

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	"almanac/internal/format"
	"almanac/internal/format/jsonscan"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// answer is the result of the first pass over a file: everything but the values.
type answer struct {
	json      *jsonscan.Scanner
	sets      []*set // in the order of their first series
	byKey     map[[2]string]*set
	described map[string][]*set            // descriptions of datasets, without series, by code
	providers map[string]map[string]string // fields of the offices, by code
	// isSelection says that the query selected some series.
	isSelection bool

	docs, offset, found int // series in the file, before it, and in all
}

type set struct {
	provider, code string
	name           string
	description    string
	metadataURL    string
	updated        time.Time
	indexed        time.Time // by DBnomics
	seriesCount    int       // of the whole dataset

	order       []string          // IDs of the dimensions
	labels      map[string]string // of dimensions
	codes       map[string]labels // of the codes of dimensions
	attributes  map[string]labels // of the codes of attributes
	occurring   map[string]labels // codes that series have, by dimension, without labels
	series      []stat.Position   // where the series are
	valuesCount int               // values of these series
}

// labels are the labels of codes, in the order of the file.
type labels struct {
	order []string
	of    map[string]string
}

func readAnswer(in format.Input, noted *stat.Report) (*answer, error) {
	a := &answer{byKey: map[[2]string]*set{}, described: map[string][]*set{}, providers: map[string]map[string]string{}}
	err := jsonscan.Read(in.Again, in.Encoding, noted, func(j *jsonscan.Scanner, first jsonscan.Token) error {
		if first.Kind != jsonscan.Object {
			return stat.BadFile(first.At, "the file must be one object, which begins with {")
		}
		a.json = j
		count := func(name string, into *int) func(jsonscan.Token) error {
			return func(value jsonscan.Token) (err error) {
				if *into, err = strconv.Atoi(string(value.Text)); value.Kind != jsonscan.Number || err != nil || *into < 0 {
					return stat.BadFile(value.At, "invalid %q: must be a whole number, 0 or more", name)
				}
				return nil
			}
		}
		return j.Decode(first, map[string]any{
			"_meta":     map[string]any{"args": jsonscan.Members(a.readArgument)},
			"provider":  a.readProvider,
			"providers": jsonscan.Items(a.readProvider),
			"dataset":   a.readSet,
			"datasets":  jsonscan.Members(func(_ string, value jsonscan.Token) error { return a.readSet(value) }),
			"series": map[string]any{
				"docs": jsonscan.Items(a.readCodes), "data": jsonscan.Items(a.readCodes),
				"offset": count("offset", &a.offset), "num_found": count("num_found", &a.found),
			},
		})
	})
	if err != nil {
		return nil, err
	}
	values := 0
	for _, s := range a.sets {
		for _, d := range a.described[s.code] {
			if s.provider == "" || d.provider == "" || s.provider == d.provider {
				s.describe(d)
			}
		}
		values += s.valuesCount
	}
	if values == 0 {
		return nil, stat.BadFile(stat.Position{Line: 1}, "the answer has %d series and none of their values: request them with observations=1", a.docs)
	}
	return a, nil
}

func (s *set) describe(d *set) {
	s.provider, s.name = cmp.Or(s.provider, d.provider), cmp.Or(d.name, s.name)
	s.description, s.metadataURL, s.updated, s.indexed, s.seriesCount = d.description, d.metadataURL, d.updated, d.indexed, d.seriesCount
	s.labels, s.codes, s.attributes = d.labels, d.codes, d.attributes
	ofSeries := s.order
	s.order = slices.Clone(d.order)
	for _, id := range ofSeries {
		if !slices.Contains(s.order, id) {
			s.order = append(s.order, id)
		}
	}
}

// dimension returns a dimension with the codes that occur, first those with labels in
// the order of the labels.
func (s *set) dimension(id string) stat.Dimension {
	dim := stat.Dimension{ID: id, Label: s.labels[id]}
	occurring, known := s.occurring[id], s.codes[id]
	for _, code := range known.order {
		if occurring.has(code) {
			dim.Codes = append(dim.Codes, stat.Code{ID: code, Label: known.of[code]})
		}
	}
	for _, code := range occurring.order {
		if !known.has(code) {
			dim.Codes = append(dim.Codes, stat.Code{ID: code})
		}
	}
	return dim
}

func (a *answer) readProvider(value jsonscan.Token) error {
	fields, err := a.json.Texts(value)
	if code := fields["code"]; code != "" {
		a.providers[code] = fields
	}
	return err
}

// readArgument reads an argument of the query, which may select some series.
func (a *answer) readArgument(name string, value jsonscan.Token) error {
	if !slices.Contains([]string{"q", "dimensions", "series_code", "series_ids"}, name) {
		return a.json.SkipRest(value)
	}
	selects := func(value jsonscan.Token) error {
		a.isSelection = true
		return a.json.SkipRest(value)
	}
	switch value.Kind {
	case jsonscan.Object:
		return a.json.Object(func(_ string, value jsonscan.Token) error { return selects(value) })
	case jsonscan.Array:
		return a.json.Array(selects)
	}
	a.isSelection = a.isSelection || value.Kind == jsonscan.String && len(value.Text) > 0
	return nil
}

func (a *answer) readSet(value jsonscan.Token) error {
	if value.Kind != jsonscan.Object {
		return a.json.SkipRest(value)
	}
	s := &set{codes: map[string]labels{}, attributes: map[string]labels{}}
	var updated, indexed string
	err := a.json.Decode(value, map[string]any{
		"code": &s.code, "name": &s.name, "provider_code": &s.provider, "description": &s.description, "doc_href": &s.metadataURL,
		"updated_at": &updated, "indexed_at": &indexed, "nb_series": &s.seriesCount,
		"dimensions_codes_order": jsonscan.Items(func(item jsonscan.Token) error {
			id, err := a.json.TextOf(item)
			if id == "" || slices.Contains(s.order, id) {
				return stat.BadFile(item.At, "invalid dimension ID %q in \"dimensions_codes_order\": must not be empty or repeated", text.Clip(id))
			}
			s.order = append(s.order, id)
			return err
		}),
		"dimensions_labels":        &s.labels,
		"dimensions_values_labels": a.readLabels(s.codes),
		"attributes_values_labels": a.readLabels(s.attributes),
	})
	s.updated, s.indexed = text.Time(updated, time.UTC), text.Time(indexed, time.UTC)
	if s.code != "" {
		a.described[s.code] = append(a.described[s.code], s)
	}
	return err
}

// readLabels returns a reader of the labels of the codes of a dimension or attribute:
// an object or a list of pairs.
func (a *answer) readLabels(into map[string]labels) jsonscan.Members {
	return func(id string, value jsonscan.Token) (err error) {
		var l labels
		add := func(code string, value jsonscan.Token) error {
			label, err := a.json.TextOf(value)
			l.add(code, label)
			return err
		}
		switch value.Kind {
		case jsonscan.Object:
			err = a.json.Object(add)
		case jsonscan.Array:
			err = a.json.Array(func(item jsonscan.Token) error {
				return readPair(a.json, item, "label: must be a pair of a code and its label", add)
			})
		default:
			return a.json.SkipRest(value)
		}
		into[id] = l
		return err
	}
}

// readPair reads a pair such as ["CAT", "Category"]: second gets the first text and
// reads the second value. want describes the pair for the error.
func readPair(j *jsonscan.Scanner, pair jsonscan.Token, want string, second jsonscan.Members) error {
	if pair.Kind != jsonscan.Array {
		return stat.BadFile(pair.At, "invalid %s", want)
	}
	id, n := "", 0
	err := j.Array(func(item jsonscan.Token) (err error) {
		switch n++; n {
		case 1:
			id, err = j.TextOf(item)
			return err
		case 2:
			return second(id, item)
		}
		return stat.BadFile(item.At, "invalid %s", want)
	})
	if err == nil && n < 2 {
		err = stat.BadFile(pair.At, "invalid %s", want)
	}
	return err
}

func (l *labels) add(code, label string) {
	if l.of == nil {
		l.of = map[string]string{}
	}
	if !l.has(code) {
		l.order = append(l.order, code)
	}
	l.of[code] = label
}

func (l labels) has(code string) bool {
	_, has := l.of[code]
	return has
}

func (a *answer) readCodes(item jsonscan.Token) error {
	at := item.At
	if item.Kind != jsonscan.Object {
		return stat.BadFile(at, "invalid series: must be an object, which begins with {")
	}
	var code, provider, datasetName, seriesCode string
	var ids, codes []string
	values := 0
	err := a.json.Decode(item, map[string]any{
		"dataset_code": &code, "provider_code": &provider, "dataset_name": &datasetName, "series_code": &seriesCode,
		"dimensions": jsonscan.Members(func(id string, value jsonscan.Token) error {
			text, err := a.json.TextOf(value)
			ids, codes = append(ids, id), append(codes, text)
			return err
		}),
		"value": jsonscan.Items(func(item jsonscan.Token) error {
			values++
			return a.json.SkipRest(item)
		}),
	})
	if err != nil {
		return err
	}
	if code == "" {
		return stat.BadFile(at, "the series %q does not name its dataset in \"dataset_code\"", text.Clip(seriesCode))
	}
	key := [2]string{provider, code}
	s := a.byKey[key]
	if s == nil {
		s = &set{provider: provider, code: code, occurring: map[string]labels{}}
		a.byKey[key], a.sets = s, append(a.sets, s)
	}
	if len(a.sets) > maxSets {
		return stat.BadFile(at, "the answer has series of more than %d datasets; import them in several files", maxSets)
	}
	s.name = cmp.Or(s.name, datasetName)
	for i, id := range ids {
		if !slices.Contains(s.order, id) {
			if len(s.order) >= maxDimensions {
				return stat.BadFile(at, "the series of a dataset have more than %d dimensions", maxDimensions)
			}
			s.order = append(s.order, id)
		}
		if codes[i] == "" || id == "" {
			return stat.BadFile(at, "the series %q has no code of the dimension %q, or the dimension has no name", text.Clip(seriesCode), text.Clip(id))
		}
		occurring := s.occurring[id]
		occurring.add(codes[i], "")
		s.occurring[id] = occurring
	}
	s.series = append(s.series, at)
	s.valuesCount += values
	a.docs++
	return nil
}

// Limits for malformed files: no dataset has as many dimensions, and DBnomics returns
// at most a thousand series at once.
const (
	maxDimensions = 64
	maxSets       = 1000
)

// part returns which part of its datasets the answer has, in words and, for one dataset,
// as a share; the words are empty if it has all.
func (a *answer) part() (partial string, share stat.Share) {
	if a.found <= a.docs {
		return "", stat.Share{}
	}
	if len(a.sets) == 1 && a.docs > 0 {
		share = stat.Share{First: a.offset + 1, Last: a.offset + a.docs, Of: a.found}
	}
	return fmt.Sprintf("%d of %d series", a.docs, a.found), share
}
