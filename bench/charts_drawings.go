package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"almanac/internal/chart"
	"almanac/internal/request"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// drawings are a folder with all that painters need:
//
//	numbers.json                 for other libraries
//	line.json bar.json map.json  chart.Spec
//	data/                        a store with the same numbers, for the server
type drawings struct {
	dir     string
	store   string
	numbers map[string]*numbers // by kind
	ids     map[string]int      // of the datasets, by kind
}

func (d *drawings) numbersFile() string { return filepath.Join(d.dir, "numbers.json") }

func specFile(dir, kind string) string { return filepath.Join(dir, kind+".json") }

// newDrawings fills a folder. The specs are made from the store in the way of
// the server, so that what is measured is what it draws.
func newDrawings(ctx context.Context, dir string) (_ *drawings, err error) {
	d := &drawings{dir: dir, store: filepath.Join(dir, "data"), numbers: chartNumbers(), ids: map[string]int{}}
	text, err := json.Marshal(d.numbers)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(d.numbersFile(), text, 0o644); err != nil {
		return nil, err
	}
	db, err := store.Open(ctx, store.Options{Dir: d.store})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	for _, kind := range chartKinds {
		if d.ids[kind.name], err = d.numbers[kind.name].publish(ctx, db); err != nil {
			return nil, fmt.Errorf("storing the numbers of the %s: %w", kind.name, err)
		}
		if err := d.specify(ctx, db, kind.name); err != nil {
			return nil, fmt.Errorf("making the spec of the %s: %w", kind.name, err)
		}
	}
	return d, nil
}

// specify writes the spec of one kind.
func (d *drawings) specify(ctx context.Context, db *store.Store, kind string) error {
	spec, err := specOf(ctx, db, d.ids[kind], d.request(kind, ""))
	if err != nil {
		return err
	}
	text, _ := spec.Encode()
	return os.WriteFile(specFile(d.dir, kind), text, 0o644)
}

// specOf is what a chart request for a dataset wants drawn.
func specOf(ctx context.Context, db *store.Store, id int, body []byte) (*chart.Spec, error) {
	asked, err := request.ReadChart(body)
	if err != nil {
		return nil, err
	}
	v, err := db.Vintage(ctx, id)
	if err != nil {
		return nil, err
	}
	spec, _, err := request.Spec(ctx, v, asked)
	return spec, err
}

// readSpec reads what specify wrote.
func readSpec(dir, kind string) (*chart.Spec, error) {
	text, err := os.ReadFile(specFile(dir, kind))
	if err != nil {
		return nil, err
	}
	return chart.Decode(text)
}

// request is the body that asks the server for one kind, with a title in place
// of the dataset's name unless it is empty.
func (d *drawings) request(kind, title string) []byte {
	fields := map[string]any{"datasetId": d.ids[kind]}
	for _, k := range chartKinds {
		if k.name == kind {
			fields["chartType"] = k.field
		}
	}
	if title != "" {
		fields["customTitle"] = title
	}
	body, _ := json.Marshal(fields) // texts and numbers only: it cannot fail
	return body
}

// publish stores the numbers as a dataset.
func (n *numbers) publish(ctx context.Context, db *store.Store) (id int, err error) {
	d := &stat.Dataset{
		Source:      stat.Source{ID: "bench", Name: chartSource},
		Code:        n.code,
		Name:        n.Title,
		Updated:     time.Date(2025, time.January, 31, 0, 0, 0, 0, time.UTC),
		Dimensions:  []stat.Dimension{{ID: "unit", Label: "Unit of measure", Role: stat.RoleUnit, Codes: []stat.Code{{ID: "unit", Label: n.unit}}}},
		Geography:   stat.Dimension{ID: "geo", Label: "Country", Role: stat.RoleGeo},
		GeographyAt: 1,
	}
	for _, area := range n.areas {
		d.Geography.Codes = append(d.Geography.Codes, stat.Code{ID: area.ID, Label: area.Name, Area: area.ID})
	}
	b := db.NewBuilder(d)
	for i := range n.areas {
		if err := n.addArea(b, i); err != nil {
			return 0, err
		}
	}
	draft, err := b.Finish(store.CodeOrder{})
	if err != nil {
		return 0, err
	}
	result, err := draft.Publish(ctx, store.PublishOptions{})
	return result.ID, err
}

// addArea gives a builder the values of the i-th area.
func (n *numbers) addArea(b *store.Builder, i int) error {
	key := []int32{0, int32(i)}
	if n.Periods == nil {
		return b.Add(stat.Observation{Key: key, Period: stat.NewPeriod(stat.Annual, 2024, 1), Value: n.Values[0][i]})
	}
	for k, text := range n.Periods {
		p, err := stat.ParsePeriod(text)
		if err != nil {
			return err
		}
		if err := b.Add(stat.Observation{Key: key, Period: p, Value: n.Values[i][k]}); err != nil {
			return err
		}
	}
	return nil
}
