package request

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"almanac/internal/chart"
	"almanac/internal/chart/words"
	"almanac/internal/stat"
	"almanac/internal/store"
	"almanac/internal/transform"
)

// Chart is a chart request.
type Chart struct {
	DatasetID string // decimal digits; empty: not given
	Options   chart.Options
	Format    string // json, png or jpeg; empty: not given
	IsPage    bool   // the chart is wanted as a page that shows its values
	sides     []side // outside the bounds of charts or of sparklines

	Query    string // dimensions_query
	Selected []Choice
	Period   string
	// LatestMode overrides that of Data, as Period does.
	LatestMode string
	// Data is the selection given as parameters of the data endpoint. Query,
	// Selected and Period override it.
	Data Data
	// Others are further datasets in a chart of several.
	Others []Other
	// Followed restricts the request to what the caller's organisation follows, unless
	// nil.
	Followed stat.Selection
	// Store has the datasets with the population that values are divided by.
	Store *store.Store
}

// Choice is a member of selectedDimensions.
type Choice struct {
	Key    string
	Values []string
}

// Field is a field of a chart request, as described in the API reference.
type Field struct {
	Name    string
	Type    string // "integer", "string", "boolean", "strings" (object of strings), "selection", "transform", "list" (array of strings)
	Doc     string
	Example string // JSON
	Enum    []string
	Default string // JSON; empty: none

	set func(*Chart, any) error
}

// MaxChart bounds the body or the query string of a chart request, in bytes.
const MaxChart = 64 << 10

