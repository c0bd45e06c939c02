package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"

	"almanac/internal/importer"
	"almanac/internal/sample"
	"almanac/internal/store"
)

// importSamples brings the sample datasets into the store and returns their
// IDs by code.
func importSamples(ctx context.Context, s *store.Store) (map[string]int, error) {
	im, err := importer.New(s, importer.Options{})
	if err != nil {
		return nil, err
	}
	names, err := fs.Glob(sample.Files(), "*")
	if err != nil {
		return nil, err
	}
	ids := map[string]int{}
	for _, name := range names {
		f, err := sample.Files().Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		for _, o := range im.Read(ctx, name, f, 0) {
			if o.Status == importer.Refused {
				return nil, errors.New("sample data: " + o.Error)
			}
			ids[o.Code] = o.ID
		}
	}
	return ids, nil
}

// printExamples prints three requests that the sample data answer.
func printExamples(w io.Writer, base string, ids map[string]int) {
	series := url.Values{
		"dim1": {"Life expectancy"}, "country": {"Germany", "Japan"}, "period_from": {"1985"},
	}
	fmt.Fprintln(w, "three requests to try:")
	fmt.Fprintf(w, "  curl '%s/api/datasets'\n", base)
	fmt.Fprintf(w, "  curl '%s/api/datasets/%d/data?%s'\n", base, ids["gapminder"], series.Encode())
	fmt.Fprintf(w, "  curl '%s/api/datasets/%d/latest'\n", base, ids["us_employment"])
}
