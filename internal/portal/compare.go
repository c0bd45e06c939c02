package portal

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// comparePage is the content of the page that compares sources.
type comparePage struct {
	Measures []concept // that several datasets here have
	Choices  []concept // the measures that the page offers
	Concepts []string  // the chosen measures, as asked or as those of the series
	What     string    // the measures, or their number
	Area     string    // its code, as asked
	AreaName string
	// IsGroupName reports whether the area is the name of a group, by which each dataset has the group in one of its compositions.
	IsGroupName bool
	// IsNoneChosen reports whether the reader left none of the offered series chosen. The parameter of has their measures.
	IsNoneChosen bool
	InField      string // the area in the field for it
	From, To     string
	Offered      []comparedMeasure
	Kept         []link // series that are chosen before an area is: what names each, and its parameter s
	Oldest       string // the first period of the offered series
	Latest       string
	Columns      []*compared // in the order of their panels
	Left         []*compared // chosen series without values, if others have some
	Panels       []*panel    // one for each unit in the offices' words
	// HasTimes reports whether several charts are along time.
	HasTimes bool
	// IsTimeShared reports whether the charts have the same time axis.
	IsTimeShared bool
	Notes        []string // why series of one unit have no common chart
	Rows         []compareRow
	Hidden       int        // periods that are not shown
	Flags        []flagName // of the rows
	HasGaps      bool
	// HasProjections reports whether values are projections by the descriptions of their datasets, although no flag says so.
	HasProjections bool
	Files          []comparedFiles
	Suggested      []suggestedArea
	InAll          int    // areas with values for all of several series
	Unknown        string // why the area is none
	Nearest        []link // to areas with similar names
	Having         []link // to areas that the datasets have, if none of the series has values for this one
}

// HasOneText reports whether the offices write the unit of the common chart alike.
func (c *comparePage) HasOneText() bool { return c.IsDrawn() && len(c.Panels[0].Units()) == 1 }

// withValues returns the number of series that have values.
func (c *comparePage) withValues() (n int) {
	for _, one := range c.Columns {
		if !one.Empty {
			n++
		}
	}
	return n
}

// IsDrawn reports whether all series are in one chart.
func (c *comparePage) IsDrawn() bool { return len(c.Panels) == 1 && c.Panels[0].IsShared() }

// HasApart reports whether any values have a difference.
func (c *comparePage) HasApart() bool { return slices.ContainsFunc(c.Panels, (*panel).HasApart) }

// Hang is the width for the flags beside numbers.
func (c *comparePage) Hang() int {
	return hang(func(yield func(cell) bool) {
		for _, row := range c.Rows {
			for _, part := range row.Parts {
				for _, one := range part.Cells {
					if !yield(one) {
						return
					}
				}
			}
		}
	})
}

// compared is a series on the page.
type compared struct {
	Meta    metadata
	Text    string // of the parameter s
	Series  *series
	Labels  string // of the dimensions
	Measure string // in words
	Office  string
	Name    string // that tells it apart from the others of the page
	Label   string // the same from the others of its chart
	Address string
	First   string
	Last    string
	Span    string
	Remark  string
	// IsRemarkForeign reports whether the remark is English on a page in another language.
	IsRemarkForeign bool
	Flags           []flagName
	Empty           bool

	// Power is the power of ten by which the values are multiplied to be in the unit of the panel's finest series.
	Power int
	// Composition is that of the group which the reader named; empty: the reader named another area.
	Composition string

	choice  url.Values // of its dimensions, as asked
	query   url.Values // the same with the usual values of the others
	title   string     // of its chart
	unit    string     // in the words of its chart, in English; empty: unstated
	measure *concept   // that it is a series of; nil: none of several datasets

	projectedFrom string // see datasetPage
	isUnitInTitle bool   // the unit is only in words of titles and labels, so that files have none in its column
}

// Limits of what is compared.
const (
	maxCompared    = 8
	maxComparedRow = 120 // periods
)

