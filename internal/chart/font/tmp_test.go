package font

import (
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"strings"
	"testing"

	"golang.org/x/image/vector"

	"almanac/internal/chart/scene"
)

func drawText(img draw.Image, x, y float64, text string, size, k float64, w scene.Weight) {
	for _, g := range Glyphs(text, size, w) {
		r := vector.NewRasterizer(img.Bounds().Dx(), img.Bounds().Dy())
		at := func(p scene.Point) (float32, float32) {
			return float32((x + g.X + p.X*size) * k), float32((y + g.Y + p.Y*size) * k)
		}
		i := 0
		for _, op := range g.Outline.Ops {
			switch op {
			case scene.MoveTo:
				a, b := at(g.Outline.Points[i])
				r.MoveTo(a, b)
				i++
			case scene.LineTo:
				a, b := at(g.Outline.Points[i])
				r.LineTo(a, b)
				i++
			case scene.QuadTo:
				a, b := at(g.Outline.Points[i])
				c, d := at(g.Outline.Points[i+1])
				r.QuadTo(a, b, c, d)
				i += 2
			case scene.CubicTo:
				a, b := at(g.Outline.Points[i])
				c, d := at(g.Outline.Points[i+1])
				e, f := at(g.Outline.Points[i+2])
				r.CubeTo(a, b, c, d, e, f)
				i += 3
			case scene.Close:
				r.ClosePath()
			}
		}
		r.Draw(img, img.Bounds(), image.NewUniform(color.Black), image.Point{})
	}
}

func TestSheet(t *testing.T) {
	b, _ := os.ReadFile("/tmp/font/sheet.txt")
	rows := strings.Split(strings.TrimSpace(string(b)), "\n")
	img := image.NewRGBA(image.Rect(0, 0, 1300, 40+len(rows)*34))
	draw.Draw(img, img.Bounds(), image.White, image.Point{}, draw.Src)
	for i, row := range rows {
		row = Clean(row)
		drawText(img, 15, float64(25+i*24), row, 14, 1.4, 0)
		drawText(img, 540, float64(25+i*24), row, 14, 1.4, 1)
	}
	f, _ := os.Create("/tmp/font/sheet.png")
	png.Encode(f, img)
	f.Close()
}
