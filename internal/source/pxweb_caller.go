package source

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"almanac/internal/source/fetch"
	"almanac/internal/stat"
)

// pxwebMostBytes bounds a list or the metadata of a table: a hundred times what
// the largest known has.
const pxwebMostBytes = 64 << 20

// pxwebCaller asks a PxWeb server within its limits.
type pxwebCaller struct {
	Office
	client *fetch.Client
	base   string // address of the service
	config string // address of what the server tells of its limits

	asking sync.Mutex // held while the limits are asked for
	known  atomic.Pointer[pxwebLimits]
}

// pxwebLimits are what a server allows.
type pxwebLimits struct {
	cells int           // an answer; 0: not known
	pause time.Duration // between two requests
}

func (c *pxwebCaller) office() *pxwebCaller { return c }

// limits asks the server once what it allows. Where it does not tell, the
// office's row of the table does.
func (c *pxwebCaller) limits(ctx context.Context) (pxwebLimits, error) {
	c.asking.Lock()
	defer c.asking.Unlock()
	if known := c.known.Load(); known != nil {
		return *known, nil
	}
	limits := pxwebLimits{cells: c.Cells, pause: time.Duration(c.Pause)}
	body, _, err := c.client.Read(ctx, fetch.Request{Address: c.config, Accept: "application/json", Pause: limits.pause}, 1<<20)
	var e *fetch.Error
	switch {
	case err == nil:
		limits = limits.with(body)
	case !errors.As(err, &e) || e.Outage():
		return limits, err
	}
	c.known.Store(&limits)
	return limits, nil
}

// with takes in what a server tells of its limits: in the first version
// maxCells, which old servers call maxValues, maxCalls and timeWindow; in the
// second maxDataCells, maxCallsPerTimeWindow and timeWindow. The window is in
// seconds, and 0 is no limit.
func (l pxwebLimits) with(body []byte) pxwebLimits {
	var told struct {
		MaxCells              int `json:"maxCells"`
		MaxValues             int `json:"maxValues"`
		MaxCalls              int `json:"maxCalls"`
		MaxDataCells          int `json:"maxDataCells"`
		MaxCallsPerTimeWindow int `json:"maxCallsPerTimeWindow"`
		TimeWindow            int `json:"timeWindow"`
	}
	if json.Unmarshal(body, &told) != nil {
		return l
	}
	for _, cells := range []int{told.MaxDataCells, told.MaxCells, told.MaxValues} {
		if cells > 0 {
			l.cells = cells
			break
		}
	}
	const longest = time.Minute // a longer pause is a mistake in the configuration
	if calls := max(told.MaxCalls, told.MaxCallsPerTimeWindow); calls > 0 && told.TimeWindow > 0 && told.TimeWindow < 1<<20 {
		l.pause = max(l.pause, min(longest, time.Duration(told.TimeWindow)*time.Second/time.Duration(calls)))
	}
	return l
}

// polite gives a request the pause that the server wants.
func (c *pxwebCaller) polite(r fetch.Request) fetch.Request {
	r.Pause = time.Duration(c.Pause)
	if known := c.known.Load(); known != nil {
		r.Pause = known.pause
	}
	return r
}

// read asks for a small JSON text.
func (c *pxwebCaller) read(ctx context.Context, address string, body []byte) ([]byte, fetch.Answer, error) {
	return c.client.Read(ctx, c.polite(fetch.Request{Address: address, Accept: "application/json", Body: body}), pxwebMostBytes)
}

// address is that of something below the service.
func (c *pxwebCaller) address(path string) string {
	var b strings.Builder
	b.WriteString(c.base)
	for segment := range strings.SplitSeq(path, "/") {
		if segment != "" {
			b.WriteString("/" + url.PathEscape(segment))
		}
	}
	return b.String()
}

// unreadable is the error for an answer that is not what was asked for.
func (c *pxwebCaller) unreadable(address, what string, err error) error {
	return &stat.Error{Kind: stat.Unavailable, Message: "the answer of " + address + " cannot be read as " + what, Err: err}
}

// pxwebTime reads a time of update. The first version writes local time without
// a zone, which is taken for UTC: it is compared and shown, never counted with.
func pxwebTime(text string) time.Time {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02"} {
		if at, err := time.Parse(layout, strings.TrimSpace(text)); err == nil {
			return at.UTC()
		}
	}
	return time.Time{}
}
