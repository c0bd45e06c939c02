package pxweb

import (
	"context"

	"almanac/internal/source"
	"almanac/internal/stat"
)

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
