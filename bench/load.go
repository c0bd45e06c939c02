package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/gob"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// exchange is one request and the response that the server gave to it.
type exchange struct {
	URI    string      // path and query
	Lines  string      // of the head of the request beside Host; each ends with \r\n
	Post   string      // body of a POST request, JSON
	Status int         // 0 while no response is known
	Header http.Header // of the response, as far as the bare handler sends it
	ETag   string      // of the response
	Body   []byte
}

// gets are plain GET requests for addresses.
func gets(uris []string) []exchange {
	list := make([]exchange, len(uris))
	for i, uri := range uris {
		list[i].URI = uri
	}
	return list
}

// connection is a client's connection, which stays open. The client does as
// little as it can, because it runs on the cores of the server.
type connection struct {
	net.Conn
	host    string
	reader  *bufio.Reader
	request []byte
	body    bytes.Buffer  // of the last response
	first   time.Duration // until the first byte of the last response
	whole   time.Duration // until its last byte
}

// dial opens a connection, which is closed when ctx ends.
func dial(ctx context.Context, p *process) (*connection, error) {
	host := strings.TrimPrefix(p.url, "http://")
	conn, err := net.Dial("tcp", host)
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, func() { _ = conn.Close() })
	return &connection{Conn: conn, host: host, reader: bufio.NewReaderSize(conn, 64<<10)}, nil
}

// send sends a request, with more lines in its head, and reads the response.
func (c *connection) send(e *exchange, lines string) (*http.Response, error) {
	method := http.MethodGet
	if e.Post != "" {
		method = http.MethodPost
		lines += fmt.Sprintf("Content-Type: application/json\r\nContent-Length: %d\r\n", len(e.Post))
	}
	c.request = fmt.Appendf(c.request[:0], "%s %s HTTP/1.1\r\nHost: %s\r\n%s%s\r\n%s", method, e.URI, c.host, e.Lines, lines, e.Post)
	c.body.Reset()
	begin := time.Now()
	if _, err := c.Write(c.request); err != nil {
		return nil, err
	}
	if _, err := c.reader.Peek(1); err != nil {
		return nil, fmt.Errorf("%s: no response: %w", e.URI, err)
	}
	c.first = time.Since(begin)
	resp, err := http.ReadResponse(c.reader, nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.URI, err)
	}
	defer resp.Body.Close()
	_, err = c.body.ReadFrom(resp.Body)
	c.whole = time.Since(begin)
	return resp, err
}

// check sends a request and compares the response with the one that is known, or
// keeps it if none is.
func (c *connection) check(e *exchange, lines string, status int, withBody bool) error {
	resp, err := c.send(e, lines)
	if err != nil {
		return err
	}
	body := c.body.Bytes()
	if resp.StatusCode != status || e.Status != 0 && (len(body) != len(e.Body) || withBody && !bytes.Equal(body, e.Body)) {
		return fmt.Errorf("%s gets %d with %d bytes instead of %d with %d bytes: %.300s", e.URI, resp.StatusCode, len(body), status, len(e.Body), body)
	}
	if e.Status != 0 {
		return nil
	}
	e.Status, e.ETag, e.Body = status, resp.Header.Get("ETag"), bytes.Clone(body)
	e.Header = http.Header{"Etag": {e.ETag}}
	if status != http.StatusNotModified {
		e.Header = http.Header{"Content-Type": resp.Header["Content-Type"], "Content-Encoding": resp.Header["Content-Encoding"], "Content-Length": {strconv.Itoa(len(body))}}
	}
	return nil
}

// workload is one case: requests with their responses, and how they are sent.
type workload struct {
	name        string
	goal        float64 // of the ratio of CPU times; 0 where none is set
	list        []exchange
	status      int // that each request is to have: a case measures what works
	connections int
	requests    int
	strangers   bool // each request comes from another address, as a proxy tells it
}

// measured are the rounds of a workload on one server: its CPU time a request in
// µs, requests a second, and latencies in ms, of which first is the median time
// until the first byte.
type measured struct{ cpu, rate, p50, p99, first []float64 }

// putInto puts the medians into columns whose names end in suffix.
func (m *measured) putInto(t *table, row, suffix string) {
	t.set(row, "CPU µs"+suffix, m.cpu...)
	t.set(row, "requests/s"+suffix, m.rate...)
	t.set(row, "p50 ms"+suffix, m.p50...)
	t.set(row, "p99 ms"+suffix, m.p99...)
}

// capture sends the server each request of a workload once, so that its
// responses are known.
func (h *harness) capture(p *process, w workload) {
	w.connections, w.requests = 2, len(w.list)
	h.load(p, w, &measured{})
}

// load sends the requests of a workload over a few connections that stay open,
// each sending the next as soon as it has its response. It adds a round to m.
func (h *harness) load(p *process, w workload, m *measured) {
	h.seed++
	order := rand.New(rand.NewPCG(h.seed, 0)).Perm(len(w.list))
	whole, first := make([][]float64, w.connections), make([][]float64, w.connections)
	var next atomic.Int64
	before, begin := p.cpu(), time.Now()
	group, ctx := errgroup.WithContext(h.ctx)
	for n := range w.connections {
		group.Go(func() error {
			c, err := dial(ctx, p)
			if err != nil {
				return err
			}
			defer c.Close()
			for i := int(next.Add(1)) - 1; i < w.requests; i = int(next.Add(1)) - 1 {
				lines := ""
				if w.strangers {
					n := h.strangers + i + 1
					lines = fmt.Sprintf("X-Forwarded-For: 10.%d.%d.%d\r\n", n>>16&255, n>>8&255, n&255)
				}
				if err := c.check(&w.list[order[i%len(order)]], lines, w.status, i%16 == 0); err != nil {
					return fmt.Errorf("%s: %w", w.name, err)
				}
				whole[n], first[n] = append(whole[n], milliseconds(c.whole)), append(first[n], milliseconds(c.first))
			}
			return nil
		})
	}
	check(group.Wait())
	seconds, requests := time.Since(begin).Seconds(), float64(w.requests)
	if w.strangers {
		h.strangers += w.requests
	}
	m.cpu = append(m.cpu, float64(p.cpu()-before)/1e3/requests)
	m.rate = append(m.rate, requests/seconds)
	latencies := slices.Concat(whole...)
	m.p50, m.p99 = append(m.p50, median(latencies)), append(m.p99, quantile(latencies, 99))
	m.first = append(m.first, median(slices.Concat(first...)))
}

// startBare starts the bare handler with the responses of exchanges.
func (h *harness) startBare(list []exchange) *process {
	var input bytes.Buffer
	check(gob.NewEncoder(&input).Encode(list))
	return h.startServer(&input, h.self, "bare")
}

// runBare is the role "bare": it serves the exchanges that its input holds from
// memory, the least that a net/http server can do, until it is told to stop.
func runBare(_ context.Context, _ []string, stdin io.Reader, _ io.Writer) {
	var list []exchange
	check(gob.NewDecoder(stdin).Decode(&list))
	responses := make(map[string]exchange, len(list))
	for _, e := range list {
		responses[e.URI] = e
	}
	listener := must(net.Listen("tcp", "127.0.0.1:0"))
	fmt.Fprintf(os.Stderr, "listening on http://%s\n", listener.Addr())
	check(http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e, ok := responses[r.RequestURI]
		if !ok {
			http.NotFound(w, r)
			return
		}
		header := w.Header()
		for name, values := range e.Header {
			header[name] = values
		}
		w.WriteHeader(e.Status)
		_, _ = w.Write(e.Body) // a client may go away
	})))
}
