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
	"almanac/internal/watch"
)

// size is a number of bytes, written as 512MiB, 2GB or 1000000.
type size int64

func (s *size) UnmarshalText(text []byte) error {
	n, err := humanize.ParseBytes(string(text))
	if err != nil || n > 1<<62 {
		return fmt.Errorf("invalid size %q; use a number of bytes such as 512MiB, 2GB or 1000000", text)
	}
	*s = size(n)
	return nil
}

type moment struct{ time.Time }

var momentLayouts = []string{
	time.DateOnly, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05-0700",
	"2006-01-02T15:04:05", "2006-01-02T15:04", time.DateTime, "2006-01-02 15:04",
}

// UnmarshalText reads a date or time of ISO 8601, in UTC unless it has an
// offset.
func (m *moment) UnmarshalText(text []byte) error {
	written := strings.TrimSpace(string(text))
	for _, layout := range momentLayouts {
		if t, err := time.Parse(layout, written); err == nil {
			m.Time = t
			return nil
		}
	}
	return fmt.Errorf("invalid time %q; use a form such as 2025-07-04, 2025-07-04T11:00:00Z or 2025-07-04T11:00:00+02:00", text)
}

// overlap is how long a replaced key stays valid.
type overlap time.Duration

// UnmarshalText reads hours or days, such as 24h or 7d, or 0.
func (o *overlap) UnmarshalText(text []byte) error {
	number, unit := string(text), time.Duration(0)
	if hours, ok := strings.CutSuffix(number, "h"); ok {
		number, unit = hours, time.Hour
	} else if days, ok := strings.CutSuffix(number, "d"); ok {
		number, unit = days, 24*time.Hour
	}
	n, err := strconv.ParseUint(number, 10, 16) // refuses a sign
	if err != nil || unit == 0 && number != "0" || time.Duration(n)*unit > access.MaxOverlap {
		return fmt.Errorf("invalid overlap %q; use hours or days such as 24h or 7d, between 0 and %d days", text, access.MaxOverlap/(24*time.Hour))
	}
	*o = overlap(time.Duration(n) * unit)
	return nil
}

// decodeFolder reads flags of the type "folder". It refuses an empty name: most
// likely it comes from an unset variable, and it would mean the working
// directory.
func decodeFolder(ctx *kong.DecodeContext, target reflect.Value) error {
	var name string
	if err := ctx.Scan.PopValueInto("folder", &name); err != nil {
		return err
	}
	if name == "" {
		return errors.New("the name of the folder is empty; use a name such as data or /var/lib/almanac")
	}
	target.SetString(name)
	return nil
}

// dailyLimits are the limits of the tiers, in one or several flags.
type dailyLimits struct {
	access.Limits
	values []string // of the flags so far
}

// UnmarshalText appends the value to those of earlier flags, as after a comma:
// no tier may be named twice.
func (d *dailyLimits) UnmarshalText(text []byte) error {
	if strings.TrimSpace(string(text)) != "" {
		d.values = append(d.values, string(text))
	}
	return d.Limits.UnmarshalText([]byte(strings.Join(d.values, ",")))
}

// burstLimits are the limits of the tiers a minute, in one or several flags.
type burstLimits struct {
	access.Limits
	values []string // of the flags so far
}

// UnmarshalText appends the value to those of earlier flags. Tiers that are not named have no limit.
func (b *burstLimits) UnmarshalText(text []byte) (err error) {
	if strings.TrimSpace(string(text)) != "" {
		b.values = append(b.values, string(text))
	}
	none := access.Limits{Anonymous: access.Unlimited, Essential: access.Unlimited, Pro: access.Unlimited}
	b.Limits, err = access.ParseLimits(strings.Join(b.values, ","), none)
	if err == nil && (b.Anonymous == 0 || b.Essential == 0 || b.Pro == 0) {
		err = errors.New("a limit a minute must be 1 or more, or unlimited")
	}
	return err
}

// bringLimits are the limits of datasets that are brought, in one or several flags.
type bringLimits struct {
	watch.JobLimits
	values []string // of the flags so far
}

// UnmarshalText appends the value to those of earlier flags, as after a comma.
func (l *bringLimits) UnmarshalText(text []byte) error {
	if strings.TrimSpace(string(text)) != "" {
		l.values = append(l.values, string(text))
	}
	return l.JobLimits.UnmarshalText([]byte(strings.Join(l.values, ",")))
}

type listenAddress string

// UnmarshalText accepts host:port with a numeric port. Without a host the
// server listens on every address of the machine; that must be explicit, so an
// empty text is refused.
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
		return fmt.Errorf("invalid listen address %q; use 127.0.0.1:8080, or :8080 for every address of the machine, with a port from 0 to 65535", text)
	}
	*l = listenAddress(text)
	return nil
}

// clientHeaders are headers that clients set for other purposes. A client that
// chooses its own address could pretend to be any other.
var clientHeaders = []string{
	"Accept", "Accept-Encoding", "Authorization", "Content-Encoding", "Content-Length", "Content-Type", "Cookie",
	"Host", "If-None-Match", "Origin", "Referer", "User-Agent", "X-Api-Key", "X-Forwarded-Host", "X-Forwarded-Proto",
}

type headerName string

// UnmarshalText accepts every valid name except clientHeaders.
func (h *headerName) UnmarshalText(text []byte) error {
	const marks = "!#$%&'*+-.^_`|~" // with letters and digits, a token of RFC 9110
	outside := func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(marks, r)
	}
	if len(text) == 0 || strings.ContainsFunc(string(text), outside) {
		return fmt.Errorf("invalid header name %q; use a name such as X-Forwarded-For", text)
	}
	name := http.CanonicalHeaderKey(string(text))
	if slices.Contains(clientHeaders, name) {
		return fmt.Errorf("header %s does not contain the client's address, and clients set it themselves; use the header in which the proxies write the address, such as X-Forwarded-For", text)
	}
	*h = headerName(name)
	return nil
}

// publicBase is the beginning of links, without a slash at the end.
type publicBase string

// UnmarshalText accepts an absolute http or https URL without a query.
func (b *publicBase) UnmarshalText(text []byte) error {
	u, err := url.Parse(string(text))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" {
		return fmt.Errorf("invalid base URL %q; use an address such as https://statistics.example.org", text)
	}
	*b = publicBase(strings.TrimRight(string(text), "/"))
	return nil
}

type decimal string

// UnmarshalText accepts "." and ",".
func (d *decimal) UnmarshalText(text []byte) error {
	if s := string(text); s != "." && s != "," {
		return errors.New(`the decimal sign must be "." or ","`)
	}
	*d = decimal(text)
	return nil
}
