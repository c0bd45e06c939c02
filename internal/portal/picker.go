package portal

import (
	"cmp"
	"html/template"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/chart/caption"
	"almanac/internal/request"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// picker chooses a value of a dimension.
type picker struct {
	Dim, Label string
	Options    []option
	Chosen     []string // labels
	IsMany     bool     // several can be chosen
	Several    string   // address where several can be chosen; empty: this is it
	Find       string   // only values with this in their name or code
	Found      int      // values that have it
}

// longList is the number of values from which on a list has a field to find one.
const longList = 12

// Kind is that of the fields of the choices.
func (p *picker) Kind() string {
	if p.IsMany {
		return "checkbox"
	}
	return "radio"
}

// IsLong reports whether the list needs a field to find a value.
func (p *picker) IsLong() bool { return len(p.Options) >= longList }

// mostListed is the largest number of values that a picker lists.
const mostListed = 300

// IsCut reports whether the list has not all values: the service finds the others.
func (p *picker) IsCut() bool { return len(p.Options) > mostListed }

// Listed returns the values that the page lists: the chosen ones and those that are found, as many
// as a page has room for. While a text is looked for, the chosen ones without it are last.
func (p *picker) Listed() []option {
	var found, others []option
	wanted := strings.ToLower(p.Find)
	for i := range p.Options {
		o := &p.Options[i]
		isFound := o.has(wanted)
		if isFound {
			p.Found++
		}
		switch {
		case isFound && (o.IsChosen || p.Found <= mostListed):
			found = append(found, *o)
		case o.IsChosen:
			others = append(others, *o)
		}
	}
	return append(found, others...)
}

// areaPicker chooses areas.
type areaPicker struct {
	Options        []option
	Chosen         int
	Have           int // areas with values
	Oldest, Latest string
	Countries      []option // those with regions, by which the regions can be chosen
	Within         string   // the name of the one that is chosen
	Find           string   // only areas with this in their name or code
	meant          []string // areas of which Find is another code, or the name in another language
	Found          int      // areas that have it
	Left           int      // areas that are not listed
	HasUnknown     bool     // the reader chose an area that the dataset does not have
	IsChart        bool     // of a chart, which chooses areas if the reader has chosen none

	strip *strip
}

// AreaPicker is for templates.
func (s *selection) AreaPicker() *areaPicker { return &s.Areas }

// IsCut reports whether the list has not all areas.
func (a *areaPicker) IsCut() bool { return a.Left > 0 || a.Find != "" }

// option is a value that can be chosen, with the number of values that it leaves.
type option struct {
	Code, Label string
	Full        string // the office's label, if Label is a shorter name
	Count       int
	IsChosen    bool
	Beside      template.HTML // its number

	iso   string
	spans []store.PeriodSpan
	other store.PeriodSpan // the periods that the choice leaves, if they are others than those of the selection
}

// isAmong reports whether a list of codes or labels has the option.
func (o *option) isAmong(values []string) bool {
	return slices.ContainsFunc(values, func(v string) bool {
		return v == o.Code || v == o.Label || o.iso != "" && v == o.iso || o.Full != "" && v == o.Full
	})
}

// has reports whether names and codes of the option have a text in lower case.
func (o *option) has(text string) bool {
	return text == "" || strings.Contains(strings.ToLower(strings.Join([]string{o.Label, o.Full, o.Code, o.iso}, "\n")), text)
}

// axis is a dimension in responses of the interface.
type axis struct {
	Dim, ID, Label, Role string
	Values               []axisValue
}

// axisValue is a code; there are thousands in a response, and package json finds members faster by names that are written alike.
type axisValue struct {
	Code         string `json:"code"`
	ISO          string `json:"iso"`
	Label        string `json:"label"`
	Observations int    `json:"observations"`
	Latest       string `json:"latest_period"`
}

// available is the response of /availability, and of /dimensions without counts.
type available struct {
	Selection struct {
		Observations, Series int
		Oldest               string `json:"oldest_period"`
		Latest               string `json:"latest_period"`
	}
	Dimensions []axis
	Geography  []axisValue
	Notices    []struct{ Parameter, Value, Message string }
}

// nameCodes gives values of which the office has only the code the names that charts give them, by the code lists of the office. Of
// values with one name, each has its code too.
func (a *available) nameCodes(source string) {
	for i := range a.Dimensions {
		d := &a.Dimensions[i]
		known := map[string]int{}
		for _, v := range d.Values {
			known[d.nameOf(&v, source)]++
		}
		for k := range d.Values {
			v := &d.Values[k]
			if name := d.nameOf(v, source); name == v.Label || known[name] == 1 {
				v.Label = name
			} else {
				v.Label = name + " (" + v.Code + ")"
			}
		}
	}
}

// nameOf returns the label of a value, or the name of its code if the office gives none.
func (a *axis) nameOf(v *axisValue, source string) string {
	switch {
	case v.Label != v.Code:
		return v.Label
	case a.Role == string(stat.RoleUnit):
		return caption.UnitName(source, v.Code)
	}
	return cmp.Or(caption.Label(source, a.ID, stat.Code{ID: v.Code}), v.Code)
}

// nameKeys gives the series of blocks the names of their values, where they have only codes.
func (a *available) nameKeys(blocks []block) {
	for i := range a.Dimensions {
		d := &a.Dimensions[i]
		names := map[string]string{}
		for _, v := range d.Values {
			names[v.Code] = v.Label
		}
		for _, b := range blocks {
			if name := names[b.Key[d.Dim+"_value"]]; name != "" {
				b.Key[d.Dim+"_value"] = name
			}
		}
	}
}

// count reads how many values each choice leaves, and lists the choices.
func (p *page) count(s *selection) error {
	query := s.countQuery(p)
	query.Set("coverage", "true")
	left, err := readValue[*request.Left](p, s.api+"/availability", query)
	if err != nil {
		return err
	}
	s.Values, s.Series = left.Selected.Observations, left.Selected.Series
	s.shown = store.PeriodSpan{First: left.Selected.Oldest, Last: left.Selected.Newest}
	for _, n := range left.Notices {
		if hasPart(n.Message, unknownMarks) {
			s.Unknown = append(s.Unknown, p.unknown(s, n.Parameter, n.Value))
		}
	}
	for i := range s.offered.Dimensions {
		if d := &s.offered.Dimensions[i]; len(d.Values) > 1 {
			s.Pick = append(s.Pick, s.pickerOf(d, byCode(leftValues(left, i)), p))
		}
	}
	areas := p.leftAreas(s, left)
	s.areas = byCode(areas)
	s.offerCountries(areas)
	if s.Areas.Find = strings.TrimSpace(p.r.URL.Query().Get("find")); s.Areas.Find != "" {
		var found struct{ Data []areaName }
		if err := p.read("/api/areas", url.Values{"q": {s.Areas.Find}, "limit": {strconv.Itoa(mostListed)}}, &found); err != nil && !isRefused(err) { // too long a text
			return err
		}
		for _, a := range found.Data {
			s.Areas.meant = append(s.Areas.meant, a.Code)
		}
	}
	s.Areas.HasUnknown = s.HasUnknownArea()
	s.offerAreas()
	return nil
}

// unknown is a chosen value that the dataset does not have, and the address of the selection without it; empty: it would be too long.
type unknown struct {
	Text, Without string
	isArea        bool
}

// unknownMarks are in messages of the interface on chosen values that a dataset does not have.
var unknownMarks = []string{"is not a label", "has no area that is", "no label and no code matches", "has no period in this range"}

func hasPart(text string, parts []string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
}

// unknown says that the dataset does not have a value of a parameter.
func (p *page) unknown(s *selection, parameter, value string) unknown {
	left := slices.DeleteFunc(slices.Clone(s.asked[parameter]), func(v string) bool { return v == value })
	if len(left) == len(s.asked[parameter]) { // the interface writes it in another way
		left = nil
	}
	u := unknown{Without: s.with(parameter, left...)}
	if len(u.Without) > maxQuery {
		u.Without = ""
	}
	name := parameter[strings.LastIndex(parameter, ".")+1:]
	switch at := slices.IndexFunc(s.offered.Dimensions, func(d axis) bool { return d.Dim == name }); {
	case at >= 0:
		u.Text = p.lang.text("pick.unknown.value", "value", value, "dimension", s.offered.Dimensions[at].Label)
	case slices.Contains(periodParameters, name):
		u.Text = p.lang.text("pick.unknown.period", "value", p.lang.period(value), "span", p.lang.span(s.Meta.Oldest, s.Meta.Latest))
	default:
		u.Text, u.isArea = p.lang.text("pick.unknown", "value", value), true
	}
	return u
}

// HasUnknownArea reports whether the reader chose an area that the dataset does not have.
func (s *selection) HasUnknownArea() bool {
	return slices.ContainsFunc(s.Unknown, func(u unknown) bool { return u.isArea })
}

func (s *selection) pickerOf(d *axis, counts map[string]*leftValue, p *page) picker {
	many := p.r.URL.Query()["many"]
	one := picker{Dim: d.Dim, Label: d.Label, IsMany: len(s.codes[d.Dim]) != 1 || slices.Contains(many, d.Dim), Find: strings.TrimSpace(p.r.URL.Query().Get(findIn + d.Dim))}
	if !one.IsMany {
		one.Several = s.with("many", d.Dim) + "#pick"
	}
	for _, v := range d.Values {
		left := counts[v.Code]
		o := newOption(&v, left)
		if left != nil && left.periods != s.shown {
			o.other = left.periods
		}
		o.IsChosen = o.isAmong(s.codes[d.Dim])
		if one.Options = append(one.Options, o); o.IsChosen {
			one.Chosen = append(one.Chosen, o.Label)
		}
	}
	return one
}

func (s *selection) offerAreas() {
	a := &s.Areas
	if len(s.offered.Geography) < 2 {
		return
	}
	oldest, latest := cmp.Or(s.Period, s.From, s.Meta.Oldest), cmp.Or(s.Period, s.To, s.Meta.Latest)
	strip := newStrip(oldest, latest)
	if strip == nil { // periods that are written in another way than the dataset's
		oldest, latest = s.Meta.Oldest, s.Meta.Latest
		strip = newStrip(oldest, latest)
	}
	a.Oldest, a.Latest, a.strip = oldest, latest, strip
	for _, v := range s.offered.Geography {
		left := s.areas[v.Code]
		o := newOption(&v, left)
		if left != nil {
			if left.Name != "" {
				o.Label, o.Full = left.Name, v.Label
			}
			o.spans = left.coverage
			a.Have++
		}
		if o.IsChosen = o.isAmong(s.places); o.IsChosen {
			a.Chosen++
		}
		a.Options = append(a.Options, o)
	}
	s.arrangeAreas()
}

// offerCountries lists the countries that have regions with values, to choose all regions of one.
func (s *selection) offerCountries(areas []leftValue) {
	a := &s.Areas
	for _, v := range areas {
		if v.Country == "" {
			continue
		}
		at := slices.IndexFunc(a.Countries, func(o option) bool { return o.Code == v.Country })
		if at < 0 {
			at = len(a.Countries)
			isChosen := slices.Equal(s.asked["within"], []string{v.Country})
			a.Countries = append(a.Countries, option{Code: v.Country, Label: v.CountryName, IsChosen: isChosen})
			if isChosen {
				a.Within = v.CountryName
			}
		}
		a.Countries[at].Count++
	}
	a.Countries = slices.DeleteFunc(a.Countries, func(o option) bool { return o.Count == 1 && !o.IsChosen }) // all of the country
	slices.SortFunc(a.Countries, func(a, b option) int { return cmp.Compare(a.Label, b.Label) })
}

// Inside is the address of the page with a country and all its regions.
func (s *selection) Inside(country string) string {
	return s.changed(url.Values{"country": nil, "within": {country}})
}

// Everywhere is the address of the page with the usual areas.
func (s *selection) Everywhere() string { return s.changed(url.Values{"country": nil, "within": nil}) }

// arrangeAreas puts the chosen areas on top.
func (s *selection) arrangeAreas() {
	s.Areas.Chosen = 0
	rank := func(o *option) int {
		if o.IsChosen {
			return 0
		}
		return 1
	}
	for i := range s.Areas.Options {
		s.Areas.Chosen += 1 - rank(&s.Areas.Options[i])
	}
	slices.SortStableFunc(s.Areas.Options, func(a, b option) int { return rank(&a) - rank(&b) })
}

// Listed returns the areas that the page lists: the chosen ones, then those that are found, as many
// as a page has room for, with a strip of the periods with values beside each. While a text is looked
// for, the chosen ones without it are last.
func (a *areaPicker) Listed() []option {
	found, others := make([]option, 0, min(len(a.Options), mostListed)), []option(nil)
	wanted := strings.ToLower(a.Find)
	for _, o := range a.Options {
		isFound := o.has(wanted) || slices.Contains(a.meant, o.iso) || slices.Contains(a.meant, o.Code)
		if isFound {
			a.Found++
		}
		if !o.IsChosen && (!isFound || len(found) >= mostListed) {
			continue
		}
		o.Beside = a.strip.draw(o.spans) + " "
		if isFound {
			found = append(found, o)
		} else {
			others = append(others, o)
		}
	}
	list := append(found, others...)
	a.Left = len(a.Options) - len(list)
	return list
}

// markShown marks the areas of a table as chosen: the reader may have named them in a way that only
// the interface knows.
func (s *selection) markShown(t *table) {
	if len(s.asked["country"]) == 0 && !s.asked.Has("within") && !s.hasFurther("country") {
		return
	}
	shown := map[string]bool{}
	for _, row := range t.Rows {
		shown[row.Code] = true
	}
	for i := range s.Areas.Options {
		o := &s.Areas.Options[i]
		o.IsChosen = o.IsChosen || shown[o.Code]
	}
	s.arrangeAreas()
}

// newOption returns an option, with what it leaves if it leaves anything.
func newOption(v *axisValue, left *leftValue) option {
	o := option{Code: v.Code, Label: v.Label, iso: v.ISO}
	if left != nil {
		o.Count = left.Observations
	}
	return o
}
