package chart_test

import (
	"bytes"
	"context"
	"fmt"
	"os"

	"almanac/internal/chart/layout"
	"almanac/internal/chart/render"
	"almanac/internal/importer"
	"almanac/internal/request"
	gapminder "almanac/internal/sample"
	"almanac/internal/store"
)

// A picture is made in three steps: what to draw (a Spec), where (Layout), and how
// (package render).
func Example() {
	if err := drawSample(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// Line chart: Life expectancy (Years · Japan · 1955–2005). It goes from 66.1 in 1955 to 82.5 in 2005.
	// true
}

func drawSample(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "almanac-example-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	s, err := store.Open(ctx, store.Options{Dir: dir})
	if err != nil {
		return err
	}
	defer s.Close()
	im, err := importer.New(s, importer.Options{})
	if err != nil {
		return err
	}
	file, err := gapminder.Files().Open("gapminder.tidy.csv")
	if err != nil {
		return err
	}
	defer file.Close()
	v, err := s.Vintage(ctx, im.Read(ctx, "gapminder.tidy.csv", file)[0].ID)
	if err != nil {
		return err
	}

	r, err := request.ReadChart([]byte(`{"datasetId": 1, "chartType": "line", "dimensions_query": "dim1=Life expectancy&country=Japan"}`))
	if err != nil {
		return err
	}
	spec, _, err := request.Spec(ctx, v, r)
	if err != nil {
		return err
	}
	var picture bytes.Buffer
	if err := render.Write(&picture, layout.Layout(spec), render.FormatSVG); err != nil {
		return err
	}
	fmt.Println(spec.Alt())
	fmt.Println(bytes.HasPrefix(picture.Bytes(), []byte("<svg ")))
	return nil
}
