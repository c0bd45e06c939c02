package pxweb

import (
	"context"
	"io"
	"os"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/px"
	"almanac/internal/source"
	"almanac/internal/source/fetch"
	"almanac/internal/stat"
)

// extensionOf returns the file extension of a response to a query: PX as requested, or
// the JSON-stat that some servers return instead. It is empty for other responses, such as
// an error message.
func extensionOf(a fetch.Answer) string {
	head := strings.TrimSpace(strings.TrimPrefix(string(a.Head), "\ufeff"))
	switch {
	case head == "":
	case head[0] == '{' && strings.Contains(head, `"class"`):
		return ".json"
	case head[0] >= 'A' && head[0] <= 'Z' && strings.Contains(head, "="):
		return ".px"
	}
	return ""
}

// examine returns an error for a response that is not a table, or that has fewer cells
// than were requested: the others would seem to be removed.
func examine(o *caller, code, path string, a fetch.Answer, requested int) error {
	extension := extensionOf(a)
	if extension == "" {
		head := strings.TrimSpace(string(a.Head))
		return stat.Errorf(stat.Unavailable, "the response is not a PX file: %q", head[:min(len(head), 200)])
	}
	cells, err := countCells(path, extension)
	if err != nil {
		return stat.Errorf(stat.Unavailable, "the response for %s cannot be read: %v", code, err)
	}
	if cells < requested {
		return stat.Errorf(stat.Unavailable, "the response has %d of the %d cells that were requested, so nothing is stored; try again later, or fetch a part of the table, as in '%s:%s?VARIABLE=CODE,CODE'", cells, requested, o.ID, code)
	}
	return nil
}

// countCells returns the number of cells of a table in a file.
func countCells(path, extension string) (int, error) {
	if extension == ".json" {
		text, err := os.ReadFile(path)
		if err != nil {
			return 0, err
		}
		t, err := readStat(text)
		return cellsOf(t.variables), err
	}
	open := func() (io.ReadCloser, error) { return os.Open(path) }
	file, err := open()
	if err != nil {
		return 0, err
	}
	defer file.Close()
	return px.Cells(format.Input{Name: path, Data: file, Again: open})
}

// Probe requests one cell of a table.
func (s *server) Probe(ctx context.Context, code string) error {
	service := s.serviceFor(code)
	t, err := service.table(ctx, code)
	if err != nil {
		return missingTable(service.office(), code, err)
	}
	for i := range t.variables {
		v := &t.variables[i]
		v.values = v.values[:min(1, len(v.values))]
	}
	_, answer, err := service.office().client.Read(ctx, service.office().withPause(service.query(code, t.variables)), source.ProbeBytes)
	if err != nil {
		return err
	}
	if extensionOf(answer) == "" {
		return stat.Errorf(stat.Unavailable, "the response for %s is not a table", code)
	}
	return nil
}
