package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// outcome is what the load generator says of a round.
type outcome struct {
	Requests  int
	Seconds   float64
	P50       time.Duration // whole answer
	P99       time.Duration
	FirstByte time.Duration // median
}

// generator replays exchanges over a few connections that stay open, each
// asking again as soon as it has its answer.
type generator struct {
	address   string
	list      []exchange
	order     []int
	sums      []uint32
	total     int64
	strangers int64 // number of the first stranger; 0: none
	next      atomic.Int64
}

// runLoad is the role "load": it prints an outcome as JSON.
func runLoad(ctx context.Context, args []string, stdout io.Writer) error {
	flags := flag.NewFlagSet("load", flag.ContinueOnError)
	url := flags.String("url", "", "server")
	file := flags.String("file", "", "exchanges to replay")
	total := flags.Int64("n", 1000, "requests")
	connections := flags.Int("c", 16, "connections")
	seed := flags.Uint64("seed", 1, "seed of the order")
	strangers := flags.Int64("strangers", 0, "have each request come from an address of its own, as a proxy would tell it, from this one on")
	if err := flags.Parse(args); err != nil {
		return err
	}
	list, err := load(*file)
	if err != nil {
		return err
	}
	g := &generator{address: strings.TrimPrefix(*url, "http://"), list: list, total: *total, strangers: *strangers}
	g.order = rand.New(rand.NewPCG(*seed, 0)).Perm(len(list))
	for _, e := range list {
		g.sums = append(g.sums, crc32.ChecksumIEEE(e.Body))
	}
	result, err := g.replay(ctx, *connections)
	if err != nil {
		return err
	}
	return json.NewEncoder(stdout).Encode(result)
}

func (g *generator) replay(ctx context.Context, connections int) (outcome, error) {
	whole := make([][]time.Duration, connections)
	first := make([][]time.Duration, connections)
	begin := time.Now()
	group, ctx := errgroup.WithContext(ctx)
	for i := range connections {
		group.Go(func() (err error) {
			whole[i], first[i], err = g.connection(ctx)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return outcome{}, err
	}
	seconds := time.Since(begin).Seconds()
	all, bytes := slices.Concat(whole...), slices.Concat(first...)
	slices.Sort(all)
	slices.Sort(bytes)
	return outcome{len(all), seconds, quantile(all, 50), quantile(all, 99), quantile(bytes, 50)}, nil
}

func quantile(sorted []time.Duration, percent int) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[(len(sorted)-1)*percent/100]
}

// connection asks one request after another until all are given out.
func (g *generator) connection(ctx context.Context) (whole, first []time.Duration, err error) {
	conn, err := net.Dial("tcp", g.address)
	if err != nil {
		return nil, nil, err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	r := bufio.NewReaderSize(conn, 64<<10)
	var request, body []byte
	for i := g.next.Add(1) - 1; i < g.total; i = g.next.Add(1) - 1 {
		at := g.order[int(i)%len(g.order)]
		e := &g.list[at]
		request = fmt.Appendf(request[:0], "GET %s HTTP/1.1\r\nHost: %s\r\n", e.URI, g.address)
		if e.Header != "" {
			request = fmt.Appendf(request, "%s: %s\r\n", e.Header, e.Value)
		}
		if g.strangers > 0 {
			n := g.strangers + i
			request = fmt.Appendf(request, "X-Forwarded-For: 10.%d.%d.%d\r\n", n>>16&255, n>>8&255, n&255)
		}
		request = append(request, "\r\n"...)
		sent := time.Now()
		if _, err := conn.Write(request); err != nil {
			return nil, nil, err
		}
		if _, err := r.Peek(1); err != nil {
			return nil, nil, fmt.Errorf("%s: no answer: %w", e.URI, err)
		}
		first = append(first, time.Since(sent))
		var status int
		if status, body, err = readAnswer(r, body[:0]); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", e.URI, err)
		}
		whole = append(whole, time.Since(sent))
		if status != e.Status || len(body) != len(e.Body) || i%16 == 0 && crc32.ChecksumIEEE(body) != g.sums[at] {
			return nil, nil, fmt.Errorf("%s answers %d with %d bytes, not the %d with %d bytes that it answered before", e.URI, status, len(body), e.Status, len(e.Body))
		}
	}
	return whole, first, nil
}

// readAnswer reads one HTTP/1.1 answer and appends its body to body.
func readAnswer(r *bufio.Reader, body []byte) (status int, _ []byte, err error) {
	line, err := r.ReadSlice('\n')
	if err != nil {
		return 0, body, err
	}
	if len(line) < 12 {
		return 0, body, fmt.Errorf("%q is no status line", line)
	}
	if status, err = strconv.Atoi(string(line[9:12])); err != nil {
		return 0, body, err
	}
	length, chunked := 0, false
	for {
		if line, err = r.ReadSlice('\n'); err != nil {
			return 0, body, err
		}
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 {
			break
		}
		name, value, _ := bytes.Cut(line, []byte(": "))
		switch {
		case bytes.EqualFold(name, []byte("Content-Length")):
			if length, err = strconv.Atoi(string(value)); err != nil {
				return 0, body, err
			}
		case bytes.EqualFold(name, []byte("Transfer-Encoding")):
			chunked = true
		}
	}
	switch {
	case status == 304:
	case chunked:
		body, err = readChunks(r, body)
	default:
		body, err = readN(r, body, length)
	}
	return status, body, err
}

func readN(r *bufio.Reader, body []byte, n int) ([]byte, error) {
	start := len(body)
	body = slices.Grow(body, n)[:start+n]
	_, err := io.ReadFull(r, body[start:])
	return body, err
}

func readChunks(r *bufio.Reader, body []byte) ([]byte, error) {
	for {
		line, err := r.ReadSlice('\n')
		if err != nil {
			return body, err
		}
		n, err := strconv.ParseInt(string(bytes.TrimRight(line, "\r\n")), 16, 64)
		if err != nil {
			return body, err
		}
		if body, err = readN(r, body, int(n)); err != nil {
			return body, err
		}
		if end, err := r.ReadSlice('\n'); err != nil || len(bytes.TrimSpace(end)) != 0 {
			return body, errors.Join(errors.New("a chunk does not end where it says"), err)
		}
		if n == 0 {
			return body, nil
		}
	}
}
