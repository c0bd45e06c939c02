package source_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/source"
	"almanac/internal/source/fetch"
	"almanac/internal/source/replay"
	"almanac/internal/stat"
)

func TestPxwebMissing(t *testing.T) {
	t.Parallel()
	b := newPxwebBench(t, 1000)
	for _, c := range []struct {
		office, code string
		kind         stat.Kind
	}{
		{"scb", "TAB9", stat.NotFound},
		{"scb", "BE/BE0101/BE0101A/Nothing", stat.NotFound},
		{"scb", "BE/BE0101", stat.NotFound},
		{"statgl", "SO/SO10/NOTHING.px", stat.NotFound},
		{"statgl", "NO/WHERE/NOTHING.px", stat.NotFound},
		{"statgl", "SO/../SO/SO10/SOXATI4.px", stat.Invalid},
		{"statgl", "", stat.Invalid},
	} {
		_, _, err := b.fetch(b.office(c.office), c.code, source.State{}, nil)
		if stat.KindOf(err) != c.kind {
			t.Errorf("%s:%s: %v", c.office, c.code, err)
		}
	}
}

// Faults of a server end in an error, leave no file, and do not make a table seem to be
// gone.
func TestPxwebFaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		what   string
		fault  replay.Fault
		reason fetch.Reason // empty: an error of package stat
	}{
		{"a page instead of the list", replay.Fault{Match: "/SO/SO10", Page: true}, fetch.WebPage},
		{"a page instead of cells", replay.Fault{Match: "POST", Page: true}, fetch.WebPage},
		{"cut metadata", replay.Fault{Match: "SOXATI4.px", Cut: 200}, fetch.Cut},
		{"cut cells", replay.Fault{Match: "POST", Cut: 700}, fetch.Cut},
		{"out", replay.Fault{Match: "/", Status: 503}, fetch.Busy},
		{"limit of calls, for hours", replay.Fault{Match: "SOXATI4.px", Status: 429, After: "7200"}, fetch.Busy},
		{"metadata that end early", replay.Fault{Match: "SOXATI4.px", Body: `{"title":"x","variables":[{"code":"a","values":["1"`}, ""},
		{"metadata of wrong types", replay.Fault{Match: "SOXATI4.px", Body: `{"title":1,"variables":{"code":5}}`}, ""},
		{"no variables", replay.Fault{Match: "SOXATI4.px", Body: `{"title":"x","variables":[]}`}, ""},
		{"a variable twice", replay.Fault{Match: "SOXATI4.px", Body: `{"variables":[{"code":"a","values":["1"]},{"code":"a","values":["1"]}]}`}, ""},
		{"values without end", replay.Fault{Match: "SOXATI4.px", Body: `{"variables":[` + strings.TrimSuffix(strings.Repeat(`{"code":"%","values":["1","2","3","4","5","6","7","8","9"]},`, 1), ",") + `,{"code":"b","values":["1","1"]}]}`}, ""},
		{"a list of numbers", replay.Fault{Match: "/SO/SO10", Times: 1, Body: `[1,2,3]`}, ""},
		{"JSON instead of a PX file", replay.Fault{Match: "POST", Body: `{"error":"Internal"}`}, ""},
	} {
		t.Run(c.what, func(t *testing.T) {
			b := newPxwebBench(t, 1000)
			site := b.server
			if match, ok := strings.CutPrefix(c.fault.Match, "POST"); ok {
				c.fault.Match = match
				bad := replay.Serve(b.site) // only for questions
				served(t, bad)
				bad.Fault(c.fault)
				site = served(t, replay.Serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.Method == http.MethodPost {
						w.Header().Set("Location", bad.URL+r.URL.RequestURI())
						w.WriteHeader(http.StatusTemporaryRedirect)
						return
					}
					b.site.ServeHTTP(w, r)
				})))
			} else {
				site.Fault(c.fault)
			}
			b.server = site
			_, dir, err := b.fetch(b.office("statgl"), "SO/SO10/SOXATI4.px", source.State{}, nil)
			var e *fetch.Error
			switch {
			case err == nil:
				t.Error("want an error")
			case c.reason != "" && (!errors.As(err, &e) || e.Reason != c.reason):
				t.Errorf("got %v, want reason %q", err, c.reason)
			case c.reason == "" && stat.KindOf(err) != stat.Unavailable:
				t.Errorf("%v of kind %d", err, stat.KindOf(err))
			}
			if left, _ := os.ReadDir(dir); len(left) > 0 {
				t.Errorf("%d files remain", len(left))
			}
		})
	}
}

