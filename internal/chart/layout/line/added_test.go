package line

import (
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
