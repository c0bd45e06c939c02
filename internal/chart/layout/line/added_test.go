package line

import (
	"errors"
	"testing"

	"almanac/internal/chart"
	"almanac/internal/chart/scene"
)

// Between the label of a reference line and its line there is never another reference line.
func TestLabelsOfNearReferences(t *testing.T) {
	for _, labels := range []map[string]string{
		{"3.6": "Average", "3.7": "Target"},
		{"3.6": "Average", "3.7": "Target", "4.4": "Limit"},
		{"3": "Average", "4": "Target"},
	} {
		s := fourLines()
		s.Lines = &chart.Lines{}
		if err := s.Lines.SetReferences(labels); err != nil {
			t.Fatal(err)
		}
		sc := picture(s)
		lines, texts := map[string]float64{}, map[string]scene.Box{}
		for _, m := range sc.Marks {
			switch m := m.(type) {
			case *scene.Line:
				if m.Role == scene.Reference {
					lines[m.Name] = m.Y1
				}
			case *scene.Text:
				if m.Role == scene.Reference {
					texts[m.Text] = m.Box()
				}
			}
		}
		for name, y := range lines {
			box, ok := texts[name]
			middle := box.Y + box.H/2
			if !ok {
				t.Errorf("%v: no label of %s", labels, name)
			}
			for other, at := range lines {
				if other != name && at > min(y, middle) && at < max(y, middle) {
					t.Errorf("%v: %s is between %s and its label", labels, other, name)
				}
			}
		}
	}
}

// Labels of spans and remarks stay in the picture, also if they are wider than it.
func TestWideLabels(t *testing.T) {
	const long = "A note of eighty letters that says much more than anybody would want to read"
	s := fourLines()
	s.Width, s.Height, s.Lines = 250, 300, &chart.Lines{}
	first, last := s.Periods[0], s.Periods[len(s.Periods)-1]
	if err := errors.Join(s.Lines.SetSpans(map[string]string{first.String() + ".." + last.String(): long}), s.Lines.SetRemarks(map[string]string{last.String(): long})); err != nil {
		t.Fatal(err)
	}
	sc, n := picture(s), 0
	for _, m := range sc.Marks {
		if text, ok := m.(*scene.Text); ok && text.Role == scene.Remark {
			n++
			if box := text.Box(); box.X < 0 || box.X+box.W > sc.Width {
				t.Errorf("%q runs from %v to %v in a picture %v wide", text.Text, box.X, box.X+box.W, sc.Width)
			}
		}
	}
	if n != 2 {
		t.Errorf("%d labels, want 2", n)
	}
}
