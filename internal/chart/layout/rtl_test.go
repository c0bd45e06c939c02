package layout

import (
	"testing"

	"almanac/internal/chart/scene"
)

// What is mirrored twice is as it was.
func TestMirrorTwice(t *testing.T) {
	outline := &scene.Outline{}
	outline.MoveTo(1, 2)
	outline.LineTo(3, 4)
	sc := &scene.Scene{Width: 100}
	sc.Add(&scene.Rect{X: 10, W: 5}, &scene.Line{X1: 1, Y1: 2, X2: 3, Y2: 4}, &scene.Circle{X: 7}, &scene.Path{Outline: outline}, &scene.Text{X: 20, Anchor: scene.Start})
	for _, m := range sc.Marks {
		mirrorMark(m, sc.Width)
	}
	if r, text := sc.Marks[0].(*scene.Rect), sc.Marks[4].(*scene.Text); r.X != 85 || text.X != 80 || text.Anchor != scene.End {
		t.Errorf("mirrored: %+v %+v", r, text)
	}
	for _, m := range sc.Marks {
		mirrorMark(m, sc.Width)
	}
	line, path := sc.Marks[1].(*scene.Line), sc.Marks[3].(*scene.Path)
	if line.X1 != 1 || line.Y1 != 2 || line.X2 != 3 || path.Outline.Points[1] != (scene.Point{X: 3, Y: 4}) || sc.Marks[2].(*scene.Circle).X != 7 {
		t.Errorf("mirrored twice: %+v %+v", line, path.Outline)
	}
}
