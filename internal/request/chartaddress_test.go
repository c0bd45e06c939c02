package request_test

import (
	"context"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"almanac/internal/chart"
	"almanac/internal/request"
	"almanac/internal/stat"
)

// The address of a chart accepts the parameters of the data endpoint and the fields of a
// chart request. The default type is line.
func TestBindChart(t *testing.T) {
	const length = "the query string must have at most 64 KiB"
	for _, c := range []struct {
		query   string
		edit    func(*request.Chart) // the change to the defaults
		message []string             // parts of the error
	}{
		{query: ""},
		{query: "&&"},
		{query: "type=line"},
		{query: "type=map", edit: func(c *request.Chart) { c.Options.Type = chart.Map }},
		{query: "chartType=bar", edit: func(c *request.Chart) { c.Options.Type = chart.Bar }},
		{query: "country=Germany&country=France&dim2=a%26b&period_from=2000", edit: func(c *request.Chart) {
			c.Data = request.Data{Country: []string{"Germany", "France"}, Dims: request.Dims{1: {"a&b"}}, PeriodFrom: "2000"}
		}},
		{query: "period=2005&latest=1", edit: func(c *request.Chart) { c.Period, c.Data.Latest = "2005", true }},
		{query: "country=Spain&dim1=a&period_from=2000&selectedDimensions=" + url.QueryEscape(`{"country": ["Germany", "France"]}`) + "&dimensions_query=" + url.QueryEscape("dim1=b&period_to=2010"), edit: func(c *request.Chart) {
			c.Selected, c.Query = []request.Choice{{Key: "country", Values: []string{"Germany", "France"}}}, "dim1=b&period_to=2010"
			c.Data = request.Data{Country: []string{"Spain"}, Dims: request.Dims{{"b"}}, PeriodFrom: "2000", PeriodTo: "2010"}
		}},
		{query: "width=300&height=200&showLegend=0&includeTitle=false&showValues=1", edit: func(c *request.Chart) {
			c.Options.Width, c.Options.Height, c.Options.ShowLegend, c.Options.IncludeTitle, c.Options.ShowValues = 300, 200, false, false, true
		}},
		{query: "customTitle=50%25+more&additionalText=x", edit: func(c *request.Chart) { c.Options.Title, c.Options.Aside = "50% more", "x" }},
		{query: "seriesColors=" + url.QueryEscape(`{"Germany": "#c00"}`) + "&customLegendLabels=" + url.QueryEscape(`{"Germany": "DE"}`), edit: func(c *request.Chart) {
			c.Options.Colours, c.Options.Labels = map[string]string{"Germany": "#c00"}, map[string]string{"Germany": "DE"}
		}},
		{query: "type=map&mapLocation=africa&mapTransform=" + url.QueryEscape(`{"x": 5, "scale": 2}`), edit: func(c *request.Chart) {
			c.Options.Type, c.Options.Region, c.Options.Transform = chart.Map, "africa", chart.Transform{X: 5, Scale: 2}
		}},

		{query: "type=", message: []string{"parameter type is empty"}},
		{query: "type=pie", message: []string{`chartType must be line`, `not "pie"`}},
		{query: "type=line&type=bar", message: []string{"parameter type is given more than once"}},
		{query: "type=line&chartType=bar", message: []string{"parameters type and chartType mean the same; give only one of them"}},
		{query: "width=300&width=300", message: []string{"parameter width is given more than once"}},
		{query: "width=wide", message: []string{`parameter width must be an integer, such as 1200, not the string "wide"`}},
		{query: "width=12.5", message: []string{"parameter width"}},
		{query: "type=spark&width=15", message: []string{"parameter width must be between 16 and 1000 pixels, not 15"}},
		{query: "type=spark&height=1001", message: []string{"parameter height must be between 16 and 1000 pixels, not 1001"}},
		{query: "type=spark&height=5000", message: []string{"parameter height must be between 16 and 1000 pixels, not 5000"}},
		{query: "width=99", message: []string{"parameter width must be between 100 and 4096 pixels, not 99"}},
		{query: "width=%zz", message: []string{`parameter width has an invalid percent-encoding "%zz"`}},
		{query: "customTitle=%ff", message: []string{"parameter customTitle is not valid UTF-8"}},
		{query: "%ff=x", message: []string{"a parameter name is not valid UTF-8"}},
		{query: "showLegend=yes", message: []string{`parameter showLegend must be true, false, 1 or 0, not "yes"`}},
		{query: "seriesColors=red", message: []string{`parameter seriesColors cannot be read as JSON`, `it must be JSON such as {"Germany": "#12436d"}`}},
		{query: "seriesColors=%5B%5D", message: []string{"parameter seriesColors is an array"}},
		{query: "seriesColors=%7B%7D%7B%7D", message: []string{"parameter seriesColors has text after its JSON object"}},
		{query: "mapTransform=%7B%22x%22:1e999%7D", message: []string{"parameter mapTransform has the number 1e999 for x, which is too large"}},
		{query: "wdith=300", message: []string{`unknown parameter "wdith" (did you mean width?)`, "country", "type", "customTitle"}},
		{query: "contry=DE", message: []string{`unknown parameter "contry" (did you mean country?)`}},
		{query: "datasetId=1", message: []string{"parameter datasetId is not accepted here; it is the number in the path"}},
		{query: "format=png", message: []string{"parameter format is not accepted here", "chart.jpeg"}},
		{query: "selectedDimensions=DE", message: []string{`parameter selectedDimensions cannot be read as JSON`, "it must be JSON such as"}},
		{query: "dimensions_query=x%3D1", message: []string{`dimensions_query: unknown parameter "x"`}},
		{query: "=x", message: []string{`unknown parameter ""`}},
		{query: "country=", message: []string{"parameter country is empty"}},
		{query: "dim9=x", message: []string{`unknown parameter "dim9"`}},
		{query: "customTitle=" + strings.Repeat("x", request.MaxChart), message: []string{length, "64 KiB"}},
	} {
		got, err := request.BindChart(c.query)
		wantMessage(t, c.query[:min(len(c.query), 80)], err, c.message...)
		if c.message != nil || err != nil {
			continue
		}
		want := &request.Chart{Options: chart.DefaultOptions()}
		want.Options.Type = chart.Line
		if c.edit != nil {
			c.edit(want)
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateComparable(stat.Period{}), cmpopts.IgnoreUnexported(request.Chart{})); diff != "" {
			t.Errorf("%s, - want + got:\n%s", c.query, diff)
		}
	}
}

