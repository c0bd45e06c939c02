package chart_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/chart"
	"almanac/internal/request"
	"almanac/internal/store"
)

// In gives the Spec that New makes with the options of the look, for the lines of all cases of TestSpecs.
func TestLookOfLines(t *testing.T) {
	looks := []chart.Look{
		{Width: 720, Height: 420, Plain: true, Theme: "light", Background: "transparent"},
		{Width: 360, Height: 340, Plain: true, Theme: "light", Background: "transparent"},
		{Width: 200, Height: 150, Theme: "dark", Background: "#000"},
	}
	files, err := filepath.Glob("testdata/specs/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		parts := strings.Split(strings.TrimSpace(string(text)), "\n\n")
		v := vintageOf(t, parts[0])
		for _, part := range parts[1:] {
			question, _, _ := strings.Cut(part, "\n----\n")
			_, body, _ := strings.Cut(question, "\n")
			usual := specIn(v, body, nil)
			if usual == nil {
				continue // an error
			}
			for _, look := range looks {
				want := specIn(v, body, &look)
				got, ok := usual.In(look)
				if ok != (usual.Type == chart.Line) {
					t.Errorf("%s: ok is %t for a chart of type %s", question, ok, usual.Type)
				}
				if !ok || want == nil {
					continue
				}
				lines++
				gotText, _ := got.Encode()
				wantText, _ := want.Encode()
				if string(gotText) != string(wantText) {
					t.Errorf("%s: %+v\ngot:  %s\nwant: %s", question, look, gotText, wantText)
				}
			}
		}
	}
	if lines < 100 {
		t.Errorf("only %d pictures of lines were compared", lines)
	}
}

// specIn returns the Spec of a request in a look, nil: as the request says. It is nil if the request is an error.
func specIn(v *store.Vintage, body string, look *chart.Look) *chart.Spec {
	c, err := request.ReadChart([]byte(`{"datasetId": 1, ` + strings.TrimPrefix(body, "{")))
	if err != nil {
		return nil
	}
	if look != nil {
		o := &c.Options
		o.Width, o.Height, o.Plain, o.Theme, o.Background = look.Width, look.Height, look.Plain, look.Theme, look.Background
	}
	s, _, err := request.Spec(context.Background(), v, c)
	if err != nil {
		return nil
	}
	return s
}
