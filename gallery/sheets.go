package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"slices"

	"almanac/internal/chart/colour"
	"almanac/internal/chart/layout"
	"almanac/internal/chart/render"
	"almanac/internal/chart/scene"
)

// The sheets: twelve pictures of the size of a thumbnail, each below its number.
const (
	sheetColumns = 4
	sheetRows    = 3
	perSheet     = sheetColumns * sheetRows
	cellW, cellH = 300 + 8, 169 + 22
	maxColours   = 64 // of a sheet, which makes small files
)

// writeSheets draws the pictures into files sheet-01.png, sheet-02.png and so on in a folder,
// in place of those that are there.
func writeSheets(folder string, judged []judgement) error {
	if err := errors.Join(os.RemoveAll(folder), os.MkdirAll(folder, 0o755)); err != nil {
		return err
	}
	for sheet := range slices.Chunk(judged, perSheet) {
		first := slices.IndexFunc(judged, func(j judgement) bool { return j.Name == sheet[0].Name })
		img, err := drawSheet(sheet, first+1)
		if err != nil {
			return err
		}
		var b bytes.Buffer
		if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, withFewColours(img)); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, sheetName(first/perSheet)), b.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func sheetName(i int) string { return fmt.Sprintf("sheet-%02d.png", i+1) }

// drawSheet draws pictures beside and below one another, with their numbers from first.
func drawSheet(pictures []judgement, first int) (*image.RGBA, error) {
	rows := (len(pictures) + sheetColumns - 1) / sheetColumns
	numbers := &scene.Scene{Width: sheetColumns * cellW, Height: float64(rows * cellH), Scale: 1, PixelWidth: sheetColumns * cellW, PixelHeight: rows * cellH, Ground: colour.White}
	at := func(i int) (x, y int) { return i % sheetColumns * cellW, i / sheetColumns * cellH }
	for i := range pictures {
		x, y := at(i)
		numbers.Add(&scene.Text{X: float64(x) + 4, Y: float64(y) + 16, Text: fmt.Sprint(first + i), Size: 14, Weight: scene.Bold, Colour: colour.Dark})
	}
	ground, err := imageOf(numbers)
	if err != nil {
		return nil, err
	}
	sheet := image.NewRGBA(ground.Bounds())
	draw.Draw(sheet, sheet.Rect, ground, image.Point{}, draw.Src)
	for i, p := range pictures {
		img, err := imageOf(layout.Layout(p.Spec))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.Name, err)
		}
		x, y := at(i)
		draw.Draw(sheet, img.Bounds().Add(image.Pt(x+4, y+20)), img, image.Point{}, draw.Src)
	}
	return sheet, nil
}

// imageOf draws a scene.
func imageOf(s *scene.Scene) (image.Image, error) {
	var b bytes.Buffer
	if err := render.Write(&b, s, render.FormatPNG); err != nil {
		return nil, err
	}
	return png.Decode(&b)
}

// withFewColours returns an image in its most frequent colours. Other pixels, at the edges of
// letters and lines, have the nearest of them.
func withFewColours(img *image.RGBA) *image.Paletted {
	count := map[color.RGBA]int{}
	for i := 0; i < len(img.Pix); i += 4 {
		count[color.RGBA{img.Pix[i], img.Pix[i+1], img.Pix[i+2], 255}]++
	}
	colours := make([]color.RGBA, 0, len(count))
	for c := range count {
		colours = append(colours, c)
	}
	slices.SortFunc(colours, func(a, b color.RGBA) int {
		return cmp.Or(count[b]-count[a], cmp.Compare(a.R, b.R), cmp.Compare(a.G, b.G), cmp.Compare(a.B, b.B))
	})
	var palette color.Palette
	for _, c := range colours {
		if len(palette) < maxColours && (palette == nil || distance(palette.Convert(c), c) > 24) {
			palette = append(palette, c)
		}
	}
	few := image.NewPaletted(img.Rect, palette)
	draw.Draw(few, few.Rect, img, image.Point{}, draw.Src)
	return few
}

// distance is the sum of the differences of the channels, out of 255 each.
func distance(a, b color.Color) int {
	ar, ag, ab, _ := a.RGBA()
	br, bg, bb, _ := b.RGBA()
	d := 0
	for _, pair := range [...][2]uint32{{ar, br}, {ag, bg}, {ab, bb}} {
		d += max(int(pair[0])-int(pair[1]), int(pair[1])-int(pair[0])) >> 8
	}
	return d
}
