package main

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/alecthomas/kong"
	"github.com/dustin/go-humanize"

	"almanac/internal/access"
)

// size is a number of bytes, written as 512MiB, 2GB or 1000000.
type size int64

// UnmarshalText reads a size.
func (s *size) UnmarshalText(text []byte) error {
	n, err := humanize.ParseBytes(string(text))
	if err != nil || n > 1<<62 {
		return fmt.Errorf("%q is no size: it is written as 512MiB, 2GB or 1000000", text)
	}
	*s = size(n)
	return nil
}

// moment is a time as a person writes it: of an update, or of a key's end.
type moment struct{ time.Time }

var momentLayouts = []string{
	time.DateOnly, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05-0700",
	"2006-01-02T15:04:05", "2006-01-02T15:04", time.DateTime, "2006-01-02 15:04",
}

// UnmarshalText reads a date or a time of ISO 8601; without an offset it is
// UTC.
func (m *moment) UnmarshalText(text []byte) error {
	written := strings.TrimSpace(string(text))
	for _, layout := range momentLayouts {
		if t, err := time.Parse(layout, written); err == nil {
			m.Time = t
			return nil
		}
	}
	return fmt.Errorf("%q is no time: it is written as 2025-07-04, 2025-07-04T11:00:00Z or 2025-07-04T11:00:00+02:00", text)
}

// toSecond and toMinute are times in tables, in UTC; a dash where there is none.
func toSecond(t time.Time) string { return timeText(t, time.DateTime) }
func toMinute(t time.Time) string { return timeText(t, "2006-01-02 15:04") }

func timeText(t time.Time, layout string) string {
	if t.IsZero() {
		return "-"
	}
	return t.UTC().Format(layout)
}

// day is a UTC day.
type day struct{ time.Time }

// UnmarshalText reads a date of ISO 8601.
func (d *day) UnmarshalText(text []byte) error {
	t, err := time.Parse(time.DateOnly, strings.TrimSpace(string(text)))
	if err != nil {
		return fmt.Errorf("%q is no day: it is written as 2026-01-31", text)
	}
	d.Time = t
	return nil
}

// tier is that of an account, or empty.
type tier struct{ access.Tier }

// UnmarshalText takes essential or pro.
func (t *tier) UnmarshalText(text []byte) (err error) {
	t.Tier, err = access.ParseTier(string(text))
	return err
}

// overlap is how long a key stays valid beside its successor.
type overlap time.Duration

// UnmarshalText reads a number of hours or days, as 24h or 7d, or 0.
func (o *overlap) UnmarshalText(text []byte) error {
	written := string(text)
	if written == "0" {
		*o = 0
		return nil
	}
	unit := time.Hour
	number, hours := strings.CutSuffix(written, "h")
	if !hours {
		var days bool
		if number, days = strings.CutSuffix(written, "d"); !days {
			number = ""
		}
		unit = 24 * time.Hour
	}
	n, err := strconv.ParseUint(number, 10, 16) // digits alone: no sign
	if err != nil || time.Duration(n)*unit > access.MaxOverlap {
		return fmt.Errorf("%q is no overlap: it is written as 24h or 7d, and lies between 0 and %d days", text, access.MaxOverlap/(24*time.Hour))
	}
	*o = overlap(time.Duration(n) * unit)
	return nil
}

// decodeFolder reads the name of a folder, for flags of the type "folder". An
// empty one is most often that of a variable which is not set, and would be
// the folder that somebody happens to stand in.
func decodeFolder(ctx *kong.DecodeContext, target reflect.Value) error {
	var name string
	if err := ctx.Scan.PopValueInto("folder", &name); err != nil {
		return err
	}
	if name == "" {
		return errors.New("the name of the folder is empty; right is one such as data or /var/lib/almanac")
	}
	target.SetString(name)
	return nil
}

// dailyLimits are the limits of the tiers, in one flag or in several.
type dailyLimits struct {
	access.Limits
	given []string // the values of the flags so far
}

// UnmarshalText reads the value of one more flag as if it stood behind a comma
// in the flag before: no tier may be named in both.
func (d *dailyLimits) UnmarshalText(text []byte) error {
	if strings.TrimSpace(string(text)) != "" {
		d.given = append(d.given, string(text))
	}
	return d.Limits.UnmarshalText([]byte(strings.Join(d.given, ",")))
}

// listenAddress is where the server listens.
type listenAddress string

// UnmarshalText takes host:port with a number as the port. Without a host it is
// every address of the machine: that has to be asked for, so the empty text is
// none.
func (l *listenAddress) UnmarshalText(text []byte) error {
	host, port, err := net.SplitHostPort(string(text))
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	outside := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(".-_", r)
	}
	_, noAddress := netip.ParseAddr(host)
	if noName := strings.ContainsFunc(host, outside); err != nil || noAddress != nil && noName {
		return fmt.Errorf("%q is no address to listen on: it is written as 127.0.0.1:8080, or :8080 for every address of the machine, with a port from 0 to 65535", text)
	}
	*l = listenAddress(text)
	return nil
}

// callersHeaders are headers that callers write for other reasons: whoever can
// choose the address that stands in one can be any caller.
var callersHeaders = []string{
	"Accept", "Accept-Encoding", "Authorization", "Content-Encoding", "Content-Length", "Content-Type", "Cookie",
	"Host", "If-None-Match", "Origin", "Referer", "User-Agent", "X-Api-Key", "X-Forwarded-Host", "X-Forwarded-Proto",
}

// headerName is the name of a header of a request.
type headerName string

// UnmarshalText takes what HTTP allows as a name, but for those of
// callersHeaders.
func (h *headerName) UnmarshalText(text []byte) error {
	const marks = "!#$%&'*+-.^_`|~" // with letters and digits, a token of RFC 9110
	outside := func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(marks, r)
	}
	if len(text) == 0 || strings.ContainsFunc(string(text), outside) {
		return fmt.Errorf("%q is no name of a header: it is written as X-Forwarded-For", text)
	}
	name := http.CanonicalHeaderKey(string(text))
	if slices.Contains(callersHeaders, name) {
		return fmt.Errorf("%s holds no address of a client, and callers set it themselves; right is the header in which the proxies write the address, such as X-Forwarded-For", text)
	}
	*h = headerName(name)
	return nil
}

// publicBase is the address that links begin with, without a slash at the end.
type publicBase string

// UnmarshalText takes an absolute http or https address.
func (b *publicBase) UnmarshalText(text []byte) error {
	u, err := url.Parse(string(text))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" {
		return fmt.Errorf("%q is no base address: it is written as https://statistics.example.org", text)
	}
	*b = publicBase(strings.TrimRight(string(text), "/"))
	return nil
}

// decimal is the sign between the units and the tenths.
type decimal string

// UnmarshalText takes "." or ",".
func (d *decimal) UnmarshalText(text []byte) error {
	if s := string(text); s != "." && s != "," {
		return errors.New(`the decimal sign is "." or ","`)
	}
	*d = decimal(text)
	return nil
}
