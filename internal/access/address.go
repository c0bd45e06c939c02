package access

import "net/netip"

// Proxies says whose word on a client's address is believed.
type Proxies struct {
	// Trusted are the networks of the proxies in front of the service.
	Trusted []netip.Prefix
	// Header is the one header that they write the address into:
	// X-Forwarded-For, Forwarded (RFC 7239), or one with a single address such
	// as CF-Connecting-IP. Empty: X-Forwarded-For.
	Header string
}

// Trusts reports whether an address is that of a trusted proxy.
func (p *Proxies) Trusts(address netip.Addr) bool { panic("not yet") }

// Client is the address of the client whose connection comes from peer and
// carries the header's lines, in order: the peer itself, unless it is a trusted
// proxy; then the right-most address in the header that is none. A header
// that cannot be read leads to the peer, never to what somebody wrote.
func (p *Proxies) Client(peer netip.Addr, lines []string) netip.Addr { panic("not yet") }
