package portal

import (
	"bytes"
	"html/template"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"almanac/internal/chart"
)

// view is a way to look at a selection.
type view struct {
	Name, Text, Address string
	IsChosen            bool
}

// views lists the ways to look at the selection. A map that cannot be drawn of it has no address.
func (p *page) views(s *selection) ([]view, error) {
	hasMap, err := p.hasMap(s)
	var all []view
	for _, name := range viewNames {
		one := view{Name: name, Text: p.lang.text("view." + name), Address: s.with("view", name), IsChosen: name == s.View}
		if name == "map" && !hasMap && !one.IsChosen {
			one.Address = ""
		}
		all = append(all, one)
	}
	return all, err
}

// hasMap reports whether a map can be drawn of the chosen series, with some areas and for some period.
func (p *page) hasMap(s *selection) (bool, error) {
	query := only(s.asked, "version", "as_of", "aggregates", "transform")
	maps.Copy(query, s.codes)
	query.Set("type", "map")
	return remember(p.memory, "map "+s.edition()+addressWith(s.api, query), forEver, func() (bool, error) {
		_, err := readValue[*chart.Spec](p, s.api+"/chart.json", query)
		if isRefused(err) {
			return false, nil
		}
		return err == nil, err
	})
}

// chartQuery returns the parameters of the chart of the selection in the page, whose numbers are written as those of the page.
func (s *selection) chartQuery() url.Values {
	query := s.query()
	if s.isRanked {
		query.Del("country")
	}
	query.Set("type", chartTypes[s.View])
	query.Set("pageStyle", "true")
	return query
}

// pictureQuery returns the parameters of the chart of the selection for addresses that a page offers.
func (s *selection) pictureQuery() url.Values {
	query := s.chartQuery()
	query.Del("pageStyle")
	s.Meta.addLanguage(query, s.lang)
	return query
}

// fileQuery returns the parameters of what is shown for addresses that a page offers.
func (s *selection) fileQuery() url.Values {
	query := s.query()
	s.Meta.addLanguage(query, s.lang)
	return query
}

// addLanguage adds a language to the parameters of an address that a page offers, so that whoever opens it reads the words of the page:
// those of the office, and a chart's own. English is left out where everybody reads it anyway.
func (m *metadata) addLanguage(query url.Values, code string) {
	if code != "en" || slices.ContainsFunc(m.Languages, func(other string) bool { return other != "en" }) {
		query.Set("lang", code)
	}
}

// chartSize is a size of a chart in a page, in pixels.
type chartSize struct {
	class         string
	width, height int
}

// chartSizes has one size for wide windows and one for phones; the stylesheet chooses.
var chartSizes = []chartSize{{"desk-only", 720, 420}, {"phone", 360, 340}}

// A ranking of up to so many areas is as high as it must be to show them all; one of more shows some, in the usual size.
const (
	longestRanking = 60
	highestRanking = 1100
)

// sizesOfRanking returns the sizes of a ranking that shows all areas, nil if they are too many or no ranking. all is the ranking in the largest height.
func sizesOfRanking(all *chart.Spec) []chartSize {
	n := len(all.Categories)
	if all.Type != chart.HorizontalBar || n > longestRanking || slices.ContainsFunc(all.Categories, func(one chart.Category) bool { return one.Segment != 0 }) {
		return nil
	}
	sizes := slices.Clone(chartSizes)
	sizes[0].height = max(sizes[0].height, 60+17*n)
	sizes[1].height = max(sizes[1].height, 120+16*n)
	return sizes
}

// setIn sets the parameters of the chart in this size.
func (z chartSize) setIn(query url.Values) {
	query.Set("width", strconv.Itoa(z.width))
	query.Set("height", strconv.Itoa(z.height))
	query.Set("plain", "true")
}

