package access_test

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"almanac/internal/access"
	"almanac/internal/stattest/property"
)

// clients are cases: the name of the header, the peer, the lines of the header (separated
// by ┃), and the client, or "peer" if it is the peer. The trusted proxies are 10.0.0.0/8 and 2001:db8:ff::/48.
const clients = `
# docs/api.md, Keys and limits: the client's address is the connection's peer, unless that is a trusted proxy.
X-Forwarded-For | 203.0.113.9          | 198.51.100.1             | peer
X-Forwarded-For | 203.0.113.9          | 10.0.0.1                 | peer
Forwarded       | 203.0.113.9          | for=198.51.100.1         | peer
CF-Connecting-IP| 203.0.113.9          | 198.51.100.1             | peer
X-Forwarded-For | 2001:db8::1          | 198.51.100.1             | peer

# … then the right-most address that is not trusted, in all lines in their order.
                | 10.0.0.1             | 198.51.100.1             | 198.51.100.1
X-Forwarded-For | 10.0.0.1             | 198.51.100.1             | 198.51.100.1
x-forwarded-for | 10.0.0.1             | 198.51.100.1             | 198.51.100.1
X-Forwarded-For | 2001:db8:ff::9       | 198.51.100.1             | 198.51.100.1
X-Forwarded-For | 10.0.0.1             | 192.0.2.1, 198.51.100.1  | 198.51.100.1
X-Forwarded-For | 10.0.0.1             | 198.51.100.1, 10.2.3.4   | 198.51.100.1
X-Forwarded-For | 10.0.0.1             | 192.0.2.1,198.51.100.1,2001:db8:ff:1::2,10.2.3.4 | 198.51.100.1
X-Forwarded-For | 10.0.0.1             | 198.51.100.1┃10.2.3.4    | 198.51.100.1
X-Forwarded-For | 10.0.0.1             | 192.0.2.1┃198.51.100.1   | 198.51.100.1
X-Forwarded-For | 10.0.0.1             | 192.0.2.1┃198.51.100.1, 10.9.9.9┃10.2.3.4 | 198.51.100.1
Forwarded       | 10.0.0.1             | for=192.0.2.1;proto=http, for=198.51.100.1;proto=https;by=10.0.0.1 | 198.51.100.1
Forwarded       | 10.0.0.1             | for=198.51.100.1┃for=10.7.7.7 | 198.51.100.1

# All elements are trusted, or there are none: the client is the peer.
X-Forwarded-For | 10.0.0.1             |                          | peer
X-Forwarded-For | 10.0.0.1             | 10.2.3.4                 | peer
X-Forwarded-For | 10.0.0.1             | 10.2.3.4, 10.2.3.5┃10.1.1.1 | peer
Forwarded       | 10.0.0.1             | for=10.2.3.4             | peer
X-Real-IP       | 10.0.0.1             |                          | peer
X-Real-IP       | 10.0.0.1             | 10.2.3.4                 | peer

# An unreadable element ends the search: the client is the peer, not an element before it.
X-Forwarded-For | 10.0.0.1             | 198.51.100.1, unknown    | peer
X-Forwarded-For | 10.0.0.1             | 198.51.100.1, unknown, 10.2.3.4 | peer
X-Forwarded-For | 10.0.0.1             | 198.51.100.1,            | peer
X-Forwarded-For | 10.0.0.1             | 198.51.100.1,,10.2.3.4   | peer
X-Forwarded-For | 10.0.0.1             | 198.51.100.1┃_           | peer
X-Forwarded-For | 10.0.0.1             | 198.51.100.1 10.2.3.4    | peer
X-Forwarded-For | 10.0.0.1             | 198.51.100.01            | peer
X-Forwarded-For | 10.0.0.1             | 198.51.100               | peer
X-Forwarded-For | 10.0.0.1             | 0xc6.51.100.1            | peer
X-Forwarded-For | 10.0.0.1             | 198.51.100.1/32          | peer
X-Forwarded-For | 10.0.0.1             | "198.51.100.1"           | peer
X-Forwarded-For | 10.0.0.1             | example.org              | peer
X-Forwarded-For | 10.0.0.1             | for=198.51.100.1         | peer
# … unspecified addresses are not clients.
X-Forwarded-For | 10.0.0.1             | 198.51.100.1, 0.0.0.0    | peer
X-Forwarded-For | 10.0.0.1             | 198.51.100.1, ::         | peer
X-Forwarded-For | 10.0.0.1             | ::ffff:0.0.0.0           | peer
# … but unreadable elements to the left of the client have no effect.
X-Forwarded-For | 10.0.0.1             | unknown,,"x, 198.51.100.1| 198.51.100.1
Forwarded       | 10.0.0.1             | for="192.0.2.1, for=198.51.100.1;host="a,b" | 198.51.100.1
Forwarded       | 10.0.0.1             | x="\┃for=198.51.100.1    | 198.51.100.1

# Ports, brackets and zones are removed; IPv4 addresses in IPv6 form are converted.
X-Forwarded-For | 10.0.0.1             | 198.51.100.1:4711        | 198.51.100.1
X-Forwarded-For | 10.0.0.1             | 2001:db8::1              | 2001:db8::1
X-Forwarded-For | 10.0.0.1             | [2001:db8::1]            | 2001:db8::1
X-Forwarded-For | 10.0.0.1             | [2001:DB8:0::1]:4711     | 2001:db8::1
X-Forwarded-For | 10.0.0.1             | fe80::1%eth0             | fe80::1
X-Forwarded-For | 10.0.0.1             | [fe80::1%eth0]:80        | fe80::1
X-Forwarded-For | 10.0.0.1             | ::ffff:198.51.100.1      | 198.51.100.1
X-Forwarded-For | 10.0.0.1             | [::ffff:198.51.100.1]:80 | 198.51.100.1
X-Forwarded-For | 10.0.0.1             | ::1:80                   | ::1:80
X-Forwarded-For | 10.0.0.1             | 198.51.100.1:            | peer
X-Forwarded-For | 10.0.0.1             | 198.51.100.1:65536       | peer
X-Forwarded-For | 10.0.0.1             | 198.51.100.1:+80         | peer
X-Forwarded-For | 10.0.0.1             | [198.51.100.1]:80        | peer
X-Forwarded-For | 10.0.0.1             | [2001:db8::1             | peer
X-Forwarded-For | 10.0.0.1             | 2001:db8::1]:80          | peer
X-Forwarded-For | 10.0.0.1             | [2001:db8::1]x           | peer
# … also in the address of the peer, and before an address is compared with the trusted networks.
X-Forwarded-For | ::ffff:10.0.0.1      | 198.51.100.1             | 198.51.100.1
X-Forwarded-For | ::ffff:203.0.113.9   | 198.51.100.1             | 203.0.113.9
X-Forwarded-For | fe80::2%eth0         | 198.51.100.1             | fe80::2
X-Forwarded-For | 2001:db8:ff::9%eth0  | 198.51.100.1             | 198.51.100.1
X-Forwarded-For | 10.0.0.1             | 198.51.100.1, ::ffff:10.1.1.1 | 198.51.100.1
X-Forwarded-For | 10.0.0.1             | 198.51.100.1, 10.1.1.1:80     | 198.51.100.1

# RFC 7239: pairs, names in any case, quotes, and hidden clients.
Forwarded       | 10.0.0.1             | For=198.51.100.1         | 198.51.100.1
Forwarded       | 10.0.0.1             | proto=https;FOR="198.51.100.1:80";by=_x | 198.51.100.1
Forwarded       | 10.0.0.1             | for="[2001:db8::1]:4711" | 2001:db8::1
Forwarded       | 10.0.0.1             | for="[2001:db8::1]"      | 2001:db8::1
Forwarded       | 10.0.0.1             | for=[2001:db8::1]:4711   | 2001:db8::1
Forwarded       | 10.0.0.1             | for="198.51.100.1:_hidden" | 198.51.100.1
Forwarded       | 10.0.0.1             | for="\198.51.100.1"      | 198.51.100.1
Forwarded       | 10.0.0.1             | ; for=198.51.100.1 ;;proto=http; | 198.51.100.1
Forwarded       | 10.0.0.1             | for=198.51.100.1;host="a, for=192.0.2.1;\"" | 198.51.100.1
Forwarded       | 10.0.0.1             | for=192.0.2.1, for=unknown    | peer
Forwarded       | 10.0.0.1             | for=192.0.2.1, for="_gazonk"  | peer
Forwarded       | 10.0.0.1             | for=192.0.2.1, proto=https    | peer
Forwarded       | 10.0.0.1             | for=192.0.2.1;for=192.0.2.1   | peer
Forwarded       | 10.0.0.1             | for=192.0.2.1;proto           | peer
Forwarded       | 10.0.0.1             | for=192.0.2.1;host="          | peer
Forwarded       | 10.0.0.1             | for=192.0.2.1;host="\"        | peer
Forwarded       | 10.0.0.1             | for="192.0.2.1"x              | peer
Forwarded       | 10.0.0.1             | for="192.0.2.1:_"             | peer
Forwarded       | 10.0.0.1             | for=192.0.2.1;host="a"b"c"    | peer
Forwarded       | 10.0.0.1             | for = 192.0.2.1               | peer
Forwarded       | 10.0.0.1             | 192.0.2.1                     | peer
# … an open quote in a forged part does not hide the address that a proxy writes.
Forwarded       | 10.0.0.1             | for=192.0.2.1;x=", for="[2001:db8::1]:80" | 2001:db8::1
Forwarded       | 10.0.0.1             | for=192.0.2.1;x="┃for=198.51.100.1;host="x" | 198.51.100.1

# A header with one address: one line with nothing else.
CF-Connecting-IP| 10.0.0.1             | 198.51.100.1             | 198.51.100.1
cf-connecting-ip| 10.0.0.1             | 2001:db8::1              | 2001:db8::1
X-Real-IP       | 10.0.0.1             | [2001:db8::1]:443        | 2001:db8::1
X-Real-IP       | 10.0.0.1             | 192.0.2.1, 198.51.100.1  | peer
X-Real-IP       | 10.0.0.1             | 192.0.2.1┃198.51.100.1   | peer
X-Real-IP       | 10.0.0.1             | 192.0.2.1┃192.0.2.1      | peer
X-Real-IP       | 10.0.0.1             | unknown                  | peer
X-Real-IP       | 10.0.0.1             | 0.0.0.0                  | peer
`

