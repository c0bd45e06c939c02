package atlas

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"almanac/internal/chart/scene"
)

func svgPath(o *scene.Outline) string {
	var b strings.Builder
	i := 0
	for _, op := range o.Ops {
		switch op {
		case scene.MoveTo:
			fmt.Fprintf(&b, "M%.2f %.2f", o.Points[i].X, o.Points[i].Y)
			i++
		case scene.LineTo:
			fmt.Fprintf(&b, "L%.2f %.2f", o.Points[i].X, o.Points[i].Y)
			i++
		case scene.Close:
			b.WriteString("Z")
		}
	}
	return b.String()
}

func TestDump(t *testing.T) {
	dir := os.Getenv("DUMP")
	if dir == "" {
		t.Skip()
	}
	start := time.Now()
	theWorld()
	t.Log("load", time.Since(start))
	for _, r := range []Region{World, Europe, Asia, Africa, NorthAmerica, SouthAmerica, Oceania} {
		for _, size := range [][2]float64{{1200, 675}, {300, 200}, {4096, 2304}, {600, 900}} {
			w, h := size[0], size[1]
			a := Ask{Region: r, Box: scene.Box{X: 10, Y: 10, W: w - 20, H: h - 20}, Pixels: 1}
			start := time.Now()
			v := Lay(a)
			d := time.Since(start)
			start = time.Now()
			Lay(a)
			t.Logf("%-14s %4.0f %d shapes, %d points, %d border points, %v, warm %v", r, w, len(v.Shapes), v.size(), len(v.Borders.Points), d, time.Since(start))
			var b strings.Builder
			fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%g" height="%g"><rect width="100%%" height="100%%" fill="white"/>`, w, h)
			if v.Sphere != nil {
				fmt.Fprintf(&b, `<path d="%s" fill="#eef4f8"/>`, svgPath(v.Sphere))
			}
			cols := []string{"#8dd3c7", "#ffd97a", "#bebada", "#fb8072", "#80b1d3", "#fdb462", "#b3de69", "#fccde5"}
			for i, s := range v.Shapes {
				c := cols[(i*5)%8]
				if s.Around {
					c = "#dddddd"
				}
				fmt.Fprintf(&b, `<path d="%s" fill="%s"><title>%s</title></path>`, svgPath(s.Outline), c, s.Name)
			}
			fmt.Fprintf(&b, `<path d="%s" fill="none" stroke="white" stroke-width=".7"/>`, svgPath(v.Borders))
			fmt.Fprintf(&b, `<path d="%s" fill="none" stroke="#333" stroke-width=".8" stroke-dasharray="3 2"/>`, svgPath(v.Disputed))
			for _, s := range v.Shapes {
				if s.Around {
					continue
				}
				if s.Extent < 9 {
					fmt.Fprintf(&b, `<circle cx="%.1f" cy="%.1f" r="3" fill="none" stroke="red"/>`, s.X, s.Y)
				} else {
					fmt.Fprintf(&b, `<ellipse cx="%.1f" cy="%.1f" rx="%.1f" ry="%.1f" fill="none" stroke="#00000055" stroke-width=".5"/>`, s.X, s.Y, s.RX, s.RY)
				}
			}
			b.WriteString("</svg>")
			name := string(r)
			if name == "" {
				name = "world"
			}
			os.WriteFile(fmt.Sprintf("%s/%s-%.0f.svg", dir, name, w), []byte(b.String()), 0o644)
		}
	}
}
