package request_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"almanac/internal/chart"
	"almanac/internal/request"
	"almanac/internal/stat"
)

// chartBody returns a body with the required members and the given ones.
func chartBody(members string) string {
	if members != "" {
		members = ", " + members
	}
	return `{"datasetId": 1, "chartType": "line"` + members + `}`
}

// wantMessage checks that an error is Invalid and contains the texts, or that there is no
// error if there are no texts.
func wantMessage(t *testing.T, what string, err error, parts ...string) {
	t.Helper()
	if len(parts) == 0 {
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
		return
	}
	if err == nil || stat.KindOf(err) != stat.Invalid {
		t.Errorf("%s: %v, want an Invalid error that contains %q", what, err, parts)
		return
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%s: %q does not contain %q", what, err, part)
		}
	}
}

// docs/api.md, Invalid requests: the body is strict JSON.
func TestReadChartRejectsInvalidBodies(t *testing.T) {
	for _, c := range []struct {
		rule, body string
		message    []string
	}{
		{"Dataset ID is required", `{"chartType": "line"}`, []string{"Dataset ID is required"}},
		{"… before other errors", `{"chartype": "line", "width": -1}`, []string{"Dataset ID is required"}},
		{"chartType is required", `{"datasetId": 1}`, []string{"chartType is required", "horizontal-bar"}},
		{"an unknown chartType", `{"datasetId": 1, "chartType": "pie"}`, []string{`"pie"`, "line, bar, horizontal-bar, map, area, small-multiples, dumbbell or spark"}},
		{"chartType in capitals", `{"datasetId": 1, "chartType": "Line"}`, []string{`"Line"`}},
		{"an empty body", "", []string{"the body is empty", "datasetId and chartType"}},
		{"only white space", " \n\t", []string{"the body is empty"}},
		{"not an object", `[1]`, []string{"the body is an array"}},
		{"not an object", `"x"`, []string{`the body is the string "x"`}},
		{"not an object", `null`, []string{"the body is null"}},
		{"not an object", `12`, []string{"the body is the number 12"}},
		{"not JSON", `{datasetId: 1}`, []string{"cannot be read as JSON"}},
		{"not JSON", `{'datasetId': 1}`, []string{"cannot be read as JSON"}},
		{"a trailing comma", `{"datasetId": 1,}`, []string{"cannot be read as JSON"}},
		{"a number with a leading zero", `{"datasetId": 01}`, []string{"cannot be read as JSON"}},
		{"a body that ends early", `{"datasetId": 1`, []string{"ends unexpectedly"}},
		{"a body that ends within a string", `{"datasetId": 1, "chartType": "li`, []string{"ends unexpectedly"}},
		{"trailing data", chartBody("") + "{}", []string{"has text after its JSON object"}},
		{"trailing data", chartBody("") + " x", []string{"has text after its JSON object"}},
		{"trailing data", chartBody("") + "]", []string{"has text after its JSON object"}},
		{"invalid UTF-8", chartBody("\"customTitle\": \"a\xffb\""), []string{"not valid UTF-8"}},
		{"half of a surrogate pair", chartBody(`"customTitle": "a\ud83d"`), []string{`the body has \ud83d, half of a surrogate pair`}},
		{"half of a surrogate pair", chartBody(`"customTitle": "\\\uDE00 b"`), []string{`\uDE00, half of`}},
		{"two first halves of surrogate pairs", chartBody(`"customTitle": "\ud83d\ud83d\ude00"`), []string{`\ud83d, half of`}},
		{"unknown fields", chartBody(`"custom_title": "x"`), []string{`unknown field "custom_title" (did you mean customTitle?)`, "known fields: datasetId, chartType"}},
		{"unknown fields, by capitals", chartBody(`"CHARTTYPE": "line"`), []string{`unknown field "CHARTTYPE" (did you mean chartType?)`}},
		{"unknown fields: an empty name", chartBody(`"": 1`), []string{`unknown field ""`}},
		{"duplicate keys", chartBody(`"chartType": "line"`), []string{`the name "chartType" is given twice`}},
		{"duplicate keys, written differently", chartBody(`"widt\u0068": 200, "width": 200`), []string{`the name "width" is given twice`}},
		{"duplicate keys, nested", chartBody(`"selectedDimensions": {"country": "DE", "country": "FR"}`), []string{`the name "country" is given twice`}},
		{"duplicate keys, nested", chartBody(`"seriesColors": {"a": "red", "a": "red"}`), []string{`the name "a" is given twice`}},
		{"duplicate keys in an otherwise invalid value", chartBody(`"mapTransform": {"x": {"y": 1, "y": 2}}`), []string{`the name "y" is given twice`}},
		{"nested too deeply", chartBody(`"selectedDimensions": {"a": [[[[1]]]]}`), []string{"nested more than"}},
	} {
		_, err := request.ReadChart([]byte(c.body))
		wantMessage(t, c.rule+": "+c.body, err, c.message...)
	}
}