// proxies trusts 10.0.0.0/8 and 2001:db8:ff::/48.
func proxies(t testing.TB, header string) *access.Proxies {
	t.Helper()
	var trusted access.Networks
	if err := trusted.UnmarshalText([]byte("10.0.0.0/8, 2001:db8:ff::/48")); err != nil {
		t.Fatal(err)
	}
	return &access.Proxies{Trusted: trusted, Header: header}
}

func TestClient(t *testing.T) {
	for line := range strings.Lines(clients) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		cells := strings.Split(" "+line, "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		var lines []string
		if cells[2] != "" {
			lines = strings.Split(cells[2], "┃")
		}
		peer := netip.MustParseAddr(cells[1])
		want := peer
		if cells[3] != "peer" {
			want = netip.MustParseAddr(cells[3])
		}
		if got := proxies(t, cells[0]).Client(peer, lines); got != want {
			t.Errorf("%s: the client is %s", line, got)
		}
	}
}

// At most the last 16 elements and 2 KiB of a header are read.
func TestClientOfLongHeaders(t *testing.T) {
	peer, client := netip.MustParseAddr("10.0.0.1"), netip.MustParseAddr("198.51.100.1")
	hops := func(n int) string { return strings.Repeat(", 10.1.1.1", n) }
	for _, c := range []struct {
		rule, line string
		want       netip.Addr
	}{
		{"the client is the 16th", "198.51.100.1" + hops(15), client},
		{"the client is the 17th", "198.51.100.1" + hops(16), peer},
		{"a long header before the client", strings.Repeat("192.0.2.1, ", 1000) + "198.51.100.1, 10.1.1.1", client},
		{"the client begins 2 KiB before the end", "198.51.100.1," + strings.Repeat(" ", 2048-21) + "10.1.1.1", client},
		{"… one byte more", "198.51.100.1," + strings.Repeat(" ", 2048-20) + "10.1.1.1", peer},
		{"the cut makes another address of the client's", "192.0.2.1,198.51.100.1" + strings.Repeat(" ", 2048-11), peer},
		{"10 KiB of nothing", strings.Repeat("x", 10<<10), peer},
	} {
		if got := proxies(t, "").Client(peer, []string{c.line}); got != c.want {
			t.Errorf("%s: the client is %s, want %s", c.rule, got, c.want)
		}
		if got := proxies(t, "").Client(peer, strings.Split(c.line, ",")); got != c.want {
			t.Errorf("%s, in lines: the client is %s, want %s", c.rule, got, c.want)
		}
	}
	if got := proxies(t, "X-Real-IP").Client(peer, []string{strings.Repeat(" ", 10<<10) + "198.51.100.1"}); got != peer {
		t.Errorf("10 KiB in a header with one address: the client is %s", got)
	}
}

