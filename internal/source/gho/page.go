package gho

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"almanac/internal/source/jsonstream"
)

// pageInfo describes a page of records.
type pageInfo struct {
	next    string // address of the next page; empty if there is none
	records int
}

// readPage reads a page to its end; use reads each record.
func readPage(s *jsonstream.Stream, use func() error) (page pageInfo, err error) {
	lists := 0
	err = s.Object(func(field string) (bool, error) {
		switch field {
		case "value":
			lists++
			return true, s.List(func() error {
				page.records++
				return use()
			})
		case "@odata.nextLink":
			return true, s.Decode(&page.next)
		}
		return false, nil
	})
	if err == nil && lists != 1 {
		err = errors.New(`must have one list "value"`)
	}
	if err == nil {
		err = s.End()
	}
	return page, err
}

// recordTypes are the types of a record's dimensions and of its place.
type recordTypes struct {
	Place  string `json:"SpatialDimType"`
	Dim1   string `json:"Dim1Type"`
	Dim2   string `json:"Dim2Type"`
	Dim3   string `json:"Dim3Type"`
	Origin string `json:"DataSourceDimType"`
}

// maxTypes limits the dimensions whose labels are requested. Real indicators have a
// few.
const maxTypes = 64

// scanPage reads a page to its end and collects the types of its dimensions.
func scanPage(file string, types map[string]bool) (page pageInfo, err error) {
	err = jsonstream.ReadFile(file, func(in *jsonstream.Stream) error {
		page, err = readPage(in, func() error {
			var t recordTypes
			if err := in.Decode(&t); err != nil {
				return err
			}
			for _, name := range []string{t.Place, t.Dim1, t.Dim2, t.Dim3, t.Origin} {
				if typePattern.MatchString(name) && len(types) < maxTypes {
					types[name] = true
				}
			}
			return nil
		})
		return err
	})
	return page, err
}

// merge returns the file of an indicator: its only page, or the records of all pages in
// one list.
func (g *fetched) merge(folder string) ([]string, error) {
	if len(g.files) == 1 {
		return g.files, nil
	}
	path := filepath.Join(folder, "data.json")
	out, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	w := bufio.NewWriter(out)
	_, err = w.WriteString(`{"@odata.context":"ghoapi: the records of all pages","value":[`)
	first := true
	for _, file := range g.files {
		if err == nil {
			err = copyRecords(w, file, &first)
		}
	}
	if err == nil {
		_, err = w.WriteString("\n]}\n")
	}
	if err = errors.Join(err, w.Flush(), out.Close()); err != nil {
		return nil, err
	}
	return []string{path}, nil
}

// copyRecords writes the records of a page unchanged, separated by commas.
func copyRecords(w io.Writer, file string, first *bool) error {
	return jsonstream.ReadFile(file, func(in *jsonstream.Stream) error {
		_, err := readPage(in, func() error {
			var record json.RawMessage
			if err := in.Decode(&record); err != nil {
				return err
			}
			before := ",\n"
			if *first {
				before, *first = "\n", false
			}
			_, err := fmt.Fprintf(w, "%s%s", before, record)
			return err
		})
		return err
	})
}
