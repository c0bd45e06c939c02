package bar

import (
	"math"
	"slices"

	"almanac/internal/chart/colour"
	"almanac/internal/chart/layout/bartable"
	"almanac/internal/chart/scene"
)

// edgePen is the width of the upper edge of steps.
const edgePen = 1.5

// stepRun is a run of neighbouring values of one series with the same look.
type stepRun struct {
	look  bartable.Look
	edge  scene.Outline // along the values
	first float64       // left end
	last  float64       // right end
}

// drawSteps fills the area below a single series whose bars would be too thin to see.
// Each value is as wide as its period, without gaps. The fill is light, and the grid is
// drawn over it, because it would hide the grid. Several series would hide each other, so
// they have edges only.
func (c *columns) drawSteps() {
	if len(c.t.Series) > 1 {
		return
	}
	values := c.lines[0]
	for _, run := range c.stepRuns(0) {
		area := &scene.Outline{Ops: slices.Clone(run.edge.Ops), Points: slices.Clone(run.edge.Points)}
		area.LineTo(run.last, c.scale.Zero)
		area.LineTo(run.first, c.scale.Zero)
		area.Close()
		fill := run.look.Fill
		fill.Colour = lightened(fill.Colour)
		c.Scene.Add(&scene.Path{Tag: scene.Tag{Role: scene.Series, Name: run.look.Name, Values: values}, Outline: area, Fill: fill})
	}
}

// lightened returns the lightest tint of a colour that is visible on white.
func lightened(c colour.RGB) colour.RGB {
	for part := .05; ; part += .05 {
		light := colour.Mix(c, colour.White, part)
		if part > 1 || colour.Contrast(light, colour.White) < colour.MarkContrast {
			return colour.Mix(c, colour.White, part-.05)
		}
	}
}

// drawStepEdges draws the edges of the steps over the grid.
func (c *columns) drawStepEdges() {
	for k := range c.t.Series {
		for _, run := range c.stepRuns(k) {
			tag := scene.Tag{Role: scene.Series, Name: run.look.Name, Values: c.lines[k]}
			pen := scene.Pen{Colour: colour.Visible(run.look.Fill.Colour), Width: edgePen}
			c.Scene.Add(&scene.Path{Tag: tag, Outline: &run.edge, Pen: pen})
		}
	}
}

// stepRuns returns the steps of a series, split where a period has no value and where a
// forecast or the latest value begins.
func (c *columns) stepRuns(series int) []*stepRun {
	var runs []*stepRun
	var run *stepRun
	before := -1
	for i, g := range c.t.Groups {
		v := g.Values[series]
		if math.IsNaN(v) {
			continue
		}
		y, half := c.scale.At(v), max(c.slot, thinnest)/2
		left, right := c.centre[i]-half, c.centre[i]+half
		near := before >= 0 && c.centre[i]-c.centre[before] < c.slot*1.5
		if near {
			left = (c.centre[i] + c.centre[before]) / 2
		}
		left = c.edgeOf(left)
		if !near || !c.lookAlike(before, i, series) {
			run = &stepRun{look: c.stepLook(i, series), first: left}
			runs = append(runs, run)
			run.edge.MoveTo(left, y)
		} else {
			run.edge.LineTo(left, y)
		}
		if i+1 < len(c.centre) {
			right = min(right, (c.centre[i]+c.centre[i+1])/2)
		}
		right = c.edgeOf(right)
		run.edge.LineTo(right, y)
		run.last, before = right, i
	}
	return runs
}

// edgeOf aligns the edge of a step to a whole pixel if steps are wide enough.
func (c *columns) edgeOf(x float64) float64 {
	if c.slot*c.Scene.Scale < 2 {
		return x
	}
	return c.Snap(x)
}

// lookAlike reports whether two values of a series have the same look.
func (c *columns) lookAlike(i, j, series int) bool {
	forecast := c.t.Groups[i].Forecast[series] == c.t.Groups[j].Forecast[series]
	return forecast && (i == c.latest()) == (j == c.latest())
}

// stepLook returns the look of the step of a value, with the name of its series.
func (c *columns) stepLook(group, series int) bartable.Look {
	look := c.t.LookOf(group, series)
	look.Name = c.t.Series[series].Name
	if len(c.t.Series) == 1 && group == c.latest() {
		look = look.InRed()
	}
	return look
}
