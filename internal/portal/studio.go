package portal

import (
	"fmt"
	"html"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"almanac/internal/stat"
)

// studioPage is the content of the page where a chart is designed.
type studioPage struct {
	Meta      metadata
	Selection *selection
	Type      string
	Types     []view
	Reset     string
	Picture   *drawing
	Described description // what is drawn without options
	Refused   string      // why the picture cannot be drawn as chosen
	Mistake   string      // the option that is wrong, without which the picture is drawn; empty: it is none of the form
	Width     int
	Height    int
	Size      string
	Sizes     []view
	Kept      []link // choices that the form keeps
	Frequency string // in words
	HasPeriod bool   // the chart shows one period
	Groups    []group
	Body      string
	Image     string // address of the picture
	Embed     string
	Formats   []link
}

// DrawnPeriod is the period of the address.
func (c *studioPage) DrawnPeriod() string { return c.Selection.Period }

// Main is the form of the chart that the head of the page offers; nil: the chart cannot be drawn.
func (c *studioPage) Main() *link {
	if len(c.Formats) == 0 {
		return nil
	}
	return &c.Formats[0]
}

// chartKinds are the types of charts, as the interface calls them.
var chartKinds = []string{"line", "bar", "horizontal-bar", "map", "area", "small-multiples", "dumbbell", "spark"}

// periodKinds are the types of charts that show one period.
var periodKinds = []string{"bar", "horizontal-bar", "map"}

// usualSizes are sizes of pictures by use.
var usualSizes = []struct {
	name          string
	width, height int
}{{"web", 1200, 675}, {"slide", 1920, 1080}, {"column", 640, 480}, {"square", 1080, 1080}}

// studio is the page where a chart is designed: every option of charts, the picture, and the request
// that draws it.
func (p *page) studio() error {
	c := &studioPage{}
	query, isMoved, err := p.selectionQuery()
	if err != nil || isMoved {
		return err
	}
	query = without(query)
	if isMoved, err := p.readMeta(&c.Meta, query, "/studio"); err != nil || isMoved {
		return err
	}
	choices := url.Values{}
	for name, values := range query {
		if isFilter(name) || strings.HasPrefix(name, findIn) || slices.Contains([]string{"lang", "many", "find"}, name) {
			continue
		}
		if name != "type" && chartOptionOf(name) == nil {
			return stat.Errorf(stat.Invalid, "unknown parameter %q; this page has the filters of the data, and the fields of a chart", name)
		}
		choices[name] = values
		query.Del(name)
	}
	c.Type = chartKinds[0]
	if kind := choices.Get("type"); kind != "" {
		c.Type = kind
	}
	if !slices.Contains(chartKinds, c.Type) {
		return stat.Errorf(stat.Invalid, "parameter type must be one of %s, not %.40q", strings.Join(chartKinds, ", "), c.Type)
	}
	s, err := p.readSelection(&c.Meta, query)
	if err != nil {
		return err
	}
	c.Selection = s
	if err := p.count(s); err != nil {
		return err
	}
	p.offerStudio(c, choices)
	if err := p.drawStudio(c, choices); err != nil {
		return err
	}
	p.showDataset(&c.Meta, "studio", c)
	p.Title = p.lang.text("studio.title")
	p.Trail = append(p.Trail, link{p.lang.text("studio.title"), ""})
	p.Aside = p.lang.text("studio.aside")
	return nil
}

