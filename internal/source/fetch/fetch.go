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
package fetch

import (
	"context"
	"fmt"
	"log/slog"
	"net/netip"
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
	Time     time.Duration // of one try; 0: 30 minutes
	Stall    time.Duration // how long a download may stay below 1 KiB/s on average; 0: 30 seconds
	Tries    int           // of one request; 0: 4
	LongWait time.Duration // a longer Retry-After ends the request instead of delaying it; 0: 2 minutes

	Now   func() time.Time                           // nil: time.Now
	Sleep func(context.Context, time.Duration) error // nil: waits
	Rand  func() float64                             // 0 ≤ x < 1; nil: math/rand/v2
	Log   *slog.Logger                               // nil: none
}

// Client asks servers. It is safe for concurrent use.
type Client struct {
	options Options
}

// New makes a client. The error is [stat.Invalid] and tells of every option
// that cannot be used.
func New(o Options) (*Client, error) { return &Client{options: o}, nil }

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
func (c *Client) Save(ctx context.Context, r Request, path string) (Answer, error) {
	return Answer{}, fmt.Errorf("not written yet")
}

// Read is Save for small answers, which it returns: at most most bytes.
func (c *Client) Read(ctx context.Context, r Request, most int64) ([]byte, Answer, error) {
	return nil, Answer{}, fmt.Errorf("not written yet")
}

// Wait waits as Options.Sleep does: for a server that wants to be asked again
// later.
func (c *Client) Wait(ctx context.Context, d time.Duration) error {
	return fmt.Errorf("not written yet")
}

// Reason says what kind of failure it was.
type Reason string

// The reasons. Those of an outage pass by themselves.
const (
	Unreachable Reason = "unreachable" // no connection, no name, a connection that broke: an outage
	Slow        Reason = "slow"        // too slow, or no answer in time: an outage
	Busy        Reason = "busy"        // 429, 503 and other 5xx after all tries: an outage
	Cut         Reason = "cut"         // the answer ended before its time in every try: an outage
	WebPage     Reason = "web page"    // HTML instead of data: an outage
	Missing     Reason = "missing"     // 404, 410
	TooBig      Reason = "too big"     // 413, or the client's own bounds
	Denied      Reason = "denied"      // other 4xx
	Unsafe      Reason = "unsafe"      // an address, scheme, host or redirect that may not be followed; a certificate that does not match
)

// Error is a request that failed.
type Error struct {
	Reason  Reason
	Address string
	Status  int           // of HTTP; 0 where there was no answer
	Body    []byte        // the beginning of what the server said, at most 4 KiB
	After   time.Duration // what Retry-After asked for; 0: nothing
	Err     error         // the cause, where there is one
}

// Error is a sentence for people, with the address.
func (e *Error) Error() string { return fmt.Sprintf("%s: %s", e.Address, e.Reason) }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Outage reports whether the failure is of the server or of the way there, so
// that the same request may do later.
func (e *Error) Outage() bool {
	switch e.Reason {
	case Unreachable, Slow, Busy, Cut, WebPage:
		return true
	}
	return false
}
