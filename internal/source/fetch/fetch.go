// Package fetch is an HTTP client that is polite to the offices' servers and does
// not trust their responses. All requests to offices go through it.
//
// Polite: it identifies the installation, sends conditional requests, opens one
// connection per host, observes the pause that an office asks for, obeys
// Retry-After, and retries a few times with growing, random pauses.
//
// Limited: bytes (received and unpacked), time, redirects, and the rate below
// which a download is abandoned. It connects only by https and only to public
// addresses, and checks this for every connection and every redirect. The private
// networks named in [Options] are exempt and may also be reached by http.
//
// A request ([Client.Save]) makes up to a few attempts (retry.go). An attempt follows
// redirects (try.go). Each step of it waits for its turn at the host (turn.go),
// is checked by the guard (guard.go), and reads a body with limits (body.go).
package fetch

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"time"
)

// Options configure a [Client]. The zero value of each is a usable default.
type Options struct {
	// Agent identifies the installation to the offices: "almanac/1.0
	// (+https://stats.example.org; mail@example.org)". Empty: "almanac".
	Agent string
	// Hosts, if not empty, are the only hosts that are contacted;
	// ".example.org" stands for all hosts below example.org.
	Hosts []string
	// Networks are private networks, or loopback, that may be reached, also by http.
	Networks []netip.Prefix

	// Secrets are the keys of offices.
	Secrets []Secret

	Bytes    int64         // limit of one response, received and unpacked; 0: 1 GiB
	Time     time.Duration // limit of one attempt, from the start of its turn; 0: 30 minutes
	Stall    time.Duration // how long a download may stay below 1 KiB/s on average; 0: 30 seconds
	Tries    int           // attempts per request; 0: 4
	LongWait time.Duration // a longer Retry-After fails the request instead of delaying it; 0: 30 seconds

	Now   func() time.Time                           // nil: time.Now
	Sleep func(context.Context, time.Duration) error // nil: waits
	Rand  func() float64                             // 0 ≤ x < 1; nil: math/rand/v2
	Log   *slog.Logger                               // nil: none
}

// Client sends requests to servers. It is safe for concurrent use.
type Client struct {
	options  Options
	guard    guard
	queues   queues
	secure   *http.Transport // https
	insecure *http.Transport // http, to Options.Networks only
}

// New returns a client. Its error is [stat.Invalid] and names every invalid
// option.
func New(o Options) (*Client, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	c := &Client{options: o, guard: guard{hosts: o.Hosts, networks: o.Networks}}
	c.secure = c.transport(c.guard.secureDial)
	c.insecure = c.transport(c.guard.insecureDial)
	return c, nil
}

// Request is one request to a server.
type Request struct {
	Address string
	Accept  string        // media types; empty: any
	Body    []byte        // if not nil, the request is a POST of JSON
	Form    url.Values    // if not nil, the request is a POST of a form
	Known   Validators    // of the response that the caller has, for a conditional request
	Pause   time.Duration // minimum time since the last request to the host began
	// DataPause marks a download of data, for hosts that limit these more than other
	// requests: the minimum time since the last one began. A 429 then delays only
	// downloads of data.
	DataPause time.Duration

	isRead bool // the response is read by a client of a server, not by a reader of files
}

// Validators identify one version of the response at an address.
type Validators struct {
	ETag         string `json:"etag,omitempty"`
	LastModified string `json:"last_modified,omitempty"`
	// Digest is the SHA-256 of the unpacked body in hexadecimal. It is for servers
	// that send no other validator, or a new one with each response.
	Digest string `json:"digest,omitempty"`
}

// Answer is the response to a request.
type Answer struct {
	// NotModified is true if the server confirms the known version or the body has
	// the known digest. No file is written then.
	NotModified bool
	Address     string // after redirects
	Validators  Validators
	ContentType string // media type alone, lower case
	Filename    string // base name from Content-Disposition, safe as a file name; empty if there is none
	Size        int64  // of the unpacked body
	Head        []byte // first 4 KiB of the unpacked body
}

// Save writes the response body, with the HTTP content coding removed, to a new
// file at path. Failed and incomplete downloads are retried from the beginning.
// An HTML page is an [Error], because no office publishes data as HTML, and so is an empty
// body. After an error there is no file at path.
//
// The error is an [Error] if the server or the network failed, the error of ctx if
// it has ended, and otherwise an error of the file.
func (c *Client) Save(ctx context.Context, r Request, path string) (Answer, error) {
	return c.do(ctx, r, c.options.Bytes, func(fill filler) error { return saveAs(path, fill) })
}

// SaveTo is Save into an open file, which is rewound afterwards. After an error
// its content is undefined.
func (c *Client) SaveTo(ctx context.Context, r Request, file *os.File) (Answer, error) {
	rewind := func() error {
		_, err := file.Seek(0, io.SeekStart)
		return err
	}
	r.isRead = true
	answer, err := c.do(ctx, r, c.options.Bytes, func(fill filler) error {
		return errors.Join(rewind(), file.Truncate(0), fill(file))
	})
	if err == nil {
		err = rewind()
	}
	return answer, err
}

// Read is Save into memory, for responses of at most limit bytes. Read and SaveTo also
// unpack a text whose header does not say that it is packed; the readers of files do it
// themselves.
func (c *Client) Read(ctx context.Context, r Request, limit int64) ([]byte, Answer, error) {
	var body bytes.Buffer
	r.isRead = true
	answer, err := c.do(ctx, r, min(limit, c.options.Bytes), func(fill filler) error {
		body.Reset()
		return fill(&body)
	})
	if err != nil || answer.NotModified {
		return nil, answer, err
	}
	return body.Bytes(), answer, nil
}

// filler writes a body. After an error, what it has written must be discarded.
type filler func(io.Writer) error

// keeper stores what a filler writes, completely or not at all. It is called once
// for each attempt that receives a body.
type keeper func(filler) error

// Now returns the time of Options.Now.
func (c *Client) Now() time.Time { return c.options.Now() }

// The pauses of [Client.Poll] grow from firstPoll to longestPoll.
const (
	firstPoll   = 5 * time.Second
	longestPoll = time.Minute
)

// Poll is for servers that prepare a response: it waits and calls ready, again and again,
// until that returns true or an error. It returns false if total has passed.
func (c *Client) Poll(ctx context.Context, total time.Duration, ready func() (bool, error)) (bool, error) {
	var waited time.Duration
	for pause := firstPoll; waited < total; pause = min(pause*3/2, longestPoll) {
		began := c.Now()
		if err := c.options.Sleep(ctx, pause); err != nil {
			return false, err
		}
		if done, err := ready(); done || err != nil {
			return done, err
		}
		waited += max(pause, c.Now().Sub(began)) // a call may take long itself
	}
	return false, nil
}
