package encode

import (
	"iter"
	"mime"
	"strconv"
	"strings"
)

// MediaType is a media type that a header Accept names.
type MediaType struct {
	Kind    string            // "text/csv"
	Params  map[string]string // without q
	Quality float64           // how much it is preferred; 0: not accepted
}

// Accepted yields the media types that a header Accept names, in its order. What is none is left out.
func Accepted(accept []string) iter.Seq[MediaType] {
	return func(yield func(MediaType) bool) {
		for _, list := range accept {
			for item := range strings.SplitSeq(list, ",") {
				m := MediaType{Quality: 1}
				var err error
				if m.Kind, m.Params, err = mime.ParseMediaType(item); err != nil {
					continue
				}
				if text, ok := m.Params["q"]; ok {
					if m.Quality, err = strconv.ParseFloat(text, 64); err != nil {
						continue
					}
					delete(m.Params, "q")
				}
				if !yield(m) {
					return
				}
			}
		}
	}
}
