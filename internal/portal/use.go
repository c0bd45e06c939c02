package portal

import (
	"fmt"
	"html"
	"net/url"
	"slices"
	"strings"
)

// use is a way to read the selection from a program or a page.
type use struct {
	Name, Text string
	Address    string // of the page that shows it
	IsChosen   bool
	Code       string
	Pinning    *pinning // of an embedded chart
}

// pinning says whether an embedded chart follows the dataset or shows one version of it, and leads to
// the other kind.
type pinning struct {
	Note  string
	Other link
}

// anonymous is what callers without a key may do.
type anonymous struct{ Limit *int }

// needsKey reports whether the service refuses callers without a key.
func (a *anonymous) needsKey() bool { return a.Limit != nil && *a.Limit == 0 }

// Requests is the number of requests a day, for templates of a service that limits them.
func (a *anonymous) Requests() int { return *a.Limit }

// readAnonymous reads what callers without a key may do.
func (p *page) readAnonymous() (*anonymous, error) {
	return remember(p.memory, "limits", shortTime, func() (*anonymous, error) {
		a := &anonymous{}
		return a, p.read("/api/limits", nil, a)
	})
}

// placeholder stands for a key in examples.
const placeholder = "YOUR_KEY"

// keyed are the parts of examples that send a key, by the name of the example.
var keyed = map[string]string{
	"curl":       " \\\n  -H 'X-API-Key: " + placeholder + "'",
	"python":     ",\n    storage_options={'X-API-Key': '" + placeholder + "'}",
	"r":          ",\n  headers = c('X-API-Key' = '" + placeholder + "')",
	"javascript": ",\n  { headers: { 'X-API-Key': '" + placeholder + "' } }",
}

// uses lists the ways, each with text that runs as it is; a key is in it only if the service needs one. A chart that cannot be drawn is
// not embedded.
func (p *page) uses(c *datasetPage) []use {
	s, a := c.Selection, c.Anonymous
	base := strings.TrimSuffix(p.opts.BaseURL, "/") + s.api
	query := s.fileQuery()
	json, csv := addressWith(base+"/data", query), addressWith(base+"/data.csv", query)
	frame := s.pictureQuery()
	frame.Set("embed", "html")
	frame.Set("font", "embed") // the pages of others have other fonts
	embed := addressWith(base+"/chart.svg", frame)
	key := func(name string) string {
		if a.needsKey() {
			return keyed[name]
		}
		return ""
	}
	source := "'" + csv + "'"
	if a.needsKey() {
		source = "url(" + source + key("r") + ")"
	}
	all := []use{
		{Name: "curl", Code: "curl -s " + shellAddress(json) + key("curl")},
		{Name: "python", Code: readInPython(csv, key("python")) + "\ndata['value'] = pd.to_numeric(data['value'])\nprint(data[['geo_iso', 'period', 'value']].tail())"},
		{Name: "r", Code: "data <- read.csv(\n  " + source + ",\n  colClasses = 'character', na.strings = character(), check.names = FALSE, encoding = 'UTF-8')\ndata$value <- as.numeric(data$value)\ntail(data)"},
		{Name: "javascript", Code: "const response = await fetch(\n  '" + json + "'" + key("javascript") + ");\nconst { data, meta } = await response.json();\nconsole.log(data[0].rows);"},
		{Name: "address", Code: csv},
		{Name: "sdmx", Code: addressWith(base+"/data.sdmx.xml", query) + "\n" + addressWith(base+"/data.sdmx.csv", query) + "\n" + addressWith(base+"/data.sdmx.json", query)},
		{Name: "embed", Code: fmt.Sprintf("<iframe src=\"%s\"\n  title=\"%s\" width=\"100%%\" height=\"450\" style=\"max-width:800px;border:0\"></iframe>", html.EscapeString(embed), html.EscapeString(s.Meta.Title()))},
	}
	if c.spec == nil {
		all = slices.DeleteFunc(all, func(u use) bool { return u.Name == "embed" })
	}
	chosen := p.r.URL.Query().Get("use")
	if !slices.ContainsFunc(all, func(u use) bool { return u.Name == chosen }) {
		chosen = all[0].Name
	}
	for i := range all {
		u := &all[i]
		u.Text, u.IsChosen = p.lang.text("use."+u.Name), u.Name == chosen
		u.Address = s.with("use", u.Name) + "#use"
		if u.Name == "embed" {
			u.Pinning = p.pinning(s)
		}
	}
	return all
}

// EmbedAddress is the address of the page where it shows how to embed the chart; empty: there is none.
func (c *datasetPage) EmbedAddress() string {
	if c.spec == nil {
		return ""
	}
	return c.Selection.with("use", "embed") + "#use"
}

// readInPython is code that reads a CSV file. Its codes remain texts, so that Namibia, whose code is NA, is no missing value, and 01 not 1.
func readInPython(address, key string) string {
	return "import pandas as pd\n\ndata = pd.read_csv(\n    '" + address + "'" + key + ",\n    dtype=str, keep_default_na=False)"
}

// pinning is that of the chart of a selection.
func (p *page) pinning(s *selection) *pinning {
	version := s.Meta.Version
	at := func(version ...string) string {
		return s.changed(url.Values{"version": version, "as_of": nil, "use": {"embed"}}) + "#use"
	}
	if s.asked.Has("version") || s.asked.Has("as_of") {
		return &pinning{p.lang.text("use.pinned", "version", version), link{p.lang.text("use.follow"), at()}}
	}
	return &pinning{p.lang.text("use.live"), link{p.lang.text("use.pin", "version", version), at(version)}}
}

// shellLine is the length of a line of an address in a shell, without the last parameter.
const shellLine = 68

// shellAddress writes an address for a shell, in lines that a page can show.
func shellAddress(address string) string {
	var b strings.Builder
	b.WriteByte('\'')
	length := 0
	for i, part := range strings.SplitAfter(address, "&") {
		if i > 0 && length+len(part) > shellLine {
			b.WriteString("'\\\n'")
			length = 0
		}
		b.WriteString(part)
		length += len(part)
	}
	b.WriteByte('\'')
	return b.String()
}