// docs/api.md, Invalid requests: wrong types and null are 400, and the message names the
// field, its value and what is expected.
func TestReadChartRejectsWrongTypes(t *testing.T) {
	wrong := map[string][]string{ // values that are wrong for a field of the type
		"integer":   {`"1200"`, `1200.0`, `1.2e3`, `true`, `null`, `[]`, `{}`},
		"string":    {`1`, `true`, `null`, `["line"]`, `{}`},
		"boolean":   {`"true"`, `1`, `0`, `null`, `[]`, `{}`},
		"strings":   {`"red"`, `["red"]`, `null`, `true`, `1`, `{"a": 1}`, `{"a": null}`, `{"a": ["red"]}`},
		"selection": {`"country=DE"`, `["DE"]`, `null`, `1`, `{"country": 1}`, `{"country": null}`, `{"country": true}`, `{"country": {}}`, `{"country": [1]}`, `{"country": [null]}`, `{"country": [["DE"]]}`},
		"list":      {`"14:"`, `1`, `null`, `true`, `{}`, `[1]`, `[null]`, `["x"]`},
		"transform": {`[0, 0, 1]`, `"0 0 1"`, `null`, `1`, `{"x": "1"}`, `{"x": null}`, `{"scale": true}`, `{"y": [1]}`, `{"z": 1}`, `{"X": 1}`},
	}
	for _, f := range request.ChartFields {
		if len(wrong[f.Type]) == 0 {
			t.Errorf("%s has type %s, which the test does not cover", f.Name, f.Type)
		}
		for _, value := range wrong[f.Type] {
			members := map[string]string{"datasetId": "1", "chartType": `"line"`}
			members[f.Name] = value
			var list []string
			for name, value := range members {
				list = append(list, `"`+name+`": `+value)
			}
			body := "{" + strings.Join(list, ", ") + "}"
			_, err := request.ReadChart([]byte(body))
			wantMessage(t, body, err, f.Name+" ")
		}
	}
	_, err := request.ReadChart([]byte(chartBody(`"width": "1200"`)))
	wantMessage(t, "a text", err, `width must be an integer, such as 1200, not the string "1200"`)
	_, err = request.ReadChart([]byte(chartBody(`"showLegend": "yes"`)))
	wantMessage(t, "a text", err, `showLegend must be true or false, not the string "yes"`)
	_, err = request.ReadChart([]byte(chartBody(`"customTitle": null`)))
	wantMessage(t, "null", err, "customTitle must be a string, such as \"People live longer\", not null")
}

