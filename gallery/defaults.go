package main

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"almanac/internal/chart"
	"almanac/internal/importer"
	"almanac/internal/request"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// undrawn is a dataset without a default picture.
type undrawn struct{ Code, Office, File, Reason string }

// defaultPictures imports all files below the folders into a store in dir, and returns the
// pictures of each dataset that a request with nothing but its type and size gets: lines, bars
// and maps, as fits; and the datasets of which no type is offered. Files larger than most bytes
// are skipped; 0 means no limit.
func defaultPictures(ctx context.Context, dir string, most int64, size [2]int, folders ...string) (*page, error) {
	paths, err := filesBelow(folders, most)
	if err != nil {
		return nil, err
	}
	s, err := store.Open(ctx, store.Options{Dir: dir})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	options := importer.Options{}
	if labels := filepath.Join(folders[0], "eurostat", "dic"); isFolder(labels) {
		options.Labels = labels
	}
	files, err := importAll(ctx, s, options, paths)
	if err != nil {
		return nil, err
	}
	all := &page{}
	for _, e := range s.Catalog().Entries {
		some, without, err := drawDefaults(ctx, s, e.ID, size)
		if err != nil {
			return nil, err
		}
		if without != nil {
			without.File = filepath.Base(files[e.ID])
			all.Undrawn = append(all.Undrawn, *without)
		}
		for _, p := range some {
			p.Source = files[e.ID] + "\n" + p.Source
			all.Pictures = append(all.Pictures, p)
		}
	}
	return all, nil
}

// filesBelow returns the files below the folders, the largest first: of several files with
// one dataset, the first is imported, and it should be the complete one.
func filesBelow(folders []string, most int64) ([]string, error) {
	sizes := map[string]int64{}
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || d.Name() == "MANIFEST.md" {
				return err
			}
			info, err := d.Info()
			if err == nil && (most == 0 || info.Size() <= most) {
				sizes[path] = info.Size()
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	var paths []string
	for path := range sizes {
		paths = append(paths, path)
	}
	slices.SortFunc(paths, func(a, b string) int { return cmp.Or(cmp.Compare(sizes[b], sizes[a]), cmp.Compare(a, b)) })
	return paths, nil
}

// importAll imports the files, those that are refused with one way to read them again in
// that way, and returns the file of each dataset, the last that changed it. Files without data have
// none.
func importAll(ctx context.Context, s *store.Store, options importer.Options, paths []string) (map[int]string, error) {
	im, err := importer.New(s, options)
	if err != nil {
		return nil, err
	}
	files := map[int]string{}
	add := func(outcomes []importer.Outcome) {
		for _, o := range outcomes {
			if o.Status == importer.Created || o.Status == importer.Updated {
				files[o.ID] = o.File
			}
		}
	}
	outcomes := im.Import(ctx, paths...)
	add(outcomes)
	for _, o := range outcomes {
		if len(o.Readings) == 0 {
			continue
		}
		if im, err = importer.New(s, optionsOf(o.Readings[0])); err != nil {
			continue // the reading has a part that only the user knows, such as a period
		}
		add(im.Import(ctx, o.File))
	}
	return files, ctx.Err()
}

// optionsOf returns the options that an importer suggested.
func optionsOf(reading []stat.Suggestion) importer.Options {
	var o importer.Options
	texts := map[string]*string{
		"country": &o.Country, "geo": &o.Geo, "period": &o.Period, "decimal": &o.Decimal, "mapping": &o.Mapping,
		"encoding": &o.Encoding, "code": &o.Code, "source": &o.Source, "name": &o.Name,
	}
	for _, s := range reading {
		if into := texts[s.Option]; into != nil {
			*into = s.Value
		}
		o.NoGeo = o.NoGeo || s.Option == "no-geo"
	}
	return o
}

var notInName = regexp.MustCompile(`[^A-Za-z0-9_.]+`)

// drawDefaults returns the default pictures of a dataset, of the types that fit it. A dataset
// without one is returned without its file. Lines and bars that cannot be drawn are an error even
// if another type fits better.
func drawDefaults(ctx context.Context, s *store.Store, id int, size [2]int) (pictures []picture, without *undrawn, err error) {
	v, err := s.Vintage(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	types, err := request.TypesFor(ctx, v, nil)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", v.Dataset.Code, err)
	}
	for _, t := range []chart.Type{chart.Line, chart.Bar, chart.Map} {
		isOffered := slices.Contains(types, t)
		if t == chart.Map && !isOffered {
			continue
		}
		p := picture{
			Name:    strings.ToLower(fmt.Sprintf("default-%s-%s-%s", v.Dataset.Source.ID, notInName.ReplaceAllString(v.Dataset.Code, "-"), t)),
			Code:    v.Dataset.Code,
			Office:  cmp.Or(v.Dataset.Source.Name, v.Dataset.Source.ID),
			Source:  fmt.Sprintf(`{"chartType": %q, "width": %d, "height": %d}`, t, size[0], size[1]),
			Checked: "the default picture of " + v.Dataset.Name,
		}
		if p.Spec, err = newSpec(ctx, s, id, []byte(p.Source), nil); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", p.Name, err)
		}
		if isOffered {
			pictures = append(pictures, p)
		}
	}
	reason, err := request.ReasonForNone(ctx, v, nil)
	if err == nil && reason != "" {
		without = &undrawn{Code: v.Dataset.Code, Office: cmp.Or(v.Dataset.Source.Name, v.Dataset.Source.ID), Reason: reason}
	}
	return pictures, without, err
}
