package access

import (
	"fmt"
	"net/netip"
	"regexp"
	"strconv"
	"strings"
)

// Proxies are trusted to report the address of a client. The zero Proxies trust no one.
type Proxies struct {
	// Trusted are the networks of the proxies in front of the service.
	Trusted Networks
	// Header is the only header in which they write the address: X-Forwarded-For (if
	// empty), Forwarded (RFC 7239), or one with a single address such as CF-Connecting-IP.
	Header string
}

// Bounds on how far a header is read from its right end, where trusted proxies write.
const (
	maxHops        = 16
	maxHeaderBytes = 2 << 10
)

// Trusts reports whether an address belongs to a trusted proxy.
func (p *Proxies) Trusts(address netip.Addr) bool {
	address = plain(address)
	for _, network := range p.Trusted {
		if network.Contains(address) {
			return true
		}
	}
	return false
}

// Client returns the address of the client, given the peer of the connection and the lines
// of the header in order. If the peer is a trusted proxy, it is the right-most address in
// the header that is not one; what stands before it could be forged and has no effect.
// Otherwise, and if the header is malformed, it is the peer. The address has no zone, and
// an IPv4 address is never in its IPv6 form.
func (p *Proxies) Client(peer netip.Addr, lines []string) netip.Addr {
	peer = plain(peer)
	if len(lines) == 0 || !p.Trusts(peer) {
		return peer
	}
	parse := parseNode
	switch strings.ToLower(p.Header) {
	case "", "x-forwarded-for":
	case "forwarded":
		parse = parseForwarded
	default: // one address
		if len(lines) > 1 || len(lines[0]) > maxHeaderBytes || strings.Contains(lines[0], ",") {
			return peer
		}
	}
	text, more := strings.Join(lines, ","), true
	if len(text) > maxHeaderBytes {
		_, text, more = strings.Cut(text[len(text)-maxHeaderBytes:], ",") // a cut-off element could be another address
	}
	var element string
	for hops := 0; more && hops < maxHops; hops++ {
		text, element, more = cutLast(text, ',')
		client, ok := parse(trim(element))
		if !ok {
			return peer
		}
		if !p.Trusts(client) {
			return client
		}
	}
	return peer
}

// IsEncrypted reports whether a request was encrypted on its whole way: as a trusted proxy states
// in the lines of X-Forwarded-Proto, else as the connection of the peer is.
func (p *Proxies) IsEncrypted(peer netip.Addr, lines []string, isConnectionEncrypted bool) bool {
	if len(lines) == 0 || !p.Trusts(peer) {
		return isConnectionEncrypted
	}
	// A chain of proxies names each hop. All must be https.
	for hop := range strings.SplitSeq(strings.Join(lines, ","), ",") {
		if !strings.EqualFold(strings.TrimSpace(hop), "https") {
			return false
		}
	}
	return true
}

// Network returns what counts as one anonymous caller: an IPv4 address, or the /64
// of an IPv6 address, which is the smallest network that one customer is given.
func Network(address netip.Addr) netip.Prefix {
	address = plain(address)
	if !address.IsValid() {
		return netip.Prefix{}
	}
	return netip.PrefixFrom(address, min(address.BitLen(), 64)).Masked()
}

// plain returns an address without its zone, and an IPv4 address in its IPv4 form.
func plain(address netip.Addr) netip.Addr { return address.WithZone("").Unmap() }

func trim(text string) string { return strings.Trim(text, " \t") }

// cutLast cuts a text at the last separator outside of quotes. more is false if
// there is none; then element is the whole text.
func cutLast(text string, separator byte) (before, element string, more bool) {
	isQuoted := false
	for i := len(text) - 1; i >= 0; i-- {
		switch c := text[i]; {
		case c == '"' && !(isQuoted && isEscaped(text, i)):
			isQuoted = !isQuoted
		case c == separator && !isQuoted:
			return text[:i], text[i+1:], true
		}
	}
	return "", text, false
}