// ChartFields are the fields of a chart request, in the order of the API reference.
var ChartFields = []Field{
	{Name: "datasetId", Type: "integer", Example: "1", Doc: "The dataset. Required.", set: func(c *Chart, v any) error { c.DatasetID = v.(string); return nil }},
	{Name: "chartType", Type: "string", Example: `"line"`, Enum: []string{"line", "bar", "horizontal-bar", "map", "area", "small-multiples", "dumbbell", "spark"}, Doc: "line: change over time. bar: areas, dimension values or, for one series, periods. horizontal-bar: areas or dimension values by size. map: countries, or the parts of one, coloured by class. area: amounts over time, several series on one another. small-multiples: lines, each in a small panel with its name, with the same axes and the others in grey behind it. dumbbell: the first and the last period, or two values of a dimension, as dots in a row for each area. spark: one line without texts, 160 × 40 pixels if no size is given. Required.", set: func(c *Chart, v any) error { c.Options.Type = chart.Type(v.(string)); return nil }},
	{Name: "selectedDimensions", Type: "selection", Example: `{"country": ["Germany", "France"]}`, Doc: "The data to draw. Keys are dim1 … dim8, the id or label of a dimension, country, within, period, period_from and period_to; values are a string or an array of strings. Each key overrides the same one in dimensions_query. A dimension that is left out shows the value of the default series.", set: func(c *Chart, v any) (err error) { c.Selected, err = choicesOf(v.(object)); return err }},
	{Name: "dimensions_query", Type: "string", Example: `"dim1=Population&country=Germany"`, Doc: "The data to draw, as a query string of the data endpoint.", set: func(c *Chart, v any) error { c.Query = v.(string); return nil }},
	{Name: "period", Type: "string", Example: `"2005"`, Doc: "The period of a map or of bars instead of the latest one; for a line, the time span that it shows.", set: func(c *Chart, v any) error { c.Period = v.(string); return checkNotEmpty(c.Period) }},
	{Name: "s", Type: "list", Example: `["1:country=Germany"]`, Doc: "Further datasets, or further selections from this one, in a line chart: the id of a dataset, a colon and a query string of the data endpoint, in which & and the like are percent-encoded once more in an address. Areas and periods that it does not select are those of the request. All values must have the same unit.", set: setOthers},
	{Name: "transform", Type: "string", Example: `"index:2005"`, Doc: "Draws values that are derived from the office's. index:2015: 100 in 2015, or in any other period of the dataset; a year of months or quarters is their mean. change: difference from the previous period. percent: change in per cent of the previous period. percent-year: change in per cent of the same period a year before. per-capita: value divided by the population of the area in the year, which another dataset has; per-capita:eurostat:demo_pjan names it. Where an earlier value is missing, or is zero or negative for a ratio, there is no value.", set: setTransform},
	{Name: "stack", Type: "string", Example: `"normal"`, Enum: []string{"normal", "percent"}, Doc: "Puts the values of several series on one another, in bars and areas. normal: they add up. percent: shares of their sum.", set: func(c *Chart, v any) error {
		c.Options.Stack = chart.Stack(v.(string))
		return checkNotEmpty(v.(string))
	}},
	{Name: "latest_mode", Type: "string", Example: `"area"`, Enum: []string{"observed", "last", "area"}, Default: `"observed"`, Doc: "The period of a map or of bars by area, and the last one of a dumbbell. observed: the last with values that are no forecasts for about as many areas as any recent one. last: the last with a value. area: each area's own last one that is no forecast, said in a note.", set: setLatestMode},
	{Name: "seriesColors", Type: "strings", Example: `{"Germany": "#12436d"}`, Doc: "Colours by the name that a series has in the legend, by its label in the dataset or by its code: #rgb, #rrggbb or a CSS name. If bars show one series, the labels of areas can also be used. The single series of bars or of a map is named after its dimension values, or after the dataset if no dimension has a choice of values.", set: func(c *Chart, v any) error { c.Options.Colours = v.(map[string]string); return nil }},
	{Name: "customLegendLabels", Type: "strings", Example: `{"Germany": "DE"}`, Doc: "Replacements for the names of series in the legend, by the name, the label in the dataset or the code.", set: func(c *Chart, v any) error { c.Options.Labels = v.(map[string]string); return nil }},
	{Name: "version", Type: "string", Example: `"1.0"`, Doc: "This version of the dataset instead of the current one, as for the data endpoint.", set: func(c *Chart, v any) error {
		c.Data.Version = v.(string)
		return checkNotEmpty(c.Data.Version)
	}},
	{Name: "asOf", Type: "string", Example: `"2100-01-01"`, Doc: "The version that was current here at this date or time, as as_of for the data endpoint; also of the datasets in s.", set: func(c *Chart, v any) error { c.Data.AsOf = v.(string); return checkNotEmpty(c.Data.AsOf) }},
	{Name: "lang", Type: "string", Example: `"en"`, Doc: "The language of the texts of the dataset, as for the data endpoint, and of the chart's own words if it has them, unless locale says another.", set: func(c *Chart, v any) error { c.Data.Lang = v.(string); return checkNotEmpty(v.(string)) }},
	{Name: "locale", Type: "string", Example: `"de"`, Enum: words.Codes, Default: `"en"`, Doc: "The language of the chart's own words, numbers, dates and names of areas and offices. The dataset's title, units and labels of dimensions are in the language that lang or Accept-Language chooses.", set: func(c *Chart, v any) error { c.Options.Locale = v.(string); return checkNotEmpty(v.(string)) }},
	{Name: "pageStyle", Type: "boolean", Example: "true", Default: "false", Doc: "Whether numbers and days are written as on the pages of Almanac, in every language: a narrow space between thousands, and 29 Feb 2024. Without it, as the language does.", set: func(c *Chart, v any) error { c.Options.PageStyle = v.(bool); return nil }},
	{Name: "theme", Type: "string", Example: `"dark"`, Enum: []string{"light", "dark", "print"}, Doc: "The colours: light for pages on a warm white, dark for pages on near black, print for white paper. Without it, the ground is white.", set: func(c *Chart, v any) error { c.Options.Theme = v.(string); return checkNotEmpty(v.(string)) }},
	{Name: "background", Type: "string", Example: `"#f4f1ea"`, Doc: "The colour of the ground: transparent, #rgb, #rrggbb or a CSS name. Texts and lines change their shade if they would be hard to see on it. JPEG has no transparency and keeps the theme's ground.", set: func(c *Chart, v any) error { c.Options.Background = v.(string); return checkNotEmpty(v.(string)) }},
	{Name: "font", Type: "string", Example: `"embed"`, Enum: []string{"embed"}, Doc: "embed: SVG contains the glyphs that it uses, so that it looks the same in every browser. Without it, SVG uses the fonts of the machine that shows it.", set: setFont},
	{Name: "customTitle", Type: "string", Example: `"People live longer"`, Doc: "The title; replaces the name of the dataset.", set: func(c *Chart, v any) error { c.Options.Title = v.(string); return nil }},
	{Name: "width", Type: "integer", Example: "1200", Default: "1200", Doc: "Width in pixels, 100 to 4096; width × height at most 12 megapixels. A sparkline: 16 to 1000.", set: func(c *Chart, v any) error { return setSide(&c.Options.Width, v) }},
	{Name: "height", Type: "integer", Example: "675", Default: "675", Doc: "Height in pixels, 100 to 4096. A sparkline: 16 to 1000.", set: func(c *Chart, v any) error { return setSide(&c.Options.Height, v) }},
	{Name: "includeTitle", Type: "boolean", Example: "false", Default: "true", Doc: "Whether to show a title.", set: func(c *Chart, v any) error { c.Options.IncludeTitle = v.(bool); return nil }},
	{Name: "includeSource", Type: "boolean", Example: "false", Default: "true", Doc: "Whether to name the source: office, dataset code, time of update.", set: func(c *Chart, v any) error { c.Options.IncludeSource = v.(bool); return nil }},
	{Name: "includeDate", Type: "boolean", Example: "false", Default: "true", Doc: "Whether the title of a map ends with its period.", set: func(c *Chart, v any) error { c.Options.IncludeDate = v.(bool); return nil }},
	{Name: "plain", Type: "boolean", Example: "true", Default: "false", Doc: "The plot alone, without title, subtitle, notes and source, for a page that states these itself. chart.json has them.", set: func(c *Chart, v any) error { c.Options.Plain = v.(bool); return nil }},
	{Name: "highlightLatest", Type: "boolean", Example: "true", Default: "false", Doc: "Whether to mark the latest point of lines and of bars over time in red, with its value.", set: func(c *Chart, v any) error { c.Options.HighlightLatest = v.(bool); return nil }},
	{Name: "showValues", Type: "boolean", Example: "true", Default: "false", Doc: "Whether to write values into the areas of a map, or beside the points of a single line, bars, and the lowest and the highest dot of a row if there is space.", set: func(c *Chart, v any) error { c.Options.ShowValues = v.(bool); return nil }},
	{Name: "showBands", Type: "boolean", Example: "false", Default: "true", Doc: "Whether up to three lines, or small multiples, show the lower and upper bounds of their values as shaded bands, if the dataset has them.", set: func(c *Chart, v any) error { c.Options.ShowBands = v.(bool); return nil }},
	{Name: "curve", Type: "string", Example: `"straight"`, Enum: []string{"smooth", "straight", "step"}, Default: `"smooth"`, Doc: "How a line runs from one value to the next. smooth: a curve whose peaks are at values, but straight across periods without values. step: a value holds until the next one.", set: func(c *Chart, v any) error { return setCurve(c, v.(string)) }},
	{Name: "scale", Type: "string", Example: `"log"`, Enum: []string{"linear", "log"}, Default: `"linear"`, Doc: "The value axis of a line chart or small multiples. log: equal distances are equal ratios; all values must be above zero.", set: func(c *Chart, v any) error { return setScale(c, v.(string)) }},
	{Name: "referenceLines", Type: "strings", Example: `{"10": "Target"}`, Doc: "Horizontal lines in a line chart or small multiples: values and their labels, which may be empty.", set: func(c *Chart, v any) error { return c.Options.Lines.SetReferences(v.(map[string]string)) }},
	{Name: "shadedSpans", Type: "strings", Example: `{"2000..2005": "Enlargement"}`, Doc: "Parts of the time that are shaded in a line chart or small multiples: two periods that belong to it, or one, and a label, which may be empty.", set: func(c *Chart, v any) error { return c.Options.Lines.SetSpans(v.(map[string]string)) }},
	{Name: "dateNotes", Type: "strings", Example: `{"2004": "Ten new members"}`, Doc: "Notes in a line chart or small multiples, each at the beginning of a period.", set: func(c *Chart, v any) error { return c.Options.Lines.SetRemarks(v.(map[string]string)) }},
	{Name: "showBorders", Type: "boolean", Example: "false", Default: "true", Doc: "Whether to draw borders on a map.", set: func(c *Chart, v any) error { c.Options.ShowBorders = v.(bool); return nil }},
	{Name: "showLegend", Type: "boolean", Example: "false", Default: "true", Doc: "Whether a map has a legend. Other charts have one if names do not fit beside lines and bars.", set: func(c *Chart, v any) error { c.Options.ShowLegend = v.(bool); return nil }},
	{Name: "mapLocation", Type: "string", Example: `"europe"`, Enum: []string{"europe", "asia", "africa", "north-america", "south-america", "oceania"}, Doc: "The part of the world that a map of countries shows. Default: the smallest one that has nearly all areas with values, else the world.", set: func(c *Chart, v any) error { return cmp.Or(checkNotEmpty(v.(string)), c.Options.SetRegion(v.(string))) }},
	{Name: "additionalText", Type: "string", Example: `"Before 1990: West Germany"`, Doc: "A text on the left of a map, or below the plot of other charts.", set: func(c *Chart, v any) error { c.Options.Aside = v.(string); return nil }},
	{Name: "mapTransform", Type: "transform", Example: `{"x": 0, "y": 40, "scale": 1.5}`, Doc: "Moves a map by x and y pixels, -10000 to 10000, and scales it around its centre, 0.1 to 20 times.", set: func(c *Chart, v any) error { c.Options.Transform = v.(chart.Transform); return nil }},
	{Name: "embed", Type: "string", Example: `"html"`, Enum: []string{"html"}, Doc: "html: the address of the chart serves a page for a frame on another page. It shows the values, with their bounds and flags, next to the pointer, by the arrow keys and by touch, and loads nothing from elsewhere.", set: setPage},
	{Name: "format", Type: "string", Example: `"png"`, Enum: []string{"json", "png", "jpeg"}, Default: `"json"`, Doc: "The format of the picture: PNG for json and png, JPEG for jpeg. The response is always JSON.", set: setFormat},
}

