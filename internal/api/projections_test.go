package api_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"almanac/internal/importer"
)

// TestNoticeOfProjections checks that latest values are called projections if no flag says so and their period had not ended when the file
// came here, and that those before may be some if the file has no date.
func TestNoticeOfProjections(t *testing.T) {
	base := searchFilesOf(t, importer.Options{Country: "EE"}, "../data-more/estonia-rv021/RV021.csv", "imf/WEOOct2009all.xls")
	const ahead, unsaid = "the values of 2040 are projections, although no flag says so", "its file does not say since when: values of 20"
	for _, c := range []struct{ address, want string }{
		{"/api/datasets/local:rv021/latest", ahead},
		{"/api/datasets/local:rv021/latest?codes=true", ahead},
		{"/api/datasets/local:rv021/latest?latest_mode=observed", unsaid},
		{"/api/datasets/local:rv021/latest?latest_mode=area", unsaid},
		{"/api/datasets/local:rv021/data?dim1=Naised&dim2=Kokku&latest_mode=observed", unsaid},
		{"/api/datasets/local:rv021/data?dim1=Naised&dim2=Kokku&latest_mode=last", ahead},
		{"/api/datasets/local:rv021/data?dim1=Naised&dim2=Kokku&period=1990", ""},
		{"/api/datasets/imf:WEO/latest?country=JP", ""}, // flags say so
		{"/api/datasets/imf:WEO/latest?country=JP&latest_mode=observed", ""},
	} {
		response, err := http.Get(base + c.address)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		has := strings.Contains(string(body), "projections")
		if err != nil || response.StatusCode != http.StatusOK || has != (c.want != "") || !strings.Contains(string(body), c.want) {
			t.Errorf("%s: %.600s, %v, want %q", c.address, body, err, c.want)
		}
	}
}
