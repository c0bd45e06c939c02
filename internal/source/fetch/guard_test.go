package fetch_test

import (
	"crypto/x509"
	"net/netip"
	"strings"
	"testing"

	"almanac/internal/source/fetch"
	"almanac/internal/source/replay"
)

func TestPublic(t *testing.T) {
	for _, text := range []string{
		"8.8.8.8", "147.67.210.30", "172.32.0.1", "100.128.0.1", "192.0.1.1", "198.20.0.1", "223.255.255.255",
		"2001:200::1", "2a00:1450::1", "2600::", "::ffff:8.8.8.8",
	} {
		if !fetch.Public(netip.MustParseAddr(text)) {
			t.Errorf("%s: got not public, want public", text)
		}
	}
	for _, text := range []string{
		"0.0.0.0", "0.1.2.3", "10.1.2.3", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.255.255", "169.254.169.254",
		"172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1", "198.19.255.255",
		"198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
		"::", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::1", "100::1",
		"2001::1", "2001:0:7f00:1::", "2001:10::1", "2001:20::1", "2001:db8::1", "2002:7f00:1::", "3fff::1",
		"fc00::1", "fd12::1", "fe80::1", "fe80::1%eth0", "2600::%eth0", "fec0::1", "ff02::1", "5f00::1",
	} {
		if fetch.Public(netip.MustParseAddr(text)) {
			t.Errorf("%s: got public, want not public", text)
		}
	}
}

// TestDial checks the addresses that names resolve to.
func TestDial(t *testing.T) {
	client, _ := newClient(t, func(o *fetch.Options) {
		o.Networks = []netip.Prefix{netip.MustParsePrefix("10.1.0.0/16"), netip.MustParsePrefix("fe80::/10")}
	})
	for address, want := range map[string]struct{ https, http bool }{
		"8.8.8.8:443": {true, false}, "8.8.8.8:8443": {false, false}, "8.8.8.8:80": {false, false}, "[2600::1]:443": {true, false},
		"10.1.2.3:443": {true, true}, "10.1.2.3:8080": {true, true}, "[::ffff:10.1.2.3]:80": {true, true}, "[fe80::1%eth0]:80": {true, true},
		"10.2.0.1:443": {false, false}, "127.0.0.1:443": {false, false}, "[::1]:443": {false, false}, "/run/socket": {false, false},
	} {
		https, http := client.MayDial(address)
		if (https == nil) != want.https || (http == nil) != want.http {
			t.Errorf("%s: https %v, http %v; want %+v", address, https, http, want)
		}
	}
}

// An unsafe address is rejected before any request, or at the latest when the
// connection is made, and is never retried.
func TestUnsafe(t *testing.T) {
	for _, c := range []struct {
		address string
		message string
	}{
		{"ftp://ec.europa.eu/x", "use https"},
		{"file:///etc/passwd", "use https"},
		{"ec.europa.eu/x", "use https"},
		{"https:///x", "no host"},
		{"https://name:hidden@ec.europa.eu/x", "user name or password"},
		{"http://ec.europa.eu/x", "http is not allowed"},
		{"https://127.0.0.1/", "is an IP address"},
		{"https://8.8.8.8/", "is an IP address"},
		{"https://[::1]/", "is an IP address"},
		{"https://[::ffff:127.0.0.1]/", "is an IP address"},
		{"https://localhost/", "not a public address"},
		{"https://localhost:8443/", "not a public address"},
		{"https://exa mple/", "not a valid address"},
		{"https://u:hidden@exa mple/?key=hidden", "not a valid address"},
		{"", "use https"},
	} {
		client, clock := newClient(t, func(o *fetch.Options) { o.Networks = nil })
		_, _, err := client.Read(t.Context(), fetch.Request{Address: c.address}, 100)
		failed := failure(t, err, fetch.Unsafe)
		if !strings.Contains(failed.Error(), c.message) || strings.Contains(failed.Error(), "hidden") || failed.Outage() {
			t.Errorf("%s: got %v, want it to contain %q", c.address, failed, c.message)
		}
		if failed.Tries != 1 || clock.total() != 0 {
			t.Errorf("%s: got %d attempts", c.address, failed.Tries)
		}
	}
}

