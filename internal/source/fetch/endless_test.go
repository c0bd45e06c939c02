package fetch_test

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"path/filepath"
	"testing"

	"almanac/internal/source/fetch"
)

// TestEndAtClose checks responses that end when the server closes the connection.
// One that stops in the middle of a line counts as truncated.
func TestEndAtClose(t *testing.T) {
	for _, c := range []struct {
		body        string
		isTruncated bool
	}{
		{"geo,value\nIT,35\n", false},
		{"geo,value\nIT,3", true},
		{`{"value":[35]}`, false},
		{`{"value":[35`, true},
		{"<a>35</a>", false},
		{"DATA=\n35;", false},
		{"\x1f\x8bpacked", false},
	} {
		address := serveUntilClose(t, c.body)
		client, err := fetch.New(fetch.Options{Networks: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, Tries: 1})
		if err != nil {
			t.Fatal(err)
		}
		_, err = client.Save(t.Context(), fetch.Request{Address: address}, filepath.Join(t.TempDir(), "f"))
		var failed *fetch.Error
		if is := errors.As(err, &failed) && failed.Reason == fetch.Cut; is != c.isTruncated || err != nil && !is {
			t.Errorf("%q: %v", c.body, err)
		}
	}
}

// serveUntilClose serves one body without stating its length.
func serveUntilClose(t *testing.T, body string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		_, _ = conn.Read(make([]byte, 4096))
		fmt.Fprintf(conn, "HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\n%s", body)
	}()
	return "http://" + l.Addr().String()
}