// anyAddress generates an address of either kind.
func anyAddress(rt *rapid.T, name string) netip.Addr {
	n := rapid.SampledFrom([]int{4, 16}).Draw(rt, name+" bytes")
	address, _ := netip.AddrFromSlice(rapid.SliceOfN(rapid.Byte(), n, n).Draw(rt, name))
	return address.Unmap()
}

// anyLines generates the lines of a header as attackers write them.
func anyLines(rt *rapid.T) []string {
	part := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
		",", ";", `"`, `\`, "for=", "for=\"", "198.51.100.1", "10.0.0.1", "[2001:db8::1]:80", "::ffff:10.0.0.1", "unknown", "_x", "0.0.0.0", " ", "%eth0", "by=x",
	}))
	return rapid.SliceOfN(rapid.Map(rapid.SliceOfN(part, 0, 12), func(parts []string) string { return strings.Join(parts, "") }), 0, 5).Draw(rt, "lines")
}

// formatAddress generates a form in which a proxy may write an address.
func formatAddress(rt *rapid.T, header string, address netip.Addr) string {
	text := address.String()
	if address.Is6() {
		text = rapid.SampledFrom([]string{text, "[" + text + "]", "[" + text + "]:4711"}).Draw(rt, "form")
	} else {
		text = rapid.SampledFrom([]string{text, text + ":4711", "::ffff:" + text}).Draw(rt, "form")
	}
	if header == "Forwarded" {
		text = `for="` + text + `"` + rapid.SampledFrom([]string{"", ";proto=https", `;host="a,\"b"`}).Draw(rt, "more")
	}
	return text
}

// If the peer is untrusted, the client is the peer, whatever the header. Behind a trusted
// peer, it is the right-most address, whatever is forged before it in the same line or in
// other lines.
func TestForgedHeaders(t *testing.T) {
	property.Check(t, func(rt *rapid.T) {
		header := rapid.SampledFrom([]string{"", "X-Forwarded-For", "Forwarded", "X-Real-IP"}).Draw(rt, "header")
		p := proxies(t, header)
		forged := anyLines(rt)
		peer, client := anyAddress(rt, "peer"), anyAddress(rt, "client")
		if p.Trusts(peer) || p.Trusts(client) || client.IsUnspecified() {
			rt.Skip("one of the addresses is trusted or unspecified")
		}
		if got := p.Client(peer, forged); got != peer {
			rt.Fatalf("%q from %s: the client is %s", forged, peer, got)
		}
		if header == "X-Real-IP" {
			return
		}
		honest := []string{formatAddress(rt, header, client)}
		for range rapid.IntRange(0, 4).Draw(rt, "proxies") {
			honest = append(honest, formatAddress(rt, header, netip.MustParseAddr("10.9.8.7")))
		}
		lines := append(slices.Clone(forged), strings.Join(honest, ", "))
		if rapid.Bool().Draw(rt, "in one line") {
			lines = []string{strings.Join(lines, ", ")}
		}
		if got := p.Client(netip.MustParseAddr("10.0.0.1"), lines); got != client {
			rt.Fatalf("%q: the client is %s, want %s", lines, got, client)
		}
	})
}

// FuzzClient checks that for any header, the client is the peer or an address that is not a
// proxy, without a zone and not IPv4 in IPv6 form.
func FuzzClient(f *testing.F) {
	for line := range strings.Lines(clients) {
		if cells := strings.Split(line, "|"); len(cells) == 4 {
			f.Add(strings.TrimSpace(cells[0]), strings.ReplaceAll(strings.TrimSpace(cells[2]), "┃", "\n"))
		}
	}
	peer := netip.MustParseAddr("10.0.0.1")
	f.Fuzz(func(t *testing.T, header, text string) {
		p := proxies(t, header)
		got := p.Client(peer, strings.Split(text, "\n"))
		if got != peer && (!got.IsValid() || p.Trusts(got) || got.IsUnspecified() || got != got.WithZone("").Unmap()) {
			t.Fatalf("%s: %q: the client is %s", header, text, got)
		}
		untrusted := netip.MustParseAddr("203.0.113.9")
		if got := p.Client(untrusted, strings.Split(text, "\n")); got != untrusted {
			t.Fatalf("%s: %q: the client is %s", header, text, got)
		}
	})
}

// docs/api.md, Keys and limits: anonymous callers are distinguished by IPv4 address and
// IPv6 /64.
func TestNetwork(t *testing.T) {
	for _, c := range []struct{ address, want string }{
		{"198.51.100.1", "198.51.100.1/32"},
		{"::ffff:198.51.100.1", "198.51.100.1/32"},
		{"2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"},
		{"2001:db8:1:2::", "2001:db8:1:2::/64"},
		{"fe80::1%eth0", "fe80::/64"},
		{"::1", "::/64"},
	} {
		if got := access.Network(netip.MustParseAddr(c.address)); got.String() != c.want {
			t.Errorf("%s is in network %s, want %s", c.address, got, c.want)
		}
	}
	if got := access.Network(netip.Addr{}); got.IsValid() {
		t.Errorf("the invalid address is in network %s", got)
	}
}

// Networks of proxies are read from the configuration.
func TestNetworks(t *testing.T) {
	for _, c := range []struct {
		text, want string
		message    []string
	}{
		{text: ""},
		{text: " "},
		{text: "10.0.0.0/8,127.0.0.1", want: "10.0.0.0/8 127.0.0.1/32"},
		{text: " 10.0.0.0/8 , 2001:db8::/32 ,::1", want: "10.0.0.0/8 2001:db8::/32 ::1/128"},
		{text: "::ffff:10.0.0.0/104,::ffff:127.0.0.1", want: "10.0.0.0/8 127.0.0.1/32"},
		{text: "10.0.0.0/8,", message: []string{`invalid proxy address ""`, "10.0.0.0/8"}},
		{text: "10.0.0.0/8;127.0.0.1", message: []string{`invalid network "10.0.0.0/8;127.0.0.1"`, "separated by commas"}},
		{text: "10.0.0.0/33", message: []string{`invalid network "10.0.0.0/33"`}},
		{text: "10.0.0.0/-1", message: []string{"invalid network"}},
		{text: "10.0.0/8", message: []string{"invalid network"}},
		{text: "fe80::1%eth0/64", message: []string{"invalid network"}},
		{text: "fe80::1%eth0", message: []string{"invalid proxy address"}},
		{text: "proxy.example.org", message: []string{`invalid proxy address "proxy.example.org"`, "127.0.0.1"}},
		{text: "0.0.0.0", message: []string{"invalid proxy address"}},
		{text: "0.0.0.0/0", message: []string{`"0.0.0.0/0" contains all addresses`}},
		{text: "::ffff:0:0/96", message: []string{`"::ffff:0:0/96" contains all addresses`}},
		{text: "::ffff:10.1.2.3/104", message: []string{"10.0.0.0/8", "10.1.2.3"}},
		{text: "127.0.0.1,::/0", message: []string{`"::/0" contains all addresses`}},
		{text: "10.1.2.3/8", message: []string{`"10.1.2.3/8"`, "10.0.0.0/8", "10.1.2.3"}},
	} {
		var networks access.Networks
		err := networks.UnmarshalText([]byte(c.text))
		if (err != nil) != (c.message != nil) {
			t.Errorf("%q: %v", c.text, err)
		}
		for _, part := range c.message {
			if err != nil && !strings.Contains(err.Error(), part) {
				t.Errorf("%q: %q does not contain %q", c.text, err, part)
			}
		}
		var got []string
		for _, n := range networks {
			got = append(got, n.String())
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// Networks of repeated flags accumulate. An invalid one changes nothing.
func TestNetworksAccumulate(t *testing.T) {
	var networks access.Networks
	for _, text := range []string{"10.0.0.0/8,127.0.0.1", "", "2001:db8::/32"} {
		if err := networks.UnmarshalText([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := networks.UnmarshalText([]byte("192.0.2.0/24,0.0.0.0/0")); err == nil {
		t.Error("0.0.0.0/0 is accepted as a network of proxies")
	}
	if got := fmt.Sprint(networks); got != "[10.0.0.0/8 127.0.0.1/32 2001:db8::/32]" {
		t.Errorf("the networks are %s", got)
	}
}
