package portal

import (
	"cmp"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
)

// chartOption is a field of a chart request, and how a form asks for it. Its name is that of the
// interface.
type chartOption struct {
	name    string
	kind    string   // "text", "lines" (an object: a line for each member), "check", "choice", "number", "json"
	usual   string   // of a choice: what is drawn without one, if it has a name
	choices []string // the others
	isOn    bool     // of a check: without a choice
	types   []string // of charts that follow it; nil: all
}

// optionGroup are options that a form shows together.
type optionGroup struct {
	name    string
	options []chartOption
}

var (
	onMaps   = []string{"map"}
	onLines  = []string{"line", "small-multiples"}
	onStacks = []string{"bar", "horizontal-bar", "area"}
	numbered = []string{"line", "bar", "horizontal-bar", "map", "dumbbell"}
	titled   = slices.DeleteFunc(slices.Clone(chartKinds), func(kind string) bool { return kind == "spark" })
)

// optionGroups are all options of charts but the type and the selection.
var optionGroups = []optionGroup{
	{"map", []chartOption{
		{name: "mapLocation", kind: "choice", usual: "fitted", choices: []string{"europe", "asia", "africa", "north-america", "south-america", "oceania"}, types: onMaps},
		{name: "showBorders", kind: "check", isOn: true, types: onMaps},
		{name: "showLegend", kind: "check", isOn: true, types: onMaps},
		{name: "includeDate", kind: "check", isOn: true, types: onMaps},
		{name: "mapTransform", kind: "json", types: onMaps},
	}},
	{"lines", []chartOption{
		{name: "curve", kind: "choice", usual: "smooth", choices: []string{"straight", "step"}, types: onLines},
		{name: "scale", kind: "choice", usual: "linear", choices: []string{"log"}, types: onLines},
		{name: "showBands", kind: "check", isOn: true, types: onLines},
		{name: "highlightLatest", kind: "check", types: []string{"line", "bar", "small-multiples"}},
		{name: "referenceLines", kind: "lines", types: onLines},
		{name: "shadedSpans", kind: "lines", types: onLines},
		{name: "dateNotes", kind: "lines", types: onLines},
	}},
	{"values", []chartOption{
		{name: "showValues", kind: "check", types: numbered},
		{name: "stack", kind: "choice", choices: []string{"normal", "percent"}, types: onStacks},
		{name: "latest_mode", kind: "choice", usual: "observed", choices: []string{"last", "area"}, types: []string{"bar", "horizontal-bar", "map", "dumbbell"}},
	}},
	{"text", []chartOption{
		{name: "customTitle", kind: "text", types: titled},
		{name: "includeTitle", kind: "check", isOn: true, types: titled},
		{name: "includeSource", kind: "check", isOn: true, types: titled},
		{name: "plain", kind: "check", types: titled},
		{name: "additionalText", kind: "text", types: titled},
		{name: "locale", kind: "choice", choices: []string{"en", "de", "fr", "es", "it"}},
	}},
	{"colours", []chartOption{
		{name: "theme", kind: "choice", usual: "white", choices: []string{"light", "dark", "print"}},
		{name: "background", kind: "text"},
		{name: "seriesColors", kind: "lines"},
		{name: "customLegendLabels", kind: "lines", types: titled},
	}},
	{"size", []chartOption{
		{name: "width", kind: "number"},
		{name: "height", kind: "number"},
		{name: "font", kind: "choice", choices: []string{"embed"}},
	}},
}

// chartOptionOf returns the option with a name, or nil.
func chartOptionOf(name string) *chartOption {
	for i := range optionGroups {
		for k := range optionGroups[i].options {
			if o := &optionGroups[i].options[k]; o.name == name {
				return o
			}
		}
	}
	return nil
}

func (o *chartOption) fits(kind string) bool { return o.types == nil || slices.Contains(o.types, kind) }