// Endless lists end in an error.
func TestPxwebEndlessLists(t *testing.T) {
	t.Parallel()
	folders := func(n int, w io.Writer) {
		fmt.Fprint(w, "[")
		for i := range n {
			fmt.Fprintf(w, `{"id":"T%d.px","type":"t","text":"A table with a title of usual length, number %d","updated":"2024-01-01T08:00:00"},`, i, i)
		}
		fmt.Fprint(w, `{"id":"Z","type":"t","text":"last"}]`)
	}
	for _, c := range []struct {
		what, office string
		serve        http.HandlerFunc
		tables       int
		fails        bool
	}{
		{"a folder in itself", "statgl", func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, `[{"id":"A","type":"l","text":"A"},{"id":"T.px","type":"t","text":"T"}]`)
		}, 1, false},
		{"folders that go down without end", "statgl", func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprintf(w, `[{"id":"A","type":"l","text":"A%d"}]`, len(r.URL.Path))
		}, 0, true},
		{"folders with names that lead elsewhere", "statgl", func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprintf(w, `[{"id":"..","type":"l","text":"A"},{"id":"a/b","type":"l"},{"id":"","type":"l"},{"id":"","type":"t"}]`)
		}, 0, false},
		{"200,000 tables in a folder", "statgl", func(w http.ResponseWriter, _ *http.Request) { folders(200_000, w) }, 200_001, false},
		{"a million tables in a folder", "statgl", func(w http.ResponseWriter, _ *http.Request) { folders(1_000_000, w) }, 0, true},
		{"a page that comes again and again", "scb", func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, `{"tables":[{"id":"TAB1","label":"x"}],"page":{"totalPages":1000000}}`)
		}, 1, true},
		{"a page of something else", "scb", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `{"tables":{"id":1}}`) }, 0, true},
		{"a page without tables", "scb", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `{}`) }, 0, true},
		{"a page that does not say how many there are", "scb", func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, `{"tables":[{"id":"TAB1","label":"x"}]}`)
		}, 1, true},
		{"a page of none", "scb", func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, `{"tables":[],"page":{"totalPages":0,"totalElements":0}}`)
		}, 0, true},
		{"a page of fewer tables than it says", "scb", func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, `{"tables":[{"id":"TAB1","label":"x"}],"page":{"pageNumber":1,"totalPages":1,"totalElements":2}}`)
		}, 1, true},
		{"pages that become fewer", "scb", func(w http.ResponseWriter, r *http.Request) {
			n, _ := strconv.Atoi(r.URL.Query().Get("pageNumber"))
			fmt.Fprintf(w, `{"tables":[{"id":"TAB%d","label":"x"}],"page":{"totalPages":%d}}`, n, 4-n)
		}, 2, true},
		{"another page than the requested one", "scb", func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprintf(w, `{"tables":[{"id":"TAB1","label":"x"}],"page":{"pageNumber":2,"totalPages":2}}`)
		}, 1, true},
		{"a whole page", "scb", func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprintf(w, `{"tables":[{"id":"TAB1","label":"x"}],"page":{"pageNumber":1,"totalPages":1,"totalElements":1}}`)
		}, 1, false},
		{"a cut page", "scb", func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, `{"tables":[{"id":"TAB1","label":"x"},`)
		}, 1, true},
	} {
		t.Run(c.what, func(t *testing.T) {
			clock := newTestClock()
			server := served(t, replay.Serve(c.serve))
			n, err := 0, error(nil)
			for _, e := range replayed(t, clock, builtIn(t, c.office, server)).Contents(t.Context(), source.Filter{}) {
				if n++; e != nil {
					n, err = n-1, e
				}
			}
			if n != c.tables || (err != nil) != c.fails {
				t.Errorf("%d tables, error %v", n, err)
			}
		})
	}
}

// A walk ends with its context.
func TestPxwebEndsWithContext(t *testing.T) {
	t.Parallel()
	b := newPxwebBench(t, 1000)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	err := error(nil)
	for _, e := range b.office("statgl").Contents(ctx, source.Filter{}) {
		cancel()
		err = e
	}
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