// offerStudio lists the choices of the page.
func (p *page) offerStudio(c *studioPage, choices url.Values) {
	s := c.Selection
	c.Reset = addressWith(s.page+"/studio", s.start())
	at := func(changes url.Values) string {
		q := url.Values{}
		for _, from := range []url.Values{s.start(), choices, changes} {
			for name, values := range from {
				q[name] = values[len(values)-1:]
				if isFilter(name) {
					q[name] = values
				}
			}
		}
		return addressWith(s.page+"/studio", without(q))
	}
	c.Types, c.Described = p.drawableTypes(s, c.Type, choices, at)
	c.Width, c.Height = sidesOf(choices)
	for _, size := range usualSizes {
		width, height := strconv.Itoa(size.width), strconv.Itoa(size.height)
		c.Sizes = append(c.Sizes, view{Name: size.name, Text: p.lang.text("size."+size.name) + " " + width + " × " + height, Address: at(url.Values{"width": {width}, "height": {height}}), IsChosen: size.width == c.Width && size.height == c.Height})
	}
	for i := range s.Pick {
		if one := &s.Pick[i]; one.Several != "" {
			one.Several = at(url.Values{"many": {one.Dim}}) + "#pick"
		}
	}
	s.Areas.IsChart = true
	c.Frequency, c.HasPeriod = p.frequency(&c.Meta), slices.Contains(periodKinds, c.Type)
	c.Kept = c.kept()
	c.Groups = p.optionGroups(c.Type, choices)
	c.nameSeries()
}

// drawableTypes lists the types of charts, and describes the chart of the chosen one. Those that cannot be drawn of the selection have no
// address.
func (p *page) drawableTypes(s *selection, chosen string, choices url.Values, at func(url.Values) string) (types []view, described description) {
	types = make([]view, len(chartKinds))
	var all sync.WaitGroup
	for i, kind := range chartKinds {
		types[i] = view{Name: kind, Text: p.lang.text("kind." + kind), IsChosen: kind == chosen}
		all.Go(func() {
			query := s.query()
			query.Set("type", kind)
			s.Meta.addLanguage(query, pictureLanguage(choices, p.lang))
			var d description
			if p.read(s.api+"/chart.json", query, &d) != nil {
				return
			}
			types[i].Address = at(url.Values{"type": {kind}})
			if kind == chosen {
				described = d
			}
		})
	}
	all.Wait()
	return types, described
}

// nameSeries gives the fields for series an example with a name of the chart: that of a series, or of bars if they show one series.
func (c *studioPage) nameSeries() {
	names := c.Described.Series
	isBars := c.Type == "bar" || c.Type == "horizontal-bar"
	if isBars && len(names) == 1 && len(c.Described.Categories) > 0 {
		names = c.Described.Categories
	}
	if len(names) == 0 {
		return
	}
	for _, name := range seriesOptions {
		if f := c.fieldOf(name); f != nil {
			_, value, _ := strings.Cut(f.Example, "=")
			f.Example = names[0].Name + " =" + value
		}
	}
}

// seriesOptions are the options that name series.
var seriesOptions = []string{"seriesColors", "customLegendLabels"}

// fieldOf returns the field of an option; nil: the chart has none.
func (c *studioPage) fieldOf(name string) *field {
	for i := range c.Groups {
		if f := c.Groups[i].fieldOf(name); f != nil {
			return f
		}
	}
	return nil
}

// kept returns the choices that the form of the page has no field for.
func (c *studioPage) kept() []link {
	s := c.Selection
	kept := []link{{"type", c.Type}}
	for _, name := range orderedNames(s.asked) {
		isField := slices.ContainsFunc(s.Pick, func(one picker) bool { return one.Dim == name })
		if isField || name == "country" && len(s.Areas.Options) > 0 || name == "period" && c.HasPeriod || strings.HasPrefix(name, "period_") && !c.HasPeriod {
			continue
		}
		for _, value := range s.asked[name] {
			kept = append(kept, link{name, value})
		}
	}
	return kept
}

