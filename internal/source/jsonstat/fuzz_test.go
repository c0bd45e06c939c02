package jsonstat

import (
	"bytes"
	"testing"

	"almanac/internal/source"
)

// Reading any text as a collection ends.
func FuzzCollection(f *testing.F) {
	f.Add([]byte(`{"class": "collection", "link": {"item": [{"class": "dataset", "href": "a.json", "label": "A", "extension": {"matrix": "A"}}]}}`))
	f.Add([]byte(`{"link": {"item": [`))
	f.Add([]byte(`{"a": {"link": 1}, "link": {"self": [], "item": [null, 1]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		s := server{Office: source.Office{Data: "https://x.example/{code}/2.0"}}
		yielded := 0
		_ = readItems(bytes.NewReader(text), func(item linkItem) error {
			if yielded++; yielded > len(text)+1 {
				t.Fatal("got more items than bytes")
			}
			if e, ok := s.entry(item, "https://x.example/list"); ok && e.Code == "" {
				t.Errorf("%+v", e)
			}
			return nil
		})
	})
}