// ReadChart reads the JSON body of a chart request. The error is [stat.Invalid] and
// names the field. After an error, the Chart has the values of the other fields.
func ReadChart(body []byte) (*Chart, error) {
	c := &Chart{Options: chart.DefaultOptions()}
	members, err := readObject(body)
	if err != nil {
		return c, stat.Errorf(stat.Invalid, "the body %s; it must be a JSON object with datasetId and chartType", err)
	}
	var first error
	// Report a missing dataset first: the body is probably not a chart request.
	if !slices.ContainsFunc(members, func(m member) bool { return m.name == "datasetId" }) {
		first = stat.Errorf(stat.Invalid, "Dataset ID is required")
	}
	for _, m := range members {
		f := findField(m.name)
		if f == nil {
			var names []string
			for _, f := range ChartFields {
				names = append(names, f.Name)
			}
			err = stat.Errorf(stat.Invalid, "unknown field %.60q%s; known fields: %s", m.name, didYouMean(m.name, names), strings.Join(names, ", "))
		} else {
			err = f.read(c, f.Name, m.value)
		}
		first = cmp.Or(first, err)
	}
	return c, cmp.Or(first, c.check())
}

func findField(name string) *Field {
	i := slices.IndexFunc(ChartFields, func(f Field) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return &ChartFields[i]
}

// read sets the field of a chart to a JSON value.
func (f *Field) read(c *Chart, name string, v any) error {
	value, err := f.value(v)
	if err == nil {
		err = f.set(c, value)
	}
	if err == nil {
		return nil
	}
	if s, ok := errors.AsType[side](err); ok {
		c.sides = append(c.sides, side{name, s.digits})
		return nil // the type of the chart decides
	}
	return stat.Errorf(stat.Invalid, "%s %s", name, err)
}

// value converts a JSON value to the type that set expects.
func (f *Field) value(v any) (any, error) {
	switch f.Type {
	case "integer":
		n, ok := v.(json.Number)
		if !ok || !isInteger(n.String()) {
			return nil, wrongType(v, "an integer", f.Example)
		}
		return n.String(), nil
	case "string":
		return as[string](v, "a string", f.Example)
	case "boolean":
		return as[bool](v, "true or false", "")
	case "strings":
		return stringsOf(v, f.Example)
	case "transform":
		return transformOf(v, f.Example)
	case "list":
		return listOf(v, f.Example)
	}
	return as[object](v, "an object", f.Example)
}

// as returns a JSON value of the expected type.
func as[T any](v any, want, example string) (T, error) {
	t, ok := v.(T)
	if !ok {
		return t, wrongType(v, want, example)
	}
	return t, nil
}

// isInteger reports whether a text consists of digits, with or without a minus.
func isInteger(text string) bool {
	digits := strings.TrimPrefix(text, "-")
	return digits != "" && strings.Trim(digits, "0123456789") == ""
}

func wrongType(v any, want, example string) error {
	if example != "" {
		want += ", such as " + example
	}
	return fmt.Errorf("must be %s, not %s", want, describeValue(v))
}

func describeValue(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		return fmt.Sprintf("the string %.40q", v)
	case json.Number:
		return fmt.Sprintf("the number %.40s", v)
	case bool:
		return fmt.Sprintf("%v", v)
	case []any:
		return "an array"
	}
	return "an object"
}

