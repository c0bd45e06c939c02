package main

import (
	"fmt"
	"io"
	"os"

	"almanac/internal/chart/atlas"
	"almanac/internal/chart/atlas/borders"
)

// readBorders returns the outlines of maps: the embedded ones and those of a folder, if
// there is one. It writes a line for each file that it reads.
func readBorders(folder string, w io.Writer) (*atlas.Atlas, error) {
	if folder == "" {
		return atlas.New(), nil
	}
	sets, reports, err := borders.Read(os.DirFS(folder))
	if err != nil {
		return nil, fmt.Errorf("reading borders in %s: %w", folder, err)
	}
	for _, r := range reports {
		fmt.Fprintf(w, "borders: %s: %s\n", r.File, r.Text)
	}
	return atlas.New(sets...), nil
}
