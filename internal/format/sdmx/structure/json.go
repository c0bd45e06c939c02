package structure

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"

	"almanac/internal/format"
	"almanac/internal/format/jsonscan"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// recogniseJSON knows a message by what stands directly in "data", or by the
// schema that "meta" names.
func recogniseJSON(_ string, head []byte) bool {
	return jsonscan.HasPath(head, func(path []string, text []byte) bool {
		return len(path) == 2 && (path[0] == "data" && slices.Contains(parts, path[1]) ||
			path[0] == "meta" && path[1] == "schema" && bytes.Contains(text, []byte("structure-schema")))
	})
}

// parts are what a message may hold under "data" that is read.
var parts = []string{"codelists", "conceptSchemes", "dataStructures", "dataflows"}

// The message as encoding/json reads it.
type jsonMessage struct {
	Meta struct {
		Prepared string `json:"prepared"`
		Sender   struct {
			ID string `json:"id"`
		} `json:"sender"`
	} `json:"meta"`
	Data struct {
		Lists []struct {
			jsonItem
			Partial bool       `json:"isPartial"`
			Codes   []jsonItem `json:"codes"`
		} `json:"codelists"`
		Schemes []struct {
			jsonItem
			Concepts []struct {
				jsonItem
				Core jsonRepresentation `json:"coreRepresentation"`
			} `json:"concepts"`
		} `json:"conceptSchemes"`
		Structures []struct {
			jsonItem
			Components jsonComponents `json:"dataStructureComponents"`
		} `json:"dataStructures"`
		Flows []struct {
			jsonItem
			Structure string `json:"structure"`
		} `json:"dataflows"`
	} `json:"data"`
}

// jsonItem is what all things have.
type jsonItem struct {
	ID      string            `json:"id"`
	Agency  string            `json:"agencyID"`
	Version string            `json:"version"`
	Name    string            `json:"name"`
	Names   map[string]string `json:"names"`
}

// label is the item's name: names says the languages, name does not.
func (i *jsonItem) label() string {
	var all []Text
	for _, language := range slices.Sorted(maps.Keys(i.Names)) {
		all = append(all, Text{language, i.Names[language]})
	}
	if label := Best(all, ""); label != "" && (i.Name == "" || i.Names["en"] != "") {
		return label
	}
	return foldSpace(i.Name)
}

type jsonRepresentation struct {
	Enumeration string `json:"enumeration"`
}

type jsonComponent struct {
	ID             string             `json:"id"`
	Concept        string             `json:"conceptIdentity"`
	Roles          []string           `json:"conceptRoles"`
	Representation jsonRepresentation `json:"localRepresentation"`
}

type jsonComponents struct {
	Dimensions struct {
		All   []jsonComponent `json:"dimensions"`
		Time  jsonComponent   `json:"timeDimension"`  // 2.0
		Times []jsonComponent `json:"timeDimensions"` // 1.0
	} `json:"dimensionList"`
	Attributes struct {
		All []jsonComponent `json:"attributes"`
	} `json:"attributeList"`
	Measures struct {
		Primary jsonComponent   `json:"primaryMeasure"` // 1.0
		All     []jsonComponent `json:"measures"`       // 2.0
	} `json:"measureList"`
}

// learnJSON reads a message.
func learnJSON(_ context.Context, in format.Input) (*stat.Dictionary, error) {
	data, err := io.ReadAll(&bounded{text.LineErrors(in.Data), maxText, errLarge})
	switch {
	case errors.Is(err, errLarge):
		return nil, stat.BadFile(stat.Position{Line: 1}, "%v", err)
	case err != nil:
		return nil, err
	}
	data = bytes.TrimPrefix(data, text.ByteOrderMark)
	var read jsonMessage
	if err := json.Unmarshal(data, &read); err != nil {
		return nil, placeOf(data, err)
	}
	m := &message{prepared: read.Meta.Prepared, sender: read.Meta.Sender.ID}
	if err := m.takeJSON(&read); err != nil {
		return nil, err
	}
	return m.dictionary(in.Source)
}

// placeOf says where in the text an error stands.
func placeOf(data []byte, err error) error {
	var (
		syntax *json.SyntaxError
		kind   *json.UnmarshalTypeError
		at     int64
	)
	message := "this is no JSON: " + err.Error()
	switch {
	case errors.As(err, &syntax):
		at = syntax.Offset
	case errors.As(err, &kind):
		at = kind.Offset
		message = "the message has " + kind.Value + " as " + kind.Field + ", where a structure message has another kind of value"
	}
	before := data[:min(int(at), len(data))]
	line := bytes.Count(before, []byte("\n")) + 1
	return stat.BadFile(stat.Position{Line: line, Column: len(before) - bytes.LastIndexByte(before, '\n')}, "%s", message)
}

// takeJSON turns the parts into those that both forms share.
func (m *message) takeJSON(read *jsonMessage) error {
	for _, l := range read.Data.Lists {
		list := codelist{id: l.ID, agency: l.Agency, version: l.Version, partial: l.Partial}
		for _, c := range l.Codes {
			if c.ID == "" {
				return stat.BadFile(stat.Position{Line: 1}, "the code list %q has a code without an id", l.ID)
			}
			list.codes = append(list.codes, stat.Code{ID: c.ID, Label: c.label()})
		}
		if l.ID == "" {
			return stat.BadFile(stat.Position{Line: 1}, "a code list without an id")
		}
		m.lists = append(m.lists, list)
	}
	for _, s := range read.Data.Schemes {
		for _, c := range s.Concepts {
			_, list := parseReference(c.Core.Enumeration)
			m.concepts = append(m.concepts, concept{s.ID, c.ID, c.label(), list})
		}
	}
	for _, s := range read.Data.Structures {
		c := s.Components
		whole := structure{
			id: s.ID, agency: s.Agency, title: s.label(),
			dimensions: ofJSON(c.Dimensions.All), attributes: ofJSON(c.Attributes.All),
		}
		for _, t := range ofJSON(append(c.Dimensions.Times, c.Dimensions.Time)) {
			whole.time = cmp.Or(whole.time, t.id)
		}
		for _, measure := range ofJSON(append([]jsonComponent{c.Measures.Primary}, c.Measures.All...)) {
			whole.measure = cmp.Or(whole.measure, measure.id)
		}
		if s.ID != "" && len(whole.dimensions) > 0 {
			m.structures = append(m.structures, whole)
		}
	}
	for _, f := range read.Data.Flows {
		_, uses := parseReference(f.Structure)
		m.flows = append(m.flows, dataflow{f.ID, f.Agency, f.label(), uses})
	}
	return nil
}

// ofJSON are the components that have an ID, or whose concept has one.
func ofJSON(all []jsonComponent) []component {
	var result []component
	for _, j := range all {
		c := component{}
		c.scheme, c.concept = parseReference(j.Concept)
		_, c.list = parseReference(j.Representation.Enumeration)
		for _, role := range j.Roles {
			_, id := parseReference(role)
			c.role = cmp.Or(c.role, id)
		}
		if c.id = cmp.Or(j.ID, c.concept); c.id != "" {
			result = append(result, c)
		}
	}
	return result
}
