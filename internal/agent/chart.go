package agent

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var chartTool = mcp.Tool{
	Name: "render_chart", Title: "Draw a chart",
	Description: "Draws a dataset as a PNG with title, unit, source and notes, and returns the picture, a description in words for readers who cannot see it, and a lasting address. Without areas it chooses the ones that tell most.",
}

type chartArgs struct {
	Selection
	Type       string `json:"type" enum:"line,bar,horizontal-bar,map,area,small-multiples,dumbbell" jsonschema:"line: over time. bar, horizontal-bar: compare areas, latest period. map: of the world, or of regions where the service has their borders; notes say what is not on it. area: amounts on one another. small-multiples: a panel for each. dumbbell: first and last period."`
	Period     string `json:"period,omitzero" jsonschema:"The period of bars and maps, instead of the latest." example:"\"2020\""`
	PeriodFrom string `json:"period_from,omitzero" jsonschema:"First period of lines." example:"\"2000\""`
	PeriodTo   string `json:"period_to,omitzero" jsonschema:"Last period of lines."`
	Transform  string `json:"transform,omitzero" jsonschema:"As in get_data." example:"\"index:2015\""`
	Title      string `json:"title,omitzero" jsonschema:"In place of the title of the dataset."`
	Region     string `json:"map_region,omitzero" enum:"europe,asia,africa,north-america,south-america,oceania" jsonschema:"Part of the world that a map shows."`
}

// ChartResult describes a picture.
type ChartResult struct {
	Dataset  string   `json:"dataset"`
	Alt      string   `json:"alt" jsonschema:"The picture in words."`
	Picture  string   `json:"picture" jsonschema:"Lasting address of the picture."`
	Page     string   `json:"page" jsonschema:"A page that shows the values under the pointer."`
	Notes    []string `json:"notes,omitzero" jsonschema:"Footnotes of the picture: what is not on it, and what its values are. To be repeated with it."`
	Notices  []string `json:"notices,omitzero"`
	Citation string   `json:"citation"`
}

func (c *call) renderChart(a chartArgs) (*ChartResult, error) {
	of, err := c.structure(&a.Selection)
	if err != nil {
		return nil, err
	}
	var meta metadata
	query := url.Values{}
	a.setTexts(query)
	if err := c.get(&meta, datasetPath(a.Dataset)+"/meta", query); err != nil {
		return nil, adviseDataset(err, a.Dataset)
	}
	fields, err := a.body(of, meta.ID)
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(fields)
	if err != nil {
		return nil, err
	}
	var drawn struct {
		Base64  string   `json:"base64"`
		URL     string   `json:"url"`
		Alt     string   `json:"alt"`
		Notes   []string `json:"notes"`
		Notices []notice `json:"notices"`
	}
	if err := c.read(&drawn, "/api/charts/generate-png?notes=true", body); err != nil {
		return nil, adviseDataset(err, a.Dataset)
	}
	picture, err := base64.StdEncoding.DecodeString(drawn.Base64)
	if err != nil {
		return nil, fmt.Errorf("reading a picture: %w", err)
	}
	ambiguous, err := c.ambiguous(&a.Selection, &fetched{of: of, notices: drawn.Notices})
	if err != nil {
		return nil, err
	}
	c.images = append(c.images, &mcp.ImageContent{Data: picture, MIMEType: "image/png"})
	return &ChartResult{
		Dataset: meta.ref(), Alt: drawn.Alt, Picture: drawn.URL, Page: strings.TrimSuffix(drawn.URL, ".png") + ".html",
		Notes: drawn.Notes, Notices: slices.Concat(of.readAs, sentences(drawn.Notices), ambiguous), Citation: meta.citation(),
	}, nil
}

// body returns the body of the request for a chart. Dimensions that are left out stay free: a
// chart chooses their values itself.
func (a *chartArgs) body(of *structure, id int) (map[string]any, error) {
	query := url.Values{}
	isChosen, err := a.addDimensions(of, query)
	if err != nil {
		return nil, err
	}
	for i := range of.Dimensions {
		if d := &of.Dimensions[i]; isChosen[d.Dim] && !hasOperand(query, d.Dim) { // "*": a chart would choose one value
			for _, v := range d.Values {
				query.Add(d.Dim, v.Code)
			}
		}
	}
	for _, area := range a.Areas {
		query.Add("country", of.areaCode(area))
	}
	for _, area := range a.Within {
		query.Add("within", area)
	}
	for name, value := range map[string]string{"period_from": a.PeriodFrom, "period_to": a.PeriodTo} {
		if value != "" {
			query.Set(name, value)
		}
	}
	body := map[string]any{"datasetId": id, "chartType": a.Type, "dimensions_query": query.Encode()}
	for name, value := range map[string]string{
		"period": a.Period, "customTitle": a.Title, "mapLocation": a.Region, "lang": a.Lang, "transform": a.Transform,
		"version": a.Version, "asOf": a.AsOf,
	} {
		if value != "" {
			body[name] = value
		}
	}
	return body, nil
}

// hasOperand reports whether parameters have values of a dimension.
func hasOperand(query url.Values, dim string) bool {
	return query.Has(dim) || slices.ContainsFunc(operators, func(operator string) bool { return query.Has(operator + dim) })
}
