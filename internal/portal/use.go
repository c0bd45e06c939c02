package portal

import (
	"fmt"
	"html"
	"net/url"
	"slices"
	"strings"

	"almanac/internal/access"
)

// use is a way to read the selection from a program or a page.
type use struct {
	Name, Text string
	Address    string // of the page that shows it
	IsChosen   bool
	Code       string
	CanSendKey bool
	Needs      string   // the packages and programs that the code needs
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

// KeyGivesMore reports whether an account that somebody just made has more requests a day than callers without a key.
func (p *page) KeyGivesMore(a *anonymous) bool {
	if p.opts.Access == nil || a.Limit == nil {
		return true
	}
	limit := p.opts.Access.Limits().Essential
	return limit == access.Unlimited || limit > access.Limit(*a.Limit)
}

// keyVariable is the environment variable from which examples read a key.
const keyVariable = "ALMANAC_KEY"

// keyed are the parts of examples that send the key of the environment, by the name of the example.
var keyed = map[string]string{
	"curl":       " \\\n  -H \"X-API-Key: $" + keyVariable + "\"",
	"python":     ",\n    storage_options={'X-API-Key': os.environ['" + keyVariable + "']}",
	"r":          ",\n  headers = c('X-API-Key' = Sys.getenv('" + keyVariable + "'))",
	"javascript": ",\n  { headers: { 'X-API-Key': process.env." + keyVariable + " } }",
}

// sendsKey reports whether the examples send a key: if the service needs one or the reader wants it, else if somebody is signed in.
func (p *page) sendsKey(c *datasetPage) bool {
	if asked := p.r.URL.Query().Get("key"); asked != "" && !c.Anonymous.needsKey() {
		return asked == "yes"
	}
	return c.Anonymous.needsKey() || c.visitor != nil
}

// KeyAddress is the address of the page whose examples send a key, or if they do, send none; empty: the service needs one.
func (c *datasetPage) KeyAddress() string {
	switch {
	case c.Anonymous.needsKey():
		return ""
	case c.SendsKey:
		return c.Selection.changed(url.Values{"use": {c.use}, "key": {"no"}}) + "#use"
	}
	return c.Selection.changed(url.Values{"use": {c.use}, "key": {"yes"}}) + "#use"
}

// uses lists the ways, each with text that runs as it is. A chart that cannot be drawn is not embedded.
func (p *page) uses(c *datasetPage) []use {
	s := c.Selection
	base := strings.TrimSuffix(p.opts.BaseURL, "/") + s.api
	query := s.fileQuery()
	json, csv := addressWith(base+"/data", query), addressWith(base+"/data.csv", query)
	frame := s.pictureQuery()
	frame.Set("embed", "html")
	frame.Set("font", "embed") // the pages of others have other fonts
	embed := addressWith(base+"/chart.svg", frame)
	key := func(name string) string {
		if c.SendsKey {
			return keyed[name]
		}
		return ""
	}
	source, imports := "'"+csv+"'", ""
	if c.SendsKey {
		source, imports = "url("+source+key("r")+")", "import os\n"
	}
	all := []use{
		{Name: "curl", Code: "curl -s " + shellAddress(json) + key("curl")},
		{Name: "python", Code: imports + readInPython(csv, key("python")) + "\ndata['value'] = pd.to_numeric(data['value'])\nprint(data[['geo_iso', 'period', 'value']].tail())"},
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
	c.use = chosen
	for i := range all {
		u := &all[i]
		_, u.CanSendKey = keyed[u.Name]
		if u.Name == "python" || u.Name == "r" || u.Name == "javascript" {
			u.Needs = p.lang.text("use.needs." + u.Name)
		}
		u.Text, u.IsChosen = p.lang.text("use."+u.Name), u.Name == chosen
		u.Address = s.changed(url.Values{"use": {u.Name}, "key": p.r.URL.Query()["key"]}) + "#use"
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
