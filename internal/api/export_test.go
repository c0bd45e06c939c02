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

// Identity returns the input that all tags of a vintage share.
func Identity(v *store.Vintage) string { return identityOf(v) }

// Documented describes a route.
type Documented struct {
	Method   string // empty: GET and HEAD
	Path     string
	Params   []request.Param
	Statuses []int
	Counted  bool
	Open     bool // keys are ignored
}

// Routes returns the routes.
func Routes() []Documented {
	var all []Documented
	for _, rt := range routes {
		all = append(all, Documented{rt.method, rt.path, rt.params, rt.allStatuses(), rt.counted, rt.guard == unchecked})
	}
	return all
}

// AddStream adds an address to an API whose response write sends in pieces. A complete
// response is cached.
func AddStream(a *API, path string, write func(send func(text string) error) error) {
	encode := func(s *stream) error {
		return write(func(text string) error {
			s.Buf = append(s.Buf, text...)
			return s.Flush()
		})
	}
	a.mux.Handle(path, a.handler(&route{path: path, counted: true, handle: func(*exchange) (*reply, error) {
		return &reply{tag: tagOf([]byte(path)), encode: encode, isKept: true}, nil
	}}))
}

// FillRenderer takes all pixels and all places in the queue of the renderer until the
// test ends or release is called, so that no chart can be drawn.
func FillRenderer(t testing.TB, a *API) (release func()) {
	t.Helper()
	if err := a.renderer.pixels.Acquire(context.Background(), pixelsInFlight); err != nil {
		t.Fatal(err)
	}
	a.renderer.waiting.Add(longestQueue)
	release = sync.OnceFunc(func() {
		a.renderer.waiting.Add(-longestQueue)
		a.renderer.pixels.Release(pixelsInFlight)
	})
	t.Cleanup(release)
	return release
}

// AddBrokenChart adds an address to an API whose picture panics when it is drawn.
func AddBrokenChart(a *API, path string) {
	a.mux.Handle(path, a.handler(&route{path: path, counted: true, handle: func(x *exchange) (*reply, error) {
		return x.pictureReply(nil, "broken", "png"), nil
	}}))
}

// Example is an example of a response.
type Example = example

// StoredExamples returns the examples of responses in the API reference, by operation.
func StoredExamples() map[string]Example { return examples() }

// SampleBlocks is for tests of the estimated length of files.
var SampleBlocks = sampleBlocks

const SampledCells = sampledCells
