// Package fetch is the one way to the network: an HTTP client that is polite to
// the offices' servers and believes nothing that they say.
//
// Polite: it names the installation, asks conditionally, keeps to one
// connection a host and to the pause that an office wants, waits as long as
// Retry-After says, and tries again a few times with growing, random pauses.
//
// Bounded: bytes (as they come and as they unpack), time, the rate below which a
// download is given up, redirects. Only https and only public addresses are
// reached, which is checked when the connection is made, at redirects again;
// networks that the installation names are the exception, by http too.
//
// A request ([Client.Save]) is a few tries (retry.go), a try is a walk along
// redirects (try.go), and each step of it waits for its turn at the host
// (turn.go), passes the guard (guard.go), and ends in a body that is read under
// watch (body.go).
package fetch

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"os"
	"time"
)

// Options are what a [Client] is made from. The zero value of each is a good
// one.
type Options struct {
	// Agent names the installation to the offices: "almanac/1.0
	// (+https://stats.example.org; mail@example.org)". Empty: "almanac".
	Agent string
	// Hosts are the only ones that are asked, if there are any; ".example.org"
	// stands for all hosts below example.org.
	Hosts []string
	// Networks are private networks (and loopback) that may be reached all the
	// same, by http too.
	Networks []netip.Prefix

	PerHost  int           // connections a host; 0: 1
	Bytes    int64         // of one answer, packed and unpacked; 0: 1 GiB
	Time     time.Duration // of one try, from when it is its turn; 0: 30 minutes
	Stall    time.Duration // how long a download may stay below 1 KiB/s on average; 0: 30 seconds
	Tries    int           // of one request; 0: 4
	LongWait time.Duration // a longer Retry-After ends the request instead of delaying it; 0: 30 seconds

	Now   func() time.Time                           // nil: time.Now
	Sleep func(context.Context, time.Duration) error // nil: waits
	Rand  func() float64                             // 0 ≤ x < 1; nil: math/rand/v2
	Log   *slog.Logger                               // nil: none
}

// Client asks servers. It is safe for concurrent use.
type Client struct {
	options Options
	guard   guard
	queues  queues
	secure  *http.Transport // https
	open    *http.Transport // http, to Options.Networks only
}

// New makes a client. The error is [stat.Invalid] and tells of every option
// that cannot be used.
func New(o Options) (*Client, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	c := &Client{options: o, guard: guard{hosts: o.Hosts, networks: o.Networks}}
	c.secure = c.transport(c.guard.secureDial)
	c.open = c.transport(c.guard.openDial)
	return c, nil
}

// Request is one question to a server.
type Request struct {
	Address string
	Accept  string        // media types; empty: any
	Body    []byte        // not nil: the request is a POST of JSON
	Known   Validators    // of the answer that the asker has: a server that has no other says so
	Pause   time.Duration // least time since the last request to the host began
}

// Validators tell an answer from others at the same address.
type Validators struct {
	ETag         string `json:"etag,omitempty"`
	LastModified string `json:"last_modified,omitempty"`
	// Digest is the SHA-256 of the unpacked body, in hexadecimal digits: for
	// servers that give no other, or change them with each answer.
	Digest string `json:"digest,omitempty"`
}

// Answer is what came of a request.
type Answer struct {
	// NotModified: the server says it, or the body has the known digest. There
	// is no file then.
	NotModified bool
	Status      int    // of HTTP: 200, 202, 203, 204 or 304
	Address     string // after redirects
	Validators  Validators
	ContentType string // media type alone, lower case
	Filename    string // base name that Content-Disposition proposes, without anything unsafe; empty if it has none
	Size        int64  // of the unpacked body
	Head        []byte // its first 4 KiB
}

// Save asks and keeps the body of the answer, with the content coding of HTTP
// taken off, in a new file at path. Cut and failed downloads are tried again
// from the beginning. An HTML page is an [Error], since no office publishes
// data as such. Nothing stays at path where there is an error.
//
// The error is an [Error] for all that the server and the way there did wrong;
// the error of ctx where that ended; any other is of the file.
func (c *Client) Save(ctx context.Context, r Request, path string) (Answer, error) {
	return c.ask(ctx, r, c.options.Bytes, func(fill filler) error { return saveAs(path, fill) })
}

// SaveTo is Save into a file that is open, and is at its beginning afterwards.
// Where there is an error it may hold anything.
func (c *Client) SaveTo(ctx context.Context, r Request, file *os.File) (Answer, error) {
	again := func() error {
		_, err := file.Seek(0, io.SeekStart)
		return err
	}
	answer, err := c.ask(ctx, r, c.options.Bytes, func(fill filler) error {
		return errors.Join(again(), file.Truncate(0), fill(file))
	})
	if err == nil {
		err = again()
	}
	return answer, err
}

// Read is Save for small answers, which it returns: at most most bytes.
func (c *Client) Read(ctx context.Context, r Request, most int64) ([]byte, Answer, error) {
	var body bytes.Buffer
	answer, err := c.ask(ctx, r, min(most, c.options.Bytes), func(fill filler) error {
		body.Reset()
		return fill(&body)
	})
	if err != nil || answer.NotModified {
		return nil, answer, err
	}
	return body.Bytes(), answer, nil
}

// filler writes a body. Its error says that nothing is to be kept of it.
type filler func(io.Writer) error

// keeper keeps what a filler writes, in whole or not at all. It is called once
// for each try that comes to a body.
type keeper func(filler) error

// Now is what Options.Now says.
func (c *Client) Now() time.Time { return c.options.Now() }

// Wait waits as Options.Sleep does: for a server that wants to be asked again
// later.
func (c *Client) Wait(ctx context.Context, d time.Duration) error {
	return c.options.Sleep(ctx, d)
}
