package source

import (
	"bytes"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"strings"
	"testing"
)

// FuzzWorldbankList checks that reading any response ends, with valid counts or an error.
func FuzzWorldbankList(f *testing.F) {
	f.Add([]byte(`[{"page":1,"pages":1,"per_page":"50","total":1},[{"id":"A","name":"a","source":{"id":"2","value":"W"},"topics":[{},{"value":"t"}]}]]`))
	f.Add([]byte(`[{"message":[{"id":"120","key":"Invalid value","value":"no"}]}]`))
	f.Add([]byte(`[{"page":1},null]`))
	f.Add([]byte(`[{"page":1,"pages":-1,"per_page":1,"total":1e9},[[[[`))
	f.Fuzz(func(t *testing.T, body []byte) {
		entries := 0
		h, err := readWorldbankList(body, func(e worldbankEntry) error {
			entries++
			_ = e.entry(nil)
			return nil
		})
		if err == nil && (h.page < 0 || h.pages < 0 || h.total < 0 || entries > len(body)) {
			t.Errorf("%+v, %d entries", h, entries)
		}
	})
}

// FuzzGhoPage checks the same for a page of records.
func FuzzGhoPage(f *testing.F) {
	f.Add([]byte(`{"@odata.context":"x","value":[{"Id":1,"Dim1Type":"SEX"},{}],"@odata.nextLink":"y"}`))
	f.Add([]byte(`{"value":null}`))
	f.Add([]byte(`{"value":[1,"a",[{"value":[]}]],"value":[]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		in := newStream(bytes.NewReader(body))
		page, err := in.ghoPage(in.skip)
		if err == nil && page.records > len(body) {
			t.Errorf("%+v", page)
		}
	})
}

// FuzzDbnomics checks the same for a list and for a page of series.
func FuzzDbnomics(f *testing.F) {
	f.Add([]byte(`{"datasets":{"docs":[{"code":"A","name":null,"nb_series":5,"dimensions_codes_order":["a"]}],"num_found":1}}`))
	f.Add([]byte(`{"dataset":{"indexed_at":"2023-06-08T14:45:21.851Z"},"series":{"docs":[{"a":[1,2]}],"num_found":7,"offset":0}}`))
	f.Add([]byte(`{"series":null}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		found, err := readDbnomicsList(body, "datasets", func(d dbnomicsDoc) error {
			_ = d.updated()
			return nil
		})
		_, _ = found, err
		if page, err := newStream(bytes.NewReader(body)).dbnomicsPage(); err == nil && (page.found < 0 || page.series > len(body)) {
			t.Errorf("%+v", page)
		}
	})
}

// FuzzDbnomicsRef checks that the code of a part parses as the same part.
func FuzzDbnomicsRef(f *testing.F) {
	f.Add("CEPII/CHELEM-TRADE-CHEL?exporter=FRA,DEU&secgroup=TOT")
	f.Add("A/B?a=1%2C2&b=x+y&a=3")
	f.Add("A/B?=")
	f.Fuzz(func(t *testing.T, code string) {
		ref, err := readDbnomicsRef(code)
		if err != nil {
			return
		}
		again := ref
		if len(ref.part) > 0 {
			again, err = readDbnomicsRef(ref.provider + "/" + ref.code())
		}
		if err != nil || !reflect.DeepEqual(ref, again) || ref.code() != again.code() {
			t.Errorf("%q: got %+v, whose code %q parses as %+v (%v)", code, ref, ref.code(), again, err)
		}
	})
}

// TestStreamBounds checks that an endless value is an error, and that a list of a
// million entries takes little memory.
func TestStreamBounds(t *testing.T) {
	endless := io.MultiReader(strings.NewReader(`{"value":[{"Dim1Type":"`), zeros{})
	in := newStream(endless)
	if page, err := in.ghoPage(func() error { return in.Decode(&ghoRecordTypes{}) }); err == nil || !strings.Contains(err.Error(), "larger than 16 MiB") {
		t.Errorf("%+v, %v", page, err)
	}
	million := &entries{left: 1_000_000}
	in = newStream(million)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	page, err := in.ghoPage(in.skip)
	runtime.GC()
	runtime.ReadMemStats(&after)
	if err != nil || page.records != 1_000_000 || after.HeapAlloc > before.HeapAlloc+16<<20 {
		t.Errorf("%+v, %v, %d MiB more", page, err, (int64(after.HeapAlloc)-int64(before.HeapAlloc))>>20)
	}
}

// zeros is an endless text of zeros.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '0'
	}
	return len(p), nil
}

// entries is a list of indicators that is generated while it is read.
type entries struct {
	left int
	text []byte
	done bool
}

func (e *entries) Read(p []byte) (int, error) {
	if len(e.text) == 0 {
		switch {
		case e.done:
			return 0, io.EOF
		case e.left == 1_000_000:
			e.text = []byte(`{"value":[{}`)
			e.left--
		case e.left > 0:
			e.text = fmt.Appendf(nil, `,{"IndicatorCode":"C%d"}`, e.left)
			e.left--
		default:
			e.text, e.done = []byte(`]}`), true
		}
	}
	n := copy(p, e.text)
	e.text = e.text[n:]
	return n, nil
}
