package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"

	"almanac/internal/importer"
	"almanac/internal/sample"
	"almanac/internal/store"
)

// importSamples imports the sample datasets and returns their IDs by code.
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
		for _, o := range im.Read(ctx, name, f) {
			if o.Status == importer.Refused {
				return nil, errors.New("sample data: " + o.Error)
			}
			ids[o.Code] = o.ID
		}
	}
	return ids, nil
}

// examplesText shows three requests to the sample datasets; it is empty if they
// are not served.
func examplesText(base string, samples map[string]int) string {
	if samples == nil {
		return ""
	}
	series := url.Values{
		"dim1": {"Life expectancy"}, "country": {"Germany", "Japan"}, "period_from": {"1985"},
	}
	return fmt.Sprintf(`three requests to try:
  curl '%[1]s/api/datasets'
  curl '%[1]s/api/datasets/%[2]d/data?%[3]s'
  curl '%[1]s/api/datasets/%[4]d/latest'
`, base, samples["gapminder"], series.Encode(), samples["us_employment"])
}