func stringsOf(v any, example string) (map[string]string, error) {
	m, err := as[object](v, "an object of strings", example)
	if err != nil {
		return nil, err
	}
	texts := make(map[string]string, len(m))
	for _, member := range m {
		text, ok := member.value.(string)
		if !ok {
			return nil, fmt.Errorf("must be an object of strings, such as %s, but has %s for %.60q", example, describeValue(member.value), member.name)
		}
		texts[member.name] = text
	}
	return texts, nil
}

func listOf(v any, example string) ([]string, error) {
	list, err := as[[]any](v, "an array of strings", example)
	if err != nil {
		return nil, err
	}
	var texts []string
	for _, each := range list {
		text, ok := each.(string)
		if !ok {
			return nil, fmt.Errorf("must be an array of strings, such as %s, but has %s", example, describeValue(each))
		}
		texts = append(texts, text)
	}
	return texts, nil
}

func transformOf(v any, example string) (chart.Transform, error) {
	t := chart.Transform{Scale: 1}
	m, err := as[object](v, "an object of numbers", example)
	if err != nil {
		return t, err
	}
	into := map[string]*float64{"x": &t.X, "y": &t.Y, "scale": &t.Scale}
	for _, member := range m {
		p := into[member.name]
		if p == nil {
			return t, fmt.Errorf("has the unknown member %.60q; known members: x, y, scale", member.name)
		}
		n, ok := member.value.(json.Number)
		if !ok {
			return t, fmt.Errorf("must have a number for %s, not %s", member.name, describeValue(member.value))
		}
		f, err := n.Float64()
		if err != nil {
			return t, fmt.Errorf("has the number %.40s for %s, which is too large", n, member.name)
		}
		*p = f
	}
	return t, nil
}

