package render

import "almanac/internal/chart/scene"

// hatches writes a pattern for each hatch of the scene.
func (d *svg) hatches(s *scene.Scene) {
	seen := map[string]bool{}
	for _, m := range s.Marks {
		f := fillOf(m)
		if !hatched(f) || seen[hatchID(f)] {
			continue
		}
		if len(seen) == 0 {
			d.out.WriteString("<defs>\n")
		}
		seen[hatchID(f)] = true
		d.pattern(f)
	}
	if len(seen) > 0 {
		d.out.WriteString("</defs>\n")
	}
}

func (d *svg) pattern(f scene.Fill) {
	d.out.WriteString("<pattern")
	d.text("id", hatchID(f))
	d.length("width", f.Hatch.Spacing)
	d.length("height", f.Hatch.Spacing)
	d.text("patternUnits", "userSpaceOnUse")
	d.text("patternTransform", "rotate(45)")
	d.out.WriteString(">")
	if f.On {
		d.out.WriteString("<rect")
		d.length("width", f.Hatch.Spacing)
		d.length("height", f.Hatch.Spacing)
		d.text("fill", hex(f.Colour))
		d.out.WriteString("/>")
	}
	d.out.WriteString("<line")
	d.length("x1", f.Hatch.Spacing/2)
	d.length("x2", f.Hatch.Spacing/2)
	d.length("y2", f.Hatch.Spacing)
	d.text("stroke", hex(f.Hatch.Colour))
	d.length("stroke-width", f.Hatch.Width)
	d.out.WriteString("/></pattern>\n")
}

func fillOf(m scene.Mark) scene.Fill {
	switch m := m.(type) {
	case *scene.Rect:
		return m.Fill
	case *scene.Circle:
		return m.Fill
	case *scene.Path:
		return m.Fill
	}
	return scene.Fill{}
}

// hatched reports whether a fill has hatch lines that can be drawn.
func hatched(f scene.Fill) bool {
	return f.Hatch != nil && f.Hatch.Width > 0 && f.Hatch.Spacing > 0 && inRange(1, f.Hatch.Width, f.Hatch.Spacing)
}

// hatchID names a pattern by its look: "hatch-c0c0c0-f2f2f2-0.8-4".
func hatchID(f scene.Fill) string {
	ground := "none"
	if f.On {
		ground = hex(f.Colour)[1:]
	}
	return "hatch-" + hex(f.Hatch.Colour)[1:] + "-" + ground + "-" + short(f.Hatch.Width) + "-" + short(f.Hatch.Spacing)
}
