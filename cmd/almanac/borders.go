package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
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
	if of, ok := errors.AsType[*fs.PathError](err); ok && of.Path == "." {
		err = of.Err // the folder is named below
	}
	if err != nil {
		return nil, fmt.Errorf("reading borders in %s: %w", folder, err)
	}
	for _, r := range reports {
		fmt.Fprintf(w, "borders: %s: %s\n", r.File, r.Text)
	}
	return atlas.New(sets...), nil
}
