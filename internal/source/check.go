package source

import (
	"context"
	"errors"
	"net/http"
	"os"
	"strings"
	"time"

	"almanac/internal/source/fetch"
	"almanac/internal/stat"
)

// Check is what a check of an office's server found. List and Data are "works", "failed",
// or why nothing was requested.
type Check struct {
	Office string
	List   string
	Data   string
	Code   string // of the dataset
	Took   time.Duration
	Err    error // why one of them failed
}

// The results of the two parts of a check.
const (
	CheckWorks  = "works"
	CheckFailed = "failed"
	CheckNoList = "none"
	CheckNoData = "-"
)

// prober is a server that can be asked for very little data.
type prober interface {
	// probe requests a little of a dataset.
	probe(ctx context.Context, code string) error
}

// probeBytes limits the response to a probe. A longer one also shows that the server
// works.
const probeBytes = 4 << 20

// Check asks an office for the beginning of its list of contents and for a small dataset:
// the sample of its row, or else a little of the first dataset of the list.
func (t *Table) Check(ctx context.Context, id string) Check {
	o, _ := t.Office(id)
	server, began := t.Server(id), t.now()
	c := Check{Office: id, List: CheckWorks, Data: CheckWorks, Code: o.Sample}
	for e, err := range server.Contents(ctx, Filter{}) {
		switch {
		case stat.KindOf(err) == stat.Refused && o.Contents == "":
			c.List = CheckNoList
		case err != nil:
			c.List, c.Err = CheckFailed, err
		case c.Code == "":
			c.Code = e.Code
		}
		break
	}
	p, canProbe := t.servers[id].(prober)
	var err error
	switch {
	case c.Code == "" || c.Code != o.Sample && !canProbe:
		c.Data, c.Code = CheckNoData, ""
	case canProbe:
		err = p.probe(ctx, c.Code)
	default:
		err = fetchSample(ctx, server, c.Code)
	}
	switch {
	case err != nil && isMissing(err) && c.Code != o.Sample: // the first dataset of a list may be empty
		c.Data = CheckNoData
	case err != nil:
		c.Data, c.Err = CheckFailed, errors.Join(c.Err, err)
	}
	c.Took = t.now().Sub(began)
	return c
}

// fetchSample fetches a dataset into a folder that is removed.
func fetchSample(ctx context.Context, server Server, code string) error {
	folder, err := os.MkdirTemp("", "almanac-check-*")
	if err != nil {
		return err
	}
	d, err := server.Fetch(ctx, Request{Code: code, Folder: folder})
	if err == nil && len(d.Data) == 0 {
		err = stat.Errorf(stat.Unavailable, "the answer for %s has no data", code)
	}
	return errors.Join(err, os.RemoveAll(folder))
}

// probe requests the last observations of a dataflow. A server that has none, or too many,
// has answered as well.
func (s *sdmx) probe(ctx context.Context, code string) error {
	if s.Version == sdmxCubes {
		return fetchSample(ctx, s, code)
	}
	flow, err := s.parseFlow(code)
	if err != nil {
		return err
	}
	address := s.dataAddress(flow, flow.queries()[0])
	if s.Version != "3.0" {
		address += map[bool]string{true: "&", false: "?"}[strings.Contains(address, "?")] + "lastNObservations=1"
	}
	for _, media := range s.mediaTypes() {
		request := fetch.Request{Address: address, Accept: media, Pause: s.pause(), DataPause: time.Duration(s.DataPause)}
		if _, _, err = s.client.Read(ctx, request, probeBytes); !sdmxNotAcceptable(err) {
			break
		}
	}
	if err == nil || isMissing(err) {
		return err
	}
	if summary, refused := sdmxRefusal(err); refused == nil && (summary.tooBig || isTooLong(err)) {
		return nil
	}
	return err
}

// isTooLong reports whether a response exceeded the client's own limit.
func isTooLong(err error) bool {
	var failed *fetch.Error
	return errors.As(err, &failed) && failed.Reason == fetch.TooBig && failed.Status == http.StatusOK
}

// probe requests one cell of a table.
func (s *pxweb) probe(ctx context.Context, code string) error {
	service := s.serviceFor(code)
	t, err := service.table(ctx, code)
	if err != nil {
		return pxwebMissing(service.office(), code, err)
	}
	for i := range t.variables {
		v := &t.variables[i]
		v.values = v.values[:min(1, len(v.values))]
	}
	_, answer, err := service.office().client.Read(ctx, service.office().withPause(service.query(code, t.variables)), probeBytes)
	if err != nil {
		return err
	}
	if pxwebExtension(answer) == "" {
		return stat.Errorf(stat.Unavailable, "the response for %s is not a table", code)
	}
	return nil
}
