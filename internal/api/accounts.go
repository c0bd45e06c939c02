package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"almanac/internal/access"
	"almanac/internal/request"
	"almanac/internal/stat"
)

// limits answers with how much of the caller's daily limit is left.
func (x *exchange) limits() (reply, error) {
	if err := request.Bind(x.r.URL.RawQuery, &request.None{}); err != nil {
		return reply{}, err
	}
	s, err := x.api.access.Standing(x.r.Context(), x.caller)
	if err != nil {
		return reply{}, err
	}
	number := func(buf []byte, name string, n int64) []byte { return strconv.AppendInt(appendName(buf, name), n, 10) }
	text := appendText([]byte{'{'}, "tier", string(s.Tier))
	limited := s.Limit != access.Unlimited
	if limited {
		text = number(text, "limit", int64(s.Limit))
	}
	if limited || x.caller.Account != 0 { // anonymous callers without a limit are not counted
		text = number(text, "used", s.Used)
	}
	if limited {
		text = number(text, "remaining", s.Remaining())
	}
	text = append(number(text, "reset", s.Reset.Unix()), '}')
	return reply{contentType: applicationJSON, body: newBody(text), cache: privateNoStore}, nil
}

// maxAccountRequest bounds the body of a request for an account, in bytes.
const maxAccountRequest = 4 << 10

// createAccount makes a free account for whoever asks, and answers with its
// key: a few a day for each address.
func (x *exchange) createAccount() (rep reply, err error) {
	most := x.api.freeAccounts
	if most == 0 {
		return reply{}, &refusal{http.StatusForbidden, "accounts are not made here by themselves; whoever runs this service makes them"}
	}
	ticket, err := x.api.access.AdmitAccount(x.address(), most)
	if err != nil {
		return reply{}, err
	}
	if !ticket.Admitted {
		x.retryAfter(&ticket.Standing)
		return reply{}, &refusal{http.StatusTooManyRequests, fmt.Sprintf("the accounts that can be made from one address in a day, %d, are made; the next can be made from midnight UTC, %s",
			most, ticket.Reset.UTC().Format(time.RFC3339))}
	}
	made := false
	defer func() {
		if !made {
			ticket.Refund()
		}
	}()
	body, err := x.readJSON(maxAccountRequest)
	if err != nil {
		return reply{}, err
	}
	if err := request.Bind(x.r.URL.RawQuery, &request.None{}); err != nil {
		return reply{}, err
	}
	name, err := accountName(body)
	if err != nil {
		return reply{}, err
	}
	key, err := x.api.access.SignUp(x.r.Context(), name)
	if err != nil {
		return reply{}, err
	}
	made = true
	text := appendText([]byte{'{'}, "key", key.Secret)
	text = appendText(text, "id", key.ID)
	text = appendText(text, "account", key.Account)
	text = appendText(text, "organisation", key.Organisation)
	text = append(appendText(text, "tier", string(key.Tier)), '}')
	return reply{status: http.StatusCreated, contentType: applicationJSON, body: newBody(text), cache: noStore, changed: true}, nil
}

// accountName reads the body of a request for an account: a JSON object with a
// name and nothing else.
func accountName(body []byte) (string, error) {
	wrong := func(format string, args ...any) (string, error) {
		return "", stat.Errorf(stat.Invalid, `the body %s; right is a JSON object such as {"name": "Example newsroom"}`, fmt.Sprintf(format, args...))
	}
	if !utf8.Valid(body) {
		return wrong("is not valid UTF-8")
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	if token, err := dec.Token(); err != nil || token != json.Delim('{') {
		return wrong("is no JSON object")
	}
	name, given := "", false
	for dec.More() {
		member, err := dec.Token()
		if err != nil {
			return wrong("cannot be read as JSON: %s", err)
		}
		value, err := dec.Token()
		text, isText := value.(string)
		switch {
		case err != nil:
			return wrong("cannot be read as JSON: %s", err)
		case member != "name":
			return wrong("has the unknown field %.60q", member)
		case given:
			return wrong("has the field name twice")
		case !isText:
			return wrong("has a name that is no text")
		case strings.ContainsRune(text, utf8.RuneError):
			return wrong("has a name with a character that cannot be read")
		}
		name, given = text, true
	}
	if token, err := dec.Token(); err != nil || token != json.Delim('}') {
		return wrong("ends too early")
	}
	if _, err := dec.Token(); err != io.EOF {
		return wrong("goes on after its JSON object")
	}
	if !given {
		return wrong("has no name")
	}
	return name, nil
}
