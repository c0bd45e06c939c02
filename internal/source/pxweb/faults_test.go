package pxweb_test

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
	"almanac/internal/source/sourcetest"
	"almanac/internal/stat"
)

func TestMissing(t *testing.T) {
	t.Parallel()
	b := newHarness(t, 1000)
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

// Faults of a server cause an error, leave no file, and do not make a table seem to be
// missing.
func TestFaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		fault  replay.Fault
		reason fetch.Reason // empty: an error of package stat
	}{
		{"a page instead of the list", replay.Fault{Match: "/SO/SO10", Page: true}, fetch.WebPage},
		{"a page instead of cells", replay.Fault{Match: "POST", Page: true}, fetch.WebPage},
		{"truncated metadata", replay.Fault{Match: "SOXATI4.px", Cut: 200}, fetch.Cut},
		{"truncated cells", replay.Fault{Match: "POST", Cut: 700}, fetch.Cut},
		{"unavailable", replay.Fault{Match: "/", Status: 503}, fetch.Busy},
		{"too many calls, for hours", replay.Fault{Match: "SOXATI4.px", Status: 429, After: "7200"}, fetch.Busy},
		{"truncated JSON metadata", replay.Fault{Match: "SOXATI4.px", Body: `{"title":"x","variables":[{"code":"a","values":["1"`}, ""},
		{"metadata of wrong types", replay.Fault{Match: "SOXATI4.px", Body: `{"title":1,"variables":{"code":5}}`}, ""},
		{"no variables", replay.Fault{Match: "SOXATI4.px", Body: `{"title":"x","variables":[]}`}, ""},
		{"a variable twice", replay.Fault{Match: "SOXATI4.px", Body: `{"variables":[{"code":"a","values":["1"]},{"code":"a","values":["1"]}]}`}, ""},
		{"a value twice", replay.Fault{Match: "SOXATI4.px", Body: `{"variables":[` + strings.TrimSuffix(strings.Repeat(`{"code":"%","values":["1","2","3","4","5","6","7","8","9"]},`, 1), ",") + `,{"code":"b","values":["1","1"]}]}`}, ""},
		{"a list of numbers", replay.Fault{Match: "/SO/SO10", Times: 1, Body: `[1,2,3]`}, ""},
		{"JSON instead of a PX file", replay.Fault{Match: "POST", Body: `{"error":"Internal"}`}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newHarness(t, 1000)
			site := b.server
			if match, ok := strings.CutPrefix(c.fault.Match, "POST"); ok {
				c.fault.Match = match
				faulty := replay.Serve(b.site) // for queries only
				sourcetest.CloseAtEnd(t, faulty)
				faulty.Fault(c.fault)
				site = sourcetest.CloseAtEnd(t, replay.Serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.Method == http.MethodPost {
						w.Header().Set("Location", faulty.URL+r.URL.RequestURI())
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
				t.Errorf("got error %v of kind %d, want Unavailable", err, stat.KindOf(err))
			}
			if left, _ := os.ReadDir(dir); len(left) > 0 {
				t.Errorf("%d files remain", len(left))
			}
		})
	}
}

// Reading any list of tables ends. A list that is endless or inconsistent is an error.
func TestLists(t *testing.T) {
	t.Parallel()
	folders := func(n int, w io.Writer) {
		fmt.Fprint(w, "[")
		for i := range n {
			fmt.Fprintf(w, `{"id":"T%d.px","type":"t","text":"A table with a title of usual length, number %d","updated":"2024-01-01T08:00:00"},`, i, i)
		}
		fmt.Fprint(w, `{"id":"Z","type":"t","text":"last"}]`)
	}
	for _, c := range []struct {
		name, office string
		serve        http.HandlerFunc
		tables       int
		fails        bool
	}{
		{"a folder that contains itself", "statgl", func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, `[{"id":"A","type":"l","text":"A"},{"id":"T.px","type":"t","text":"T"}]`)
		}, 1, false},
		{"endless nested folders", "statgl", func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprintf(w, `[{"id":"A","type":"l","text":"A%d"}]`, len(r.URL.Path))
		}, 0, true},
		{"folders with unsafe names", "statgl", func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprintf(w, `[{"id":"..","type":"l","text":"A"},{"id":"a/b","type":"l"},{"id":"","type":"l"},{"id":"","type":"t"}]`)
		}, 0, false},
		{"200,000 tables in a folder", "statgl", func(w http.ResponseWriter, _ *http.Request) { folders(200_000, w) }, 200_001, false},
		{"a million tables in a folder", "statgl", func(w http.ResponseWriter, _ *http.Request) { folders(1_000_000, w) }, 0, true},
		{"a page that repeats", "scb", func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, `{"tables":[{"id":"TAB1","label":"x"}],"page":{"totalPages":1000000}}`)
		}, 1, true},
		{"a page of another form", "scb", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `{"tables":{"id":1}}`) }, 0, true},
		{"a page without tables", "scb", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `{}`) }, 0, true},
		{"a page without counts", "scb", func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, `{"tables":[{"id":"TAB1","label":"x"}]}`)
		}, 1, true},
		{"a page of no tables", "scb", func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, `{"tables":[],"page":{"totalPages":0,"totalElements":0}}`)
		}, 0, true},
		{"fewer tables than stated", "scb", func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, `{"tables":[{"id":"TAB1","label":"x"}],"page":{"pageNumber":1,"totalPages":1,"totalElements":2}}`)
		}, 1, true},
		{"a changing number of pages", "scb", func(w http.ResponseWriter, r *http.Request) {
			n, _ := strconv.Atoi(r.URL.Query().Get("pageNumber"))
			fmt.Fprintf(w, `{"tables":[{"id":"TAB%d","label":"x"}],"page":{"totalPages":%d}}`, n, 4-n)
		}, 2, true},
		{"the wrong page", "scb", func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprintf(w, `{"tables":[{"id":"TAB1","label":"x"}],"page":{"pageNumber":2,"totalPages":2}}`)
		}, 1, true},
		{"a complete page", "scb", func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprintf(w, `{"tables":[{"id":"TAB1","label":"x"}],"page":{"pageNumber":1,"totalPages":1,"totalElements":1}}`)
		}, 1, false},
		{"a truncated page", "scb", func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, `{"tables":[{"id":"TAB1","label":"x"},`)
		}, 1, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			clock := sourcetest.NewClock()
			server := sourcetest.CloseAtEnd(t, replay.Serve(c.serve))
			n, err := 0, error(nil)
			for _, e := range sourcetest.NewServer(t, clock, sourcetest.OfficeAt(t, c.office, server)).Contents(t.Context(), source.Filter{}) {
				if n++; e != nil {
					n, err = n-1, e
				}
			}
			if n != c.tables || (err != nil) != c.fails {
				t.Errorf("got %d tables and error %v, want %d tables", n, err, c.tables)
			}
		})
	}
}

// Reading the folders ends with the context.
func TestEndsWithContext(t *testing.T) {
	t.Parallel()
	b := newHarness(t, 1000)
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
