package main

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"almanac/internal/chart"
	"almanac/internal/chart/chartcase"
	"almanac/internal/importer"
	"almanac/internal/request"
	"almanac/internal/store"
)

// realCharts lists the charts made from real files. Each entry is a paragraph with the
// lines "name:", "file:", a path below the data folder, "request:", the fields of a
// chart request as JSON without the dataset, and "checked:".
//
//go:embed real.txt
var realCharts string

// readCases reads the chart cases in a folder, in order of their names.
func readCases(dir string) ([]picture, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil {
		return nil, err
	}
	var pictures []picture
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		s, err := chartcase.Parse(string(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		pictures = append(pictures, picture{
			Name: strings.TrimSuffix(filepath.Base(name), ".txt"), Source: string(text), Checked: s.Checked, Spec: s.Spec,
		})
	}
	return pictures, nil
}

// realPictures imports the listed files into a temporary store and makes the charts.
func realPictures(ctx context.Context, data string) ([]picture, error) {
	dir, err := os.MkdirTemp("", "almanac-gallery-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	s, err := store.Open(ctx, store.Options{Dir: dir})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	im, err := importer.New(s, importer.Options{Labels: filepath.Join(data, "eurostat", "dic")})
	if err != nil {
		return nil, err
	}
	ids := map[string]int{}
	var pictures []picture
	for paragraph := range strings.SplitSeq(realCharts, "\n\n") {
		entry := map[string]string{}
		for line := range strings.Lines(paragraph) {
			if word, text, ok := strings.Cut(line, ":"); ok && !strings.HasPrefix(line, "#") {
				entry[word] = strings.TrimSpace(text)
			}
		}
		file := entry["file"]
		if file == "" {
			continue
		}
		if ids[file] == 0 {
			outcome := im.Import(ctx, filepath.Join(data, file))[0]
			if outcome.Error != "" {
				return nil, fmt.Errorf("%s: %s", file, outcome.Error)
			}
			ids[file] = outcome.ID
		}
		spec, err := specOf(ctx, s, ids[file], entry["request"])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", entry["name"], err)
		}
		pictures = append(pictures, picture{Name: entry["name"], Source: file + "\n" + entry["request"], Checked: entry["checked"], Spec: spec})
	}
	return pictures, nil
}

// specOf returns the Spec of a chart request for a dataset. fields is a JSON object
// without the dataset.
func specOf(ctx context.Context, s *store.Store, id int, fields string) (*chart.Spec, error) {
	c, err := request.ReadChart(fmt.Appendf(nil, `{"datasetId": %d, %s`, id, strings.TrimPrefix(fields, "{")))
	if err != nil {
		return nil, err
	}
	v, err := s.Vintage(ctx, id)
	if err != nil {
		return nil, err
	}
	spec, _, err := request.Spec(ctx, v, c)
	return spec, err
}
