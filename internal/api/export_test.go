package api

import (
	"context"
	"sync"
	"testing"

	"almanac/internal/request"
	"almanac/internal/store"
)

// EncoderVersion is part of every ETag.
const EncoderVersion = encoderVersion

// Identity is what every tag of a vintage is made from.
func Identity(v *store.Vintage) string { return string(cardOf(v).identity) }

// Documented is what a route says of itself.
type Documented struct {
	Method   string // empty: it is read
	Path     string
	Params   []request.Param
	Statuses []int
	Counted  bool
	Open     bool // no key is looked at
}

// Routes lists the routes.
func Routes() []Documented {
	var all []Documented
	for _, rt := range routes {
		all = append(all, Documented{rt.method, rt.path, rt.params, rt.allStatuses(), rt.guard.counts(), rt.guard == open})
	}
	return all
}

// AddStream gives an API one more address, which answers with what write
// sends in pieces. What is sent to the end is kept as the whole body.
func AddStream(a *API, path string, write func(send func(text string) error) error) {
	encode := func(s *stream) error {
		return write(func(text string) error {
			s.buf = append(s.buf, text...)
			return s.pass()
		})
	}
	a.mux.Handle(path, a.place(counted, &route{path: path, handle: func(*exchange) (reply, error) {
		return reply{contentType: applicationJSON, tag: tagOf([]byte(path)), encode: encode, keep: true}, nil
	}}))
}

// FillTable takes every place at the studio's table and in its queue, until
// the test ends or leave is called: no chart can be drawn.
func FillTable(t testing.TB, a *API) (leave func()) {
	t.Helper()
	if err := a.studio.table.Acquire(context.Background(), pixelsInFlight); err != nil {
		t.Fatal(err)
	}
	a.studio.waiting.Add(longestQueue)
	leave = sync.OnceFunc(func() {
		a.studio.waiting.Add(-longestQueue)
		a.studio.table.Release(pixelsInFlight)
	})
	t.Cleanup(leave)
	return leave
}

// AddBrokenChart gives an API one more address, whose picture panics when it
// is drawn.
func AddBrokenChart(a *API, path string) {
	a.mux.Handle(path, a.place(counted, &route{path: path, handle: func(x *exchange) (reply, error) {
		return a.pictureReply(x.r.Context(), nil, "broken", "png"), nil
	}}))
}
