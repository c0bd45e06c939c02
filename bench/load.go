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
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// exchange is a request with the server's response.
type exchange struct {
	URI    string      // path and query
	Lines  string      // of the request's head besides Host; each ends with \r\n
	Post   string      // body of a POST request, JSON
	Status int         // 0 if no response is known
	Header http.Header // of the response, as far as the bare handler sends it
	ETag   string      // of the response
	Body   []byte
}

// connection is a client's open connection. The client does as little as possible
// because it shares the server's cores.
type connection struct {
	net.Conn
	host   string
	reader *bufio.Reader
	body   bytes.Buffer  // of the last response
	first  time.Duration // until the first byte of the last response
	whole  time.Duration // until its last byte
}

// dial opens a connection, which is closed when ctx ends.
func dial(ctx context.Context, p *process) *connection {
	host := strings.TrimPrefix(p.url, "http://")
	conn := must(net.Dial("tcp", host))
	context.AfterFunc(ctx, func() { _ = conn.Close() })
	return &connection{Conn: conn, host: host, reader: bufio.NewReaderSize(conn, 64<<10)}
}

// exchange sends a request and compares the response with the captured one. If there is
// none, it captures the response.
func (c *connection) exchange(e *exchange, status int) {
	method, lines := http.MethodGet, e.Lines
	if e.Post != "" {
		method = http.MethodPost
		lines += fmt.Sprintf("Content-Type: application/json\r\nContent-Length: %d\r\n", len(e.Post))
	}
	begin := time.Now()
	must(fmt.Fprintf(c, "%s %s HTTP/1.1\r\nHost: %s\r\n%s\r\n%s", method, e.URI, c.host, lines, e.Post))
	must(c.reader.Peek(1))
	c.first = time.Since(begin)
	resp := must(http.ReadResponse(c.reader, nil))
	defer resp.Body.Close()
	c.body.Reset()
	must(c.body.ReadFrom(resp.Body))
	c.whole = time.Since(begin)
	body := c.body.Bytes()
	if resp.StatusCode != status || e.Status != 0 && !bytes.Equal(body, e.Body) {
		check(fmt.Errorf("%s: status %d with %d bytes, want %d with %d bytes: %.300s", e.URI, resp.StatusCode, len(body), status, len(e.Body), body))
	}
	if e.Status != 0 {
		return
	}
	e.Status, e.ETag, e.Body = status, resp.Header.Get("ETag"), bytes.Clone(body)
	e.Header = http.Header{"Etag": {e.ETag}}
	if status != http.StatusNotModified {
		e.Header = http.Header{"Content-Type": resp.Header["Content-Type"], "Content-Encoding": resp.Header["Content-Encoding"], "Content-Length": {strconv.Itoa(len(body))}}
	}
}

// workload is a case: requests with their responses, and how to send them.
type workload struct {
	name        string // and the row of its figures
	prefix      string // of the columns of its figures
	server      *process
	goal        float64 // of the ratio of CPU times; 0: none
	list        []exchange
	status      int // expected from each request
	connections int
	requests    int
}

// workload returns a case with small responses.
func (h *harness) workload(name string, goal float64, uris ...string) workload {
	w := workload{name: name, goal: goal, status: http.StatusOK, connections: 16, requests: h.requests}
	for _, uri := range uris {
		w.list = append(w.list, exchange{URI: uri})
	}
	return w
}

// on returns the workload for a server, whose figures have a prefix.
func (w workload) on(server *process, prefix string) workload {
	w.server, w.prefix = server, prefix
	return w
}

// capture sends each request of a workload to the server once and records the responses.
func (h *harness) capture(p *process, w workload) {
	w.connections, w.requests = 2, len(w.list)
	h.load(newTable(""), w.on(p, ""))
}

// load sends the requests of a workload over a few open connections; each sends
// the next request after a response. It adds a round to a table.
func (h *harness) load(t *table, w workload) {
	h.seed++
	order := rand.New(rand.NewPCG(h.seed, 0)).Perm(len(w.list))
	whole, first := make([][]float64, w.connections), make([][]float64, w.connections)
	var next atomic.Int64
	before, begin := w.server.cpu(), time.Now()
	h.concurrently(w.connections, func(ctx context.Context, n int) {
		c := dial(ctx, w.server)
		defer c.Close()
		for i := int(next.Add(1)) - 1; i < w.requests; i = int(next.Add(1)) - 1 {
			c.exchange(&w.list[order[i%len(order)]], w.status)
			whole[n], first[n] = append(whole[n], milliseconds(c.whole)), append(first[n], milliseconds(c.first))
		}
	})
	seconds, requests := time.Since(begin).Seconds(), float64(w.requests)
	latencies := slices.Concat(whole...)
	t.add(w.name, w.prefix+"CPU µs", float64(w.server.cpu()-before)/1e3/requests)
	t.add(w.name, w.prefix+"requests/s", requests/seconds)
	t.add(w.name, w.prefix+"p50 ms", quantile(latencies, 50))
	t.add(w.name, w.prefix+"p99 ms", quantile(latencies, 99))
	t.add(w.name, w.prefix+"first byte ms", quantile(slices.Concat(first...), 50))
}

// concurrently calls work n times at once and waits for all calls.
func (h *harness) concurrently(n int, work func(ctx context.Context, i int)) {
	group, ctx := errgroup.WithContext(h.ctx)
	for i := range n {
		group.Go(func() error { return catch(func() { work(ctx, i) }) })
	}
	check(group.Wait())
}

// startBare starts a bare handler that serves the captured responses.
func (h *harness) startBare(list []exchange) *process {
	var input bytes.Buffer
	check(gob.NewEncoder(&input).Encode(list))
	return h.startServer(&input, h.self, bareHandler)
}

// serveBare serves the exchanges of its input from memory, which is the least work of a
// net/http server, until it is stopped.
func serveBare(input io.Reader, log io.Writer) {
	var list []exchange
	check(gob.NewDecoder(input).Decode(&list))
	responses := make(map[string]exchange, len(list))
	for _, e := range list {
		responses[e.URI] = e
	}
	listener := must(net.Listen("tcp", "127.0.0.1:0"))
	fmt.Fprintf(log, "listening on http://%s\n", listener.Addr())
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
		_, _ = w.Write(e.Body) // the client may have disconnected
	})))
}