func setTransform(c *Chart, v any) (err error) {
	c.Options.Derive, err = transform.Parse(v.(string))
	return cmp.Or(checkNotEmpty(v.(string)), err)
}

func setCurve(c *Chart, name string) error {
	switch c.Options.Lines.Curve = chart.Curve(name); c.Options.Lines.Curve {
	case chart.Smooth, chart.Straight, chart.Step:
		return nil
	}
	return fmt.Errorf("must be smooth, straight or step, not %.40q", name)
}

func setScale(c *Chart, name string) error {
	if c.Options.Lines.Log = name == "log"; !c.Options.Lines.Log && name != "linear" {
		return fmt.Errorf("must be linear or log, not %.40q", name)
	}
	return nil
}

func setPage(c *Chart, v any) error {
	if v != "html" {
		return fmt.Errorf("must be html, not %.40q", v)
	}
	c.IsPage = true
	return nil
}

func setFont(c *Chart, v any) error {
	if v != "embed" {
		return fmt.Errorf("must be embed, not %.40q", v)
	}
	c.Options.EmbedFonts = true
	return nil
}

func setLatestMode(c *Chart, v any) error {
	c.LatestMode = v.(string)
	_, err := ParseMode(c.LatestMode, "")
	if c.LatestMode == "" || err != nil {
		return fmt.Errorf("must be observed, last or area, not %.40q", c.LatestMode)
	}
	return nil
}

