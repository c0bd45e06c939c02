package odata4_test

import (
	"fmt"
	"strings"
	"testing"

	"almanac/internal/importer"
	"almanac/internal/source"
	"almanac/internal/source/replay"
	"almanac/internal/source/sourcetest"
)

// A table of OData 4 becomes one dataset with labels, units and usual periods.
func TestFetch(t *testing.T) {
	files := replay.NewFiles(nil)
	server := replay.Serve(files)
	defer server.Close()
	base := "/CBS/37296eng"
	for path, body := range map[string]string{
		"/CBS/Datasets":         `{"value":[{"Identifier":"37296eng","Title":"Population; key figures","Modified":"2026-01-02T02:00:00+01:00"}]}`,
		base + "/Properties":    `{"Identifier":"37296eng","Title":"Population; key figures","Modified":"2026-01-02T02:00:00+01:00"}`,
		base + "/Dimensions":    `{"value":[{"Identifier":"RegioS","Title":"Regions","Kind":"GeoDimension"},{"Identifier":"Perioden","Title":"Periods","Kind":"TimeDimension"}]}`,
		base + "/RegioSCodes":   `{"value":[{"Identifier":"NL01  ","Title":"Netherlands"},{"Identifier":"PV20  ","Title":"Groningen"}]}`,
		base + "/PeriodenCodes": `{"value":[{"Identifier":"2019JJ00","Title":"2019"},{"Identifier":"2019KW02","Title":"2019 2nd quarter"}]}`,
		base + "/MeasureCodes":  `{"value":[{"Identifier":"M000352","Title":"Total population","Unit":"number","Decimals":0},{"Identifier":"T001","Title":"Density","Unit":"per km2","Decimals":1}]}`,
		base + "/Observations?page=2": `{"value":[{"Id":2,"Measure":"T001","ValueAttribute":"None","Value":0.10,"RegioS":"PV20  ","Perioden":"2019KW02"},
{"Id":3,"Measure":"T001","ValueAttribute":"Impossible","Value":null,"RegioS":"PV20  ","Perioden":"2019JJ00"}]}`,
	} {
		files.SetBody(path, body)
		files.Header(path, "Content-Type", "application/json")
	}
	files.SetBody(base+"/Observations", fmt.Sprintf(`{"value":[{"Id":0,"Measure":"M000352","ValueAttribute":"None","Value":17282163,"RegioS":"NL01  ","Perioden":"2019JJ00"},
{"Id":1,"Measure":"M000352","ValueAttribute":"None","Value":583990,"RegioS":"PV20  ","Perioden":"2019JJ00"}],"@odata.nextLink":"%s%s/Observations?page=2"}`, server.URL, base))
	b := sourcetest.NewOf(t, server, source.Office{ID: "cbs", Name: "Statistics Netherlands", Kind: "odata4", Address: server.URL + "/CBS", Country: "NL"})
	entries, err := b.Contents(t, source.Filter{Search: "population"})
	if err != nil || len(entries) != 1 || entries[0].Code != "37296eng" || entries[0].Updated.IsZero() {
		t.Fatalf("got %+v, %v, want the table", entries, err)
	}
	o := b.MustImport(t, "37296eng")
	if o.Status != importer.Created || o.Code != "37296eng" {
		t.Fatalf("got %+v", o)
	}
	sourcetest.WantSameValues(t, b.Values(t, o.ID), map[string]float64{
		"M000352,NL01 2019": 17282163, "M000352,PV20 2019": 583990, "T001,PV20 Q2/2019": 0.1,
	})
	if d, err := b.Fetch(t, "37296eng", nil); err != nil || !d.Unchanged {
		t.Errorf("without a change: got %+v, %v", d, err)
	}
	if _, err := b.Fetch(t, "nope", nil); err == nil || !strings.Contains(err.Error(), "has no dataset nope") {
		t.Errorf("an unknown table: got %v", err)
	}
}
