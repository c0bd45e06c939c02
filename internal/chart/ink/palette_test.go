package ink

import (
	"fmt"
	"testing"
)

func (p *palette) report(c *canvas) string {
	worst, sum, n := 0, 0, 0
	for _, pt := range c.paints {
		for slot, e := range pt.mixed {
			if e == blank {
				continue
			}
			under, level := slot>>levelBits, slot&(levels-1)
			a, b, got := p.colours[under], p.colours[pt.entry], p.colours[e]
			for _, v := range [3][3]uint8{{a.R, b.R, got.R}, {a.G, b.G, got.G}, {a.B, b.B, got.B}} {
				want := (int(v[0])*(levels-1-level) + int(v[1])*level) / (levels - 1)
				d := max(want-int(v[2]), int(v[2])-want)
				worst = max(worst, d)
				sum += d
				n++
			}
		}
	}
	return fmt.Sprintf("entries %d mixes %d worst %d mean %.2f", p.n, n/3, worst, float64(sum)/float64(n))
}

func TestReport(t *testing.T) {
	for name, s := range Scenes {
		c, _ := draw(s)
		t.Log(name, c.palette.report(c))
	}
}
