package request_test

import (
	"context"
	"fmt"
	"os"

	"almanac/internal/importer"
	"almanac/internal/request"
	"almanac/internal/sample"
	"almanac/internal/store"
)

// A query string is first bound to parameters, without any data, and then applied to a
// dataset: labels become positions, and values that the dataset does not have become
// notices.
func Example() {
	var p request.Data
	fmt.Println(request.Bind("county=Germany", &p) != nil) // there is no such parameter
	if err := request.Bind("dim1=Life+expectancy&country=Germany&country=Atlantis&period=1990", &p); err != nil {
		fmt.Println(err)
		return
	}
	err := withSample(context.Background(), func(v *store.Vintage) error {
		q, notices, err := request.Parse(v, &p, nil)
		if err != nil {
			return err
		}
		fmt.Println(q.Select, q.Within)
		for _, n := range notices {
			fmt.Println(n.Parameter, n.Value, n.Nearest)
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// true
	// [[0] [24]] 1990
	// country Atlantis []
}

// withSample runs do on a vintage of the sample data.
func withSample(ctx context.Context, do func(*store.Vintage) error) error {
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
	file, err := sample.Files().Open("gapminder.tidy.csv")
	if err != nil {
		return err
	}
	defer file.Close()
	v, err := s.Vintage(ctx, im.Read(ctx, "gapminder.tidy.csv", file)[0].ID)
	if err != nil {
		return err
	}
	return do(v)
}