// draw makes the chart of the selection in each size.
func (p *page) draw(c *datasetPage) (err error) {
	s := c.Selection
	if s.View == "table" || c.Described.Type == "" {
		return nil
	}
	if s.View == "map" {
		return p.showPictures(c)
	}
	query := s.chartQuery()
	query.Set("lang", p.lang.Code)
	sizes := chartSizes
	if c.sizes != nil {
		sizes = c.sizes
	}
	if c.Chart, err = p.drawSizes(c.spec, s.api, query, sizes); err != nil || c.spec.Type != chart.HorizontalBar {
		return err
	}
	phone := sizes[len(sizes)-1] // it may have room for fewer bars, and says how many
	phone.setIn(query)
	var small description
	if err = p.read(s.api+"/chart.json", query, &small); err == nil && !slices.Equal(small.Notes, c.Described.Notes) {
		c.OnPhone = &small
	}
	return err
}

// drawSizes makes a chart of the dataset at an address of the interface in each size.
func (p *page) drawSizes(spec *chart.Spec, address string, query url.Values, sizes []chartSize) (template.HTML, error) {
	pictures, err := p.pictures(spec, address, query, sizes)
	if err != nil {
		return "", err
	}
	var drawn []string
	for i, picture := range pictures {
		if i > 0 {
			picture = withoutSeries(picture)
		}
		drawn = append(drawn, `<div class="`, sizes[i].class, `">`, withOwnIDs(picture, sizes[i].class), `</div>`)
	}
	return template.HTML(strings.Join(drawn, "")), nil
}

// pictures draws a chart in each size, all at the same time.
func (p *page) pictures(spec *chart.Spec, address string, query url.Values, sizes []chartSize) ([][]byte, error) {
	const theme, background = "light", "transparent"
	var looks []chart.Look
	for _, size := range sizes {
		looks = append(looks, chart.Look{Width: size.width, Height: size.height, Plain: true, Theme: theme, Background: background})
	}
	if pictures, ok, err := p.reader.Pictures(p.r.Context(), spec, looks); ok {
		return pictures, err
	}
	pictures := make([][]byte, len(sizes))
	var all errgroup.Group
	for i, size := range sizes {
		all.Go(func() (err error) {
			own := maps.Clone(query)
			size.setIn(own)
			own.Set("theme", theme)
			own.Set("background", background)
			pictures[i], err = p.get(address+"/chart.svg", own)
			return err
		})
	}
	return pictures, all.Wait()
}

// withoutSeries returns a picture without the periods and values of its lines. They are the same in all
// sizes, and long for daily data, so that only the first picture of a page has them.
func withoutSeries(picture []byte) []byte {
	kept := make([]byte, 0, len(picture))
	for len(picture) > 0 {
		line := picture
		if end := bytes.IndexByte(picture, '\n'); end >= 0 {
			line = picture[:end+1]
		}
		picture = picture[len(line):]
		if bytes.HasPrefix(line, []byte("<g ")) {
			for _, name := range []string{" data-p=", " data-period=", " data-v="} {
				line = withoutAttribute(line, name)
			}
		}
		kept = append(kept, line...)
	}
	return kept
}

// withoutAttribute returns an element without an attribute, which is named with an equals sign.
func withoutAttribute(element []byte, name string) []byte {
	at := bytes.Index(element, []byte(name+`"`))
	if at < 0 {
		return element
	}
	rest := element[at+len(name)+1:]
	end := bytes.IndexByte(rest, '"')
	return slices.Concat(element[:at], rest[end+1:])
}

// withOwnIDs returns a picture with the ids that only the picture of its size has in the page. They end
// with the id of the picture, which its title has.
func withOwnIDs(picture []byte, size string) string {
	const title = `id="title-`
	at := bytes.Index(picture, []byte(title))
	if at < 0 {
		return string(picture)
	}
	id, _, _ := bytes.Cut(picture[at+len(title):], []byte{'"'})
	return strings.ReplaceAll(string(picture), "-"+string(id), "-"+string(id)+"-"+size)
}

