package api

import (
	"encoding/json"
	"maps"

	"almanac/internal/chart"
	"almanac/internal/request"
)

// chartRequestSchema describes the body of a chart request from its fields.
func chartRequestSchema() object {
	properties := object{}
	for i := range request.ChartFields {
		f := &request.ChartFields[i]
		p := fieldSchema(f)
		delete(p, "default") // with it, generated types require the field
		if p["description"] = f.Doc; f.Default != "" {
			p["description"] = f.Doc + " Default: " + f.Default + "."
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
	for _, p := range request.Params[request.Data]() {
		schema := valueSchema(p)
		delete(schema, "default")
		if p.Repeat {
			schema = object{"oneOf": []object{schema, {"type": "array", "minItems": 1, "items": schema}}}
		}
		described := maps.Clone(schema)
		described["description"] = p.Doc
		properties[p.Name] = described
	}
	return object{
		"type": "object", "additionalProperties": false, "properties": properties,
		"description": "The parameters of the data endpoint by name. Texts may stand for booleans and integers.",
		"examples":    []object{{"dim1": []string{"Life expectancy"}, "country": "Germany", "period_from": "2000"}},
	}
}

// fieldSchema describes the values of a field of a chart request.
func fieldSchema(f *request.Field) object {
	text := object{"type": "string", "minLength": 1}
	p := object{"type": f.Type}
	switch f.Type {
	case "string":
		if form, ok := chartForms[f.Name]; ok {
			p = form()
		}
	case "strings":
		p["type"], p["additionalProperties"] = "object", object{"type": "string"}
		if form, ok := chartForms[f.Name]; ok {
			p["additionalProperties"] = form()
		}
		if form, ok := keyForms[f.Name]; ok {
			p["propertyNames"] = form
		}
	case "list":
		p["type"], p["items"] = "array", text
	case "selection":
		p["type"], p["additionalProperties"] = "object", object{"oneOf": []object{text, {"type": "array", "minItems": 1, "items": text}}}
	case "transform":
		p["type"], p["additionalProperties"] = "object", false
		side := object{"type": "number", "format": "double", "minimum": -chart.MaxShift, "maximum": chart.MaxShift}
		p["properties"] = object{"x": side, "y": side, "scale": object{"type": "number", "format": "double", "minimum": chart.MinZoom, "maximum": chart.MaxZoom}}
	}
	if f.Enum != nil {
		p["enum"] = f.Enum
	}
	switch f.Name {
	case "width", "height":
		p["minimum"], p["maximum"] = chart.MinSide, chart.MaxSide
	case "datasetId":
		p["minimum"] = 1
	}
	if f.Default != "" {
		p["default"] = json.RawMessage(f.Default)
	}
	return p
}

// isObject reports whether an address has the field as JSON.
func isObject(f *request.Field) bool {
	return f.Type == "strings" || f.Type == "selection" || f.Type == "transform"
}