func isEscaped(text string, i int) bool {
	backslashes := i - len(strings.TrimRight(text[:i], `\`))
	return backslashes%2 == 1
}

// parseNode reads an address with or without a port: 192.0.2.1, 192.0.2.1:80,
// 2001:db8::1, [2001:db8::1], [2001:db8::1]:80. ok is false for other texts and for
// unspecified addresses.
func parseNode(text string) (address netip.Addr, ok bool) {
	address, err := netip.ParseAddr(text)
	if err != nil {
		host := text
		if i := strings.LastIndexByte(text, ':'); i >= 0 && isPort(text[i+1:]) {
			host = text[:i]
		}
		host, isOpened := strings.CutPrefix(host, "[")
		host, isClosed := strings.CutSuffix(host, "]")
		address, err = netip.ParseAddr(host)
		if err != nil || isOpened != isClosed || isOpened != address.Is6() {
			return netip.Addr{}, false
		}
	}
	address = plain(address)
	return address, !address.IsUnspecified()
}

// hiddenPort matches an obfuscated port such as _x1 (RFC 7239, section 6.3).
var hiddenPort = regexp.MustCompile(`^_[0-9A-Za-z._-]+$`)

func isPort(text string) bool {
	_, err := strconv.ParseUint(text, 10, 16)
	return err == nil && len(text) <= 5 || hiddenPort.MatchString(text)
}

// parseForwarded reads the address of one element of the header Forwarded:
// for="[2001:db8::1]:80";proto=https. An obfuscated client (for=unknown, for=_x1) has
// none.
func parseForwarded(element string) (address netip.Addr, ok bool) {
	found := false
	for more := true; more; {
		var pair string
		element, pair, more = cutLast(element, ';')
		if pair = trim(pair); pair == "" {
			continue
		}
		parts := forwardedPair.FindStringSubmatch(pair)
		if parts == nil {
			return netip.Addr{}, false
		}
		if strings.EqualFold(parts[1], "for") {
			if found {
				return netip.Addr{}, false
			}
			found = true
			address, ok = parseNode(parts[2] + escapedChar.ReplaceAllString(parts[3], "$1"))
		}
	}
	return address, ok
}

// forwardedPair matches a pair: a name, and a word or a quoted text with backslash escapes.
// Words may have colons and brackets, because some proxies do not quote them.
var (
	forwardedPair = regexp.MustCompile(`^([^=]*)=(?:([^" \t\\=]+)|"((?:[^"\\]|\\.)*)")$`)
	escapedChar   = regexp.MustCompile(`\\(.)`)
)

// Networks are networks of addresses. As a flag, it can be given more than once.
type Networks []netip.Prefix

// UnmarshalText adds networks and single addresses separated by commas:
// "10.0.0.0/8,127.0.0.1,2001:db8::/32". A blank text adds none. After an error,
// nothing is added.
func (n *Networks) UnmarshalText(text []byte) error {
	if strings.TrimSpace(string(text)) == "" {
		return nil
	}
	var added Networks
	for part := range strings.SplitSeq(string(text), ",") {
		network, err := parseNetwork(strings.TrimSpace(part))
		if err != nil {
			return err
		}
		added = append(added, network)
	}
	*n = append(*n, added...)
	return nil
}

func parseNetwork(text string) (netip.Prefix, error) {
	const want = "give networks such as 10.0.0.0/8 or 2001:db8::/32 and addresses such as 127.0.0.1, separated by commas"
	if !strings.Contains(text, "/") {
		address, err := netip.ParseAddr(text)
		if err != nil || address.Zone() != "" || address.IsUnspecified() {
			return netip.Prefix{}, fmt.Errorf("invalid proxy address %q; %s", text, want)
		}
		address = address.Unmap()
		return netip.PrefixFrom(address, address.BitLen()), nil
	}
	network, err := netip.ParsePrefix(text)
	if err != nil {
		return netip.Prefix{}, fmt.Errorf("invalid network %q; %s", text, want)
	}
	const before = 96 // bits before the IPv4 address in its IPv6 form
	if network.Addr().Is4In6() && network.Bits() >= before {
		network = netip.PrefixFrom(network.Addr().Unmap(), network.Bits()-before)
	}
	if network.Bits() == 0 {
		return netip.Prefix{}, fmt.Errorf("network %q contains all addresses, so that none would be that of a client; give only the networks of the proxies, such as 10.0.0.0/8", text)
	}
	if network != network.Masked() {
		return netip.Prefix{}, fmt.Errorf("%q is an address within a network; give the network, %s, or the address alone, %s", text, network.Masked(), network.Addr())
	}
	return network, nil
}
