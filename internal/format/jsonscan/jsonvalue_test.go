package jsonscan_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"almanac/internal/format"
	"almanac/internal/format/jsonscan"
	"almanac/internal/stat"
)

// TestJSONFile: values are read from their positions, forwards and backwards, and
// the positions of tokens are those in the whole file.
func TestJSONFile(t *testing.T) {
	long := strings.Repeat(" ", 200<<10)
	text := "{\"a\": [1,\n 2],\n" + long + "\"b\": 3, \"c\": {\"d\": 4}\n}"
	opened := 0
	in := format.Input{Again: func() (io.ReadCloser, error) {
		opened++
		return io.NopCloser(strings.NewReader(text)), nil
	}}
	places := map[string]stat.Position{}
	j := jsonscan.New(strings.NewReader(text))
	if _, err := j.Next(); err != nil {
		t.Fatal(err)
	}
	if err := j.Object(func(name string, value jsonscan.Token) error {
		places[name] = value.At
		return j.SkipRest(value)
	}); err != nil {
		t.Fatal(err)
	}
	f := jsonscan.NewFile(in.Again, in.Encoding)
	defer f.Close()
	for _, c := range []struct{ name, want string }{{"a", "1 2"}, {"b", "3"}, {"c", "d 4"}, {"a", "1 2"}} {
		j, token, err := f.From(places[c.name])
		if err != nil || token.At != places[c.name] {
			t.Errorf("%s is at %v, error %v; want %v", c.name, token.At, err, places[c.name])
		}
		got := []string{string(token.Text)}
		collect := func(value jsonscan.Token) error { got = append(got, string(value.Text)); return nil }
		switch token.Kind {
		case jsonscan.Array:
			err = j.Array(collect)
		case jsonscan.Object:
			err = j.Object(func(name string, value jsonscan.Token) error { got = append(got, name); return collect(value) })
		}
		if read := strings.TrimSpace(strings.Join(got, " ")); err != nil || read != c.want {
			t.Errorf("%s is %q, error %v; want %q", c.name, read, err, c.want)
		}
	}
	if opened != 4 { // each opening looks through the text once before
		t.Errorf("the file was opened %d times; it must be opened again only to go backwards", opened)
	}
	if _, _, err := f.From(stat.Position{Line: 99, Column: 1}); stat.KindOf(err) != stat.Refused {
		t.Errorf("a position past the end: %v", err)
	}
}

// TestUntil: reading ends when its context is done.
func TestUntil(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	in := format.Input{Again: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("[1]")), nil }}.Until(ctx)
	cancel()
	file, err := in.Again()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(file); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestJSONFieldTwice: two fields of one name are refused.
func TestJSONFieldTwice(t *testing.T) {
	j := jsonscan.New(strings.NewReader(`{"a":1,"a":2}`))
	if _, err := j.Next(); err != nil {
		t.Fatal(err)
	}
	err := j.Object(func(string, jsonscan.Token) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "1:8: ") {
		t.Error(err)
	}
}
