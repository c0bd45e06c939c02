package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"almanac/internal/api"
	"almanac/internal/monitor"
)

// tlsFlags are the files with which a server encrypts its connections.
type tlsFlags struct {
	TLSCertificate string `name:"tls-certificate" placeholder:"FILE" help:"File of a certificate with those of its issuers (PEM), to serve HTTPS; default: plain HTTP. Read again when it changes."`
	TLSKey         string `name:"tls-key" placeholder:"FILE" help:"File of the key of the certificate (PEM)."`
}

func (files tlsFlags) check() error {
	if (files.TLSCertificate == "") != (files.TLSKey == "") {
		return errors.New("--tls-certificate and --tls-key belong together; state both, or none for plain HTTP")
	}
	return nil
}

// certificateEvery is how often a certificate is read again at most, when a client connects.
const certificateEvery = time.Second

// certificate is the certificate in two files, which may be replaced at any time.
type certificate struct {
	files tlsFlags
	log   *slog.Logger

	mu      sync.Mutex
	current *tls.Certificate
	state   string    // of the files when they were last read
	checked time.Time // when they were last looked at
}

// openCertificate reads the certificate of the files; nil: there are none.
func (files tlsFlags) openCertificate(log *slog.Logger) (*certificate, error) {
	if files.TLSCertificate == "" {
		return nil, nil
	}
	c := &certificate{files: files, log: log, state: files.state(), checked: time.Now()}
	var err error
	if c.current, err = files.read(); err != nil {
		return nil, err
	}
	return c, nil
}

func (files tlsFlags) read() (*tls.Certificate, error) {
	pair, err := tls.LoadX509KeyPair(files.TLSCertificate, files.TLSKey)
	if err != nil {
		return nil, fmt.Errorf("certificate %s with the key %s: %w", files.TLSCertificate, files.TLSKey, err)
	}
	return &pair, nil
}

// state returns a text that changes when a file does.
func (files tlsFlags) state() (text string) {
	for _, name := range []string{files.TLSCertificate, files.TLSKey} {
		if info, err := os.Stat(name); err == nil {
			text += fmt.Sprintf("%s %d %d\n", info.ModTime(), info.Size(), info.Mode())
		}
	}
	return text
}

// get returns the certificate of the files, which are read again if they changed. While
// they cannot be read or do not belong together, it is the one before.
func (c *certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Since(c.checked) < certificateEvery {
		return c.current, nil
	}
	c.checked = time.Now()
	state := c.files.state()
	if state == c.state {
		return c.current, nil
	}
	c.state = state
	read, err := c.files.read()
	if err != nil {
		c.log.Error("the certificate changed and cannot be used; the one before is used until the files change again", "error", err)
		return c.current, nil
	}
	c.current = read
	c.log.Info("the certificate was read again", "valid_until", read.Leaf.NotAfter.UTC().Format(time.RFC3339))
	return c.current, nil
}

// serve serves HTTPS with the certificate, and plain HTTP without one (nil).
func (c *certificate) serve(server *http.Server, listener net.Listener) error {
	if c == nil {
		return server.Serve(api.NewListener(listener))
	}
	server.TLSConfig = &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: c.get}
	return server.ServeTLS(listener, "", "")
}

// figure is the end of the certificate.
func (c *certificate) figure() monitor.Figure {
	return monitor.Figure{
		Name: "almanac_certificate_expiry_timestamp_seconds", Help: "When the certificate of the server ends to be valid.",
		Read: func(context.Context) ([]monitor.Value, error) {
			current, err := c.get(nil)
			if err != nil {
				return nil, err
			}
			return monitor.Number(current.Leaf.NotAfter.Unix())
		},
	}
}