// Only the private networks named in the options can be reached.
func TestNetworks(t *testing.T) {
	s := serve(t, replay.NewFiles(nil))
	s.Fault(replay.Fault{Body: "data"})
	port := s.URL[strings.LastIndex(s.URL, ":"):]
	client, _ := newClient(t, func(o *fetch.Options) {
		o.Networks = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}
	})
	for _, host := range []string{"127.0.0.1", "localhost", "[::ffff:127.0.0.1]"} {
		if _, _, err := client.Read(t.Context(), fetch.Request{Address: "http://" + host + port}, 100); err != nil {
			t.Errorf("%s: %v", host, err)
		}
	}
	for _, host := range []string{"127.0.0.2", "[::1]", "10.0.0.1"} {
		_, _, err := client.Read(t.Context(), fetch.Request{Address: "http://" + host + port}, 100)
		failure(t, err, fetch.Unsafe)
	}
	client, _ = newClient(t, func(o *fetch.Options) {
		o.Networks = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	})
	_, _, err := client.Read(t.Context(), fetch.Request{Address: "http://localhost" + port}, 100)
	failure(t, err, fetch.Unsafe)
	if n := len(s.Requests("")); n != 3 {
		t.Errorf("got %d requests, want 3", n)
	}
}

func TestHosts(t *testing.T) {
	client, _ := newClient(t, func(o *fetch.Options) { o.Hosts = []string{"EC.europa.eu", ".example.org", "127.0.0.1"} })
	for _, address := range []string{"https://example.org/", "https://notexample.org/", "https://europa.eu", "https://x.ec.europa.eu/", "https://ec.europa.eu.evil.net/"} {
		_, _, err := client.Read(t.Context(), fetch.Request{Address: address}, 100)
		if failed := failure(t, err, fetch.Unsafe); !strings.Contains(failed.Error(), "is not one of the hosts allowed") {
			t.Errorf("%s: got %v", address, failed)
		}
	}
	s := serve(t, replay.NewFiles(nil))
	s.Fault(replay.Fault{Match: "/away", To: "https://www.example.net/"})
	s.Fault(replay.Fault{Match: "/here", Body: "data"})
	if _, _, err := client.Read(t.Context(), fetch.Request{Address: s.URL + "/here"}, 100); err != nil {
		t.Error(err)
	}
	_, _, err := client.Read(t.Context(), fetch.Request{Address: s.URL + "/away"}, 100)
	if failed := failure(t, err, fetch.Unsafe); !strings.Contains(failed.Error(), "www.example.net") {
		t.Errorf("got %v", failed)
	}
}

