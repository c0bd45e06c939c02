package sdmx

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"almanac/internal/source"
	"almanac/internal/source/fetch"
)

// Probe requests the last observations of a dataflow. A server that has none, or too many,
// has answered as well.
func (s *server) Probe(ctx context.Context, code string) error {
	flow, err := s.parseFlow(code)
	if err != nil {
		return err
	}
	address := s.dataAddress(flow, flow.queries()[0])
	if s.Version != "3.0" {
		address += map[bool]string{true: "&", false: "?"}[strings.Contains(address, "?")] + "lastNObservations=1"
	}
	for _, media := range s.mediaTypes() {
		if _, _, err = s.client.Read(ctx, s.dataRequest(address, media), source.ProbeBytes); !isNotAcceptable(err) {
			break
		}
	}
	if err == nil || source.IsMissing(err) {
		return err
	}
	if summary, refused := refusalOf(err); refused == nil && (summary.tooBig || isTooLong(err)) {
		return nil
	}
	return err
}

// isTooLong reports whether a response exceeded the client's own limit.
func isTooLong(err error) bool {
	var failed *fetch.Error
	return errors.As(err, &failed) && failed.Reason == fetch.TooBig && failed.Status == http.StatusOK
}