// The parameters in the API reference are those that are read, and their examples are
// valid.
func TestChartParams(t *testing.T) {
	for _, p := range request.ChartParams() {
		value := p.Example
		if value == "" {
			value = p.Default
		}
		if value == "" {
			t.Errorf("parameter %s has neither example nor default", p.Name)
		}
		if _, err := request.BindChart(p.Name + "=" + url.QueryEscape(value)); err != nil {
			t.Errorf("%s=%s: %v", p.Name, value, err)
		}
		if p.Doc == "" || p.Type != "string" && p.Type != "integer" && p.Type != "boolean" {
			t.Errorf("parameter %s: type %s, doc %q", p.Name, p.Type, p.Doc)
		}
	}
}

// Equivalent bodies and addresses give the same chart.
func TestBodyAndAddressAgree(t *testing.T) {
	v := openTable(t)
	digest := func(c *request.Chart, err error) string {
		if err != nil {
			t.Fatal(err)
		}
		s, _, err := request.Spec(context.Background(), v, c)
		if err != nil {
			t.Fatal(err)
		}
		_, digest := s.Encode()
		return digest
	}
	first := digest(request.ReadChart([]byte(`{"datasetId": 1, "chartType": "bar", "width": 300, "selectedDimensions": {"sex": "Total", "country": ["Germany", "Greece"]}, "seriesColors": {"Germany": "red"}, "period": "2020", "format": "jpeg"}`)))
	for _, body := range []string{
		`{"seriesColors":{"Germany":"red"},"dimensions_query":"period=2020&country=Greece&country=Germany&dim1=Total","width":300,"chartType":"bar","datasetId":1}`,
		`{"datasetId": 1, "chartType": "bar", "width": 300, "height": 675, "showLegend": true, "selectedDimensions": {"dim1": ["T"], "geo": ["EL", "DE"], "period": "2020-A1"}, "seriesColors": {"Germany": "red"}}`,
	} {
		if digest(request.ReadChart([]byte(body))) != first {
			t.Errorf("the pictures differ for %s", body)
		}
	}
	if digest(request.BindChart("type=bar&width=300&dim1=Total&country=DE&country=GR&period=2020&seriesColors="+url.QueryEscape(`{"Germany":"red"}`))) != first {
		t.Error("the pictures of body and address differ")
	}
	if digest(request.BindChart("type=bar&dim1=Total&country=DE&country=GR&period=2020")) == first {
		t.Error("the options have no effect")
	}
}
