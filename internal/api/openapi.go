package api

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"maps"
	"math"
	"strconv"
	"strings"

	"almanac/internal/defaults"
	"almanac/internal/request"
)

// InterfaceVersion is the version of the interface, not of any dataset. An addition
// increases the minor version.
const InterfaceVersion = "1.4.0"

// schemas describes the bodies. Tests validate every response against it.
//
//go:embed schemas.json
var schemas []byte

type object = map[string]any

// reference returns the OpenAPI 3.1 description of the interface, generated from the
// routes and the structs of their parameters.
func (a *API) reference() []byte {
	bodies := object{}
	if err := json.Unmarshal(schemas, &bodies); err != nil {
		panic(err) // the file is part of the program
	}
	bodies["ChartRequest"] = chartRequestSchema()
	bodies["DataRequest"] = dataRequestSchema()
	bodies["DatasetID"] = object{"oneOf": []object{{"type": "integer", "minimum": 1}, {"type": "string", "pattern": "^[^:/]+:.+$"}}, "description": "The id of a dataset, or its source and code: eurostat:une_rt_a."}
	bodies["Language"] = languageSchema()
	bodies["Rule"] = object{"type": "string", "enum": defaults.Rules, "description": "What decided for the value."}
	open(bodies)
	paths := map[string]object{}
	for i := range routes {
		rt := &routes[i]
		path := strings.TrimSuffix(rt.path, "{$}")
		if paths[path] == nil {
			paths[path] = object{}
		}
		paths[path][strings.ToLower(cmp.Or(rt.method, "get"))] = a.operation(rt)
	}
	doc := object{
		"openapi": "3.1.0",
		"info": object{
			"title":       "Almanac",
			"version":     InterfaceVersion,
			"description": "Official statistics and economic indicators: one JSON format and one set of filters for the datasets of many statistical offices. Responses have a strong ETag and are compressed with gzip or zstd on request. HEAD works wherever GET does, and OPTIONS works everywhere (CORS). Requests are counted by account, or by client address if there is no key; the count resets at midnight UTC. Responses with status 2xx, 400 and 404 count.",
			"license":     object{"name": "Apache-2.0", "identifier": "Apache-2.0"},
			"contact":     a.contact(),
		},
		"servers":    []object{{"url": cmp.Or(a.opts.BaseURL, "/")}},
		"tags":       tags,
		"paths":      paths,
		"components": object{"schemas": bodies, "responses": sharedResponses, "headers": responseHeaders, "securitySchemes": securitySchemes},
	}
	text, err := json.Marshal(doc)
	if err != nil {
		panic(err) // the document consists of constants
	}
	return text
}

// contact names the host, whose address is only known if it was given.
func (a *API) contact() object {
	c := object{"name": "The host of this service"}
	if a.opts.BaseURL != "" {
		c["url"] = a.opts.BaseURL
	}
	return c
}

// open removes from the schemas of responses that they have no other members, because later
// versions may add some. Metadata are declared open, so that code that is generated keeps members
// that it does not know. Bodies of requests stay closed.
func open(bodies object) {
	closed := map[string]bool{}
	for _, rt := range routes {
		closed[rt.body] = true
	}
	var walk func(schema any)
	walk = func(schema any) {
		switch schema := schema.(type) {
		case object:
			if schema["additionalProperties"] == false {
				delete(schema, "additionalProperties")
			}
			for _, part := range schema {
				walk(part)
			}
		case []any:
			for _, part := range schema {
				walk(part)
			}
		}
	}
	for name, schema := range bodies {
		if !closed[name] {
			walk(schema)
		}
	}
	for _, name := range []string{"DatasetMeta", "Dataset"} {
		bodies[name].(object)["additionalProperties"] = true
	}
}

func (a *API) operation(rt *route) object {
	parameters := []object{}
	addInPath := func(name string, p object) {
		if strings.Contains(rt.path, "{"+name+"}") {
			p["name"], p["in"], p["required"] = name, "path", true
			parameters = append(parameters, p)
		}
	}
	for _, name := range []string{"id", "datasetId"} {
		addInPath(name, object{"example": 1, "schema": object{"$ref": "#/components/schemas/DatasetID"}, "description": "The dataset's id, from the list of datasets, or its source and code: eurostat:une_rt_a. Codes compare without case; what an address cannot contain is percent-encoded."})
	}
	addInPath("job", object{"example": 1, "schema": object{"type": "integer", "minimum": 1, "maximum": math.MaxInt32}, "description": "The number of the job, from the response to POST /api/datasets."})
	addInPath("area", object{"example": "EL", "schema": object{"type": "string", "minLength": 1}, "description": "A code of the area in any list, source:code, or a name in any language."})
	addInPath("file", object{"schema": object{"type": "string", "pattern": `^[0-9a-f]{32}\.(png|jpg|svg)$`}, "description": "The digest of the chart, as in its address, and the format."})
	for _, p := range rt.params {
		parameters = append(parameters, a.parameter(p))
	}
	responses := object{"default": sharedResponse("Failure")}
	for _, status := range rt.allStatuses() {
		responses[strconv.Itoa(status)] = rt.response(status)
	}
	op := object{"operationId": rt.name, "summary": rt.summary, "description": rt.description(), "tags": []string{rt.tag()}, "parameters": parameters, "responses": responses, "security": a.security(rt.guard)}
	if rt.body != "" {
		op["requestBody"] = object{"required": true, "content": content(rt.body)}
	}
	return op
}

func (a *API) parameter(p request.Param) object {
	described := object{"name": p.Name, "in": "query", "description": p.Doc}
	if f := request.FieldOf(p); f != nil && isObject(f) { // written as JSON
		described["content"] = object{"application/json": object{"schema": fieldSchema(f), "example": json.RawMessage(f.Example)}}
		return described
	}
	schema := valueSchema(p)
	if p.Name == "limit" {
		schema["maximum"] = min(a.opts.MaxLimit, p.Maximum)
	}
	if p.Repeat {
		described["description"] = p.Doc + " May be repeated to select any of several values."
		schema = object{"type": "array", "items": schema}
		described["style"], described["explode"] = "form", true
	}
	if p.Needed {
		described["required"] = true
	}
	described["schema"] = schema
	if p.Example != "" {
		described["example"] = exampleValue(p)
	}
	return described
}

// valueSchema describes one value of a parameter.
func valueSchema(p request.Param) object {
	if f := request.FieldOf(p); f != nil && !p.Repeat {
		return fieldSchema(f)
	}
	schema := object{"type": p.Type}
	switch p.Type {
	case "integer":
		schema["minimum"], schema["maximum"] = p.Minimum, p.Maximum
		if p.Default != "" {
			schema["default"], _ = strconv.Atoi(p.Default)
		}
	case "boolean":
		schema["default"] = p.Default == "true"
	case "string":
		form := valueForms[p.Name]
		if form["$ref"] != nil {
			return maps.Clone(form) // callers add to it
		}
		schema["minLength"] = 1
		if p.Enum != nil {
			schema["enum"] = p.Enum
		} else {
			maps.Copy(schema, form)
		}
	}
	return schema
}

// exampleValue returns the example of a parameter as a JSON value.
func exampleValue(p request.Param) any {
	var value any = p.Example
	switch p.Type {
	case "integer":
		value, _ = strconv.Atoi(p.Example)
	case "boolean":
		value = p.Example == "true"
	}
	if p.Repeat {
		return []any{value}
	}
	return value
}
