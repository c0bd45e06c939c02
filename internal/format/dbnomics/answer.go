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
	described map[string][]*set // by code
	providers map[string]provider
	chosen    bool // by a query that asks for some series only

	docs, offset, found int // series in the file, before it, and in all
}

// provider is an office as DBnomics describes it.
type provider struct{ name, website, terms string }

// set is a dataset of an answer.
type set struct {
	provider, code string
	name           string
	description    string
	explained      string // address
	updated        time.Time
	indexed        time.Time // when DBnomics took it in
	inAll          int       // series of the dataset

	order      []string           // IDs of the dimensions
	labels     map[string]string  // of dimensions
	values     int                // values that its series have here
	codes      map[string]*labels // of the codes of dimensions
	attributes map[string]*labels // of the codes of attributes
	met        map[string]*labels // codes that series have, by dimension, without labels
	places     []stat.Position    // of its series
}

// labels are the labels of codes, in the order of the file.
type labels struct {
	order []string
	of    map[string]string
}

func newSet(provider, code string) *set {
	return &set{
		provider: provider, code: code, labels: map[string]string{}, codes: map[string]*labels{},
		attributes: map[string]*labels{}, met: map[string]*labels{},
	}
}

// readAnswer reads everything but the values.
func readAnswer(in format.Input, noted *stat.Report) (*answer, error) {
	a := &answer{byKey: map[[2]string]*set{}, described: map[string][]*set{}, providers: map[string]provider{}}
	err := jsonscan.Read(in.Again, in.Encoding, noted, func(j *jsonscan.Scanner, first jsonscan.Token) error {
		if first.Kind != jsonscan.Object {
			return stat.BadFile(first.At, "the file is to be one object, which begins with {")
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
		values += s.values
	}
	if values == 0 {
		return nil, stat.BadFile(stat.Position{Line: 1}, "the answer holds %d series and none of their values: ask for them with observations=1", a.docs)
	}
	return a, nil
}

// describe takes over what the answer says of the dataset beside its series.
func (s *set) describe(d *set) {
	s.provider, s.name = cmp.Or(s.provider, d.provider), cmp.Or(d.name, s.name)
	s.description, s.explained, s.updated, s.indexed, s.inAll = d.description, d.explained, d.updated, d.indexed, d.inAll
	s.labels, s.codes, s.attributes = d.labels, d.codes, d.attributes
	order := slices.Clone(d.order)
	for _, id := range s.order { // those of the series that are not listed
		if !slices.Contains(order, id) {
			order = append(order, id)
		}
	}
	s.order = order
}

// dimension is a dimension with the codes that occur, in the order of their
// labels, and then those without.
func (s *set) dimension(id string) stat.Dimension {
	dim := stat.Dimension{ID: id, Label: s.labels[id]}
	met, known := s.met[id], s.codes[id]
	if met == nil {
		return dim
	}
	if known != nil {
		for _, code := range known.order {
			if _, occurs := met.of[code]; occurs {
				dim.Codes = append(dim.Codes, stat.Code{ID: code, Label: known.of[code]})
			}
		}
	}
	for _, code := range met.order {
		if known == nil || !known.has(code) {
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
			a.providers[code] = provider{fields["name"], fields["website"], fields["terms_of_use"]}
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

// readArgument looks whether the query chose some series.
func (a *answer) readArgument(name string, value jsonscan.Token) error {
	switch name {
	case "q", "dimensions", "series_code", "series_ids":
	default:
		return a.json.SkipRest(value)
	}
	choose := func(value jsonscan.Token) error {
		a.chosen = true
		return a.json.SkipRest(value)
	}
	switch value.Kind {
	case jsonscan.Object:
		return a.json.Object(func(_ string, value jsonscan.Token) error { return choose(value) })
	case jsonscan.Array:
		return a.json.Array(choose)
	}
	a.chosen = a.chosen || value.Kind == jsonscan.String && len(value.Text) > 0
	return nil
}

func (a *answer) readSet() error {
	s := newSet("", "")
	texts := map[string]*string{
		"code": &s.code, "name": &s.name, "provider_code": &s.provider, "description": &s.description, "doc_href": &s.explained,
	}
	err := a.json.Object(func(name string, value jsonscan.Token) (err error) {
		switch {
		case name == "dimensions_codes_order" && value.Kind == jsonscan.Array:
			return a.json.Array(func(item jsonscan.Token) error {
				id, err := a.json.TextOf(item)
				if id == "" || slices.Contains(s.order, id) {
					return stat.BadFile(item.At, "%q is no name of a dimension, or comes twice", text.Clip(id))
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
			s.inAll, _ = strconv.Atoi(content) // what is no number says nothing
		}
		return err
	})
	if err == nil && s.code != "" {
		a.described[s.code] = append(a.described[s.code], s)
	}
	return err
}

// readLabels reads the labels of codes, by dimension.
func (a *answer) readLabels(into map[string]*labels) error {
	return a.json.Object(func(id string, value jsonscan.Token) (err error) {
		l := &labels{of: map[string]string{}}
		into[id] = l
		switch value.Kind {
		case jsonscan.Object:
			return a.json.Object(func(code string, value jsonscan.Token) error {
				label, err := a.json.TextOf(value)
				l.add(code, label)
				return err
			})
		case jsonscan.Array:
			return a.json.Array(func(item jsonscan.Token) error { return a.readPair(l, item) })
		}
		return a.json.SkipRest(value)
	})
}

// readPair reads ["CAT", "Category"].
func (a *answer) readPair(l *labels, item jsonscan.Token) error {
	if item.Kind != jsonscan.Array {
		return a.json.SkipRest(item)
	}
	var pair []string
	at := item.At
	err := a.json.Array(func(item jsonscan.Token) error {
		text, err := a.json.TextOf(item)
		if pair = append(pair, text); len(pair) > 2 {
			return stat.BadFile(item.At, "a label is to be a pair of a code and its label")
		}
		return err
	})
	if err != nil {
		return err
	}
	if len(pair) != 2 {
		return stat.BadFile(at, "a label is to be a pair of a code and its label")
	}
	l.add(pair[0], pair[1])
	return nil
}

func (l *labels) add(code, label string) {
	if !l.has(code) {
		l.order = append(l.order, code)
	}
	l.of[code] = label
}

func (l *labels) has(code string) bool {
	_, has := l.of[code]
	return has
}

// label is the label of a code; a nil list has none.
func (l *labels) label(code string) string {
	if l == nil {
		return ""
	}
	return l.of[code]
}

// readSeriesField reads a field of "series".
func (a *answer) readSeriesField(name string, value jsonscan.Token) error {
	if (name == "docs" || name == "data") && value.Kind == jsonscan.Array {
		return a.json.Array(func(item jsonscan.Token) error {
			if item.Kind != jsonscan.Object {
				return stat.BadFile(item.At, "a series is to be an object, which begins with {")
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
		return stat.BadFile(value.At, "%q is to be a whole number from 0 on", name)
	}
	*into = n
	return nil
}

// readCodes takes note of a series: where it stands, and its codes.
func (a *answer) readCodes(at stat.Position) error {
	var code, provider, datasetName, seriesCode string
	texts := map[string]*string{"dataset_code": &code, "provider_code": &provider, "dataset_name": &datasetName, "series_code": &seriesCode}
	var ids, codes []string
	values := 0
	err := a.json.Object(func(name string, value jsonscan.Token) (err error) {
		switch {
		case texts[name] != nil:
			*texts[name], err = a.json.TextOf(value)
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
		default:
			err = a.json.SkipRest(value)
		}
		return err
	})
	if err != nil {
		return err
	}
	if code == "" {
		return stat.BadFile(at, "the series %q does not say its dataset with \"dataset_code\"", text.Clip(seriesCode))
	}
	s := a.setOf(provider, code)
	if len(a.sets) > maxSets {
		return stat.BadFile(at, "the answer holds series of more than %d datasets; import them in several files", maxSets)
	}
	s.name = cmp.Or(s.name, datasetName)
	for i, id := range ids {
		if !slices.Contains(s.order, id) {
			if len(s.order) >= maxDimensions {
				return stat.BadFile(at, "the series of a dataset have more than %d dimensions", maxDimensions)
			}
			s.order = append(s.order, id)
			s.met[id] = &labels{of: map[string]string{}}
		}
		if codes[i] == "" || id == "" {
			return stat.BadFile(at, "the series %q has no code of the dimension %q, or that has no name", text.Clip(seriesCode), text.Clip(id))
		}
		s.met[id].add(codes[i], "")
	}
	s.places = append(s.places, at)
	s.values += values
	a.docs++
	return nil
}

// Bounds of what a file with nonsense can take: no dataset has as many
// dimensions, and DBnomics hands out at most a thousand series at once.
const (
	maxDimensions = 64
	maxSets       = 1000
)

// setOf is the dataset of a series.
func (a *answer) setOf(provider, code string) *set {
	s := a.byKey[[2]string{provider, code}]
	if s == nil {
		s = newSet(provider, code)
		a.byKey[[2]string{provider, code}] = s
		a.sets = append(a.sets, s)
	}
	return s
}

// part is how the answer says that it holds a part of a dataset, empty if it
// does not, and which.
func (a *answer) part() (partial string, share stat.Share) {
	if a.found <= a.docs {
		return "", stat.Share{}
	}
	if len(a.sets) == 1 && a.docs > 0 {
		share = stat.Share{First: a.offset + 1, Last: a.offset + a.docs, Of: a.found}
	}
	return fmt.Sprintf("%d of %d series", a.docs, a.found), share
}
