package api_test

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"almanac/internal/api"
)

var svgText = regexp.MustCompile(`<text[^>]*>([^<]*)`)

// textsOf returns the texts of a picture in SVG, joined by spaces.
func textsOf(svg string) string {
	var all []string
	for _, m := range svgText.FindAllStringSubmatch(svg, -1) {
		all = append(all, m[1])
	}
	return strings.Join(all, " ")
}

// docs/api.md, Several datasets: names say which dataset a series is of only as far as
// needed, each source is named, and units must be equal.
func TestChartOfSeveralDatasets(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: testStore(t)}))
	for _, c := range []struct {
		name, id, query string
		others          []string
		want, not       []string
		status          int
	}{
		{"other values of the same dataset are named", "1", "country=DE&dim2=Total&dim3=Number", []string{"1:dim2=Females&dim3=Number"}, []string{"Females", "Total"}, []string{"Germany, Females, Germany"}, 200},
		{"areas that differ are names enough", "1", "country=DE&dim2=Total&dim3=Number", []string{"1:country=Greece&dim2=Total&dim3=Number"}, []string{"Germany", "Greece"}, []string{"Germany, ", "Greece, "}, 200},
		{"datasets of two offices", "1", "country=DE&dim2=Total&dim3=Number&transform=index:2020", []string{"2:country=FR"}, []string{"2020 = 100", "Germany", "France", "Source: Invented office, dataset births", "Source: Mixing office, dataset MIXED"}, []string{"Germany, "}, 200},
		{"units differ", "1", "country=DE&dim2=Total&dim3=Number", []string{"4:country=North"}, []string{"dataset 1 (births) has \"Number\"", "dataset 4 (units) has", "transform=index"}, nil, 400},
		{"the same series twice", "1", "country=DE&dim2=Total&dim3=Number", []string{"1:dim2=Total&dim3=Number"}, []string{"given twice"}, nil, 400},
		{"a series of both is no missing one", "1", "country=DE&dim2=Total&dim3=Number", []string{"1:country=DE&country=Greece&dim2=Total&dim3=Number"}, []string{"Germany", "Greece"}, []string{"No values"}, 200},
		{"an unknown dataset", "1", "country=DE", []string{"99:"}, []string{"s: there is no dataset 99"}, nil, 400},
		{"no id", "1", "country=DE", []string{"dim2=Total"}, []string{"parameter s must be the id of a dataset"}, nil, 400},
		{"an unknown parameter", "1", "country=DE", []string{"1:dim12=Total"}, []string{"parameter s", "unknown parameter"}, nil, 400},
		{"a selection without data", "1", "country=DE", []string{"2:country=Atlantis"}, []string{"s=2:country=Atlantis", "Atlantis"}, nil, 400},
		{"without areas, the largest of those that all have", "1", "dim2=Total&dim3=Number", []string{"1:country=Greece&dim2=Total&dim3=Number"}, []string{"EU", "Germany", "Greece"}, nil, 200},
	} {
		t.Run(c.name, func(t *testing.T) {
			address := base + "/api/datasets/" + c.id + "/chart.svg?" + c.query
			for _, other := range c.others {
				address += "&s=" + url.QueryEscape(other)
			}
			got := ask(t, "GET", address)
			text := textsOf(got.body)
			if got.StatusCode != 200 {
				text = strings.ReplaceAll(got.body, `\"`, `"`)
			}
			isMissing := func(part string) bool { return !strings.Contains(text, part) }
			isThere := func(part string) bool { return strings.Contains(text, part) }
			if got.StatusCode != c.status || slices.ContainsFunc(c.want, isMissing) || slices.ContainsFunc(c.not, isThere) {
				t.Errorf("%d %s", got.StatusCode, text)
			}
		})
	}
	// A body gives the same picture.
	got := post(t, base, `{"datasetId": 1, "chartType": "line", "dimensions_query": "country=DE&dim2=Total&dim3=Number&transform=index:2020", "s": ["2:country=FR"]}`)
	address := "/api/datasets/1/chart.png?country=DE&dim2=Total&dim3=Number&transform=index:2020&s=" + url.QueryEscape("2:country=FR")
	if ask(t, "GET", base+pathOf(t, got)).body != ask(t, "GET", base+address).body {
		t.Error("the address and the body give different pictures")
	}
}