// group is a group of options in the form.
type group struct {
	Name   string
	Chosen string // in words
	Fields []field
	IsOpen bool
}

// fieldOf returns the field with a name; nil: the group has none.
func (g *group) fieldOf(name string) *field {
	at := slices.IndexFunc(g.Fields, func(f field) bool { return f.Name == name })
	if at < 0 {
		return nil
	}
	return &g.Fields[at]
}

// field is an option in the form.
type field struct {
	Name, Kind, Label, Value, Example string
	IsOn, IsWrong                     bool
	Notices                           []string // on values that have no effect
	Choices                           []view
}

// optionGroups lists the options of a type of charts with what is chosen.
func (p *page) optionGroups(kind string, choices url.Values) []group {
	var groups []group
	for _, from := range optionGroups {
		one := group{Name: p.lang.text("group." + from.name)}
		var says []string
		for i := range from.options {
			o := &from.options[i]
			if !o.fits(kind) {
				continue
			}
			f := p.fieldOf(o, choices)
			one.Fields = append(one.Fields, f)
			switch text := p.saysOption(o, &f); {
			case o.name == "width":
				width, height := sidesOf(choices)
				says = append(says, sidesText(width, height))
			case text != "" && o.name != "height":
				says = append(says, text)
			}
		}
		if one.Chosen = upperFirst(strings.Join(says, ", ")); one.Chosen == "" {
			one.Chosen = p.lang.text("group.none")
		}
		if len(one.Fields) > 0 {
			one.IsOpen = len(groups) == 0
			groups = append(groups, one)
		}
	}
	return groups
}

// saysOption says what of an option the picture has; empty: nothing that a reader would miss.
func (p *page) saysOption(o *chartOption, f *field) string {
	switch o.kind {
	case "check":
		if f.IsOn {
			return f.Label
		}
		return ""
	case "choice":
		at := slices.IndexFunc(f.Choices, func(v view) bool { return v.IsChosen })
		switch {
		case o.usualName(p.lang) != "":
			return f.Choices[max(at, 0)].Text
		case at > 0:
			return f.Label + p.lang.text("colon") + f.Choices[at].Text
		}
		return ""
	case "text":
		return f.Value
	}
	if f.Value != "" {
		return f.Label
	}
	return ""
}

func (p *page) fieldOf(o *chartOption, choices url.Values) field {
	f := field{Name: o.name, Kind: o.kind, Label: p.lang.text("option." + o.name), Value: last(choices[o.name]), IsOn: o.isOn}
	switch o.kind {
	case "check":
		if f.Value != "" {
			f.IsOn = f.Value == "true" || f.Value == "1"
		}
	case "choice":
		f.Choices = []view{{Text: p.lang.text("option.usual")}}
		if usual := o.usualName(p.lang); usual != "" {
			f.Choices[0].Text = p.lang.text("choice." + usual)
		}
		for _, name := range o.choices {
			f.Choices = append(f.Choices, view{Name: name, Text: p.lang.text("choice." + name), IsChosen: name == f.Value})
		}
	case "lines":
		f.Value, f.Example = linesOf(f.Value), p.lang.text("example."+o.name)
	case "text":
		if o.name == "background" {
			f.Example = p.lang.text("example.background")
		}
	}
	return f
}

// usualName is the name of what is drawn without a choice; empty: it has none.
func (o *chartOption) usualName(l *language) string {
	if o.name == "locale" {
		return l.Code
	}
	return o.usual
}

// isChosen reports whether the reader changed an option.
func (o *chartOption) isChosen(choices url.Values) bool {
	value := last(choices[o.name])
	if o.kind == "check" {
		return value != "" && (value == "true" || value == "1") != o.isOn
	}
	return value != ""
}

// last returns the last of some values: that of a check box stands after that of the hidden field
// which says that it is off.
func last(values []string) string {
	if len(values) == 0 {
		return ""
	}
	return values[len(values)-1]
}

