package fetch

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"time"
)

// guard decides which servers may be reached. It checks the address as written
// (check) and, just before the connection is made, the network address that the name
// resolves to. Only the second check is safe, because a name may resolve differently
// each time.
type guard struct {
	hosts    []string
	networks []netip.Prefix
}

// unsafeError reports an address that must not be followed.
type unsafeError struct{ message string }

func (e *unsafeError) Error() string { return e.message }

func unsafe(format string, args ...any) error {
	return &unsafeError{fmt.Sprintf(format, args...)}
}

// Allows reports whether an address may be requested, as far as it can be known without a
// connection.
func (c *Client) Allows(address string) bool {
	to, err := url.Parse(address)
	return c != nil && err == nil && c.guard.check(to) == nil
}

// check validates an address as written.
func (g guard) check(u *url.URL) error {
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	ip, ipErr := netip.ParseAddr(host)
	switch {
	case u.Scheme != "https" && u.Scheme != "http":
		return unsafe("scheme %q is not allowed; use https", u.Scheme)
	case host == "":
		return unsafe("the address has no host")
	case u.User != nil:
		return unsafe("the address must not contain a user name or password")
	case u.Scheme == "http" && len(g.networks) == 0:
		return unsafe("http is not allowed; use https")
	case ipErr == nil && !g.isExempt(ip):
		return unsafe("%s is an IP address; use a host name", host)
	case len(g.hosts) > 0 && !slices.ContainsFunc(g.hosts, func(allowed string) bool { return allows(allowed, host) }):
		return unsafe("host %s is not one of the hosts allowed by this installation (%s)", host, strings.Join(g.hosts, ", "))
	}
	return nil
}

// allows reports whether an entry of the list of hosts matches a host.
func allows(entry, host string) bool {
	if strings.HasPrefix(entry, ".") {
		return strings.HasSuffix(host, entry)
	}
	return host == entry
}

// isExempt reports whether an address is in one of the allowed private networks.
func (g guard) isExempt(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	return slices.ContainsFunc(g.networks, func(n netip.Prefix) bool { return n.Contains(a) })
}

// secureDial checks the destination of an https connection.
func (g guard) secureDial(_ context.Context, _, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	switch {
	case err != nil:
		return unsafe("%q is not a network address", address)
	case g.isExempt(to.Addr()):
		return nil
	case !isPublic(to.Addr()):
		return unsafe("%s is not a public address", to.Addr())
	case to.Port() != 443:
		return unsafe("port %d is not allowed, only 443", to.Port())
	}
	return nil
}

// insecureDial checks the destination of an http connection.
func (g guard) insecureDial(_ context.Context, _, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil || !g.isExempt(to.Addr()) {
		return unsafe("http is not allowed; use https")
	}
	return nil
}

// SafeTransport returns a transport for requests to servers that callers name: only by https and to
// public addresses, which it checks for each connection. The networks are exempt and may also be
// reached by http.
func SafeTransport(networks []netip.Prefix) http.RoundTripper {
	c := &Client{guard: guard{networks: networks}}
	return &safeTransport{guard: c.guard, secure: c.transport(c.guard.secureDial), insecure: c.transport(c.guard.insecureDial)}
}

type safeTransport struct {
	guard            guard
	secure, insecure *http.Transport
}

// RoundTrip implements [http.RoundTripper].
func (t *safeTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := t.guard.check(r.URL); err != nil {
		return nil, err
	}
	if r.URL.Scheme == "http" {
		return t.insecure.RoundTrip(r)
	}
	return t.secure.RoundTrip(r)
}

// nonPublic lists the networks that are not public or that forward to others. Public
// IPv6 addresses are all in 2000::/3.
var nonPublic = prefixes(
	"0.0.0.0/8",       // this network
	"10.0.0.0/8",      // private
	"100.64.0.0/10",   // shared by carriers for NAT
	"127.0.0.0/8",     // loopback
	"169.254.0.0/16",  // link-local
	"172.16.0.0/12",   // private
	"192.0.0.0/24",    // protocols
	"192.0.2.0/24",    // documentation
	"192.88.99.0/24",  // relays of 6to4
	"192.168.0.0/16",  // private
	"198.18.0.0/15",   // measurements
	"198.51.100.0/24", // documentation
	"203.0.113.0/24",  // documentation
	"224.0.0.0/4",     // multicast
	"240.0.0.0/4",     // reserved, broadcast
	"2001::/23",       // protocols, Teredo among them
	"2001:db8::/32",   // documentation
	"2002::/16",       // 6to4
	"3fff::/20",       // documentation
)

var publicIPv6 = netip.MustParsePrefix("2000::/3")

func prefixes(texts ...string) []netip.Prefix {
	var all []netip.Prefix
	for _, text := range texts {
		all = append(all, netip.MustParsePrefix(text))
	}
	return all
}

// isPublic reports whether an address belongs to the public Internet.
func isPublic(a netip.Addr) bool {
	a = a.Unmap()
	if a.Is6() && !publicIPv6.Contains(a) {
		return false
	}
	return a.Zone() == "" && !slices.ContainsFunc(nonPublic, func(n netip.Prefix) bool { return n.Contains(a) })
}

// Limits of connections and headers.
const (
	dialTime  = 30 * time.Second
	idleTime  = 90 * time.Second
	maxHeader = 256 << 10
)

// transport returns a transport that makes only the connections that check allows. It
// uses no proxy, because a proxy would connect without the check.
func (c *Client) transport(check func(context.Context, string, string, syscall.RawConn) error) *http.Transport {
	dialer := &net.Dialer{Timeout: dialTime, ControlContext: check}
	return &http.Transport{
		DialContext:            dialer.DialContext,
		TLSHandshakeTimeout:    dialTime,
		MaxConnsPerHost:        1,
		MaxIdleConnsPerHost:    1,
		IdleConnTimeout:        idleTime,
		MaxResponseHeaderBytes: maxHeader,
		DisableCompression:     true, // to count the packed bytes
	}
}
