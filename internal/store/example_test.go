package store_test

import (
	"context"
	"fmt"
	"os"

	"almanac/internal/importer"
	"almanac/internal/sample"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// A store is a folder. Its catalogue lists the imported datasets; a vintage has their
// data.
func Example() {
	if err := readSample(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// gapminder: 186 series, 2046 observations, 1955 to 2005
	// Germany 2000: 78.39
	// Germany 2005: 79.64
}

func readSample(ctx context.Context) error {
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
	if err := importSample(ctx, s); err != nil {
		return err
	}

	entry := s.Catalog().Entries[0]
	v, err := s.Vintage(ctx, entry.ID)
	if err != nil {
		return err
	}
	fmt.Printf("%s: %d series, %d observations, %s to %s\n", entry.Code, v.Series, v.Observations, v.Oldest, v.Newest)

	indicator, _ := v.Find(0, "Life expectancy")
	area, _ := v.Find(len(v.Dataset.Dimensions), "Germany") // the geography is the last axis
	extract, err := v.Select(ctx, stat.Query{
		Select: [][]int32{{indicator}, {area}},
		From:   stat.NewPeriod(stat.Annual, 2000, 1),
	})
	if err != nil {
		return err
	}
	for block, err := range extract.Blocks {
		if err != nil {
			return err
		}
		for row, period := range block.Periods {
			for i := block.RowStart[row]; i < block.RowStart[row+1]; i++ {
				geo := v.Dataset.Geography.Codes[block.Areas[block.Area[i]]]
				fmt.Printf("%s %s: %v\n", geo.Label, extract.Periods[period], block.Value[i])
			}
		}
	}
	return nil
}

func importSample(ctx context.Context, s *store.Store) error {
	im, err := importer.New(s, importer.Options{})
	if err != nil {
		return err
	}
	file, err := sample.Files().Open("gapminder.tidy.csv")
	if err != nil {
		return err
	}
	defer file.Close()
	for _, o := range im.Read(ctx, "gapminder.tidy.csv", file) {
		if o.Error != "" {
			return fmt.Errorf("importing the sample: %s", o.Error)
		}
	}
	return nil
}
