package monitor

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"time"
)

// accessLog writes a line of JSON for each request. It has nothing by which somebody can
// be found or that opens something: of an address its network, and no headers but the
// user agent, no tokens of paths, and only queries of the interface, without what looks like a
// secret.
type accessLog struct {
	lines  slog.Handler
	errors atomic.Uint64 // lines that could not be written
}

func newAccessLog(w io.Writer) *accessLog {
	return &accessLog{lines: slog.NewJSONHandler(w, &slog.HandlerOptions{ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
		if len(groups) == 0 && (a.Key == slog.LevelKey || a.Key == slog.MessageKey) {
			return slog.Attr{}
		}
		return a
	}})}
}

// maxAgent is the length up to which a user agent is logged, in bytes.
const maxAgent = 200

func (l *accessLog) add(ended time.Time, w *response, r *http.Request, client netip.Prefix, took time.Duration) {
	line := slog.NewRecord(ended, slog.LevelInfo, "", 0)
	line.AddAttrs(slog.String("method", methodOf(r)), slog.String("route", w.route), slog.String("path", pathOf(w.route, r.URL)))
	if query := queryOf(w.route, r.URL); query != "" {
		line.AddAttrs(slog.String("query", query))
	}
	line.AddAttrs(
		slog.Int("status", w.status), slog.Int64("bytes", w.bytes), slog.Float64("seconds", took.Seconds()), slog.String("network", networkOf(client)),
		slog.String("protocol", r.Proto), slog.String("user_agent", cut(r.UserAgent(), maxAgent)),
	)
	if id := w.Header().Get("X-Request-Id"); id != "" {
		line.AddAttrs(slog.String("request", id))
	}
	if id := w.span.TraceID(); id != "" {
		line.AddAttrs(slog.String("trace_id", id))
	}
	if !w.isWhole {
		line.AddAttrs(slog.Bool("aborted", true))
	}
	if l.lines.Handle(context.Background(), line) != nil {
		l.errors.Add(1)
	}
}

// pathOf returns the path of a request, or the route in its place if the path has a
// token. The path of an unknown address may be that of a token with a spelling mistake.
func pathOf(route string, u *url.URL) string {
	if route == "" || strings.Contains(route, "{token}") {
		return route
	}
	return u.EscapedPath()
}

// secretNames are parts of the names of parameters that may have a secret: the interface has no
// such parameter, but some callers try.
var secretNames = []string{"key", "token", "secret", "pass", "auth", "sig", "session"}

// queryOf returns the query of a request of the interface, in the order of its names.
func queryOf(route string, u *url.URL) string {
	if u.RawQuery == "" || !strings.HasPrefix(route, "/api/") && !strings.HasPrefix(route, "/sdmx/") {
		return ""
	}
	query := u.Query()
	for name, values := range query {
		for _, part := range secretNames {
			if strings.Contains(strings.ToLower(name), part) {
				clear(values)
			}
		}
	}
	return query.Encode()
}

// networkOf returns the part of an address that is logged: the /24 of IPv4, the /48 of IPv6.
func networkOf(client netip.Prefix) string {
	address := client.Addr().Unmap()
	if !address.IsValid() {
		return ""
	}
	bits := 48
	if address.Is4() {
		bits = 24
	}
	return netip.PrefixFrom(address, bits).Masked().String()
}

// cut returns the first bytes of a text that are at most n.
func cut(text string, n int) string { return strings.ToValidUTF8(text[:min(len(text), n)], "") }
