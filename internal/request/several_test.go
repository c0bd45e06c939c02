package request_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/importer"
	"almanac/internal/request"
	"almanac/internal/stattest"
	"almanac/internal/store"
)

// docs/api.md, Several datasets: the country of a series whose file names no area is in the
// subtitle if it is that of all, else it is the name of the series.
func TestPlacesOfSeveralDatasets(t *testing.T) {
	dir := stattest.DataDir(t)
	open := func(file string) *store.Vintage {
		return firstDataset(t, filepath.Join(dir, filepath.FromSlash(file)), importer.Options{NoGeo: !strings.HasPrefix(file, "eurostat/")})
	}
	unrate, graph, europe := open("../data-more/fred-unrate/UNRATE.csv"), open("../data-more/fred-graph/fredgraph.csv"), open("eurostat/tsv-old/une_rt_a.tsv.gz")
	graph.Dataset.ID, europe.Dataset.ID = 2, 3
	for _, test := range []struct {
		query    string
		other    *store.Vintage
		subtitle string
		names    string
	}{
		{"s=2", graph, "United States", ""},
		{"s=3:country%3DDE&transform=index:2015", europe, "", "United States, Germany"},
	} {
		c, err := request.BindChart("type=line&" + test.query)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.OpenOthers(func(string, request.Edition) (*store.Vintage, error) { return test.other, nil }); err != nil {
			t.Fatal(err)
		}
		s, _, err := request.Spec(context.Background(), unrate, c)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, series := range s.Series {
			names = append(names, series.Label)
		}
		if !strings.Contains(s.Subtitle, test.subtitle) || test.names != "" && strings.Join(names, ", ") != test.names {
			t.Errorf("%s: subtitle %q, names %q; want %q, %q", test.query, s.Subtitle, names, test.subtitle, test.names)
		}
	}
}

// docs/api.md: an area chart without chosen areas shows at most eight countries and no groups,
// which contain others.
func TestAreaChartChooses(t *testing.T) {
	v := firstDataset(t, filepath.Join(stattest.DataDir(t), filepath.FromSlash("worldbank/csv/API_SP.POP.TOTL_DS2_en_csv_v2.csv")), importer.Options{})
	c, err := request.BindChart("type=area")
	if err != nil {
		t.Fatal(err)
	}
	s, notices, err := request.Spec(context.Background(), v, c)
	if err != nil {
		t.Fatal(err)
	}
	for _, series := range s.Series {
		if series.Group {
			t.Errorf("the group %s is on other areas", series.Label)
		}
	}
	if n := len(s.Series); n == 0 || n > 8 || !strings.Contains(request.JoinNotices(notices), "series are drawn; select others with country") {
		t.Errorf("%d series, notices %q", n, request.JoinNotices(notices))
	}
}
