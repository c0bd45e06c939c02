package api

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"sync"
)

// examplesText holds a response to each operation, by the name of the operation. A test asks a
// service of the sample data for each and compares, and writes the file with -update.
//
//go:embed examples.json
var examplesText []byte

// example is a response of a service of the sample data.
type example struct {
	Request string          `json:"request"`         // "GET /healthz"
	Body    json.RawMessage `json:"body,omitempty"`  // of the request
	Status  int             `json:"status"`          // of the response
	Value   json.RawMessage `json:"value,omitempty"` // a text or JSON; empty: a picture, a binary file or a page, which the reference does not show
	Cut     bool            `json:"cut,omitempty"`   // lists longer than three have their first three entries
}

var examples = sync.OnceValue(func() map[string]example {
	all := map[string]example{}
	if err := json.Unmarshal(examplesText, &all); err != nil {
		panic(err) // the file is part of the program
	}
	return all
})

// addExample adds the example of the operation to the description of a response, if it has that
// status.
func (rt *route) addExample(response object, status int) {
	e, ok := examples()[rt.name]
	if kinds, hasContent := response["content"].(object); ok && hasContent && e.Status == status && e.Value != nil {
		described := kinds[rt.exampleType()].(object)
		described["examples"] = object{"sample": e.described()}
	}
}

// described returns the example as OpenAPI has it.
func (e example) described() object {
	summary := fmt.Sprintf("The sample data (almanac serve --demo): %s", e.Request)
	if e.Body != nil {
		summary += " with " + string(e.Body)
	}
	if e.Cut {
		summary += ". Of each list the first three entries"
	}
	return object{"summary": summary, "value": e.Value}
}

// exampleType returns the media type of the route's example.
func (rt *route) exampleType() string {
	kind := kindJSON
	switch {
	case rt.form != nil:
		kind = rt.form.mediaType
	case rt.pictures != nil:
		kind = pictureTypes[rt.pictures[0]][0]
	case rt.isText:
		kind = "text/plain"
	case rt.schema == "":
		kind = "text/html"
	}
	return withoutParameters(kind)
}
