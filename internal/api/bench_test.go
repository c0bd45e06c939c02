package api_test

import (
	"net/http"
	"strings"
	"testing"

	"almanac/internal/access"
	"almanac/internal/api"
)

// discardWriter is a ResponseWriter that discards everything.
type discardWriter struct{ header http.Header }

func (w *discardWriter) Header() http.Header         { return w.header }
func (w *discardWriter) Write(b []byte) (int, error) { return len(b), nil }
func (w *discardWriter) WriteHeader(int)             {}
func (w *discardWriter) Flush()                      {}

// BenchmarkHandler measures the handlers without net/http, for each kind of request.
func BenchmarkHandler(b *testing.B) {
	s := newStore(b)
	load(b, s, "large.csv", strings.NewReader(formsTable()))
	a := newAPI(b, api.Options{Store: s})
	etag := func(path string) string {
		w := &discardWriter{http.Header{}}
		r, _ := http.NewRequest("GET", path, nil)
		a.ServeHTTP(w, r)
		return w.header.Get("ETag")
	}
	const series = "/api/datasets/1/data?dim1=item+77&country=France&country=Germany&country=Italy&country=Spain&country=Poland&period_from=2000&period_to=2019"
	for _, c := range []struct{ name, path, etag string }{
		{"series", series, ""},
		{"series-304", series, etag(series)},
		{"latest", "/api/datasets/1/latest", ""},
		{"latest of a series", "/api/datasets/1/latest?dim1=item+77", ""},
		{"meta", "/api/datasets/1/meta", ""},
		{"catalog", "/api/datasets", ""},
		{"whole", "/api/datasets/1", ""},
		{"spark", "/api/datasets/1/chart.svg?type=spark", ""},
	} {
		b.Run(c.name, func(b *testing.B) {
			r, err := http.NewRequest("GET", c.path, nil)
			if err != nil {
				b.Fatal(err)
			}
			if c.etag != "" {
				r.Header.Set("If-None-Match", c.etag)
			}
			b.ReportAllocs()
			for b.Loop() {
				a.ServeHTTP(&discardWriter{http.Header{}}, r)
			}
		})
	}
}

// BenchmarkWhole measures the encoding of a whole dataset, in observations.
func BenchmarkWhole(b *testing.B) {
	s := newStore(b)
	load(b, s, "large.csv", strings.NewReader(largeTable(2000)))
	a := newAPI(b, api.Options{Store: s})
	r, err := http.NewRequest("GET", "/api/datasets/1", nil)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		a.ServeHTTP(&discardWriter{http.Header{}}, r)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(2000*40), "ns/observation")
}

// BenchmarkAdmission measures a small response by kind of caller.
func BenchmarkAdmission(b *testing.B) {
	s := newStore(b)
	load(b, s, "large.csv", strings.NewReader(largeTable(2)))
	free := newAccess(b, access.Limits{Anonymous: access.Unlimited, Essential: 1 << 30, Pro: access.Unlimited}, nil)
	a := newAPI(b, api.Options{Store: s, Access: free})
	for _, c := range []struct{ name, key string }{
		{"anonymous", ""},
		{"pro", newKey(b, free, "newsroom", access.Pro)},
		{"essential", newKey(b, free, "desk", access.Essential)},
	} {
		b.Run(c.name, func(b *testing.B) {
			r, err := http.NewRequest("GET", "/api/datasets/1/meta", nil)
			if err != nil {
				b.Fatal(err)
			}
			r.RemoteAddr = "192.0.2.7:4711"
			if c.key != "" {
				r.Header.Set("X-API-Key", c.key)
			}
			b.ReportAllocs()
			for b.Loop() {
				a.ServeHTTP(&discardWriter{http.Header{}}, r)
			}
		})
	}
}
