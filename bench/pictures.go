package main

import (
	"bytes"
	"embed"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// peerNames are the modules in the folder peers that draw.
var peerNames = []string{"echarts", "vega"}

// peerFiles draw the same charts with other libraries, on Node.
//
//go:embed peers/*.mjs peers/package.json
var peerFiles embed.FS

// installPeers installs the other libraries with npm if needed and returns their
// folder.
func (h *harness) installPeers() (dir string, err error) {
	sum := crc32.NewIEEE()
	for _, file := range must(peerFiles.ReadDir("peers")) {
		must(sum.Write(must(peerFiles.ReadFile("peers/" + file.Name()))))
	}
	top := filepath.Join(h.dir, fmt.Sprintf("peers-%08x", sum.Sum32()))
	dir = filepath.Join(top, "peers")
	if exists(dir) {
		return dir, nil
	}
	fmt.Fprintf(h.log, "installing other chart libraries in %s\n", dir)
	check(os.CopyFS(top, peerFiles))
	if _, err = h.tryCommand("npm", "install", "--prefix", dir, "--no-audit", "--no-fund", "--no-package-lock"); err != nil {
		check(os.RemoveAll(top))
	}
	return dir, err
}

// optionPictures show the effect of fields of a chart request on the same numbers.
var optionPictures = []struct {
	name, fields string
	dataset      int
}{
	{"highlight", `"chartType": "line", "highlightLatest": true, "selectedDimensions": {"country": ["Germany", "France", "Italy"], "period_from": "Q1/2019"}`, 1},
	{"colours", `"chartType": "line", "seriesColors": {"Spain": "#b3002d", "Italy": "silver", "France": "silver"}, "customLegendLabels": {"Spain": "España"}, "customTitle": "Spain stands out", "selectedDimensions": {"country": ["Spain", "France", "Italy"]}`, 1},
	{"bars", `"chartType": "bar", "highlightLatest": true, "selectedDimensions": {"country": "Poland", "period_from": "Q1/2019"}`, 1},
	{"europe", `"chartType": "map", "mapLocation": "europe", "showValues": true`, 3},
	{"aside", `"chartType": "map", "mapLocation": "africa", "additionalText": "The numbers are made up: they show how a picture looks, and nothing else."`, 3},
	{"transform", `"chartType": "map", "mapTransform": {"x": 60, "y": 140, "scale": 3}, "showBorders": false, "includeDate": false`, 3},
}

// drawPictures draws the three charts with every library, as KIND-LIBRARY.png, and
// the effects of options, as option-NAME.png, for docs/charts.md. It reduces all
// pictures in the folder to a palette, so that they load fast.
func (h *harness) drawPictures() {
	folder := must(filepath.Abs(h.pictures))
	temp, remove := h.tempDir()
	defer remove()
	d, peers := h.prepareDrawings(temp), must(h.installPeers())
	h.withServer(d.store(), func(p *process) {
		c := dial(h.ctx, p)
		defer c.Close()
		for _, o := range optionPictures {
			drawn := c.postChart(fmt.Sprintf(`{"datasetId": %d, "width": 640, "height": 400, %s}`, o.dataset, o.fields))
			check(os.WriteFile(filepath.Join(folder, "option-"+o.name+".png"), drawn.Base64, 0o644))
		}
	})
	drawAll := func(name string, args ...string) {
		p := h.startPainter(peers, args...)
		defer p.stop()
		for _, k := range chartKinds {
			p.run(job{Kind: k.name, File: filepath.Join(folder, k.name+"-"+name+".png")})
		}
	}
	drawAll(drawnHere, h.self, "paint", d.dir, drawnHere)
	for _, name := range peerNames {
		drawAll(name, "node", "painter.mjs", name, d.numbersFile())
	}
	for _, name := range must(filepath.Glob(filepath.Join(folder, "*.png"))) {
		reduceFile(name)
	}
}

func reduceFile(name string) {
	text := must(os.ReadFile(name))
	picture := must(png.Decode(bytes.NewReader(text)))
	if _, ok := picture.(*image.Paletted); !ok {
		picture = reduce(picture)
	}
	var b bytes.Buffer
	check((&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, picture))
	if b.Len() < len(text) {
		check(os.WriteFile(name, b.Bytes(), 0o644))
	}
}

// reduce reduces a picture to its 256 most frequent colours and replaces others by
// the nearest of these.
func reduce(picture image.Image) *image.Paletted {
	count := map[color.RGBA]int{}
	for y := picture.Bounds().Min.Y; y < picture.Bounds().Max.Y; y++ {
		for x := picture.Bounds().Min.X; x < picture.Bounds().Max.X; x++ {
			count[color.RGBAModel.Convert(picture.At(x, y)).(color.RGBA)]++
		}
	}
	colours := slices.SortedFunc(maps.Keys(count), func(a, b color.RGBA) int { return count[b] - count[a] })
	out := image.NewPaletted(picture.Bounds(), nil)
	for _, c := range colours[:min(len(colours), 256)] {
		out.Palette = append(out.Palette, c)
	}
	draw.Draw(out, out.Bounds(), picture, out.Bounds().Min, draw.Src)
	return out
}
