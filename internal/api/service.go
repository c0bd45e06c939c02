package api

import (
	"bytes"
	"context"
	"html/template"
	"time"

	"almanac/internal/encode/json"
	"almanac/internal/stat"
)

func (x *exchange) reference() (*reply, error) { return x.api.openapi(), nil }

func (x *exchange) health() (*reply, error) {
	text := json.AppendText([]byte{'{'}, "status", "ok")
	text = json.AppendText(text, "time", x.api.opts.Now().UTC().Format(time.RFC3339))
	return jsonReply(append(json.AppendText(text, "version", x.api.opts.Version), '}')), nil
}

func (x *exchange) readiness() (*reply, error) {
	if err := x.api.Ready(x.r.Context()); err != nil {
		return nil, err
	}
	return jsonReply([]byte(`{"status":"ok"}`)), nil
}

// Ready returns an error if data or keys cannot be read, if requests cannot be counted, or
// after [API.Stop].
func (a *API) Ready(ctx context.Context) error {
	if a.isStopping.Load() {
		return stat.Errorf(stat.Unavailable, "the service is stopping")
	}
	if err := a.opts.Store.Ready(ctx); err != nil {
		return &stat.Error{Kind: stat.Unavailable, Message: "the store cannot be read at the moment; see the log", Err: err}
	}
	return a.opts.Access.Ready()
}

// Stop says that the service will soon end, so that it is not ready any more. It still
// answers requests.
func (a *API) Stop() { a.isStopping.Store(true) }

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
<li><a href="{{.Base}}/api/datasets/{{.First}}/meta">/api/datasets/{{.First}}/meta</a>: metadata of the first dataset
<li><a href="{{.Base}}/api/datasets/{{.First}}/latest">/api/datasets/{{.First}}/latest</a>: its latest values
<li><a href="{{.Base}}/api/datasets/{{.First}}/dimensions">/api/datasets/{{.First}}/dimensions</a>: the values for filtering it
<li><a href="{{.Base}}/api/datasets/{{.First}}/data?latest=true">/api/datasets/{{.First}}/data?latest=true</a>: a part of its data
{{- end}}
<li><a href="{{.Base}}/llms.txt">/llms.txt</a>: what agents and language models need to know
<li><a href="{{.Base}}/openapi.json">/openapi.json</a>: the whole interface as OpenAPI 3.1
<li><a href="{{.Base}}/healthz">/healthz</a>, <a href="{{.Base}}/readyz">/readyz</a>: whether it runs
</ul>
<p>Version {{.Version}}</p>
</html>
`))

func (x *exchange) page() (*reply, error) {
	catalog := x.api.opts.Store.Catalog()
	content := struct {
		Base, Version   string
		Datasets, First int
	}{Base: x.api.opts.BaseURL, Version: x.api.opts.Version, Datasets: len(catalog.Entries)}
	if len(catalog.Entries) > 0 {
		content.First = catalog.Entries[0].ID
	}
	var text bytes.Buffer
	if err := linksPage.Execute(&text, content); err != nil {
		return nil, err
	}
	return &reply{contentType: textHTML, body: newBody(text.Bytes())}, nil
}
