package api_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// chartAnswer is the answer to a chart request.
type chartAnswer struct {
	Success bool
	Base64  string
	URL     string
	Alt     string
	Notices []struct {
		Parameter, Value, Message string
		Nearest                   []string
	}
}

// chartIn reads the answer to a chart request that was accepted.
func chartIn(t testing.TB, got answer) chartAnswer {
	t.Helper()
	var c chartAnswer
	if err := json.Unmarshal([]byte(got.body), &c); err != nil || got.StatusCode != 200 || !c.Success {
		t.Fatalf("%d %.300s", got.StatusCode, got.body)
	}
	return c
}

// pathOf is the path of the picture that an answer names.
func pathOf(t testing.TB, got answer) string {
	t.Helper()
	_, path, ok := strings.Cut(chartIn(t, got).URL, "/charts/")
	if !ok {
		t.Fatalf("the url is no address of a chart: %s", chartIn(t, got).URL)
	}
	return "/charts/" + path
}
