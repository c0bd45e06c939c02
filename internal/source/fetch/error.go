package fetch

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"
	"unicode"
)

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
	Denied      Reason = "denied"      // other 4xx, 501, an answer that HTTP does not foresee
	Unsafe      Reason = "unsafe"      // an address, scheme, host or redirect that may not be followed; a certificate that does not match
)

// Error is a request that failed.
type Error struct {
	Reason  Reason
	Address string        // of the request, without secrets
	Status  int           // of HTTP; 0 where there was no answer
	Body    []byte        // the beginning of what the server said, at most 4 KiB
	After   time.Duration // what Retry-After asked for; 0: nothing
	Tries   int           // how often it was tried
	Err     error         // the cause, where there is one
}

// Lengths of what stands in a sentence.
const (
	maxAddressText = 200
	maxBodyText    = 200
	maxCauseText   = 300
)

// Error is a sentence for people, with the address.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", shorten(e.Address, maxAddressText), e.happened())
	if said := e.said(); said != "" {
		fmt.Fprintf(&b, " (%q)", said)
	}
	if e.Tries > 1 {
		fmt.Fprintf(&b, ", after %d tries", e.Tries)
	}
	if e.After > 0 {
		fmt.Fprintf(&b, "; it asks to be left alone for %v", e.After.Round(time.Second))
	}
	return b.String()
}

// happened says what went wrong.
func (e *Error) happened() string {
	text := map[Reason]string{
		Unreachable: "the server cannot be reached",
		Slow:        "the server is too slow",
		Busy:        "the server cannot answer now",
		Cut:         "the answer came damaged or was cut off",
		WebPage:     "the server answers with a web page instead of data",
		Missing:     "the server does not have it",
		TooBig:      "the answer is too big",
		Denied:      "the server refuses the request",
		Unsafe:      "this is not asked, since it is not safe",
	}[e.Reason]
	if text == "" {
		text = string(e.Reason)
	}
	if e.Status != 0 && e.Status != http.StatusOK {
		text += strings.TrimRight(fmt.Sprintf(": status %d %s", e.Status, http.StatusText(e.Status)), " ")
	}
	if e.Err != nil {
		text += ": " + shorten(e.Err.Error(), maxCauseText)
	}
	return text
}

// titleOf finds what a page is about.
var titleOf = regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title`)

// said is a short piece of what the server said, on one line: of a page its
// title.
func (e *Error) said() string {
	text := string(e.Body)
	if looksLikeHTML(e.Body) {
		title := titleOf.FindStringSubmatch(text)
		if title == nil {
			return ""
		}
		text = title[1]
	}
	strange := 0
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case r == unicode.ReplacementChar || !unicode.IsPrint(r):
			strange++
			return -1
		}
		return r
	}, text)
	if strange > len(text)/16 {
		return ""
	}
	return shorten(strings.Join(strings.Fields(text), " "), maxBodyText)
}

// shorten cuts a text after so many characters.
func shorten(text string, most int) string {
	for i := range text {
		if most--; most < 0 {
			return text[:i] + "…"
		}
	}
	return text
}

// secrets are the ends of names of parameters whose values nobody else should
// see.
var secrets = []string{"key", "token", "signature", "sig", "secret", "password", "credential"}

// cleaned is an address without what nobody else should see.
func cleaned(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		// What is left of a text that is no address may hold anything.
		before, _, _ := strings.Cut(address, "?")
		if at := strings.LastIndex(before, "@"); at >= 0 {
			before = before[at+1:]
		}
		return before
	}
	u.User = nil
	parts := strings.Split(u.RawQuery, "&")
	for i, part := range parts {
		name, _, found := strings.Cut(part, "=")
		for _, secret := range secrets {
			if found && strings.HasSuffix(strings.ToLower(name), secret) {
				parts[i] = name + "=…"
			}
		}
	}
	u.RawQuery = strings.Join(parts, "&")
	return u.String()
}

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
