package access

import (
	"fmt"
	"net/netip"
	"regexp"
	"strconv"
	"strings"
)

// Proxies are trusted to tell a client's address. The zero Proxies trust nobody.
type Proxies struct {
	// Trusted are the networks of the proxies in front of the service.
	Trusted Networks
	// Header is the one header that they write the address into:
	// X-Forwarded-For, Forwarded (RFC 7239), or one with a single address such
	// as CF-Connecting-IP. Empty: X-Forwarded-For.
	Header string
}

// How far a header is read from its right end. No chain of trusted proxies is
// longer; who is not found there is not found.
const (
	maxHops        = 16
	maxHeaderBytes = 2 << 10
)

// Trusts reports whether an address is that of a trusted proxy.
func (p *Proxies) Trusts(address netip.Addr) bool {
	address = plain(address)
	for _, network := range p.Trusted {
		if network.Contains(address) {
			return true
		}
	}
	return false
}

// Client is the address of the client whose connection comes from peer and
// carries the header's lines, in order: the peer itself, unless it is a trusted
// proxy; then the right-most address in the header that is none. A header
// that cannot be read leads to the peer, never to what somebody wrote. The
// address has no zone, and an IPv4 address is never in its IPv6 form.
//
// The header is read from its right end, where trusted proxies write, and no
// further than to the client: what somebody put before it has no effect.
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
		if len(lines) > 1 || len(lines[0]) > maxHeaderBytes {
			return peer
		}
		if client, ok := parseNode(trim(lines[0])); ok && !p.Trusts(client) {
			return client
		}
		return peer
	}
	text, more := strings.Join(lines, ","), true
	if len(text) > maxHeaderBytes {
		_, text, more = strings.Cut(text[len(text)-maxHeaderBytes:], ",") // half an element is another address
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

// Network is what counts as one anonymous caller: an IPv4 address, or the /64
// of an IPv6 address, which is the least that one customer is given.
func Network(address netip.Addr) netip.Prefix {
	address = plain(address)
	if !address.IsValid() {
		return netip.Prefix{}
	}
	return netip.PrefixFrom(address, min(address.BitLen(), 64)).Masked()
}

// plain is an address without its zone, and as IPv4 where it is one.
func plain(address netip.Addr) netip.Addr { return address.WithZone("").Unmap() }

// trim drops what may stand around an element.
func trim(text string) string { return strings.Trim(text, " \t") }

// cutLast cuts off what stands behind the last separator that is not in
// quotes. More is false if there is none: then element is all of the text.
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

// isEscaped reports whether the character at i stands behind a backslash that is
// not itself behind one.
func isEscaped(text string, i int) bool {
	backslashes := i - len(strings.TrimRight(text[:i], `\`))
	return backslashes%2 == 1
}

// parseNode reads an address with or without a port: 192.0.2.1, 192.0.2.1:80,
// 2001:db8::1, [2001:db8::1], [2001:db8::1]:80. It is not ok for what is none,
// and for the addresses that stand for any.
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

// hiddenPort is a name for a port that its proxy keeps to itself, such as _x1
// (RFC 7239, section 6.3).
var hiddenPort = regexp.MustCompile(`^_[0-9A-Za-z._-]+$`)

func isPort(text string) bool {
	_, err := strconv.ParseUint(text, 10, 16)
	return err == nil && len(text) <= 5 || hiddenPort.MatchString(text)
}

// parseForwarded reads the address of one element of the header Forwarded:
// for="[2001:db8::1]:80";proto=https. A client that the proxy keeps to itself
// (for=unknown, for=_x1) has none.
func parseForwarded(element string) (address netip.Addr, ok bool) {
	found := false
	for more := true; more; {
		var pair string
		element, pair, more = cutLast(element, ';')
		if pair = trim(pair); pair == "" {
			continue
		}
		name, value, _ := strings.Cut(pair, "=")
		value, readable := unquote(value)
		isFor := strings.EqualFold(name, "for")
		if !readable || isFor && found {
			return netip.Addr{}, false
		}
		if isFor {
			found = true
			address, ok = parseNode(value)
		}
	}
	return address, ok
}

var (
	quotedText  = regexp.MustCompile(`^"(?:[^"\\]|\\.)*"$`)
	escapedChar = regexp.MustCompile(`\\(.)`)
)

// unquote reads the value of a pair: a word, or a text in quotes in which a
// backslash takes the meaning from the next character. Words may have colons
// and brackets, which some proxies do not put into quotes.
func unquote(value string) (text string, ok bool) {
	if !strings.HasPrefix(value, `"`) {
		return value, value != "" && !strings.ContainsAny(value, "\" \t\\=")
	}
	if !quotedText.MatchString(value) {
		return "", false
	}
	return escapedChar.ReplaceAllString(value[1:len(value)-1], "$1"), true
}

// Networks are networks of addresses, as a flag that may be given more than once.
type Networks []netip.Prefix

// UnmarshalText adds networks and single addresses with commas between them:
// "10.0.0.0/8,127.0.0.1,2001:db8::/32". The blank text is none. The error
// names what is not a network and says what would be one; it changes nothing.
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
