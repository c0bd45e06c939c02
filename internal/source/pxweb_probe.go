package source

import (
	"context"

	"almanac/internal/stat"
)

// Probe requests one cell of a table.
func (s *pxweb) Probe(ctx context.Context, code string) error {
	service := s.serviceFor(code)
	t, err := service.table(ctx, code)
	if err != nil {
		return pxwebMissing(service.office(), code, err)
	}
	for i := range t.variables {
		v := &t.variables[i]
		v.values = v.values[:min(1, len(v.values))]
	}
	_, answer, err := service.office().client.Read(ctx, service.office().withPause(service.query(code, t.variables)), ProbeBytes)
	if err != nil {
		return err
	}
	if pxwebExtension(answer) == "" {
		return stat.Errorf(stat.Unavailable, "the response for %s is not a table", code)
	}
	return nil
}
