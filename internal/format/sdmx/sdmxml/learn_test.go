package sdmxml_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"almanac/internal/stat"
)

// learn reads the parts of a structure message that the tests need: dimensions and
// attributes with their code lists, and the English labels of the lists.
func learn(t *testing.T, source string, data []byte) *stat.Dictionary {
	t.Helper()
	l := learner{known: stat.NewDictionary(source), language: "en"}
	decoder := xml.NewDecoder(bytes.NewReader(data))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return l.known
		}
		if err != nil {
			t.Fatal(err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			at := map[string]string{}
			for _, a := range e.Attr {
				at[a.Name.Local] = a.Value
			}
			l.enter(e.Name.Local, at)
		case xml.CharData:
			if l.naming && l.list != nil && len(l.list.Codes) > 0 {
				l.list.Codes[len(l.list.Codes)-1].Label += strings.TrimSpace(string(e))
			}
		case xml.EndElement:
			l.naming = false
			switch e.Name.Local {
			case "Dimension", "Attribute":
				l.component = nil
			case "Codelist", "CodeList":
				l.list = nil
			}
		}
	}
}

// learner is the state of learn.
type learner struct {
	known     *stat.Dictionary
	list      *stat.CodeList
	structure *stat.Structure
	component *stat.Component
	flow      *stat.Structure
	naming    bool
	language  string
}

func (l *learner) enter(element string, at map[string]string) {
	id := at["id"] + at["conceptRef"]
	switch element {
	case "Codelist", "CodeList":
		l.list = &stat.CodeList{Name: id}
		l.known.Lists[stat.ListName(id)] = l.list
	case "Code":
		l.list.Codes = append(l.list.Codes, stat.Code{ID: at["id"] + at["value"]})
	case "Name", "Description":
		l.naming = at["lang"] == l.language
	case "KeyFamily", "DataStructure":
		l.structure, l.flow = &stat.Structure{ID: id}, nil
		l.known.Structures[strings.ToLower(id)] = l.structure
	case "Dataflow":
		l.flow = &stat.Structure{ID: id}
		if l.known.Structures[strings.ToLower(id)] == nil {
			l.known.Structures[strings.ToLower(id)] = l.flow
		}
	case "Dimension":
		l.structure.Dimensions = append(l.structure.Dimensions, stat.Component{ID: id, List: at["codelist"]})
		l.component = &l.structure.Dimensions[len(l.structure.Dimensions)-1]
	case "Attribute":
		l.structure.Attributes = append(l.structure.Attributes, stat.Component{ID: id, List: at["codelist"]})
		l.component = &l.structure.Attributes[len(l.structure.Attributes)-1]
	case "TimeDimension":
		l.structure.Time = id
	case "PrimaryMeasure":
		l.structure.Measure = id
	case "Ref":
		switch {
		case l.component != nil && at["class"] == "Codelist":
			l.component.List = id
		case l.flow != nil && at["class"] == "DataStructure":
			l.flow.Uses = id
		}
	}
}