// showPictures shows a map as pictures, because its outlines are too many for a page. There is one for
// light pages and one for dark ones, in each size, of which a browser loads the one that it shows.
func (p *page) showPictures(c *datasetPage) error {
	s := c.Selection
	for _, size := range chartSizes {
		for _, theme := range []string{"light", "dark"} {
			drawn, err := p.drawStored(s, map[string]any{"plain": true, "pageStyle": true, "background": "transparent", "theme": theme, "lang": p.lang.Code, "width": size.width, "height": size.height})
			if err != nil {
				return err
			}
			c.Chart += template.HTML(`<img class="` + size.class + ` on-` + theme + `" loading="lazy" width="` + strconv.Itoa(size.width) + `" height="` + strconv.Itoa(size.height) + `" src="` + template.HTMLEscapeString(drawn.URL) + `" alt="` + template.HTMLEscapeString(c.Described.Alt) + `">`)
		}
	}
	return nil
}

// drawing is a chart that the interface keeps at an address of its own.
type drawing struct{ URL, Alt string }

// drawStored draws the chart of the selection with further fields of a chart. The picture can be read
// at its address without counting against a limit.
func (p *page) drawStored(s *selection, fields map[string]any) (*drawing, error) {
	query := s.query()
	fields["datasetId"] = s.Meta.ID
	fields["chartType"] = chartTypes[s.View]
	fields["dimensions_query"] = strings.TrimPrefix(addressWith("", query), "?")
	d := &drawing{}
	if err := p.post("/api/charts/generate-png", fields, d); err != nil {
		return nil, err
	}
	d.URL = pathOf(d.URL)
	return d, nil
}

// nearestShown is how many ways out of an empty selection a page shows.
const nearestShown = 4

// empty says why a selection has no values, and what is nearest.
type empty struct {
	Message string
	Ways    []way
}

// way is a link out of an empty or too large selection.
type way struct {
	Text, Address string
	Count         int
}

// explainEmpty finds the choices that would leave values if one of them were changed.
func (p *page) explainEmpty(c *datasetPage) error {
	s := c.Selection
	e := &empty{Message: p.lang.text("empty")}
	c.Empty, c.Table, c.Summary = e, &table{}, p.lang.text("values", "n", 0)
	for i := range s.Pick {
		one := &s.Pick[i]
		for _, o := range best(one.Options) {
			e.Ways = append(e.Ways, way{p.lang.text("empty.choose", "dimension", one.Label, "value", o.Label), s.with(one.Dim, o.Code), o.Count})
		}
	}
	switch {
	case s.HasUnknownArea(): // any area would be as near as the others
		all := way{Text: p.lang.text("empty.choose", "dimension", p.lang.text("fact.areas"), "value", p.lang.text("pick.all")), Address: s.changed(url.Values{"country": nil})}
		for _, o := range s.Areas.Options {
			all.Count += o.Count
		}
		e.Ways = append(e.Ways, all)
	case len(s.asked["country"]) > 0:
		for _, o := range best(s.Areas.Options) {
			e.Ways = append(e.Ways, way{p.lang.text("empty.choose", "dimension", p.lang.text("fact.areas"), "value", o.Label), s.with("country", o.Code), o.Count})
		}
	}
	if s.Period+s.From+s.To != "" {
		query := s.countQuery(p)
		for _, name := range []string{"period", "period_from", "period_to"} {
			query.Del(name)
		}
		var left available
		if err := p.read(s.api+"/availability", query, &left); err != nil {
			return err
		}
		if found := left.Selection; found.Observations > 0 {
			text := p.lang.text("empty.periods", "from", p.lang.period(found.Oldest), "to", p.lang.period(found.Latest))
			all := way{text, s.changed(url.Values{"period": nil, "period_from": nil, "period_to": nil}), found.Observations}
			e.Ways = append([]way{all}, e.Ways...)
		}
	}
	slices.SortStableFunc(e.Ways, func(a, b way) int { return b.Count - a.Count })
	e.Ways = e.Ways[:min(len(e.Ways), nearestShown)]
	return nil
}

// best returns the options that leave most values, at most two.
func best(options []option) []option {
	var some []option
	for _, o := range options {
		if o.Count > 0 && !o.IsChosen {
			some = append(some, o)
		}
	}
	slices.SortStableFunc(some, func(a, b option) int { return b.Count - a.Count })
	return some[:min(len(some), 2)]
}