// docs/api.md, How it is drawn: bounds, which the message names; colours; formats.
func TestReadChartBounds(t *testing.T) {
	for _, c := range []struct {
		rule, members string
		message       []string // none: the body is accepted
	}{
		{"width and height 100 to 4096", `"width": 100, "height": 100`, nil},
		{"width and height 100 to 4096", `"width": 4096, "height": 2929`, nil},
		{"width below 100", `"width": 99`, []string{"width must be between 100 and 4096 pixels, not 99"}},
		{"height below 100", `"height": 0`, []string{"height must be between 100 and 4096 pixels, not 0"}},
		{"width above 4096", `"width": 4097`, []string{"width must be between 100 and 4096 pixels, not 4097"}},
		{"a negative width", `"width": -1200`, []string{"width must be between 100 and 4096 pixels, not -1200"}},
		{"a width that does not fit an integer", `"width": 99999999999999999999999999`, []string{"width must be between 100 and 4096 pixels, not 99999999999999999999999999"}},
		{"at most 12 megapixels", `"width": 4096, "height": 2930`, []string{"4096 × 2930", "between 100 and 4096", "12 megapixels"}},
		{"at most 12 megapixels", `"width": 4096, "height": 4096`, []string{"12 megapixels"}},

		{"mapTransform: at its bounds", `"mapTransform": {"x": -10000, "y": 10000, "scale": 0.1}`, nil},
		{"mapTransform: at its bounds", `"mapTransform": {"x": 1e4, "scale": 20}`, nil},
		{"mapTransform: an empty object", `"mapTransform": {}`, nil},
		{"mapTransform: x too large", `"mapTransform": {"x": 10000.1}`, []string{"mapTransform", "10000.1", "between -10000 and 10000", "between 0.1 and 20"}},
		{"mapTransform: y too small", `"mapTransform": {"y": -10001}`, []string{"mapTransform", "-10001"}},
		{"mapTransform: scale too small", `"mapTransform": {"scale": 0.09}`, []string{"mapTransform", "0.09"}},
		{"mapTransform: scale zero", `"mapTransform": {"scale": 0}`, []string{"mapTransform", "scale 0"}},
		{"mapTransform: scale negative", `"mapTransform": {"scale": -1}`, []string{"mapTransform", "scale -1"}},
		{"mapTransform: scale too large", `"mapTransform": {"scale": 20.01}`, []string{"mapTransform", "20.01"}},
		{"mapTransform: a number too large for a float", `"mapTransform": {"x": 1e999}`, []string{"mapTransform", "1e999", "too large"}},
		{"mapTransform: a number too large for a float", `"mapTransform": {"scale": -1e400}`, []string{"mapTransform", "too large"}},
		{"mapTransform: NaN is not JSON", `"mapTransform": {"x": NaN}`, []string{"cannot be read as JSON"}},

		{"colours: #rgb, #rrggbb, CSS names", `"seriesColors": {"a": "#c00", "b": "#CC0000", "c": "RebeccaPurple", "d": "teal"}`, nil},
		{"colours: none", `"seriesColors": {}`, nil},
		{"colours: an unknown name", `"seriesColors": {"Germany": "blurple"}`, []string{"seriesColors", `"blurple"`, `"Germany"`, "#rgb, #rrggbb or a CSS colour name"}},
		{"colours: with transparency", `"seriesColors": {"a": "#cc000080"}`, []string{"seriesColors"}},
		{"colours: CSS functions", `"seriesColors": {"a": "rgb(1,2,3)"}`, []string{"seriesColors"}},
		{"colours: no number sign", `"seriesColors": {"a": "cc0000"}`, []string{"seriesColors"}},
		{"colours: white space", `"seriesColors": {"a": " red"}`, []string{"seriesColors"}},
		{"colours: empty", `"seriesColors": {"a": ""}`, []string{"seriesColors"}},
		{"colours: url", `"seriesColors": {"a": "url(#x)"}`, []string{"seriesColors"}},
		{"colours: the first by name is reported", `"seriesColors": {"z": "1", "b": "2", "a": "3"}`, []string{`"3" for "a"`}},

		{"format json, png, jpeg", `"format": "jpeg"`, nil},
		{"format jpg", `"format": "jpg"`, []string{`format must be json, png or jpeg, not "jpg"`}},
		{"format svg", `"format": "svg"`, []string{`format must be json, png or jpeg, not "svg"`}},
		{"mapLocation: one of the six", `"mapLocation": "south-america"`, nil},
		{"mapLocation: another value", `"mapLocation": "Europe"`, []string{`mapLocation must be europe, asia, africa, north-america, south-america or oceania, not "Europe"`}},
		{"mapLocation: empty", `"mapLocation": ""`, []string{"mapLocation is empty"}},
		{"period: empty", `"period": ""`, []string{"period is empty"}},
		{"texts may be empty", `"customTitle": "", "additionalText": "", "dimensions_query": ""`, nil},

		{"dimensions_query: rules of the data endpoint", `"dimensions_query": "dim9=x"`, []string{`dimensions_query: unknown parameter "dim9"`}},
		{"dimensions_query: rules of the data endpoint", `"dimensions_query": "period=2019&period=2020"`, []string{"dimensions_query: parameter period is given more than once"}},
		{"dimensions_query: rules of the data endpoint", `"dimensions_query": "country="`, []string{"dimensions_query: parameter country is empty"}},
		{"dimensions_query: rules of the data endpoint", `"dimensions_query": "transform=log"`, []string{"dimensions_query: parameter transform must be index:2015"}},
		{"dimensions_query: percent-encoding", `"dimensions_query": "country=%zz"`, []string{"dimensions_query: parameter country has an invalid percent-encoding"}},
		{"selectedDimensions: an empty array", `"selectedDimensions": {"country": []}`, []string{`selectedDimensions has no value for "country"`}},
		{"selectedDimensions: an empty string", `"selectedDimensions": {"country": ["DE", ""]}`, []string{`selectedDimensions has an empty string for "country"`}},
	} {
		_, err := request.ReadChart([]byte(chartBody(c.members)))
		wantMessage(t, c.rule+": "+c.members, err, c.message...)
	}
}

