package api_test

import (
	"bytes"
	"fmt"
	"net/url"
	"strconv"
	"testing"

	"almanac/internal/api"
	"almanac/internal/chart"
	"almanac/internal/encode/json"
	"almanac/internal/request"
)

// The value of a response is what the response is written from; a response that is an error is written.
func TestValues(t *testing.T) {
	a := newAPI(t, api.Options{Store: sampleStore(t)})
	base := serve(t, a)
	value := func(address string) (any, string, int) {
		t.Helper()
		var refused bytes.Buffer
		got, status, err := a.LocalCall().Value(t.Context(), address, &refused)
		if err != nil {
			t.Fatal(err)
		}
		return got, refused.String(), status
	}
	for _, query := range []string{"", "?coverage=true", "?country=DE&coverage=true&lang=de", "?country=Atlantis&coverage=true", "?period=1066"} {
		address := "/api/datasets/1/availability" + query
		got, refused, status := value(address)
		left, ok := got.(*request.Left)
		if !ok || refused != "" || status != 200 {
			t.Fatalf("%s: %T, %d, %s", address, got, status, refused)
		}
		var w json.Writer
		w.Send = func() error { return nil }
		if err := w.Availability(left.Dataset, left.Availability); err != nil {
			t.Fatal(err)
		}
		if body := ask(t, "GET", base+address).body; !bytes.HasPrefix([]byte(body), w.Buf) || (len(left.Notices) > 0) != bytes.Contains([]byte(body), []byte(`"notices"`)) {
			t.Errorf("%s: the value is %s, %v; want %s", address, w.Buf, left.Notices, body)
		}
	}
	got, _, _ := value("/api/datasets/1/chart.json?type=line&country=DE&country=FR&lang=fr")
	described := ask(t, "GET", base+"/api/datasets/1/chart.json?type=line&country=DE&country=FR&lang=fr").body
	if s := got.(*chart.Spec); !bytes.Contains([]byte(described), strconv.AppendQuote(nil, s.Describe().Title)) {
		t.Errorf("the value is %+v; want %s", s.Describe(), described)
	}
	for _, address := range []string{"/api/datasets/1/availability?x=y", "/api/datasets/77/availability", "/api/datasets/1/chart.json?type=cake", "/api/datasets/1/chart.json?type=line&country=Atlantis"} {
		got, refused, status := value(address)
		if want := ask(t, "GET", base+address); got != nil || status != want.StatusCode || status < 400 || refused != want.body {
			t.Errorf("%s: %v, %d, %s; want %d, %s", address, got, status, refused, want.StatusCode, want.body)
		}
	}
}

// A chart of lines is drawn in several looks as it is drawn at an address with their parameters. What other charts show depends on
// their size.
func TestPicturesInLooks(t *testing.T) {
	a := newAPI(t, api.Options{Store: sampleStore(t), CacheDir: t.TempDir()})
	base := serve(t, a)
	looks := []chart.Look{{Width: 720, Height: 420, Plain: true, Theme: "light", Background: "transparent"}, {Width: 360, Height: 340, Theme: "dark"}}
	for kind, isOnce := range map[string]bool{"line": true, "bar": false, "horizontal-bar": false, "map": false} {
		address := "/api/datasets/1/chart.%s?type=" + kind
		value, _, err := a.LocalCall().Value(t.Context(), fmt.Sprintf(address, "json"), &bytes.Buffer{})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // drawn, and from the cache
			pictures, ok, err := a.LocalCall().Pictures(t.Context(), value.(*chart.Spec), looks)
			if err != nil || ok != isOnce {
				t.Fatalf("%s: ok is %t, %v", kind, ok, err)
			}
			for i, picture := range pictures {
				look := url.Values{"width": {strconv.Itoa(looks[i].Width)}, "height": {strconv.Itoa(looks[i].Height)}, "plain": {strconv.FormatBool(looks[i].Plain)}, "theme": {looks[i].Theme}}
				if looks[i].Background != "" {
					look.Set("background", looks[i].Background)
				}
				if want := ask(t, "GET", base+fmt.Sprintf(address, "svg")+"&"+look.Encode()).body; string(picture) != want {
					t.Errorf("%s in %+v has %d bytes, want %d", kind, looks[i], len(picture), len(want))
				}
			}
		}
	}
}
