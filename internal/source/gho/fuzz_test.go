package gho

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"almanac/internal/source/jsonstream"
)

// FuzzPage checks the same for a page of records.
func FuzzPage(f *testing.F) {
	f.Add([]byte(`{"@odata.context":"x","value":[{"Id":1,"Dim1Type":"SEX"},{}],"@odata.nextLink":"y"}`))
	f.Add([]byte(`{"value":null}`))
	f.Add([]byte(`{"value":[1,"a",[{"value":[]}]],"value":[]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		in := jsonstream.New(bytes.NewReader(body))
		page, err := readPage(in, in.Skip)
		if err == nil && page.records > len(body) {
			t.Errorf("%+v", page)
		}
	})
}

// TestStreamBounds checks that an endless value is an error, and that a list of a
// million entries takes little memory.
func TestStreamBounds(t *testing.T) {
	endless := io.MultiReader(strings.NewReader(`{"value":[{"Dim1Type":"`), zeros{})
	in := jsonstream.New(endless)
	if page, err := readPage(in, func() error { return in.Decode(&recordTypes{}) }); err == nil || !strings.Contains(err.Error(), "larger than 16 MiB") {
		t.Errorf("%+v, %v", page, err)
	}
	million := &entries{left: 1_000_000}
	in = jsonstream.New(million)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	page, err := readPage(in, in.Skip)
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