// docs/api.md, How it is drawn: the defaults of width … format.
func TestReadChartDefaults(t *testing.T) {
	c, err := request.ReadChart([]byte(chartBody("")))
	if err != nil {
		t.Fatal(err)
	}
	want := chart.Options{
		Type: chart.Line, Width: 1200, Height: 675,
		IncludeTitle: true, IncludeSource: true, IncludeDate: true, ShowLegend: true, ShowBorders: true,
		HighlightLatest: false, ShowValues: false, ShowBands: true, Transform: chart.Transform{Scale: 1},
	}
	if diff := cmp.Diff(want, c.Options, cmpopts.EquateComparable(stat.Period{}), cmpopts.IgnoreUnexported(request.Chart{})); diff != "" || c.DatasetID != "1" || c.Format != "" {
		t.Errorf("defaults, - want + got:\n%s", diff)
	}
}

// docs/api.md, How it is drawn: every field is read and has an effect on the picture.
func TestReadChartReadsEveryField(t *testing.T) {
	plain, err := request.ReadChart([]byte(chartBody("")))
	if err != nil {
		t.Fatal(err)
	}
	other := map[string]string{
		"datasetId": `2`, "chartType": `"map"`, "width": `300`, "height": `300`, "format": `"png"`,
		"highlightLatest": `true`, "showValues": `true`, "plain": `true`, "pageStyle": `true`,
	}
	for _, f := range request.ChartFields {
		value := other[f.Name]
		if value == "" && f.Type == "boolean" {
			value = "false"
		}
		if value == "" {
			value = f.Example
		}
		body := `{"` + f.Name + `": ` + value + `}`
		if f.Name != "datasetId" {
			body = `{"datasetId": 1, ` + body[1:]
		}
		if f.Name != "chartType" {
			body = `{"chartType": "line", ` + body[1:]
		}
		c, err := request.ReadChart([]byte(body))
		if err != nil {
			t.Errorf("%s: %v", body, err)
			continue
		}
		if cmp.Equal(plain, c, cmpopts.EquateComparable(stat.Period{}), cmpopts.IgnoreUnexported(request.Chart{})) {
			t.Errorf("%s has no effect", body)
		}
	}
}