// drawStudio draws the picture, and writes the request that does.
func (p *page) drawStudio(c *studioPage, choices url.Values) error {
	s := c.Selection
	c.Body = chartFields(s, c.Type, choices, p.lang).indented()
	err := p.drawPicture(c, choices)
	if isRefused(err) {
		message, _ := p.translated(err.Error())
		p.status, c.Refused = http.StatusBadRequest, upperFirst(message)
		wrong := c.markMistake(err.Error())
		c.forget()
		if wrong == nil {
			return nil
		}
		c.Mistake = wrong.Label
		others := maps.Clone(choices) // with these the picture was drawn before
		delete(others, wrong.Name)
		if err = p.drawPicture(c, others); isRefused(err) {
			return nil
		}
		c.Body = chartFields(s, c.Type, others, p.lang).indented()
		return err
	}
	if err != nil {
		return err
	}
	base := strings.TrimSuffix(p.opts.BaseURL, "/") + s.api
	query := s.query()
	query.Set("type", c.Type)
	for name := range choices {
		if o := chartOptionOf(name); o != nil && o.fits(c.Type) {
			if value, ok := o.addressValue(choices); ok {
				query.Set(name, value)
			}
		}
	}
	s.Meta.addLanguage(query, pictureLanguage(choices, p.lang))
	c.Image = addressWith(base+"/chart.png", query)
	for _, form := range []string{"PNG", "SVG", "JPEG"} {
		c.Formats = append(c.Formats, link{form, addressWith(base+"/chart."+strings.ToLower(form), query)})
	}
	if c.Picture != nil {
		c.Embed = fmt.Sprintf(`<img src="%s" width="%d" height="%d" style="max-width:100%%;height:auto" alt="%s">`, html.EscapeString(c.Image), c.Width, c.Height, html.EscapeString(c.Picture.Alt))
	}
	return nil
}

// drawPicture draws the picture with choices. The error is a [refusal] if it cannot be drawn.
func (p *page) drawPicture(c *studioPage, choices url.Values) error {
	var drawn struct {
		drawing
		Base64  string
		Notices []struct{ Parameter, Value, Message string }
	}
	if err := p.post("/api/charts/generate-png", chartFields(c.Selection, c.Type, choices, p.lang), &drawn); err != nil || drawn.URL == "" {
		return err
	}
	c.Width, c.Height = sidesOf(choices)
	c.Picture = &drawing{URL: pathOf(drawn.URL), Alt: drawn.Alt}
	c.Size = p.lang.bytes(len(strings.TrimRight(drawn.Base64, "=")) * 3 / 4)
	for _, n := range drawn.Notices {
		if !slices.Contains(seriesOptions, n.Parameter) {
			continue
		}
		for i := range c.Groups {
			if f := c.Groups[i].fieldOf(n.Parameter); f != nil {
				message, _ := p.translated(n.Message)
				f.Notices, c.Groups[i].IsOpen = append(f.Notices, upperFirst(message)), true
			}
		}
	}
	return nil
}

// sidesOf returns the size of a picture that is chosen, else the usual one.
func sidesOf(choices url.Values) (width, height int) {
	width, height = usualSizes[0].width, usualSizes[0].height
	for name, side := range map[string]*int{"width": &width, "height": &height} {
		if n, err := strconv.Atoi(choices.Get(name)); err == nil {
			*side = n
		}
	}
	return width, height
}

// markMistake marks the field that a message of the interface names, and returns it; nil if it names none.
func (c *studioPage) markMistake(message string) *field {
	words := strings.FieldsFunc(message, func(r rune) bool { return !unicode.IsLetter(r) && r != '_' })
	for _, word := range words {
		for i := range c.Groups {
			if f := c.Groups[i].fieldOf(word); f != nil {
				f.IsWrong, c.Groups[i].IsOpen = true, true
				return f
			}
		}
	}
	return nil
}

// forget removes the choices from the links of a page with a mistake, so that they lead out of it.
func (c *studioPage) forget() {
	s := c.Selection
	at := func(name, value string) string {
		q := maps.Clone(s.asked)
		q.Set(name, value)
		return addressWith(s.page+"/studio", q)
	}
	for i := range c.Types {
		if t := &c.Types[i]; t.Address != "" {
			t.Address = at("type", t.Name)
		}
	}
	for i := range s.Pick {
		if one := &s.Pick[i]; one.Several != "" {
			one.Several = at("many", one.Dim) + "#pick"
		}
	}
	c.Sizes = nil
}

// pathOf returns an address of this service without scheme and host.
func pathOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return u.Path
}

// Sides are the width and height of the picture.
func (c *studioPage) Sides() string { return sidesText(c.Width, c.Height) }

func sidesText(width, height int) string { return fmt.Sprintf("%d × %d", width, height) }
