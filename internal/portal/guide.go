package portal

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"html/template"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// chapter is a page of the guide. Its title is the text guide.NAME.
type chapter struct {
	name     string
	sections []section
}

// section is a part of a chapter: the texts guide.CHAPTER.NAME and guide.CHAPTER.NAME.text, and an
// example. Words in braces stand for the specimen of this service.
type section struct {
	name    string
	method  string // empty: GET
	request string // address and parameters; empty: there is no example that runs
	body    string
	keyed   bool   // the request needs a key, so that the page shows it without an answer
	code    string // text to copy instead of a request
	picture bool   // the answer is a picture
	paged   bool   // the selection can be opened as a page of the dataset
	rows    int    // of the table of the section, whose texts are ….1 and ….1.what
}

// guide lists the chapters. Each request is made when the page is read, so that it shows what this
// service answers.
var guide = []chapter{
	{"first", []section{
		{name: "request", request: "/api/datasets/{id}/data?{dims}country={a}&country={b}&last_n=3", paged: true, rows: 6},
		{name: "absent", request: "/api/datasets/{id}/data?{dims}country=Atlantis"},
		{name: "code", request: "/api/datasets/{reference}/latest?country={a}"},
	}},
	{"datasets", []section{
		{name: "list", request: "/api/datasets?limit=2&fields=source,code,periods"},
		{name: "search", request: "/api/search?q={word}&limit=1"},
		{name: "meta", request: "/api/datasets/{id}/meta"},
	}},
	{"filters", []section{
		{name: "dimensions", request: "/api/datasets/{id}/dimensions"},
		{name: "left", request: "/api/datasets/{id}/availability?{dims}"},
		{name: "long", method: http.MethodPost, request: "/api/datasets/{id}/data", body: `{"country":["{a}","{b}"],"last_n":1}`},
	}},
	{"periods", []section{
		{name: "span", request: "/api/datasets/{id}/data?{dims}country={a}&period_from={latest}", paged: true, rows: 6},
		{name: "wrong", request: "/api/datasets/{id}/data?period=soon"},
	}},
	{"latest", []section{
		{name: "series", request: "/api/datasets/{id}/latest?country={a}&country={b}"},
		{name: "observed", request: "/api/datasets/{id}/latest?latest_mode=observed&country={a}"},
	}},
	{"flags", []section{
		{name: "flags", request: "/api/datasets/{id}/data?{dims}country={flagged}&period_from={when}&period_to={when}&flags=true", rows: 5},
		{name: "versions", request: "/api/datasets/{id}/versions"},
	}},
	{"charts", []section{
		{name: "address", request: "/api/datasets/{id}/chart.svg?type=line&{dims}country={a}&country={b}", picture: true},
		{name: "words", request: "/api/datasets/{id}/chart.json?type=line&{dims}country={a}&country={b}"},
		{name: "body", method: http.MethodPost, request: "/api/charts/generate-png", body: `{"datasetId":{id},"chartType":"bar","selectedDimensions":{"country":["{a}","{b}"]}}`},
		{name: "embed", code: `<iframe src="{base}/api/datasets/{id}/chart.svg?type=line&amp;country={a}&amp;embed=html"
  title="{name}" width="100%" height="450" style="max-width:800px;border:0"></iframe>`},
	}},
	{"files", []section{
		{name: "csv", request: "/api/datasets/{id}/data.csv?{dims}country={a}&last_n=3", rows: 6},
		{name: "wide", request: "/api/datasets/{id}/data.csv?{dims}country={a}&country={b}&last_n=3&wide=area"},
		{name: "size", request: "/api/datasets/{id}/data.csv?country={a}&dry_run=true"},
	}},
	{"sdmx", []section{
		{name: "data", request: "/sdmx/2.1/data/{code}/all?lastNObservations=1&format=csvdata1"},
		{name: "structure", request: "/sdmx/3.0/structure/dataflow"},
	}},
	{"agents", []section{
		{name: "connect", code: `{"mcpServers": {"almanac": {"type": "http", "url": "{base}/mcp"}}}`},
		{name: "models", request: "/llms.txt"},
	}},
	{"keys", []section{
		{name: "key", code: `curl -H 'X-API-Key: alm_…' '{base}/api/limits'`},
		{name: "python", code: readInPython("{base}/api/datasets/{id}/data.csv?country={a}", ",\n    storage_options={'X-API-Key': 'alm_…'}") + "\nprint(data.tail())"},
		{name: "limits", request: "/api/limits"},
	}},
	{"following", []section{
		{name: "follow", method: http.MethodPut, request: "/api/followed/{id}", body: `{"country":["{a}"]}`, keyed: true},
		{name: "read", request: "/api/datasets/{id}/data?followed=true&last_n=1", keyed: true},
		{name: "feeds", code: "{base}/datasets/{id}/feed.atom\n{base}/datasets/{id}/feed.json"},
	}},
	{"errors", []section{
		{name: "unknown", request: "/api/datasets/{id}/data?colour=red", rows: 7},
		{name: "again", request: "/healthz"},
	}},
}