// docs/api.md, What is drawn: dimensions_query and selectedDimensions are merged key by key,
// and selectedDimensions wins. Keys are dim1 … dim8, the id or label of a dimension, country,
// period, period_from and period_to. Values are a string or an array of strings.
func TestChartSelection(t *testing.T) {
	v := openTable(t)
	for _, c := range []struct {
		rule, members string
		select0       []int32 // of the first dimension, sex
		geo           []int32
		within        string
		from, to      string
	}{
		{"no selection: the default series of all areas", ``, []int32{0}, nil, "", "", ""},
		{"dimensions_query", `"dimensions_query": "dim1=Total&country=DE&country=Greece"`, []int32{0}, []int32{1, 2}, "", "", ""},
		{"dimensions_query, encoded", `"dimensions_query": "dim1=A+code%20like+a+label&period_from=2019&period_to=Q1/2020"`, []int32{2}, nil, "", "2019", "Q1/2020"},
		{"by dimN", `"selectedDimensions": {"dim1": "Females"}`, []int32{1}, nil, "", "", ""},
		{"by the dimension's id", `"selectedDimensions": {"sex": ["Females", "T"]}`, []int32{0, 1}, nil, "", "", ""},
		{"by the dimension's label", `"selectedDimensions": {"Sex": ["Females"]}`, []int32{1}, nil, "", "", ""},
		{"country, a string", `"selectedDimensions": {"country": "Germany"}`, []int32{0}, []int32{1}, "", "", ""},
		{"country, several, ISO codes too", `"selectedDimensions": {"country": ["DE", "GRC", "GB"]}`, []int32{0}, []int32{1, 2, 3}, "", "", ""},
		{"the geography by its own id", `"selectedDimensions": {"geo": "Germany"}`, []int32{0}, []int32{1}, "", "", ""},
		{"the geography by its own label", `"selectedDimensions": {"Area": "Germany"}`, []int32{0}, []int32{1}, "", "", ""},
		{"periods", `"selectedDimensions": {"period_from": "2019", "period_to": ["2020-Q1"]}`, []int32{0}, nil, "", "2019", "Q1/2020"},
		{"period", `"selectedDimensions": {"period": "2020"}`, []int32{0}, nil, "2020", "", ""},
		{"the field period", `"period": "2020"`, []int32{0}, nil, "2020", "", ""},
		{"the field period goes before the others", `"period": "2020", "selectedDimensions": {"period": "2019"}, "dimensions_query": "period=2018"`, []int32{0}, nil, "2020", "", ""},
		{"selectedDimensions wins", `"selectedDimensions": {"country": "Greece"}, "dimensions_query": "country=Germany&country=United%20Kingdom"`, []int32{0}, []int32{2}, "", "", ""},
		{"selectedDimensions wins by any name of the key", `"selectedDimensions": {"Sex": "T"}, "dimensions_query": "dim1=Females"`, []int32{0}, nil, "", "", ""},
		{"other keys are merged", `"selectedDimensions": {"sex": "F"}, "dimensions_query": "country=UK&period=Q4/2020"`, []int32{1}, []int32{3}, "Q4/2020", "", ""},
		{"a period decides over a range, wherever it is given", `"selectedDimensions": {"period_from": "2018"}, "dimensions_query": "period=2019"`, []int32{0}, nil, "2019", "", ""},
		{"an empty selection", `"selectedDimensions": {}`, []int32{0}, nil, "", "", ""},
	} {
		req, err := request.ReadChart([]byte(chartBody(c.members)))
		if err != nil {
			t.Errorf("%s: %v", c.rule, err)
			continue
		}
		d, err := req.Draw(v)
		if err != nil {
			t.Errorf("%s: %v", c.rule, err)
			continue
		}
		q := d.Query
		if !cmp.Equal(q.Select[0], c.select0) || !cmp.Equal(q.Select[2], c.geo) || !samePeriod(q.Within, c.within) || !samePeriod(q.From, c.from) || !samePeriod(q.To, c.to) {
			t.Errorf("%s: %v within %s from %s to %s", c.rule, q.Select, q.Within, q.From, q.To)
		}
	}
}

