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

// answer is what the first reading of a file finds.
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

// set is a dataset of an answer.
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

// readAnswer reads everything but the values.
func readAnswer(in format.Input, noted *stat.Report) (*answer, error) {
	a := &answer{byKey: map[[2]string]*set{}, described: map[string][]*set{}, providers: map[string]map[string]string{}}
	err := jsonscan.Read(in.Again, in.Encoding, noted, func(j *jsonscan.Scanner, first jsonscan.Token) error {
		if first.Kind != jsonscan.Object {
			return stat.BadFile(first.At, "the file must be one object, which begins with {")
		}
		a.json = j
		return j.Object(a.readField)
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

// describe adds what the answer says about the dataset beside its series.
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

// dimension returns a dimension with the codes that occur: first those with labels,
// in the order of the labels.
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

func (a *answer) readField(name string, value jsonscan.Token) error {
	switch {
	case value.Kind == jsonscan.Array && name == "providers":
		return a.json.Array(func(item jsonscan.Token) error { return a.readField("provider", item) })
	case value.Kind != jsonscan.Object:
		return a.json.SkipRest(value)
	}
	switch name {
	case "_meta":
		return a.json.Object(func(name string, value jsonscan.Token) error {
			if name == "args" && value.Kind == jsonscan.Object {
				return a.json.Object(a.readArgument)
			}
			return a.json.SkipRest(value)
		})
	case "provider":
		fields, err := a.json.Texts(value)
		if code := fields["code"]; code != "" {
			a.providers[code] = fields
		}
		return err
	case "dataset":
		return a.readSet()
	case "datasets":
		return a.json.Object(func(_ string, value jsonscan.Token) error {
			if value.Kind != jsonscan.Object {
				return a.json.SkipRest(value)
			}
			return a.readSet()
		})
	case "series":
		return a.json.Object(a.readSeriesField)
	}
	return a.json.SkipRest(value)
}

// readArgument finds out whether the query selected some series.
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

func (a *answer) readSet() error {
	s := &set{codes: map[string]labels{}, attributes: map[string]labels{}}
	texts := map[string]*string{
		"code": &s.code, "name": &s.name, "provider_code": &s.provider, "description": &s.description, "doc_href": &s.metadataURL,
	}
	err := a.json.Object(func(name string, value jsonscan.Token) (err error) {
		switch {
		case name == "dimensions_codes_order" && value.Kind == jsonscan.Array:
			return a.json.Array(func(item jsonscan.Token) error {
				id, err := a.json.TextOf(item)
				if id == "" || slices.Contains(s.order, id) {
					return stat.BadFile(item.At, "invalid dimension ID %q in \"dimensions_codes_order\": must not be empty or repeated", text.Clip(id))
				}
				s.order = append(s.order, id)
				return err
			})
		case name == "dimensions_labels" && value.Kind == jsonscan.Object:
			s.labels, err = a.json.Texts(value)
			return err
		case name == "dimensions_values_labels" && value.Kind == jsonscan.Object:
			return a.readLabels(s.codes)
		case name == "attributes_values_labels" && value.Kind == jsonscan.Object:
			return a.readLabels(s.attributes)
		}
		content, err := a.json.TextOf(value)
		switch {
		case texts[name] != nil:
			*texts[name] = content
		case name == "updated_at":
			s.updated = text.Time(content, time.UTC)
		case name == "indexed_at":
			s.indexed = text.Time(content, time.UTC)
		case name == "nb_series":
			s.seriesCount, _ = strconv.Atoi(content) // 0, unknown, unless it is a number
		}
		return err
	})
	if s.code != "" {
		a.described[s.code] = append(a.described[s.code], s)
	}
	return err
}

// readLabels reads the labels of codes, by dimension or attribute.
func (a *answer) readLabels(into map[string]labels) error {
	return a.json.Object(func(id string, value jsonscan.Token) (err error) {
		var l labels
		switch value.Kind {
		case jsonscan.Object:
			err = a.json.Object(func(code string, value jsonscan.Token) error {
				label, err := a.json.TextOf(value)
				l.add(code, label)
				return err
			})
		case jsonscan.Array:
			err = a.json.Array(func(item jsonscan.Token) error { return a.readPair(&l, item) })
		default:
			return a.json.SkipRest(value)
		}
		into[id] = l
		return err
	})
}

// readPair reads ["CAT", "Category"].
func (a *answer) readPair(l *labels, item jsonscan.Token) error {
	if item.Kind != jsonscan.Array {
		return a.json.SkipRest(item)
	}
	at := item.At
	var pair [2]string
	n := 0
	err := a.json.Array(func(item jsonscan.Token) (err error) {
		if n++; n > len(pair) {
			return stat.BadFile(item.At, wantPair)
		}
		pair[n-1], err = a.json.TextOf(item)
		return err
	})
	if err == nil && n < len(pair) {
		err = stat.BadFile(at, wantPair)
	}
	l.add(pair[0], pair[1])
	return err
}

const wantPair = "invalid label: must be a pair of a code and its label"

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

// readSeriesField reads a field of "series".
func (a *answer) readSeriesField(name string, value jsonscan.Token) error {
	if (name == "docs" || name == "data") && value.Kind == jsonscan.Array {
		return a.json.Array(func(item jsonscan.Token) error {
			if item.Kind != jsonscan.Object {
				return stat.BadFile(item.At, "invalid series: must be an object, which begins with {")
			}
			return a.readCodes(item.At)
		})
	}
	into := map[string]*int{"offset": &a.offset, "num_found": &a.found}[name]
	if into == nil {
		return a.json.SkipRest(value)
	}
	n, err := strconv.Atoi(string(value.Text))
	if value.Kind != jsonscan.Number || err != nil || n < 0 {
		return stat.BadFile(value.At, "invalid %q: must be a whole number, 0 or more", name)
	}
	*into = n
	return nil
}

// readCodes finds out which codes a series has.
func (a *answer) readCodes(at stat.Position) error {
	var code, provider, datasetName, seriesCode string
	texts := map[string]*string{"dataset_code": &code, "provider_code": &provider, "dataset_name": &datasetName, "series_code": &seriesCode}
	var ids, codes []string
	values := 0
	err := a.json.Object(func(name string, value jsonscan.Token) (err error) {
		switch {
		case texts[name] != nil:
			*texts[name], err = a.json.TextOf(value)
			return err
		case name == "dimensions" && value.Kind == jsonscan.Object:
			return a.json.Object(func(id string, value jsonscan.Token) error {
				text, err := a.json.TextOf(value)
				ids, codes = append(ids, id), append(codes, text)
				return err
			})
		case name == "value" && value.Kind == jsonscan.Array:
			return a.json.Array(func(item jsonscan.Token) error {
				values++
				return a.json.SkipRest(item)
			})
		}
		return a.json.SkipRest(value)
	})
	if err != nil {
		return err
	}
	if code == "" {
		return stat.BadFile(at, "the series %q does not name its dataset in \"dataset_code\"", text.Clip(seriesCode))
	}
	s := a.setOf(provider, code)
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

// Limits for malformed files: no dataset has as many dimensions, and DBnomics
// returns at most a thousand series at once.
const (
	maxDimensions = 64
	maxSets       = 1000
)

// setOf returns the dataset of a series.
func (a *answer) setOf(provider, code string) *set {
	key := [2]string{provider, code}
	if a.byKey[key] == nil {
		a.byKey[key] = &set{provider: provider, code: code, occurring: map[string]labels{}}
		a.sets = append(a.sets, a.byKey[key])
	}
	return a.byKey[key]
}

// part returns which part of a dataset the answer has, in words and, for one
// dataset, as a share; the words are empty if it has all.
func (a *answer) part() (partial string, share stat.Share) {
	if a.found <= a.docs {
		return "", stat.Share{}
	}
	if len(a.sets) == 1 && a.docs > 0 {
		share = stat.Share{First: a.offset + 1, Last: a.offset + a.docs, Of: a.found}
	}
	return fmt.Sprintf("%d of %d series", a.docs, a.found), share
}