// guidePage is the content of a page of the guide.
type guidePage struct {
	Chapters []guideLink
	Sections []guideSection
	Before   *guideLink
	After    *guideLink
}

type guideLink struct {
	Text, Address string
	IsHere        bool
}

// guideSection is a section as a page shows it.
type guideSection struct {
	Number  int
	Title   string
	Text    template.HTML
	Rows    [][2]template.HTML
	Request template.HTML // with the reader's values in bold
	Run     string        // address of the request; empty: it cannot be opened
	Page    string        // address of the same as a page
	Code    string
	Status  int
	Bytes   int
	Answer  string
	Picture template.HTML
}

// guide is a page of the guide.
func (p *page) guide() error {
	name := p.r.PathValue("page")
	at := slices.IndexFunc(guide, func(c chapter) bool { return c.name == name })
	if at < 0 {
		if name == "" {
			p.redirect("/guide/"+guide[0].name, http.StatusFound)
			return nil
		}
		return p.unknownAddress()
	}
	c := &guidePage{}
	for i, one := range guide {
		c.Chapters = append(c.Chapters, guideLink{p.lang.text("guide." + one.name), "/guide/" + one.name, i == at})
	}
	if at > 0 {
		c.Before = &c.Chapters[at-1]
	}
	if at+1 < len(guide) {
		c.After = &c.Chapters[at+1]
	}
	chosen, err := p.specimen()
	if err != nil {
		return err
	}
	for i := range guide[at].sections {
		s, err := p.guideSection(&guide[at], i, chosen)
		if err != nil {
			return err
		}
		c.Sections = append(c.Sections, *s)
	}
	p.template, p.Section, p.Content = "guide", "guide", c
	p.Title = p.lang.text("guide." + name)
	p.Trail = []link{{p.lang.text("nav.guide"), "/guide"}, {p.Title, ""}}
	return nil
}

// guideSection makes a section with the answer to its request.
func (p *page) guideSection(c *chapter, i int, chosen *specimen) (*guideSection, error) {
	s := &c.sections[i]
	key := "guide." + c.name + "." + s.name
	one := &guideSection{Number: i + 1, Title: p.lang.text(key), Text: p.lang.html(key + ".text")}
	for n := range s.rows {
		row := key + "." + strconv.Itoa(n+1)
		one.Rows = append(one.Rows, [2]template.HTML{p.lang.html(row), p.lang.html(row + ".what")})
	}
	one.Code = chosen.fill(s.code, plainly)
	if s.request == "" || chosen.ID == 0 && strings.Contains(s.request+s.body, "{") {
		return one, nil
	}
	address, body := chosen.fill(s.request, url.QueryEscape), chosen.fill(s.body, inJSON)
	one.Request = requestText(cmp.Or(s.method, http.MethodGet), address, body, s.keyed)
	if s.method == "" && !s.keyed {
		one.Run = address
		if s.paged {
			_, query, _ := strings.Cut(address, "?")
			chosenValues, _ := url.ParseQuery(query) // made above
			one.Page = chosen.address() + "?" + only(chosenValues, filters...).Encode()
		}
	}
	if s.keyed {
		return one, nil
	}
	var sent []byte
	if body != "" {
		sent = []byte(body)
	}
	var answer bytes.Buffer
	status, err := p.opts.Interface.Read(p.r.Context(), address, sent, &answer)
	if err != nil {
		return nil, err
	}
	one.Status, one.Bytes = status, answer.Len()
	if s.picture {
		one.Picture = template.HTML(answer.String())
		return one, nil
	}
	one.Answer = outline(answer.Bytes())
	return one, nil
}

