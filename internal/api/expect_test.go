package api_test

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"almanac/internal/api"
)

// Decisions, errors: what net/http refuses by itself is the error object too;
// a body that is declared too large is refused before it is sent.
func TestExpectations(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(newAPI(t, api.Options{Store: sampleStore(t)}))
	server.Listener = api.Wire(listener)
	server.Start()
	defer server.Close()
	for _, c := range []struct {
		request string
		status  int
	}{
		{"GET /api/datasets HTTP/1.1\r\nHost: x\r\nExpect: something\r\n\r\n", 417},
		{"POST /api/charts/generate-png HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 99999999\r\n\r\n", 413},
	} {
		conn, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		fmt.Fprint(conn, c.request)
		got, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		var body [500]byte
		n, _ := got.Body.Read(body[:])
		if got.Header.Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%d: headers are %v", got.StatusCode, got.Header)
		}
		got.Request = &http.Request{Method: "GET"}
		wantError(t, answer{got, string(body[:n])}, c.status)
	}
}
