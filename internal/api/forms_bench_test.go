package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"almanac/internal/api"
)

// BenchmarkForms measures files beside the JSON of the same selection: of one series, and of
// a whole dataset whose answer is not kept.
func BenchmarkForms(b *testing.B) {
	s := newStore(b)
	load(b, s, "large.csv", strings.NewReader(formsTable()))
	a := newAPI(b, api.Options{Store: s})
	for _, size := range []struct{ name, query string }{
		{"series", "dim1=item+77&country=France&country=Germany&country=Italy&country=Spain&country=Poland&period_from=2000&period_to=2019"},
		{"large", "period_from=1981"},
	} {
		for _, form := range []string{"", ".csv", ".ndjson", ".sdmx.json"} {
			b.Run(size.name+form, func(b *testing.B) {
				r, err := http.NewRequest("GET", "/api/datasets/1/data"+form+"?"+size.query, nil)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportAllocs()
				for b.Loop() {
					a.ServeHTTP(&discardWriter{http.Header{}}, r)
				}
			})
		}
	}
}

// formsTable returns a table of 200 series of 10 areas and 40 years.
func formsTable() string {
	var table strings.Builder
	table.WriteString("#almanac-tidy,1\n#source,eurostat,Test office\n#dataset,large,Large\n#updated,2024-01-01\n#dimension,item,Item\n#dimension,unit,Unit,unit\n#geography,geo,Area\nitem,unit,geo,TIME_PERIOD,OBS_VALUE\n")
	for item := range 200 {
		for _, area := range []string{"FR", "DE", "IT", "ES", "PL", "AT", "BE", "NL", "SE", "FI"} {
			for year := range 40 {
				fmt.Fprintf(&table, "item %d,NR,%s,%d,%.1f\n", item, area, 1980+year, float64(item*1000+year*7)/10)
			}
		}
	}
	return table.String()
}
