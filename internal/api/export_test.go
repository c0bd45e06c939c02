package api

import (
	"net/http"

	"almanac/internal/request"
	"almanac/internal/store"
)

// EncoderVersion is part of every ETag.
const EncoderVersion = encoderVersion

// Identity is what every tag of a vintage is made from.
func Identity(v *store.Vintage) string { return string(cardOf(v).identity) }

// Documented is what a route says of itself.
type Documented struct {
	Path     string
	Params   []request.Param
	Statuses []int
}

// Routes lists the routes.
func Routes() []Documented {
	var all []Documented
	for _, rt := range routes {
		all = append(all, Documented{rt.path, rt.params, rt.statuses})
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
	a.mux.Handle(path, a.serve(&route{path: path, handle: func(*API, *http.Request) (reply, error) {
		return reply{contentType: applicationJSON, tag: tagOf([]byte(path)), encode: encode, keep: true}, nil
	}}))
}