func TestRedirects(t *testing.T) {
	s := serve(t, replay.NewFiles(nil))
	port := s.URL[strings.LastIndex(s.URL, ":"):]
	for from, to := range map[string]string{
		"/3": "/2?", "/2": s.URL + "/1", "/1": "0", "/4": "/3", "/self": "/self",
		"/other": "http://127.0.0.2" + port + "/0", "/v6": "http://[::1]" + port + "/0", "/private": "https://10.0.0.1/",
		"/file": "file:///etc/passwd", "/ftp": "ftp://127.0.0.1/0", "/user": "http://a:hidden@127.0.0.1" + port + "/0",
	} {
		s.Fault(replay.Fault{Match: from, To: to})
	}
	s.Fault(replay.Fault{Match: "/nowhere", Status: 302})
	s.Fault(replay.Fault{Match: "/0", Body: "data"})
	client, _ := newClient(t, func(o *fetch.Options) {
		o.Networks = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}
	})
	body, answer, err := client.Read(t.Context(), fetch.Request{Address: s.URL + "/3"}, 100)
	if err != nil || string(body) != "data" || answer.Address != s.URL+"/0" {
		t.Errorf("three redirects: got %q, %+v, %v", body, answer, err)
	}
	for _, from := range []string{"/4", "/self", "/other", "/v6", "/private", "/file", "/ftp", "/user"} {
		s.Forget()
		_, _, err := client.Read(t.Context(), fetch.Request{Address: s.URL + from}, 100)
		failed := failure(t, err, fetch.Unsafe)
		if !strings.Contains(failed.Error(), from) || strings.Contains(failed.Error(), "hidden") || failed.Tries != 1 {
			t.Errorf("%s: got %v", from, failed)
		}
		if from != "/4" && len(s.Requests("/0")) > 0 {
			t.Errorf("%s was followed", from)
		}
	}
	_, _, err = client.Read(t.Context(), fetch.Request{Address: s.URL + "/nowhere"}, 100)
	if failed := failure(t, err, fetch.Denied); failed.Status != 302 {
		t.Errorf("redirect without a location: got %v", failed)
	}
}

// A redirected query keeps its body unless the status requires GET.
func TestRedirectedPost(t *testing.T) {
	s := serve(t, replay.NewFiles(nil))
	for _, status := range []int{301, 302, 303, 307, 308} {
		s.Mend()
		s.Forget()
		s.Fault(replay.Fault{Match: "/from", To: "/to", Status: status})
		s.Fault(replay.Fault{Match: "/to", Body: "data"})
		client, _ := newClient(t)
		if _, _, err := client.Read(t.Context(), fetch.Request{Address: s.URL + "/from", Body: []byte("{}")}, 100); err != nil {
			t.Fatal(err)
		}
		want := "POST {}"
		if status == 303 {
			want = "GET "
		}
		if a := s.Requests("/to")[0]; a.Method+" "+a.Body != want {
			t.Errorf("%d: got %s %s, want %s", status, a.Method, a.Body, want)
		}
	}
}

func TestCertificates(t *testing.T) {
	s := replay.ServeTLS(replay.NewFiles(nil))
	t.Cleanup(s.Close)
	plain := serve(t, replay.NewFiles(nil))
	s.Fault(replay.Fault{Match: "/down", To: plain.URL + "/secret"})
	s.Fault(replay.Fault{Body: "data"})
	port := s.URL[strings.LastIndex(s.URL, ":"):]

	client, clock := newClient(t)
	_, _, err := client.Read(t.Context(), fetch.Request{Address: s.URL}, 100)
	failed := failure(t, err, fetch.Unsafe)
	if failed.Tries != 1 || clock.total() != 0 || !strings.Contains(failed.Error(), "unknown authority") {
		t.Errorf("unknown certificate: got %v", failed)
	}

	client, _ = newClient(t)
	pool := x509.NewCertPool()
	pool.AddCert(s.Certificate())
	client.Trust(pool)
	if body, _, err := client.Read(t.Context(), fetch.Request{Address: s.URL}, 100); err != nil || string(body) != "data" {
		t.Errorf("known certificate: got %q, %v", body, err)
	}
	_, _, err = client.Read(t.Context(), fetch.Request{Address: "https://localhost" + port}, 100)
	if failed := failure(t, err, fetch.Unsafe); !strings.Contains(failed.Error(), "not localhost") {
		t.Errorf("certificate of another host: got %v", failed)
	}
	_, _, err = client.Read(t.Context(), fetch.Request{Address: s.URL + "/down"}, 100)
	if failed := failure(t, err, fetch.Unsafe); !strings.Contains(failed.Error(), "from https to http") || len(plain.Requests("")) != 0 {
		t.Errorf("redirect from https to http: got %v", failed)
	}
}

// A proxy would bypass the guard's check.
func TestNoProxy(t *testing.T) {
	client, _ := newClient(t)
	if client.Proxied() {
		t.Error("the client uses a proxy")
	}
}
