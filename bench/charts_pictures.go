package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"path/filepath"

	"almanac/internal/chart"
	"almanac/internal/chart/ink"
	"almanac/internal/store"
)

// optionPictures show what the fields of a chart request do, on the same numbers.
var optionPictures = []struct{ name, kind, fields string }{
	{"highlight", "line", `"chartType": "line", "highlightLatest": true, "selectedDimensions": {"country": ["Germany", "France", "Italy"], "period_from": "Q1/2019"}`},
	{"colours", "line", `"chartType": "line", "seriesColors": {"Spain": "#b3002d", "Italy": "silver", "France": "silver"}, "customLegendLabels": {"Spain": "España"}, "customTitle": "Spain stands out", "selectedDimensions": {"country": ["Spain", "France", "Italy"]}`},
	{"bars", "line", `"chartType": "bar", "highlightLatest": true, "selectedDimensions": {"country": "Poland", "period_from": "Q1/2019"}`},
	{"europe", "map", `"chartType": "map", "mapLocation": "europe", "showValues": true`},
	{"aside", "map", `"chartType": "map", "mapLocation": "africa", "additionalText": "The numbers are made up: they show how a picture looks, and nothing else."`},
	{"transform", "map", `"chartType": "map", "mapTransform": {"x": 60, "y": 140, "scale": 3}, "showBorders": false, "includeDate": false`},
}

// drawOptions draws optionPictures into a folder, as option-NAME.png.
func drawOptions(ctx context.Context, d *drawings, dir string) (err error) {
	db, err := store.Open(ctx, store.Options{Dir: d.store})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	for _, o := range optionPictures {
		body := fmt.Sprintf(`{"datasetId": %d, "width": 640, "height": 400, %s}`, d.ids[o.kind], o.fields)
		spec, err := specOf(ctx, db, d.ids[o.kind], []byte(body))
		if err != nil {
			return fmt.Errorf("%s: %w", o.name, err)
		}
		var b bytes.Buffer
		if err := ink.PNG(&b, chart.Layout(spec)); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, "option-"+o.name+".png"), b.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// pictures draws the three charts with every library into a folder, as
// KIND-LIBRARY.png, and what options do, for docs/charts.md. All pictures of the folder that have no
// palette are given one, so that they load fast.
func (h *harness) pictures(ctx context.Context, dir string) (err error) {
	temp, err := os.MkdirTemp(h.o.dir, "pictures-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	d, err := newDrawings(ctx, temp)
	if err != nil {
		return err
	}
	peers, err := installPeers(ctx, filepath.Join(h.o.dir, "peers"), h.log)
	if err != nil {
		return err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	if err := drawOptions(ctx, d, dir); err != nil {
		return err
	}
	if err := drawInto(ctx, dir, drawnHere, "", []string{h.self, "paint", d.dir, drawnHere}); err != nil {
		return err
	}
	for _, name := range peerNames {
		if err := drawInto(ctx, dir, name, peers, []string{"node", "painter.mjs", name, d.numbersFile()}); err != nil {
			return err
		}
	}
	return reduceAll(dir, h.log)
}

// drawInto has a painter draw each kind into a folder.
func drawInto(ctx context.Context, dir, name, at string, command []string) (err error) {
	p, err := startPainter(ctx, at, command)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.stop()) }()
	for _, kind := range chartKinds {
		if _, err := p.obey(order{Kind: kind.name, File: filepath.Join(dir, kind.name+"-"+name+".png")}); err != nil {
			return fmt.Errorf("%s drawing %s: %w", name, kind.what, err)
		}
	}
	return nil
}

// reduceAll gives all pictures of a folder a palette.
func reduceAll(dir string, log io.Writer) error {
	names, err := filepath.Glob(filepath.Join(dir, "*.png"))
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := reduceFile(name, log); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func reduceFile(name string, log io.Writer) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	picture, err := png.Decode(bytes.NewReader(text))
	if err != nil {
		return err
	}
	paletted, ok := picture.(*image.Paletted)
	if !ok {
		paletted = reduce(picture)
	}
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, paletted); err != nil {
		return err
	}
	if b.Len() < len(text) {
		text = b.Bytes()
	}
	fmt.Fprintf(log, "%s: %d KB\n", name, len(text)>>10)
	return os.WriteFile(name, text, 0o644)
}
