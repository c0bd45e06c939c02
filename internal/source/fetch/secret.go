package fetch

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// Secret is a key that an office requires. It is added to requests to the office's host
// when they are sent. It is in no address that a caller sees, and it is removed from
// responses, file names, errors and logs.
type Secret struct {
	Address   string // of the office's service; the secret goes to this host only
	Parameter string // of the query; or
	Header    string // the name of a header
	Value     string
}

// MinSecret is the shortest length of a secret. A shorter one could not be told from other
// texts when it is removed from them.
const MinSecret = 8

// isFor reports whether the secret belongs to requests to an address.
func (s Secret) isFor(to *url.URL) bool {
	own, err := url.Parse(s.Address)
	return err == nil && s.Value != "" && own.Scheme == to.Scheme && strings.EqualFold(own.Host, to.Host)
}

// HasSecret reports whether there is a secret for the host of an address.
func (c *Client) HasSecret(address string) bool {
	if c == nil { // a table of offices without a network
		return false
	}
	to, err := url.Parse(address)
	for _, s := range c.options.Secrets {
		if err == nil && s.isFor(to) {
			return true
		}
	}
	return false
}

// addSecrets adds the secrets of the host to a request.
func (c *Client) addSecrets(r *http.Request) {
	for _, s := range c.options.Secrets {
		switch {
		case !s.isFor(r.URL):
		case s.Header != "":
			r.Header.Set(s.Header, s.Value)
		case s.Parameter != "":
			to := *r.URL
			if to.RawQuery != "" {
				to.RawQuery += "&"
			}
			to.RawQuery += url.QueryEscape(s.Parameter) + "=" + url.QueryEscape(s.Value)
			r.URL = &to
		}
	}
}

// forms returns the texts in which a secret may occur.
func (s Secret) forms() []string {
	if len(s.Value) < MinSecret {
		return nil
	}
	forms := []string{s.Value}
	for _, form := range []string{url.QueryEscape(s.Value), url.PathEscape(s.Value)} {
		if form != s.Value {
			forms = append(forms, form)
		}
	}
	return forms
}

// hide removes all secrets from a text.
func (c *Client) hide(text string) string {
	for _, s := range c.options.Secrets {
		for _, form := range s.forms() {
			text = strings.ReplaceAll(text, form, "…")
		}
	}
	return text
}

// hider replaces secrets in what is written by asterisks.
type hider struct {
	to      io.Writer
	secrets [][]byte
	rest    []byte // may be the beginning of a secret
}

// hideIn returns a writer for a body from an address, without the secrets of its host; its
// end is written by flush.
func (c *Client) hideIn(from *url.URL, w io.Writer) *hider {
	h := &hider{to: w}
	for _, s := range c.options.Secrets {
		if !s.isFor(from) {
			continue
		}
		for _, form := range s.forms() {
			h.secrets = append(h.secrets, []byte(form))
		}
	}
	return h
}

func (h *hider) Write(p []byte) (int, error) {
	if len(h.secrets) == 0 {
		return h.to.Write(p)
	}
	text, longest := append(h.rest, p...), 0
	for _, secret := range h.secrets {
		text = bytes.ReplaceAll(text, secret, bytes.Repeat([]byte("*"), len(secret)))
		longest = max(longest, len(secret)-1)
	}
	cut := max(0, len(text)-longest)
	h.rest = append([]byte(nil), text[cut:]...)
	if _, err := h.to.Write(text[:cut]); err != nil {
		return 0, err
	}
	return len(p), nil
}

func (h *hider) flush() error {
	_, err := h.to.Write(h.rest)
	return err
}
