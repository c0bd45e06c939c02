package api

import (
	"bytes"
	"html/template"
	"time"

	"almanac/internal/stat"
)

// describe answers with the reference of the interface.
func (x *exchange) describe() (reply, error) { return x.api.openapi, nil }

// health says that the process answers, and what its clock and version are.
func (x *exchange) health() (reply, error) {
	text := appendText([]byte{'{'}, "status", "ok")
	text = appendText(text, "time", x.api.now().UTC().Format(time.RFC3339))
	text = append(appendText(text, "version", x.api.version), '}')
	return reply{contentType: applicationJSON, body: newBody(text)}, nil
}

// readiness says that the data can be read and requests be counted.
func (x *exchange) readiness() (reply, error) {
	if err := x.api.store.Ready(x.r.Context()); err != nil {
		return reply{}, &stat.Error{Kind: stat.Unavailable, Message: "the store cannot be read now; the log says why", Err: err}
	}
	if err := x.api.access.Ready(); err != nil {
		return reply{}, err
	}
	return reply{contentType: applicationJSON, body: newBody([]byte(`{"status":"ok"}`))}, nil
}

var linksPage = template.Must(template.New("links").Parse(`<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Almanac</title>
<h1>Almanac</h1>
<p>Official statistics as JSON: {{.Datasets}} datasets.</p>
<ul>
<li><a href="{{.Base}}/api/datasets">/api/datasets</a>: the datasets
{{- if .First}}
<li><a href="{{.Base}}/api/datasets/{{.First}}/meta">/api/datasets/{{.First}}/meta</a>: what the first one is
<li><a href="{{.Base}}/api/datasets/{{.First}}/latest">/api/datasets/{{.First}}/latest</a>: its latest values
<li><a href="{{.Base}}/api/datasets/{{.First}}/dimensions">/api/datasets/{{.First}}/dimensions</a>: what it can be filtered by
<li><a href="{{.Base}}/api/datasets/{{.First}}/data?latest=true">/api/datasets/{{.First}}/data?latest=true</a>: a part of its data
{{- end}}
<li><a href="{{.Base}}/openapi.json">/openapi.json</a>: the whole interface, in OpenAPI 3.1
<li><a href="{{.Base}}/healthz">/healthz</a>, <a href="{{.Base}}/readyz">/readyz</a>: whether it runs
</ul>
<p>Version {{.Version}}</p>
</html>
`))

// page answers with a page of links.
func (x *exchange) page() (reply, error) {
	catalog := x.api.store.Catalog()
	shown := struct {
		Base, Version   string
		Datasets, First int
	}{Base: x.api.baseURL, Version: x.api.version, Datasets: len(catalog.Entries)}
	if len(catalog.Entries) > 0 {
		shown.First = catalog.Entries[0].ID
	}
	var text bytes.Buffer
	if err := linksPage.Execute(&text, shown); err != nil {
		return reply{}, err
	}
	return reply{contentType: textHTML, body: newBody(text.Bytes())}, nil
}
