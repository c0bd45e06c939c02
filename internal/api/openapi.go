package api

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"strconv"
	"strings"

	"almanac/internal/chart"
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
	bodies["Rule"] = object{"type": "string", "enum": defaults.Rules, "description": "What decided for the value."}
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
		},
		"servers":    []object{{"url": cmp.Or(a.opts.BaseURL, "/")}},
		"paths":      paths,
		"components": object{"schemas": bodies, "responses": sharedResponses, "headers": responseHeaders, "securitySchemes": securitySchemes},
	}
	text, err := json.Marshal(doc)
	if err != nil {
		panic(err) // the document consists of constants
	}
	return text
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
		addInPath(name, object{"example": 1, "schema": object{"type": []string{"integer", "string"}}, "description": "The dataset's id, from the list of datasets, or its source and code: eurostat:une_rt_a. Codes compare without case; what an address cannot contain is percent-encoded."})
	}
	addInPath("job", object{"example": 1, "schema": object{"type": "integer"}, "description": "The number of the job, from the response to POST /api/datasets."})
	addInPath("area", object{"example": "EL", "schema": object{"type": "string"}, "description": "A code of the area in any list, source:code, or a name in any language."})
	addInPath("file", object{"schema": object{"type": "string", "pattern": `^[0-9a-f]{32}\.(png|jpg|svg)$`}, "description": "The digest of the chart, as in its address, and the format."})
	for _, p := range rt.params {
		parameters = append(parameters, a.parameter(p))
	}
	responses := object{"default": sharedResponse("Failure")}
	for _, status := range rt.allStatuses() {
		responses[strconv.Itoa(status)] = rt.response(status)
	}
	op := object{"operationId": rt.name, "summary": rt.summary, "parameters": parameters, "responses": responses, "security": a.security(rt.guard)}
	if rt.body != "" {
		op["requestBody"] = object{"required": true, "content": content(rt.body)}
	}
	return op
}

// chartRequestSchema describes the body of a chart request from its fields.
func chartRequestSchema() object {
	properties := object{}
	text := object{"type": "string", "minLength": 1}
	for _, f := range request.ChartFields {
		p := object{"type": f.Type, "description": f.Doc}
		switch f.Type {
		case "strings":
			p["type"], p["additionalProperties"] = "object", object{"type": "string"}
		case "list":
			p["type"], p["items"] = "array", text
		case "selection":
			p["type"], p["additionalProperties"] = "object", object{"oneOf": []object{text, {"type": "array", "minItems": 1, "items": text}}}
		case "transform":
			p["type"], p["additionalProperties"] = "object", false
			side := object{"type": "number", "minimum": -chart.MaxShift, "maximum": chart.MaxShift}
			p["properties"] = object{"x": side, "y": side, "scale": object{"type": "number", "minimum": chart.MinZoom, "maximum": chart.MaxZoom}}
		}
		if f.Enum != nil {
			p["enum"] = f.Enum
		}
		if f.Name == "width" || f.Name == "height" {
			p["minimum"], p["maximum"] = chart.MinSide, chart.MaxSide
		}
		if f.Default != "" {
			p["default"] = json.RawMessage(f.Default)
		}
		if f.Example != "" {
			p["examples"] = []json.RawMessage{json.RawMessage(f.Example)}
		}
		properties[f.Name] = p
	}
	return object{"type": "object", "required": []string{"datasetId", "chartType"}, "additionalProperties": false, "properties": properties}
}

// dataRequestSchema describes the body of a request for data from its parameters.
func dataRequestSchema() object {
	properties := object{}
	text := object{"type": "string", "minLength": 1}
	for _, p := range request.Params[request.Data]() {
		schema := object{"description": p.Doc}
		switch {
		case p.Repeat:
			schema["oneOf"] = []object{text, {"type": "array", "minItems": 1, "items": text}}
		case p.Type == "integer":
			schema["type"], schema["minimum"] = "integer", p.Minimum
		case p.Type == "string":
			schema["type"], schema["minLength"] = "string", 1
		default:
			schema["type"] = p.Type
		}
		properties[p.Name] = schema
	}
	return object{
		"type": "object", "additionalProperties": false, "properties": properties,
		"description": "The parameters of the data endpoint by name. Texts may stand for booleans and integers.",
		"examples":    []object{{"dim1": []string{"Life expectancy"}, "country": "Germany", "period_from": "2000"}},
	}
}

func (a *API) parameter(p request.Param) object {
	schema := object{"type": p.Type}
	example := any(p.Example)
	switch p.Type {
	case "integer":
		schema["minimum"] = p.Minimum
		if p.Default != "" {
			schema["default"], _ = strconv.Atoi(p.Default)
		}
		example, _ = strconv.Atoi(p.Example)
		switch p.Name {
		case "width", "height":
			schema["maximum"] = chart.MaxSide
		case "limit":
			schema["maximum"] = a.opts.MaxLimit
		}
	case "boolean":
		schema["default"] = p.Default == "true"
		example = p.Example == "true"
	}
	described := object{"name": p.Name, "in": "query", "description": p.Doc, "schema": schema}
	if p.Repeat {
		described["description"] = p.Doc + " May be repeated to select any of several values."
		described["schema"] = object{"type": "array", "items": schema}
		described["style"], described["explode"] = "form", true
		example = []any{example}
	}
	if p.Needed {
		described["required"] = true
	}
	if p.Example != "" {
		described["example"] = example
	}
	return described
}
