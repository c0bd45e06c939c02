package pxweb

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"almanac/internal/source"
	"almanac/internal/source/fetch"
	"almanac/internal/stat"
)

// maxBytes limits a list or the metadata of a table. It is a hundred times the size
// of the largest known.
const maxBytes = 64 << 20

// caller sends requests to a PxWeb server within its limits.
type caller struct {
	source.Office
	client *fetch.Client
	base   string // address of the service
	config string // address of the server's limits

	mu    sync.Mutex // locked while the limits are requested
	known atomic.Pointer[serverLimits]
}

// serverLimits are the limits of a server.
type serverLimits struct {
	cells int           // per response; 0: unknown
	pause time.Duration // between two requests

	languages []string // of the tables; only stated in version 2
}

func (c *caller) office() *caller { return c }

// limits returns the server's limits, which it requests once. Limits that the server does
// not state come from the office's row.
func (c *caller) limits(ctx context.Context) (serverLimits, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if known := c.known.Load(); known != nil {
		return *known, nil
	}
	limits := serverLimits{cells: c.Cells, pause: time.Duration(c.Pause)}
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

// with adds the limits stated by a server: in version 1 maxCells, which old servers
// call maxValues, maxCalls and timeWindow; in version 2 maxDataCells,
// maxCallsPerTimeWindow and timeWindow. The window is in seconds, and 0 means no
// limit.
func (l serverLimits) with(body []byte) serverLimits {
	var config struct {
		MaxCells              int `json:"maxCells"`
		MaxValues             int `json:"maxValues"`
		MaxCalls              int `json:"maxCalls"`
		MaxDataCells          int `json:"maxDataCells"`
		MaxCallsPerTimeWindow int `json:"maxCallsPerTimeWindow"`
		TimeWindow            int `json:"timeWindow"`
		Languages             []struct {
			ID string `json:"id"`
		} `json:"languages"`
	}
	if json.Unmarshal(body, &config) != nil {
		return l
	}
	for _, cells := range []int{config.MaxDataCells, config.MaxCells, config.MaxValues} {
		if cells > 0 {
			l.cells = cells
			break
		}
	}
	for _, language := range config.Languages {
		l.languages = append(l.languages, language.ID)
	}
	const longest = time.Minute // a longer pause is a mistake in the configuration
	if calls := max(config.MaxCalls, config.MaxCallsPerTimeWindow); calls > 0 && config.TimeWindow > 0 && config.TimeWindow < 1<<20 {
		l.pause = max(l.pause, min(longest, time.Duration(config.TimeWindow)*time.Second/time.Duration(calls)))
	}
	return l
}

// withPause adds the server's pause to a request.
func (c *caller) withPause(r fetch.Request) fetch.Request {
	r.Pause = time.Duration(c.Pause)
	if known := c.known.Load(); known != nil {
		r.Pause = known.pause
	}
	return r
}

// read requests a small JSON text.
func (c *caller) read(ctx context.Context, address string, body []byte) ([]byte, fetch.Answer, error) {
	return c.client.Read(ctx, c.withPause(fetch.Request{Address: address, Accept: "application/json", Body: body}), maxBytes)
}

// decode requests a small JSON text and decodes it. what is what the text should be.
func (c *caller) decode(ctx context.Context, address, what string, into any) (fetch.Answer, error) {
	body, answer, err := c.read(ctx, address, nil)
	if err == nil {
		if err = json.Unmarshal(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")), into); err != nil {
			err = c.unreadable(address, what, err)
		}
	}
	return answer, err
}

// language returns the language of titles and labels.
func (c *caller) language() string { return cmp.Or(c.Language, "en") }

// address returns the address of a path of the service.
func (c *caller) address(path string) string {
	var b strings.Builder
	b.WriteString(c.base)
	for segment := range strings.SplitSeq(path, "/") {
		if segment != "" {
			b.WriteString("/" + url.PathEscape(segment))
		}
	}
	return b.String()
}

// unreadable returns the error for an unexpected response.
func (c *caller) unreadable(address, what string, err error) error {
	return &stat.Error{Kind: stat.Unavailable, Message: "the response of " + address + " cannot be read as " + what, Err: err}
}
