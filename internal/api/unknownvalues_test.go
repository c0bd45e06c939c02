package api_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"almanac/internal/api"
)

// docs/queries.md, Long selections: responses stay short however many values a caller gives that the
// dataset does not have. The first ones are named, the others counted.
func TestManyUnknownValues(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t)})) + "/api/datasets/1/data"
	values := make([]string, 0, 30_000)
	for i := range cap(values) {
		values = append(values, fmt.Sprintf("no%d", i))
	}
	for _, parameter := range []string{"country", "not.country", "within", "dim1", "not.dim1"} {
		t.Run(parameter, func(t *testing.T) {
			given := values
			if parameter == "within" {
				given = values[:1000] // its bound
			}
			body, err := json.Marshal(map[string]any{parameter: given, "period": "2005"})
			if err != nil {
				t.Fatal(err)
			}
			want := fmt.Sprintf("%d more values are not named here", len(given)-50)
			got := send(t, "POST", base, string(body), "Content-Type: application/json")
			if got.StatusCode != 200 || len(got.body) > 100_000 || !strings.Contains(got.body, want) || !strings.Contains(got.body, `"no49"`) || strings.Contains(got.body, `"no50"`) {
				t.Errorf("%d, %d bytes: %.300s", got.StatusCode, len(got.body), got.body)
			}
			got = send(t, "POST", base, string(body), "Content-Type: application/json", "Accept: text/csv")
			said := strings.Join(got.Header["X-Notice"], "\n")
			if got.StatusCode != 200 || len(said) > 2100 || !strings.Contains(said, "no0") || !strings.Contains(said, "more notices are in the response as JSON") {
				t.Errorf("CSV: %d, notices %s", got.StatusCode, said)
			}
		})
	}
	t.Run("within", func(t *testing.T) {
		body, _ := json.Marshal(map[string]any{"within": values})
		wantError(t, send(t, "POST", base, string(body), "Content-Type: application/json"), 400)
	})
	t.Run("known values without data", func(t *testing.T) {
		for range 300 {
			values = append(values, "DE", "FR")
		}
		body, _ := json.Marshal(map[string]any{"country": values[30_000:], "period": "1805"})
		if got := send(t, "POST", base, string(body), "Content-Type: application/json"); got.StatusCode != 200 || len(got.body) > 3000 {
			t.Errorf("%d, %d bytes: %.300s", got.StatusCode, len(got.body), got.body)
		}
	})
	t.Run("a long value", func(t *testing.T) {
		body, _ := json.Marshal(map[string]any{"country": strings.Repeat("é", 100_000)})
		got := send(t, "POST", base, string(body), "Content-Type: application/json", "Accept: text/csv")
		if got.StatusCode != 200 || len(strings.Join(got.Header["X-Notice"], "")) > 4000 {
			t.Errorf("%d, %d bytes of notices", got.StatusCode, len(strings.Join(got.Header["X-Notice"], "")))
		}
	})
}
