package offices

import (
	"context"
	"errors"
	"os"
	"time"

	"almanac/internal/source"
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
	CheckWorks    = "works"
	CheckFailed   = "failed"
	CheckNoList   = "none"
	CheckNotAsked = "not asked" // no small dataset is known
	CheckEmpty    = "empty"     // the first dataset of the list
)

// prober is a server that can be asked for very little data.
type prober interface {
	// Probe requests a little of a dataset.
	Probe(ctx context.Context, code string) error
}

// Check asks an office for the beginning of its list of contents and for a small dataset:
// the sample of its row, or else a little of the first dataset of the list.
func (t *Table) Check(ctx context.Context, id string) Check {
	o, _ := t.Office(id)
	server, began := t.Server(id), t.now()
	c := Check{Office: id, List: CheckWorks, Data: CheckWorks, Code: o.Sample}
	for e, err := range server.Contents(ctx, source.Filter{}) {
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
		c.Data, c.Code = CheckNotAsked, ""
	case canProbe:
		err = p.Probe(ctx, c.Code)
	default:
		err = fetchSample(ctx, server, c.Code)
	}
	switch {
	case err != nil && source.IsMissing(err) && c.Code != o.Sample: // the first dataset of a list may be empty
		c.Data = CheckEmpty
	case err != nil:
		c.Data, c.Err = CheckFailed, errors.Join(c.Err, err)
	}
	c.Took = t.now().Sub(began)
	return c
}

// fetchSample fetches a dataset into a folder that is removed.
func fetchSample(ctx context.Context, server source.Server, code string) error {
	folder, err := os.MkdirTemp("", "almanac-check-*")
	if err != nil {
		return err
	}
	d, err := server.Fetch(ctx, source.Request{Code: code, Folder: folder})
	if err == nil && len(d.Data) == 0 {
		err = stat.Errorf(stat.Unavailable, "the answer for %s has no data", code)
	}
	return errors.Join(err, os.RemoveAll(folder))
}
