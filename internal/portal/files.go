package portal

import (
	"cmp"
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// file is a way to take the selection away.
type file struct {
	Name, What, Address string
	Size                string // empty: not known
}

// files lists the files of the selection, with their sizes; those of its chart if there is one.
func (p *page) files(s *selection, hasChart bool) ([]file, error) {
	base := strings.TrimSuffix(p.opts.BaseURL, "/") + s.api
	query := s.query()
	chart := s.query()
	chart.Set("type", chartTypes[s.View])
	wide := s.query()
	wide.Set("layout", "wide")
	all := []struct {
		name, ending string
		query        url.Values
		hasSize      bool
	}{
		{"png", "/chart.png", chart, false},
		{"svg", "/chart.svg", chart, false},
		{"csv", "/data.csv", query, true},
		{"wide", "/data.csv", wide, true},
		{"xlsx", "/data.xlsx", query, false},
		{"json", "/data", query, true},
		{"parquet", "/data.parquet", query, false},
	}
	var list []file
	for _, f := range all {
		if strings.HasPrefix(f.ending, "/chart") && !hasChart {
			continue
		}
		one := file{Name: p.lang.text("file." + f.name), What: p.lang.text("file." + f.name + ".what"), Address: addressWith(base+f.ending, f.query)}
		if f.hasSize {
			var sized struct{ Size struct{ Bytes int } }
			f.query.Set("dry_run", "true")
			err := p.read(s.api+f.ending, f.query, &sized)
			f.query.Del("dry_run")
			if isRefused(err) {
				continue
			}
			if err != nil {
				return nil, err
			}
			one.Size = p.lang.bytes(sized.Size.Bytes)
		}
		list = append(list, one)
	}
	return list, nil
}

// chartTypes are the types of charts by view; the table has that of lines.
var chartTypes = map[string]string{"line": "line", "bar": "bar", "ranking": "horizontal-bar", "map": "map", "table": "line"}

func addressWith(address string, query url.Values) string {
	if q := parameters(query); q != "" {
		return address + "?" + q
	}
	return address
}

// bytes writes a size: 19 kB.
func (l *language) bytes(n int) string {
	switch {
	case n < 1000:
		return l.integer(n) + " B"
	case n < 1_000_000:
		return l.integer((n+500)/1000) + " kB"
	}
	return l.number(strconv.FormatFloat(float64(n)/1e6, 'f', 1, 64)) + " MB"
}

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
	chart := s.query()
	chart.Set("type", chartTypes[s.View])
	frame := addressWith(base+"/chart.svg", chart)
	embed := frame + "&embed=html"
	all := []use{
		{Name: "curl", Code: "curl '" + json + "'"},
		{Name: "python", Code: "import pandas as pd\n\ndata = pd.read_csv(\n    '" + csv + "')\nprint(data.tail())"},
		{Name: "r", Code: "data <- read.csv(\n  '" + csv + "')\ntail(data)"},
		{Name: "javascript", Code: "const response = await fetch(\n  '" + json + "');\nconst { data, meta } = await response.json();\nconsole.log(data[0].rows);"},
		{Name: "address", Code: csv},
		{Name: "embed", Code: fmt.Sprintf("<iframe src=\"%s\"\n  title=\"%s\" width=\"800\" height=\"450\" style=\"border:0\"></iframe>", strings.ReplaceAll(embed, "&", "&amp;"), strings.ReplaceAll(s.Meta.Name, `"`, "&quot;"))},
	}
	chosen := cmp.Or(p.r.URL.Query().Get("use"), all[0].Name)
	for i := range all {
		u := &all[i]
		u.Text, u.IsChosen = p.lang.text("use."+u.Name), u.Name == chosen
		u.Address = s.with("use", u.Name) + "#use"
	}
	return all
}

// citation says how to cite what is shown.
type citation struct {
	Office, Title, Code, Version, Read string
	Exact                              string // address of this view in this version
	BibTeX                             string
}

func (p *page) cite(c *datasetPage) citation {
	m := &c.Meta
	day := p.opts.Now().UTC()
	exact := strings.TrimSuffix(p.opts.BaseURL, "/") + c.Selection.with("version", m.Version)
	one := citation{Office: m.SourceName, Title: m.Name, Code: m.Code, Version: m.Version, Read: p.lang.date(day), Exact: exact}
	one.BibTeX = fmt.Sprintf("@misc{%s,\n  author = {{%s}},\n  title = {%s},\n  note = {dataset %s, version %s},\n  year = {%d},\n  url = {%s},\n  urldate = {%s}\n}",
		bibKey(m), m.SourceName, m.Name, m.Code, m.Version, m.Imported.Year(), exact, day.Format("2006-01-02"))
	return one
}

// bibKey returns a key of a bibliography: letters, digits and hyphens.
func bibKey(m *metadata) string {
	key := strings.Map(func(r rune) rune {
		if r < 0x80 && (r >= 'a' && r <= 'z' || r >= '0' && r <= '9') {
			return r
		}
		return '-'
	}, strings.ToLower(m.Source+"-"+m.Code))
	return strings.Trim(key, "-")
}
