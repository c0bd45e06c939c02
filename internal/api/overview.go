package api

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"text/template"

	"almanac/internal/store"
)

var textPlain = []string{"text/plain; charset=utf-8"}

// overviewText is /llms.txt, in the form of llmstxt.org: a title, a summary, and links.
var overviewText = template.Must(template.New("overview").Parse(`# Almanac

> Official statistics of {{.Sources}} as one service: {{.Datasets}} datasets with {{.Observations}} observations. Every number is as the office published it, with its unit, flags, period and version. Search, read, compare and draw them by HTTP{{if .HasAgents}} or with the tools of a Model Context Protocol server{{end}}.

{{- if .HasAgents}}

## Tools for agents

- [MCP server]({{.Base}}/mcp): Streamable HTTP without sessions. Tools: search_datasets, describe_dataset, get_data, get_latest, compare_sources, render_chart, resolve_area, list_changes. Each call of a tool counts as one request; listing the tools does not.
{{- end}}

## From a question to a number

1. [Search]({{.Base}}/api/search?q=unemployment+rate+germany&here=true): datasets by words, codes or a question. Wherever {id} stands below, the id or source:code works, such as eurostat:une_rt_a.
2. Dimensions: {{.Base}}/api/datasets/{id}/dimensions lists the values for filtering, with codes and labels.
3. Data: {{.Base}}/api/datasets/{id}/data?dim1=CODE&country=DE&period_from=2015&flags=true&codes=true. A dimension without a filter has all its values.
4. Latest: {{.Base}}/api/datasets/{id}/latest has the default series; latest_mode=observed leaves out forecasts.
5. Files: data.csv, data.xlsx, data.parquet and others in place of data, with the same parameters.
6. Chart: {{.Base}}/api/datasets/{id}/chart.png?type=line&country=DE&country=FR is a picture with title, unit and source.

## Rules

- Values that a dataset does not have select nothing; "notices" in the response says which, with the nearest ones.
- Areas: any code or name works as country ([what it means]({{.Base}}/api/areas/EL)). Groups such as EU27_2020 are areas too; aggregates=false leaves them out.
- Periods are written 2024, Q1/2024, 01/2024, W05/2024; 2024-Q1 and 2024-01 are read too.
- A missing value is left out, and zero is a value. Flags say provisional (P), estimated (E), forecast (F), break (B) and others.
- Say the unit with each number: rows have it, or a dimension has; if neither does, the title of the dataset or the label of the measure says it.
- Cite the source, dataset, version and licence; all are in the metadata of each response, with the day of the source's update (updated_by_source, if it states one) and of the import. "partial" in them means that the dataset is incomplete here.
{{- if .Limit}}
- Limits: {{.Limit}} for callers without a key; the limit resets at midnight UTC. Send a key in the header X-API-Key. [What is left]({{.Base}}/api/limits) is not counted.
{{- end}}

## Reference

- [OpenAPI 3.1]({{.Base}}/openapi.json): all addresses, parameters and responses
- [Datasets]({{.Base}}/api/datasets?fields=source,code,periods): the list, page by page
- [Status]({{.Base}}/api/status): how old the data of each source are
{{- if .Names}}

## Sources here

{{range .Names}}- {{.}}
{{end}}{{end}}
`))

// overview replies with /llms.txt.
func (x *exchange) overview() (*reply, error) {
	c := x.api.opts.Store.Catalog()
	content := struct {
		Base, Sources, Limit string
		Datasets             int
		Observations         int64
		Names                []string
		HasAgents            bool
	}{Base: x.api.opts.BaseURL, Datasets: len(c.Entries), Names: sourceNames(c), HasAgents: x.api.opts.Agents != nil}
	for i := range c.Entries {
		content.Observations += int64(c.Entries[i].Observations)
	}
	content.Sources = fmt.Sprintf("%d sources", len(content.Names))
	if len(content.Names) == 1 {
		content.Sources = content.Names[0]
	}
	if x.api.limits.Anonymous >= 0 {
		content.Limit = describeLimit(x.api.limits.Anonymous)
	}
	var text bytes.Buffer
	if err := overviewText.Execute(&text, content); err != nil {
		return nil, err
	}
	rep := constantReply(text.Bytes())
	rep.contentType = textPlain
	return rep, nil
}

// sourceNames returns the names of the sources of a catalogue with their short names, sorted.
func sourceNames(c *store.Catalog) []string {
	found := map[string]bool{}
	for i := range c.Entries {
		e := &c.Entries[i]
		found[cmp.Or(e.SourceName, e.Source)+" ("+e.Source+")"] = true
	}
	return slices.Sorted(maps.Keys(found))
}