// compareSources is the page that shows series of several datasets side by side.
func (p *page) compareSources() error {
	query, err := p.known("unknown parameter %q; this page has s, concept, country, period_from and period_to", "s", "concept", "of", "country", "period_from", "period_to")
	if err != nil {
		return err
	}
	p.lang.readPeriods(query)
	c := &comparePage{Concepts: query["concept"], Area: query.Get("country"), From: query.Get("period_from"), To: query.Get("period_to")}
	if of := query["of"]; len(of) > 0 && len(query["s"]) == 0 {
		c.IsNoneChosen, c.Concepts = true, of
	}
	if err := p.addMeasures(c); err != nil {
		return err
	}
	if c.IsNoneChosen { // the series may have been of no measure of several datasets
		c.Concepts = slices.DeleteFunc(c.Concepts, func(id string) bool {
			return !slices.ContainsFunc(c.Measures, func(k concept) bool { return k.ID == id })
		})
	}
	p.template, p.Section, p.Content = "compare", "compare", c
	p.Title, p.Trail = p.lang.text("compare.title"), []link{{p.lang.text("nav.compare"), ""}}
	if len(c.Concepts) > 0 && len(query["s"]) == 0 {
		return p.compareMeasures(c, query)
	}
	if len(query["s"]) > maxCompared {
		return p.wrong(p.lang.text("compare.toomany", "n", maxCompared))
	}
	if len(query["s"]) == 0 || c.Area == "" {
		return p.askForArea(c, query["s"])
	}
	if err := p.findArea(c); err != nil {
		return err
	}
	if c.Unknown != "" {
		return p.askForArea(c, query["s"])
	}
	if err := p.readColumns(c, query["s"]); err != nil {
		return err
	}
	if code := p.otherCode(c); code != "" {
		p.redirect("/compare?"+withChange(query, "country", code).Encode(), http.StatusSeeOther)
		p.template = ""
		return nil
	}
	p.nameComposition(c)
	if err := p.arrange(c); err != nil {
		return err
	}
	c.What = c.what(p.lang)
	p.Title = c.What + ", " + c.AreaName
	if n := c.withValues(); n > 0 {
		p.Title = p.lang.text("compare.of", "what", c.What, "area", c.AreaName, "n", n)
	}
	ids := map[int]bool{}
	for _, one := range c.Columns {
		ids[one.Meta.ID] = true
	}
	p.Aside = p.lang.text("compare.aside", "n", len(ids))
	return nil
}

// askForArea keeps the chosen series in the form that asks for an area.
func (p *page) askForArea(c *comparePage, texts []string) error {
	var all []choiceOf
	for _, text := range texts {
		one, err := p.readChosen(text)
		if err != nil {
			return err
		}
		all = append(all, choiceOf{one.Meta.ID, one.query})
		c.Kept = append(c.Kept, link{p.lang.office(cmp.Or(one.Meta.SourceName, one.Meta.Source)) + ", " + one.Meta.Title(), text})
	}
	return p.suggestAreas(c, all)
}

// readColumns reads the series of the parameters s, each once. Those without values are left out if others have some.
func (p *page) readColumns(c *comparePage, texts []string) error {
	for _, text := range texts {
		one, err := p.readCompared(c, text)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(c.Columns, one.isLike) {
			c.Columns = append(c.Columns, one)
		}
	}
	if c.withValues() == 0 {
		return nil
	}
	all := c.Columns
	c.Columns = nil
	for _, one := range all {
		if one.Empty {
			c.Left = append(c.Left, one)
		} else {
			c.Columns = append(c.Columns, one)
		}
	}
	return nil
}

// wrong is an error of the reader.
func (p *page) wrong(message string) error {
	return &refusal{Status: http.StatusBadRequest, Message: message, isTranslated: true, Body: fmt.Sprintf(`{"statusCode":400,"statusMessage":%q}`, message)}
}

// compareMeasures leads to the page that compares the series of measures that have values for the area.
func (p *page) compareMeasures(c *comparePage, query url.Values) error {
	if len(c.Concepts) > maxCompared {
		return p.wrong(p.lang.text("compare.toomany", "n", maxCompared))
	}
	var labels []string
	var all []conceptSeries
	for _, id := range c.Concepts {
		at := slices.IndexFunc(c.Measures, func(k concept) bool { return k.ID == id })
		if at < 0 {
			return p.wrong(p.lang.text("compare.unknown", "measure", id))
		}
		labels, all = append(labels, c.Measures[at].Label), append(all, c.Measures[at].Series...)
	}
	p.Title = p.lang.text("compare.measure", "what", p.lang.measures(labels))
	if c.Area != "" {
		if err := p.findArea(c); err != nil {
			return err
		}
	}
	if c.IsNoneChosen && c.AreaName != "" {
		p.Title = p.lang.measures(labels) + ", " + c.AreaName
	}
	if c.Area == "" || c.Unknown != "" || c.IsNoneChosen { // the page asks for an area
		var choices []choiceOf
		for i := range all {
			choices = append(choices, choiceOf{all[i].ID, all[i].query("")})
		}
		return p.suggestAreas(c, choices)
	}
	to := only(query, "period_from", "period_to")
	to.Set("country", c.Area)
	for _, id := range c.Concepts {
		at := slices.IndexFunc(c.Measures, func(k concept) bool { return k.ID == id })
		some, err := p.withValues(c, c.Measures[at].Series, maxCompared/len(c.Concepts))
		if err != nil {
			return err
		}
		to["s"] = append(to["s"], some...)
	}
	if len(to["s"]) == 0 { // the page says so
		for i := range all[:min(len(all), maxCompared)] {
			to.Add("s", all[i].selection())
		}
	}
	p.redirect("/compare?"+to.Encode(), http.StatusSeeOther)
	p.template = ""
	return nil
}