// addressValue returns the value of an option as an address of the interface has it. ok is false if
// it is the usual one.
func (o *chartOption) addressValue(choices url.Values) (value string, ok bool) {
	if !o.isChosen(choices) {
		return "", false
	}
	value = last(choices[o.name])
	if o.kind == "lines" {
		value = objectOf(value)
	}
	return value, true
}

// objectOf turns lines "name = value" into a JSON object; what is JSON already stays as it is.
func objectOf(text string) string {
	if strings.HasPrefix(strings.TrimSpace(text), "{") {
		return text
	}
	members := orderedObject{}
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(line, "=")
		if name = strings.TrimSpace(name); name != "" {
			members = append(members, member{name, strings.TrimSpace(value)})
		}
	}
	object, _ := json.Marshal(members) // texts can always be written
	return string(object)
}

// linesOf is the reverse of objectOf.
func linesOf(text string) string {
	var members map[string]string
	if json.Unmarshal([]byte(text), &members) != nil {
		return text
	}
	var lines []string
	for name, value := range members {
		lines = append(lines, name+" = "+value)
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// member is a member of a JSON object, orderedObject an object whose members have an order.
type (
	member struct {
		name  string
		value any
	}
	orderedObject []member
)

// MarshalJSON implements [json.Marshaler].
func (o orderedObject) MarshalJSON() ([]byte, error) {
	buf := []byte{'{'}
	for i, m := range o {
		if i > 0 {
			buf = append(buf, ',')
		}
		name, _ := json.Marshal(m.name) // a text can always be written
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		buf = append(append(append(buf, name...), ':'), value...)
	}
	return append(buf, '}'), nil
}

func (o orderedObject) indented() string {
	text, _ := json.MarshalIndent(o, "", "  ") // all values are texts, numbers and raw JSON that has been checked
	return string(text)
}

// chartFields returns the request that draws a chart.
func chartFields(s *selection, kind string, choices url.Values, l *language) orderedObject {
	fields := orderedObject{{"datasetId", s.Meta.ID}, {"chartType", kind}}
	selected, others := orderedObject{}, url.Values{}
	query := s.query()
	for _, name := range orderedNames(query) {
		values := query[name]
		switch {
		case name == "period" || name == "version" || name == "transform":
			fields = append(fields, member{name, values[0]})
		case name == "as_of":
			fields = append(fields, member{"asOf", values[0]})
		case !slices.Contains(filters, name) || name == "aggregates":
			others[name] = values
		case len(values) == 1:
			selected = append(selected, member{name, values[0]})
		default:
			selected = append(selected, member{name, values})
		}
	}
	if len(selected) > 0 {
		fields = append(fields, member{"selectedDimensions", selected})
	}
	if len(others) > 0 {
		fields = append(fields, member{"dimensions_query", others.Encode()})
	}
	texts := url.Values{}
	s.Meta.addLanguage(texts, pictureLanguage(choices, l))
	if texts.Has("lang") {
		fields = append(fields, member{"lang", texts.Get("lang")})
	}
	for i := range optionGroups {
		for k := range optionGroups[i].options {
			o := &optionGroups[i].options[k]
			if value, ok := o.addressValue(choices); ok && o.fits(kind) {
				fields = append(fields, member{o.name, o.jsonValue(value)})
			}
		}
	}
	return fields
}

// pictureLanguage is that of the texts of a picture: the reader's choice, else that of the page.
func pictureLanguage(choices url.Values, l *language) string {
	return cmp.Or(last(choices["locale"]), l.Code)
}

// jsonValue returns a value as the body of a chart request has it. What is not of the right type stays
// a text, so that the interface says what is wrong with it.
func (o *chartOption) jsonValue(value string) any {
	if o.kind != "text" && o.kind != "choice" && json.Valid([]byte(value)) {
		return json.RawMessage(value)
	}
	return value
}
