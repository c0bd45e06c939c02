package fetch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"
	"unicode"
)

// Reason is the kind of a failure.
type Reason string

// The reasons. Outages are temporary: the same request may succeed later.
const (
	Unreachable Reason = "unreachable" // no connection, unknown host name, broken connection: an outage
	Slow        Reason = "slow"        // too slow, or no response in time: an outage
	Busy        Reason = "busy"        // 429, 503 and other 5xx after all attempts: an outage
	Cut         Reason = "cut"         // the response ended early in every attempt: an outage
	WebPage     Reason = "web page"    // HTML instead of data: an outage
	Missing     Reason = "missing"     // 404, 410, and 204, the answer of some servers for what they do not have
	Empty       Reason = "empty"       // a response without a body
	TooBig      Reason = "too big"     // 413, 414, or over the client's own limits
	Blocked     Reason = "blocked"     // 403 with a web page, as firewalls send it for a time: an outage
	Denied      Reason = "denied"      // other 4xx, 501, an invalid HTTP response
	Unsafe      Reason = "unsafe"      // an address, scheme, host or redirect that must not be followed; an invalid certificate
)

// Error is the failure of a request.
type Error struct {
	Reason  Reason
	Address string        // that was requested, without secrets
	Status  int           // HTTP status; 0 if there was no response
	Body    []byte        // the first 4 KiB of the response body
	After   time.Duration // from Retry-After; 0 if there is none
	Tries   int           // number of attempts
	Err     error         // the cause, or nil
}

// Limits of the parts of an error message, in characters.
const (
	maxAddressText = 200
	maxBodyText    = 200
	maxCauseText   = 300
)

// Error returns a message for people. It includes the address.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", shorten(e.Address, maxAddressText), e.summary())
	if excerpt := e.excerpt(); excerpt != "" {
		fmt.Fprintf(&b, " (%q)", excerpt)
	}
	if e.Tries > 1 {
		fmt.Fprintf(&b, ", after %d attempts", e.Tries)
	}
	if e.After > 0 {
		fmt.Fprintf(&b, "; the server asks to wait %v", e.After.Round(time.Second))
	}
	return b.String()
}

func (e *Error) summary() string {
	text := map[Reason]string{
		Unreachable: "the server cannot be reached",
		Slow:        "the server is too slow",
		Busy:        "the server is unavailable",
		Cut:         "the response is damaged or incomplete",
		WebPage:     "the server returned a web page instead of data",
		Missing:     "not found on the server",
		Empty:       "the server returned an empty response",
		TooBig:      "the request or its response is too large",
		Blocked:     "the server blocks requests from here for now; try again in an hour or two",
		Denied:      "the server refused the request",
		Unsafe:      "not requested because it is unsafe",
	}[e.Reason]
	switch {
	case e.Status == http.StatusUnauthorized:
		text = "the server asks for a key, or does not accept the one that it got"
	case e.isQuota():
		text = "the server's quota of requests is used up for now; try again in some hours"
	case e.Status == http.StatusTooManyRequests:
		text = "the server accepts no more requests for now"
	case text == "":
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

// MessageIn returns the message in the body of an error: the title or the text of a web
// page, the text of XML, the messages of JSON, or else the body itself.
func MessageIn(body []byte) string {
	text := string(bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\ufeff"))))
	if title := titlePattern.FindStringSubmatch(text); looksLikeHTML(body) && title != nil {
		return title[1]
	}
	if strings.HasPrefix(text, "<") {
		return markupPattern.ReplaceAllString(text, " ")
	}
	var document any
	if json.Unmarshal([]byte(text), &document) == nil {
		if messages := messagesIn(document); len(messages) > 0 {
			return strings.Join(messages, "; ")
		}
	}
	return text
}

// messageMembers are members of JSON with a message, best first. Others contain statuses,
// addresses and identifiers.
var messageMembers = []string{"message", "Message", "detail", "error", "errors", "title", "value", "description", "statusMessage"}

// messagesIn returns the messages in a JSON document: of each object the first.
func messagesIn(document any) (messages []string) {
	switch v := document.(type) {
	case string:
		if v != "" {
			messages = []string{v}
		}
	case []any:
		for _, item := range v {
			messages = append(messages, messagesIn(item)...)
		}
	case map[string]any:
		for _, name := range messageMembers {
			if messages = messagesIn(v[name]); len(messages) > 0 {
				return messages
			}
		}
	}
	return messages
}

// titlePattern matches the title of a web page, markupPattern what is not text in it.
var (
	titlePattern  = regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title`)
	markupPattern = regexp.MustCompile(`(?is)<(script|style).*?</(script|style)\s*>|<[^>]*>?`)
)

// quotaPattern matches messages of servers that count requests over a long time, so that
// repeating a request soon only makes the pause longer.
var quotaPattern = regexp.MustCompile(`(?i)exceeded (the|your) (number|quota|limit|daily|hourly)|quota|blocked|contact us`)

// isQuota reports whether the server refused a request because of a quota and did not say
// until when.
func (e *Error) isQuota() bool {
	return e.Status == http.StatusTooManyRequests && e.After == 0 && quotaPattern.Match(e.Body)
}

// Pause reports whether the server asks not to be contacted for now, whether or not it
// says until when.
func (e *Error) Pause() bool {
	return e.Reason == Blocked || e.Status == http.StatusTooManyRequests
}

// excerpt returns the message in the response body on one line; empty if the body is not
// text.
func (e *Error) excerpt() string {
	text := MessageIn(e.Body)
	unprintable := 0
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case r == unicode.ReplacementChar || !unicode.IsPrint(r):
			unprintable++
			return -1
		}
		return r
	}, text)
	if unprintable > len(text)/16 {
		return ""
	}
	return shorten(strings.Join(strings.Fields(text), " "), maxBodyText)
}

// shorten cuts a text to the given number of characters.
func shorten(text string, limit int) string {
	for i := range text {
		if limit--; limit < 0 {
			return text[:i] + "…"
		}
	}
	return text
}

// secretSuffixes are the endings of query parameters whose values must not appear in
// messages.
var secretSuffixes = []string{"key", "appid", "token", "signature", "sig", "secret", "password", "credential"}

// HasKey reports whether the query of an address contains a key or another secret.
func HasKey(address string) bool {
	return redact(address) != address && strings.Contains(redact(address), "=…")
}

// redact removes credentials and secret parameters from an address.
func redact(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		// An address that does not parse may contain a secret anywhere.
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
		for _, secret := range secretSuffixes {
			if found && strings.HasSuffix(strings.ToLower(name), secret) {
				parts[i] = name + "=…"
			}
		}
	}
	u.RawQuery = strings.Join(parts, "&")
	return u.String()
}

// Unwrap returns the cause, or nil.
func (e *Error) Unwrap() error { return e.Err }

// Outage reports whether the server or the network failed, so that the same request
// may succeed later.
func (e *Error) Outage() bool {
	switch e.Reason {
	case Unreachable, Slow, Busy, Cut, WebPage, Blocked:
		return true
	}
	return false
}
