package api_test

import (
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/api"
)

// docs/api.md, Concepts: the codes of each series choose one that has values, and country leaves the datasets with an area.
// docs/api.md, Areas: here=true lists the areas of datasets here with how many have them.
func TestConceptsAndAreasHere(t *testing.T) {
	store := newStore(t)
	load(t, store, "une.csv", strings.NewReader(strings.Replace(unemployment, "#dataset,une,", "#dataset,une_rt_a,", 1)))
	base := serve(t, newAPI(t, api.Options{Store: store}))
	var list struct {
		Data []struct {
			ID     string
			Series []struct {
				ID    int
				Codes map[string]string
			}
		}
	}
	readJSON(t, base+"/api/concepts", &list)
	count := 0
	for _, c := range list.Data {
		for _, s := range c.Series {
			count++
			query := url.Values{}
			for dim, code := range s.Codes {
				query.Set(dim, code)
			}
			got := ask(t, "GET", base+"/api/datasets/"+strconv.Itoa(s.ID)+"/data?"+query.Encode())
			if n := strings.Count(got.body, `"series_key"`); n != 1 || strings.Contains(got.body, `"notices"`) {
				t.Errorf("%s, dataset %d: %d series with %s", c.ID, s.ID, n, query.Encode())
			}
		}
	}
	if count == 0 {
		t.Error("there are no concepts")
	}
	if got := ask(t, "GET", base+"/api/concepts?country=GL"); !strings.Contains(got.body, `{"data":[]`) {
		t.Errorf("no dataset has Greenland: %.200s", got.body)
	}
	var areas struct {
		Data []struct {
			Code     string
			Datasets int
		}
		Pagination json.RawMessage
	}
	readJSON(t, base+"/api/areas?here=true&kind=country&limit=1000", &areas)
	for _, a := range areas.Data {
		if a.Datasets != 1 {
			t.Errorf("%s: %d datasets", a.Code, a.Datasets)
		}
	}
	if len(areas.Data) == 0 || len(areas.Data) > 100 {
		t.Errorf("%d countries", len(areas.Data))
	}
}
