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

// guard says what may be reached. It is asked twice: for each address as it is
// written (mayAsk), and for the address of the network that a name turned out to
// mean, just before the connection is made. Only the second cannot be deceived: a name
// may mean another address each time it is looked up.
type guard struct {
	hosts    []string
	networks []netip.Prefix
}

// unsafeError is something that may not be followed.
type unsafeError struct{ message string }

func (e *unsafeError) Error() string { return e.message }

func unsafe(format string, args ...any) error {
	return &unsafeError{fmt.Sprintf(format, args...)}
}

// mayAsk checks an address as it is written.
func (g guard) mayAsk(u *url.URL) error {
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	literal, notLiteral := netip.ParseAddr(host)
	switch {
	case u.Scheme != "https" && u.Scheme != "http":
		return unsafe("the scheme %q is not asked, only https", u.Scheme)
	case host == "":
		return unsafe("the address names no host")
	case u.User != nil:
		return unsafe("an address does not hold a name or a password")
	case u.Scheme == "http" && len(g.networks) == 0:
		return unsafe("http is not asked, only https")
	case notLiteral == nil && !g.exempt(literal):
		return unsafe("%s is an address of numbers; hosts are asked by their names", host)
	case len(g.hosts) > 0 && !slices.ContainsFunc(g.hosts, func(allowed string) bool { return allows(allowed, host) }):
		return unsafe("the host %s is not one of those that this installation asks (%s)", host, strings.Join(g.hosts, ", "))
	}
	return nil
}

// allows reports whether an entry of the list of hosts allows a host.
func allows(entry, host string) bool {
	if strings.HasPrefix(entry, ".") {
		return strings.HasSuffix(host, entry)
	}
	return host == entry
}

// exempt reports whether an address lies in a network that the installation
// names.
func (g guard) exempt(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	return slices.ContainsFunc(g.networks, func(n netip.Prefix) bool { return n.Contains(a) })
}

// secureDial checks where a connection for https goes.
func (g guard) secureDial(_ context.Context, _, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	switch {
	case err != nil:
		return unsafe("%q is no address of a network", address)
	case g.exempt(to.Addr()):
		return nil
	case !public(to.Addr()):
		return unsafe("%s is no public address", to.Addr())
	case to.Port() != 443:
		return unsafe("port %d is not asked, only 443", to.Port())
	}
	return nil
}

// openDial checks where a connection for http goes.
func (g guard) openDial(_ context.Context, _, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil || !g.exempt(to.Addr()) {
		return unsafe("http is not asked, only https")
	}
	return nil
}

// closed are the networks that are not public, or lead on to others. Of IPv6
// only 2000::/3 is given out to the public at all.
var closed = prefixes(
	"0.0.0.0/8",       // this network
	"10.0.0.0/8",      // private
	"100.64.0.0/10",   // shared behind a carrier's translation
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

// public reports whether an address belongs to the public Internet.
func public(a netip.Addr) bool {
	a = a.Unmap()
	if a.Is6() && !publicIPv6.Contains(a) {
		return false
	}
	return a.Zone() == "" && !slices.ContainsFunc(closed, func(n netip.Prefix) bool { return n.Contains(a) })
}

// Bounds of making a connection, and of headers.
const (
	dialTime  = 30 * time.Second
	idleTime  = 90 * time.Second
	maxHeader = 256 << 10
)

// transport makes connections that a check allows. No proxy, since that would
// make them in our place.
func (c *Client) transport(check func(context.Context, string, string, syscall.RawConn) error) *http.Transport {
	dialer := &net.Dialer{Timeout: dialTime, ControlContext: check}
	return &http.Transport{
		DialContext:            dialer.DialContext,
		TLSHandshakeTimeout:    dialTime,
		MaxConnsPerHost:        c.options.PerHost,
		MaxIdleConnsPerHost:    c.options.PerHost,
		IdleConnTimeout:        idleTime,
		MaxResponseHeaderBytes: maxHeader,
		DisableCompression:     true, // so that packed bytes can be counted
	}
}
