package worldbank

import (
	"testing"
)

// FuzzList checks that reading any response ends, with valid counts or an error.
func FuzzList(f *testing.F) {
	f.Add([]byte(`[{"page":1,"pages":1,"per_page":"50","total":1},[{"id":"A","name":"a","source":{"id":"2","value":"W"},"topics":[{},{"value":"t"}]}]]`))
	f.Add([]byte(`[{"message":[{"id":"120","key":"Invalid value","value":"no"}]}]`))
	f.Add([]byte(`[{"page":1},null]`))
	f.Add([]byte(`[{"page":1,"pages":-1,"per_page":1,"total":1e9},[[[[`))
	f.Fuzz(func(t *testing.T, body []byte) {
		entries := 0
		h, err := readList(body, func(e listEntry) error {
			entries++
			_ = e.entry(nil)
			return nil
		})
		if err == nil && (h.page < 0 || h.pages < 0 || h.total < 0 || entries > len(body)) {
			t.Errorf("%+v, %d entries", h, entries)
		}
	})
}
