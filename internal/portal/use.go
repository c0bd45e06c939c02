package portal

import (
	"cmp"
	"fmt"
	"html"
	"strings"
)

// use is a way to read the selection from a program or a page.
type use struct {
	Name, Text string
	Address    string // of the page that shows it
	IsChosen   bool
	Code       string
}

// uses lists the ways, each with text that runs as it is.
func (p *page) uses(s *selection) []use {
	base := strings.TrimSuffix(p.opts.BaseURL, "/") + s.api
	json, csv := addressWith(base+"/data", s.query()), addressWith(base+"/data.csv", s.query())
	frame := s.chartQuery()
	frame.Set("embed", "html")
	embed := addressWith(base+"/chart.svg", frame)
	all := []use{
		{Name: "curl", Code: "curl -s " + shellAddress(json)},
		{Name: "python", Code: "import pandas as pd\n\ndata = pd.read_csv(\n    '" + csv + "')\nprint(data.tail())"},
		{Name: "r", Code: "data <- read.csv(\n  '" + csv + "')\ntail(data)"},
		{Name: "javascript", Code: "const response = await fetch(\n  '" + json + "');\nconst { data, meta } = await response.json();\nconsole.log(data[0].rows);"},
		{Name: "address", Code: csv},
		{Name: "embed", Code: fmt.Sprintf("<iframe src=\"%s\"\n  title=\"%s\" width=\"800\" height=\"450\" style=\"border:0\"></iframe>", html.EscapeString(embed), html.EscapeString(s.Meta.Name))},
	}
	chosen := cmp.Or(p.r.URL.Query().Get("use"), all[0].Name)
	for i := range all {
		u := &all[i]
		u.Text, u.IsChosen = p.lang.text("use."+u.Name), u.Name == chosen
		u.Address = s.with("use", u.Name) + "#use"
	}
	return all
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
