package dbnomics

import (
	"bytes"
	"reflect"
	"testing"

	"almanac/internal/source/jsonstream"
)

// FuzzPages checks the same for a list and for a page of series.
func FuzzPages(f *testing.F) {
	f.Add([]byte(`{"datasets":{"docs":[{"code":"A","name":null,"nb_series":5,"dimensions_codes_order":["a"]}],"num_found":1}}`))
	f.Add([]byte(`{"dataset":{"indexed_at":"2023-06-08T14:45:21.851Z"},"series":{"docs":[{"a":[1,2]}],"num_found":7,"offset":0}}`))
	f.Add([]byte(`{"series":null}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		found, err := readList(body, "datasets", func(d description) error {
			_ = d.updated()
			return nil
		})
		_, _ = found, err
		if page, err := readPage(jsonstream.New(bytes.NewReader(body))); err == nil && (page.found < 0 || page.series > len(body)) {
			t.Errorf("%+v", page)
		}
	})
}

// FuzzRef checks that the code of a part parses as the same part.
func FuzzRef(f *testing.F) {
	f.Add("CEPII/CHELEM-TRADE-CHEL?exporter=FRA,DEU&secgroup=TOT")
	f.Add("A/B?a=1%2C2&b=x+y&a=3")
	f.Add("A/B?=")
	f.Fuzz(func(t *testing.T, code string) {
		ref, err := parseRef(code)
		if err != nil {
			return
		}
		again := ref
		if len(ref.part) > 0 {
			again, err = parseRef(ref.provider + "/" + ref.code())
		}
		if err != nil || !reflect.DeepEqual(ref, again) || ref.code() != again.code() {
			t.Errorf("%q: got %+v, whose code %q parses as %+v (%v)", code, ref, ref.code(), again, err)
		}
	})
}
