package fetch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"time"

	"almanac/internal/stat"
)

// maxAgent bounds the user agent, which goes out with every request.
const maxAgent = 256

// complete checks the options and fills in what is left to the client.
func (o *Options) complete() error {
	var wrong []error
	say := func(format string, args ...any) { wrong = append(wrong, fmt.Errorf(format, args...)) }
	if len(o.Agent) > maxAgent || strings.ContainsFunc(o.Agent, func(r rune) bool { return r < ' ' || r > '~' }) {
		say("user agent %.100q: it is one line of ASCII text, at most %d bytes", o.Agent, maxAgent)
	}
	for _, n := range []struct {
		name string
		is   int64
	}{
		{"connections a host", int64(o.PerHost)}, {"bytes of an answer", o.Bytes}, {"tries", int64(o.Tries)},
		{"time of a try", int64(o.Time)}, {"time of a stall", int64(o.Stall)}, {"longest wait", int64(o.LongWait)},
	} {
		if n.is < 0 {
			say("%s: %d is below zero", n.name, n.is)
		}
	}
	o.Hosts = slices.Clone(o.Hosts)
	for i, host := range o.Hosts {
		o.Hosts[i] = strings.ToLower(host)
		if !isHost(strings.TrimPrefix(o.Hosts[i], ".")) {
			say("host %q: write a name as in ec.europa.eu, or .europa.eu for all hosts below it", host)
		}
	}
	o.Networks = slices.Clone(o.Networks)
	for i, network := range o.Networks {
		switch {
		case !network.IsValid() || network.Addr().Is4In6():
			say("network %v: write it as in 10.0.0.0/8 or fd00::/8", network)
		case network.Bits() == 0:
			say("network %v: all of the Internet is no private network", network)
		}
		o.Networks[i] = network.Masked()
	}
	if len(wrong) > 0 {
		return stat.Errorf(stat.Invalid, "%v", errors.Join(wrong...))
	}
	o.fill()
	return nil
}

// fill puts in the defaults.
func (o *Options) fill() {
	o.Agent = cmp.Or(o.Agent, "almanac")
	o.PerHost = cmp.Or(o.PerHost, 1)
	o.Bytes = cmp.Or(o.Bytes, 1<<30)
	o.Time = cmp.Or(o.Time, 30*time.Minute)
	o.Stall = cmp.Or(o.Stall, 30*time.Second)
	o.Tries = cmp.Or(o.Tries, 4)
	o.LongWait = cmp.Or(o.LongWait, 30*time.Second)
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Sleep == nil {
		o.Sleep = Sleep
	}
	if o.Rand == nil {
		o.Rand = rand.Float64
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
}

// isHost reports whether a text is a name as hosts have it, without a port. An
// address of four numbers is one, too.
func isHost(name string) bool {
	if _, err := netip.ParseAddr(name); err == nil {
		return true
	}
	odd := func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '_'
	}
	for label := range strings.SplitSeq(name, ".") {
		if label == "" || strings.ContainsFunc(label, odd) {
			return false
		}
	}
	return true
}

// Sleep waits for a time, or until ctx ends, whose error it then returns.
func Sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
