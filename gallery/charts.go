package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"almanac/internal/chart"
	"almanac/internal/chart/sketch"
	"almanac/internal/importer"
	"almanac/internal/request"
	"almanac/internal/store"
)

// realCharts is the list of charts from real files. An entry is a paragraph of
// lines: "name:", "file:" below the folder of the files, "request:" the fields of a
// chart request as JSON without the dataset, "checked:".
//
//go:embed real.txt
var realCharts string

// sketches reads the sketches of a folder, in order of their names.
func sketches(dir string) ([]picture, error) {
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
		s, err := sketch.Parse(string(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		pictures = append(pictures, picture{
			Name: strings.TrimSuffix(filepath.Base(name), ".txt"), Made: string(text), Checked: s.Checked, Spec: s.Spec,
		})
	}
	return pictures, nil
}

// entry is a chart of real.txt.
type entry map[string]string

func entries() []entry {
	var all []entry
	for paragraph := range strings.SplitSeq(realCharts, "\n\n") {
		e := entry{}
		for line := range strings.Lines(paragraph) {
			if word, text, ok := strings.Cut(line, ":"); ok && !strings.HasPrefix(line, "#") {
				e[word] = strings.TrimSpace(text)
			}
		}
		if e["name"] != "" {
			all = append(all, e)
		}
	}
	return all
}

// real imports the files that the list names into a temporary store and makes
// the charts.
func real(ctx context.Context, data string) ([]picture, error) {
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
	for _, e := range entries() {
		file := e["file"]
		if ids[file] == 0 {
			if ids[file], err = bring(ctx, im, filepath.Join(data, file)); err != nil {
				return nil, err
			}
		}
		spec, err := specOf(ctx, s, ids[file], e["request"])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e["name"], err)
		}
		pictures = append(pictures, picture{Name: e["name"], Made: file + "\n" + e["request"], Checked: e["checked"], Spec: spec})
	}
	return pictures, nil
}

// bring imports one file and returns the dataset's ID.
func bring(ctx context.Context, im *importer.Importer, path string) (int, error) {
	outcome := im.Import(ctx, path)[0]
	if outcome.Error != "" {
		return 0, fmt.Errorf("%s: %s", path, outcome.Error)
	}
	return outcome.ID, nil
}

func specOf(ctx context.Context, s *store.Store, id int, fields string) (*chart.Spec, error) {
	members := map[string]json.RawMessage{}
	if err := json.Unmarshal([]byte(fields), &members); err != nil {
		return nil, err
	}
	members["datasetId"] = json.RawMessage(fmt.Sprint(id))
	body, err := json.Marshal(members)
	if err != nil {
		return nil, err
	}
	asked, err := request.ReadChart(body)
	if err != nil {
		return nil, err
	}
	v, err := s.Vintage(ctx, id)
	if err != nil {
		return nil, err
	}
	spec, _, err := request.Spec(ctx, v, asked)
	return spec, err
}
