package fetch

import (
	"context"
	"crypto/tls"
	"crypto/x509"
)

// Trust lets a client of a test know the certificates of a test's server.
func (c *Client) Trust(pool *x509.CertPool) {
	c.secure.TLSClientConfig = &tls.Config{RootCAs: pool}
}

// Proxied reports whether a proxy is asked.
func (c *Client) Proxied() bool { return c.secure.Proxy != nil || c.open.Proxy != nil }

// MayDial tells what the guard says of a connection for https, and for http.
func (c *Client) MayDial(address string) (https, http error) {
	ctx := context.Background()
	return c.guard.secureDial(ctx, "tcp", address, nil), c.guard.openDial(ctx, "tcp", address, nil)
}

// What tests of tables ask directly.
var (
	Public        = public
	RetryAfter    = retryAfter
	Filename      = filename
	LooksLikeHTML = looksLikeHTML
)
