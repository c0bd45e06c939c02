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

// maxAgent limits the user agent, which is sent with every request.
const maxAgent = 256

// complete validates the options and fills in the defaults.
func (o *Options) complete() error {
	var errs []error
	add := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if len(o.Agent) > maxAgent || strings.ContainsFunc(o.Agent, func(r rune) bool { return r < ' ' || r > '~' }) {
		add("invalid user agent %.100q: must be one line of ASCII text of at most %d bytes", o.Agent, maxAgent)
	}
	for _, n := range []struct {
		name  string
		value int64
	}{
		{"bytes per response", o.Bytes}, {"attempts", int64(o.Tries)},
		{"time per attempt", int64(o.Time)}, {"stall time", int64(o.Stall)}, {"longest wait", int64(o.LongWait)},
	} {
		if n.value < 0 {
			add("invalid %s: must not be negative, not %d", n.name, n.value)
		}
	}
	o.Hosts = slices.Clone(o.Hosts)
	for i, host := range o.Hosts {
		o.Hosts[i] = strings.ToLower(host)
		if !isHost(strings.TrimPrefix(o.Hosts[i], ".")) {
			add("invalid host %q: must be a name such as ec.europa.eu, or .europa.eu for all hosts below it", host)
		}
	}
	o.Networks = slices.Clone(o.Networks)
	for i, network := range o.Networks {
		switch {
		case !network.IsValid() || network.Addr().Is4In6():
			add("invalid network %v: must be a prefix such as 10.0.0.0/8 or fd00::/8", network)
		case network.Bits() == 0:
			add("invalid network %v: must be a private network, not the whole Internet", network)
		}
		o.Networks[i] = network.Masked()
	}
	if len(errs) > 0 {
		return stat.Errorf(stat.Invalid, "%v", errors.Join(errs...))
	}
	o.setDefaults()
	return nil
}

func (o *Options) setDefaults() {
	o.Agent = cmp.Or(o.Agent, "almanac")
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

// isHost reports whether a text is a host name or an IP address, without a port.
func isHost(name string) bool {
	if _, err := netip.ParseAddr(name); err == nil {
		return true
	}
	isInvalid := func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '_'
	}
	for label := range strings.SplitSeq(name, ".") {
		if label == "" || strings.ContainsFunc(label, isInvalid) {
			return false
		}
	}
	return true
}

// Sleep waits for d. If ctx ends first, it returns the error of ctx.
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
