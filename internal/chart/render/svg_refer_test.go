package render_test

import (
	"strings"
	"testing"

	"almanac/internal/chart/render"
	"almanac/internal/chart/scene"
)

// In a page, texts, further marks and rows of bars say which element has their values.
func TestReferences(t *testing.T) {
	values := &scene.Values{Values: []float64{1, 2, 3}}
	bar := &scene.Datum{Name: "France", Value: 4}
	other := &scene.Datum{Name: "Spain", Value: 5}
	slot := &scene.Slot{Box: scene.Box{X: 1, Y: 2, W: 30, H: 40}, Data: []*scene.Datum{bar, nil, other}}
	line := func() *scene.Line {
		return &scene.Line{Tag: scene.Tag{Role: scene.Series, Name: "A", Values: values}, X2: 5, Y2: 5, Pen: scene.Pen{Width: 1}}
	}
	rect := func(d *scene.Datum) *scene.Rect {
		return &scene.Rect{Tag: scene.Tag{Role: scene.Series, Name: d.Name, Datum: d}, W: 5, H: 5, Fill: scene.Solid(red)}
	}
	text := func(t scene.Tag) *scene.Text { return &scene.Text{Tag: t, Text: "text", Size: 10} }
	s := canvas(
		line(), rect(bar), line(), rect(other), rect(bar),
		text(scene.Tag{Role: scene.SeriesName, Name: "A", Values: values}), text(scene.Tag{Role: scene.Value, Name: "Spain", Datum: other}),
		text(scene.Tag{Role: scene.Category, Name: "Both", Slot: slot}), text(scene.Tag{Role: scene.Value, Name: "None", Datum: &scene.Datum{}}),
	)
	s.Slots = []*scene.Slot{slot, {Data: []*scene.Datum{nil}}}
	var page, picture strings.Builder
	if err := render.SmallSVG(&page, s, render.Limits{Bytes: 1e6, Values: 100, NoTitles: true, Packed: true}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`<g class="series" data-of="0">`, `<rect class="series" data-of="1" x=`, `<text class="series-name" data-of="0" x=`, `<text class="value" data-of="2" x=`,
		`<text class="category" data-of="1 2" x=`, `<text class="value" data-name="None" x=`, `<g class="slots" data-slots="1 2 30 40 1 2"/>`,
	} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page lacks %s:\n%s", want, page.String())
		}
	}
	if err := render.SVG(&picture, s); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(picture.String(), "data-of") || strings.Contains(picture.String(), "slots") || !strings.Contains(picture.String(), `<text class="value" data-name="Spain" x=`) {
		t.Errorf("a picture has what only a page needs:\n%s", picture.String())
	}
}