// requestText writes a request with a parameter a line.
func requestText(method, address, body string, keyed bool) template.HTML {
	path, query, _ := strings.Cut(address, "?")
	var b strings.Builder
	b.WriteString(method + " " + template.HTMLEscapeString(path))
	sign := "?"
	for part := range strings.SplitSeq(query, "&") {
		if name, value, ok := strings.Cut(part, "="); ok {
			b.WriteString("\n  " + template.HTMLEscapeString(sign+name+"=") + "<b>" + template.HTMLEscapeString(value) + "</b>")
			sign = "&"
		}
	}
	if keyed {
		b.WriteString("\nX-API-Key: <b>alm_…</b>")
	}
	if body != "" {
		b.WriteString("\nContent-Type: application/json\n\n" + template.HTMLEscapeString(body))
	}
	return template.HTML(b.String())
}

// specimen is the dataset of this service that the guide's examples read. Its ID is 0 if there is
// none.
type specimen struct {
	metadata
	base   string
	dims   url.Values // the usual values, of the dimensions with several
	a, b   string     // codes of two areas
	latest string

	flagged, when string // area and period of a value with a flag if there is one, else of another one
}

// specimen chooses the dataset with the newest observed values that has several areas, and of these two with
// most values.
func (p *page) specimen() (*specimen, error) {
	chosen := &specimen{base: strings.TrimSuffix(p.opts.BaseURL, "/")}
	newest, _, err := p.newest()
	if err != nil {
		return nil, err
	}
	if len(newest) == 0 {
		return chosen, nil
	}
	at := max(0, slices.IndexFunc(newest, func(e entry) bool { return e.Areas > 1 }))
	if err := p.read("/api/datasets/"+strconv.Itoa(newest[at].ID)+"/meta", nil, &chosen.metadata); err != nil {
		return nil, err
	}
	s, err := p.readSelection(&chosen.metadata, url.Values{})
	if err != nil {
		return nil, err
	}
	chosen.dims = url.Values{}
	for _, d := range s.offered.Dimensions {
		if len(d.Values) > 1 {
			chosen.dims[d.Dim] = s.codes[d.Dim]
		}
	}
	var left available
	if err := p.read(s.api+"/availability", chosen.dims, &left); err != nil {
		return nil, err
	}
	areas := left.Geography
	if len(areas) == 0 {
		return nil, errors.New("the example of the guide has no areas")
	}
	slices.SortStableFunc(areas, func(a, b axisValue) int { return cmp.Compare(b.Observations, a.Observations) })
	first, second := &areas[0], &areas[min(1, len(areas)-1)]
	chosen.a, chosen.b = cmp.Or(first.ISO, first.Code), cmp.Or(second.ISO, second.Code)
	chosen.latest = cmp.Or(areas[0].Latest, chosen.Latest)
	return chosen, chosen.findFlag(p)
}

// findFlag finds the newest value with a flag.
func (c *specimen) findFlag(p *page) error {
	var answer struct {
		Data []struct {
			Rows []struct {
				Period string
				Flags  map[string][]string // by area
			}
		}
	}
	query := maps.Clone(c.dims)
	query.Set("flags", "true")
	query.Set("last_n", "10")
	if err := p.read("/api/datasets/"+strconv.Itoa(c.ID)+"/data", query, &answer); err != nil {
		return err
	}
	c.flagged, c.when = c.a, c.latest
	for _, series := range answer.Data {
		for _, row := range slices.Backward(series.Rows) {
			if len(row.Flags) > 0 {
				c.flagged, c.when = slices.Sorted(maps.Keys(row.Flags))[0], row.Period
				return nil
			}
		}
	}
	return nil
}

// fill replaces the words in braces; escape writes values.
func (c *specimen) fill(text string, escape func(string) string) string {
	dims := c.dims.Encode()
	if dims != "" {
		dims += "&"
	}
	text = strings.NewReplacer("{id}", strconv.Itoa(c.ID), "{dims}", dims, "{base}", c.base, "{a}", escape(c.a), "{b}", escape(c.b), "{latest}", escape(c.latest), "{flagged}", escape(c.flagged), "{when}", escape(c.when),
		"{reference}", url.PathEscape(c.Source+":"+c.Code), "{code}", url.PathEscape(c.Code), "{word}", escape(c.Name), "{name}", template.HTMLEscapeString(c.Name)).Replace(text)
	return strings.TrimSuffix(text, "&")
}

func plainly(text string) string { return text }

// inJSON writes a text within quotation marks.
func inJSON(text string) string {
	quoted, _ := json.Marshal(text)
	return strings.Trim(string(quoted), `"`)
}
