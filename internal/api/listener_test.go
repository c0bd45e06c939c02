package api_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/api"
)

// docs/api.md, All responses: malformed requests get an error object too, and CORS is on
// every response.
func TestMalformedRequests(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: newAPI(t, api.Options{Store: sampleStore(t)}), MaxHeaderBytes: 4 << 10}
	go server.Serve(api.NewListener(listener))
	t.Cleanup(func() { server.Close() })
	for _, tc := range []struct {
		name, request string
		status        int
	}{
		{"a broken escape in the path", "GET /api/datasets/%zz HTTP/1.1\r\nHost: x\r\n\r\n", 400},
		{"a raw space", "GET /api/datasets/1/data?country=United States HTTP/1.1\r\nHost: x\r\n\r\n", 400},
		{"no host", "GET /api/datasets HTTP/1.1\r\n\r\n", 400},
		{"headers that are too long", "GET / HTTP/1.1\r\nHost: x\r\nX: " + strings.Repeat("x", 20<<10) + "\r\n\r\n", 431},
		{"an unknown transfer encoding", "GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n", 501},
		{"an expectation other than 100-continue", "GET /api/datasets HTTP/1.1\r\nHost: x\r\nExpect: something\r\n\r\n", 417},
		{"a body that is declared too large, before it is sent",
			"POST /api/charts/generate-png HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 99999999\r\n\r\n", 413},
		{"a request", "GET /api/datasets HTTP/1.1\r\nHost: x\r\n\r\n", 200},
	} {
		t.Run(tc.name, func(t *testing.T) {
			conn, err := net.Dial("tcp", listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			fmt.Fprint(conn, tc.request)
			resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			body, err := bufio.NewReader(resp.Body).ReadString('}')
			if err != nil || resp.StatusCode != tc.status || resp.Header.Get("Content-Type") != "application/json" ||
				resp.Header.Get("Access-Control-Allow-Origin") != "*" {
				t.Errorf("%d %v %s, %v", resp.StatusCode, resp.Header, body, err)
			}
			if want := fmt.Sprintf(`{"statusCode":%d,"statusMessage":"`, tc.status); tc.status != 200 && !strings.HasPrefix(body, want) {
				t.Errorf("body %s", body)
			}
		})
	}
}

// TestResponsesOfAnyLength checks that responses around the sizes of the buffers of net/http
// arrive whole, one after the other on the same connection.
func TestResponsesOfAnyLength(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(r.URL.Path[1:])
		body := numbered(n)
		w.Header().Set("Content-Type", "text/csv")
		w.Header().Set("Content-Length", strconv.Itoa(n))
		if r.URL.RawQuery == "" {
			_, _ = w.Write(body)
			return
		}
		for part := range slices.Chunk(body, 1500) {
			_, _ = w.Write(part)
		}
	})}
	go server.Serve(api.NewListener(listener))
	t.Cleanup(func() { server.Close() })
	sizes := []int{0, 1, 2047, 2048, 2049, 8191, 8192, 8193, 65535, 65536, 1 << 20}
	for n := 3850; n < 4150; n++ {
		sizes = append(sizes, n)
	}
	for _, n := range sizes {
		for _, query := range []string{"", "?parts"} {
			resp, err := http.Get(fmt.Sprintf("http://%s/%d%s", listener.Addr(), n, query))
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(resp.Body)
			resp.Body.Close()
			if err != nil || !bytes.Equal(body, numbered(n)) {
				t.Fatalf("%d bytes%s: %d bytes arrived, %v", n, query, len(body), err)
			}
		}
		if resp, err := http.Head(fmt.Sprintf("http://%s/%d", listener.Addr(), n)); err != nil || resp.ContentLength != int64(n) {
			t.Fatalf("HEAD of %d bytes: %v", n, err)
		}
	}
}

// numbered returns n bytes, whose order can be seen.
func numbered(n int) (text []byte) {
	for i := 0; len(text) < n; i++ {
		text = strconv.AppendInt(append(text, ' '), int64(i), 10)
	}
	return text[:n]
}