// samePeriod reports whether a period has the given text; the zero period is empty.
func samePeriod(p stat.Period, text string) bool {
	return p.IsZero() && text == "" || !p.IsZero() && p.String() == text
}

// docs/api.md, Invalid requests: unknown keys are 400, and so are dimensions that the
// dataset does not have.
func TestChartSelectionErrors(t *testing.T) {
	v := openTable(t)
	for _, c := range []struct {
		rule, members string
		message       []string
	}{
		{"unknown keys", `"selectedDimensions": {"cuontry": "DE"}`, []string{`unknown key "cuontry" in selectedDimensions (did you mean "country"?)`, "country, within, period, period_from, period_to", "dim1 or sex, dim2 or unit"}},
		{"unknown keys: capitals count", `"selectedDimensions": {"SEX": "T"}`, []string{`unknown key "SEX" in selectedDimensions (did you mean "sex"?)`}},
		{"unknown keys: latest is for dimensions_query", `"selectedDimensions": {"latest": "true"}`, []string{`unknown key "latest"`}},
		{"unknown keys: empty", `"selectedDimensions": {"": "x"}`, []string{`unknown key ""`}},
		{"unknown keys: dim0", `"selectedDimensions": {"dim0": "x"}`, []string{`unknown key "dim0"`}},
		{"unknown keys: dim9", `"selectedDimensions": {"dim9": "x"}`, []string{`unknown key "dim9"`}},
		{"a dimension that the dataset does not have", `"selectedDimensions": {"dim3": "x"}`, []string{"unknown parameter dim3", "dim1 to dim2"}},
		{"a dimension that the dataset does not have", `"dimensions_query": "dim3=x"`, []string{"unknown parameter dim3", "dim1 to dim2"}},
		{"one key twice", `"selectedDimensions": {"dim1": "T", "Sex": "F"}`, []string{`both "dim1" and "Sex", which mean the same`}},
		{"two periods", `"selectedDimensions": {"period": ["2019", "2020"]}`, []string{"2 values for period; it takes one"}},
		{"no period", `"period": "last year"`, []string{`period must be a period, not "last year"`, "Qn/YYYY"}},
		{"a range that ends before it begins", `"selectedDimensions": {"period_from": "2020", "period_to": "2019"}`, []string{"period_from (2020) is after period_to (2019)"}},
	} {
		req, err := request.ReadChart([]byte(chartBody(c.members)))
		if err != nil {
			t.Errorf("%s: refused before the dataset is known: %v", c.rule, err)
			continue
		}
		_, _, err = request.Spec(context.Background(), v, req)
		wantMessage(t, c.rule+": "+c.members, err, c.message...)
	}
}

// After an error, Followed is still set: it requires a key, which is checked first
// (docs/api.md, Keys and limits).
func TestFollowedIsReadDespiteErrors(t *testing.T) {
	for _, members := range []string{`"dimensions_query": "followed=true"`, `"width": 1, "dimensions_query": "followed=1&x=y"`, `"x": 1, "dimensions_query": "followed=true"`} {
		if c, _ := request.ReadChart([]byte(chartBody(members))); c == nil || !c.Data.Followed {
			t.Errorf("%s: followed was not read", members)
		}
	}
	for _, query := range []string{"followed=true", "type=pie&followed=true", "x=y&followed=true&width=3", "%zz=1&followed=1"} {
		if c, _ := request.BindChart(query); c == nil || !c.Data.Followed {
			t.Errorf("%s: followed was not read", query)
		}
	}
}
