package fetch

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"time"
)

// Wait waits as the client does.
func (c *Client) Wait(ctx context.Context, d time.Duration) error { return c.options.Sleep(ctx, d) }

// Trust makes a client trust the certificates of a test server.
func (c *Client) Trust(pool *x509.CertPool) {
	c.secure.TLSClientConfig = &tls.Config{RootCAs: pool}
}

// Proxied reports whether the client uses a proxy.
func (c *Client) Proxied() bool { return c.secure.Proxy != nil || c.insecure.Proxy != nil }

// MayDial returns the guard's errors for an https and an http connection to an
// address.
func (c *Client) MayDial(address string) (https, http error) {
	ctx := context.Background()
	return c.guard.secureDial(ctx, "tcp", address, nil), c.guard.insecureDial(ctx, "tcp", address, nil)
}

// Unexported functions that table tests call directly.
var (
	Public        = isPublic
	RetryAfter    = retryAfter
	Filename      = filename
	LooksLikeHTML = looksLikeHTML
)