// withValues returns the first n of the series that have values for the area, as the parameter s has them.
func (p *page) withValues(c *comparePage, all []conceptSeries, n int) (some []string, err error) {
	for i := 0; i < len(all) && len(some) < n; i++ {
		read, err := p.readOffered(c, &all[i])
		if err != nil {
			return nil, err
		}
		if len(read.Points) > 0 {
			some = append(some, all[i].selection())
		}
	}
	return some, nil
}

// selection is the series as the parameter s has it: 7:dim1=A&dim2=B.
func (s *conceptSeries) selection() string { return strconv.Itoa(s.ID) + ":" + s.query("").Encode() }

// readOffered reads a series of a measure for the area in the time of the page. It has no values if the interface refuses it.
func (p *page) readOffered(c *comparePage, s *conceptSeries) (*series, error) {
	query := s.query(c.Area)
	c.addTime(query)
	read, err := p.readPoints(s.ID, query)
	if isRefused(err) {
		return &series{}, nil
	}
	return read, err
}

// addTime adds the time of the page to parameters.
func (c *comparePage) addTime(query url.Values) {
	for name, value := range map[string]string{"period_from": c.From, "period_to": c.To} {
		if value != "" {
			query.Set(name, value)
		}
	}
}

// readChosen reads which series one parameter s chooses.
func (p *page) readChosen(text string) (*compared, error) {
	ref, choice, ok := strings.Cut(text, ":")
	if _, err := strconv.Atoi(ref); err != nil && ok { // source:code
		var code string
		code, choice, _ = strings.Cut(choice, ":")
		ref += ":" + code
	}
	query, err := url.ParseQuery(choice)
	if err != nil || ref == "" {
		return nil, p.wrong(p.lang.text("compare.form", "text", text))
	}
	one := &compared{Text: text, choice: query}
	if err := p.read("/api/datasets/"+url.PathEscape(ref)+"/meta", url.Values{"lang": {p.lang.Code}}, &one.Meta); err != nil {
		return nil, err
	}
	one.query = labelsOf(one.Meta.DefaultSeries)
	maps.Copy(one.query, query)
	return one, nil
}

// readCompared reads the series of one parameter s.
func (p *page) readCompared(c *comparePage, text string) (*compared, error) {
	one, err := p.readChosen(text)
	if err != nil {
		return nil, err
	}
	all := maps.Clone(one.query)
	all.Set("country", c.Area)
	one.Address = one.Meta.address() + "?" + all.Encode()
	c.addTime(all)
	all.Set("codes", "true") // by which the page knows the series of the measure
	if one.Series, err = p.readPoints(one.Meta.ID, all); err != nil {
		return nil, err
	}
	one.describe(p.lang)
	return one, nil
}

// isLike reports whether another one is the same series.
func (c *compared) isLike(other *compared) bool {
	if c.Series.Key == nil { // it has no values
		return c.Text == other.Text
	}
	return c.Meta.ID == other.Meta.ID && maps.Equal(c.Series.Key, other.Series.Key)
}

// isOf reports whether the series is one of a measure, however the address chooses it.
func (c *compared) isOf(s *conceptSeries) bool {
	if c.Meta.ID != s.ID {
		return false
	}
	for dim, code := range s.Codes {
		if code != c.Series.Key[dim+"_code"] && (c.Series.Key != nil || code != c.choice.Get(dim)) {
			return false
		}
	}
	return true
}

// describe fills in what the page says of the series.
func (c *compared) describe(l *language) {
	c.Office = l.office(cmp.Or(c.Meta.SourceName, c.Meta.Source))
	for i := 1; i <= 8; i++ {
		if label := c.Series.Key["dim"+strconv.Itoa(i)+"_value"]; label != "" {
			c.Labels = strings.TrimPrefix(c.Labels+" · "+label, " · ")
		}
	}
	points := c.Series.Points
	if c.Empty = len(points) == 0; c.Empty {
		return
	}
	c.First, c.Last = points[0].Period, points[len(points)-1].Period
	c.Span = l.span(c.First, c.Last)
}

// arrange finds the measures, names the columns, draws them, and puts the values in rows.
func (p *page) arrange(c *comparePage) error {
	for _, one := range c.Columns {
		if err := p.readUnit(c, one); err != nil {
			return err
		}
	}
	p.findMeasures(c)
	c.nameColumns()
	if err := p.addOptions(c); err != nil {
		return err
	}
	if err := p.drawCompared(c); err != nil {
		return err
	}
	c.fill(p.lang)
	if p.addFiles(c); len(c.Panels) == 0 {
		p.addHaving(c)
	}
	var all []choiceOf
	for _, one := range c.asked() {
		all = append(all, choiceOf{one.Meta.ID, one.query})
	}
	return p.suggestAreas(c, all)
}