func setFormat(c *Chart, v any) error {
	switch c.Format = v.(string); c.Format {
	case "json", "png", "jpeg":
		return nil
	}
	return fmt.Errorf("must be json, png or jpeg, not %.40q", c.Format)
}

// choicesOf reads the members of a selection: strings or arrays of strings.
func choicesOf(o object) ([]Choice, error) {
	var choices []Choice
	for _, m := range o {
		choice := Choice{Key: m.name}
		switch value := m.value.(type) {
		case string:
			choice.Values = []string{value}
		case []any:
			for _, each := range value {
				text, ok := each.(string)
				if !ok {
					return choices, fmt.Errorf("must have strings as the values of %.60q, not %s", m.name, describeValue(each))
				}
				choice.Values = append(choice.Values, text)
			}
		default:
			return choices, fmt.Errorf("must have a string or an array of strings for %.60q, not %s", m.name, describeValue(value))
		}
		if len(choice.Values) == 0 {
			return choices, fmt.Errorf("has no value for %.60q; give one or leave it out", m.name)
		}
		if slices.Contains(choice.Values, "") {
			return choices, fmt.Errorf("has an empty string for %.60q; give a value or leave it out", m.name)
		}
		choices = append(choices, choice)
	}
	return choices, nil
}

func checkNotEmpty(text string) error {
	if text == "" {
		return errors.New("is empty; give a value or leave it out")
	}
	return nil
}

// check checks what does not need the dataset.
func (c *Chart) check() error {
	if c.Options.Type == chart.Spark {
		c.sizeSpark()
	}
	err := cmp.Or(c.checkSides(), c.Options.Check())
	if c.Query != "" {
		// It overrides the parameters of the address one by one.
		var given Data
		invalid := Bind(c.Query, &given)
		if given.FirstN > 0 || given.LastN > 0 {
			invalid = cmp.Or(invalid, stat.Errorf(stat.Invalid, "parameters first_n and last_n are not accepted in charts; period_from and period_to bound the time"))
		}
		c.Data.merge(&given)
		if given.Transform != "" && c.Options.Derive.IsZero() {
			var unread error
			if c.Options.Derive, unread = transform.Parse(given.Transform); unread != nil {
				invalid = cmp.Or(invalid, stat.Errorf(stat.Invalid, "parameter transform %s", unread))
			}
		}
		if given.UpdatedSince != "" {
			invalid = cmp.Or(invalid, stat.Errorf(stat.Invalid, "parameter updated_since is not accepted in a chart; a chart shows whole series"))
		}
		if invalid != nil && err == nil {
			err = stat.Errorf(stat.Invalid, "dimensions_query: %s", invalid)
		}
	}
	return err
}
