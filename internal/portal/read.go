package portal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
)

// refusal is an error that the interface replied with.
type refusal struct {
	Status  int
	Message string
	Body    string // as the interface wrote it; empty: the interface was not asked

	isTranslated bool   // the message is in the language of the page
	ways         []link // where to go from there
}

func (r *refusal) Error() string { return r.Message }

// get returns the response of the interface to GET. The error is a [refusal] if the interface
// replied with one.
func (p *page) get(address string, query url.Values) ([]byte, error) {
	return p.request(withQuery(address, query), nil)
}

func withQuery(address string, query url.Values) string {
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	return address
}

// readValue returns the Go value from which the interface writes its response.
func readValue[T any](p *page, address string, query url.Values) (value T, err error) {
	var refused bytes.Buffer
	answer, status, err := p.reader.Value(p.r.Context(), withQuery(address, query), &refused)
	if err != nil {
		return value, fmt.Errorf("reading %s: %w", address, err)
	}
	if status >= http.StatusBadRequest {
		return value, newRefusal(status, refused.Bytes())
	}
	return answer.(T), nil
}

// post reads the JSON of the interface to a JSON body into a value.
func (p *page) post(address string, content, into any) error {
	body, err := json.Marshal(content)
	if err != nil {
		return err
	}
	answer, err := p.request(address, body)
	if err != nil {
		return err
	}
	return json.Unmarshal(answer, into)
}

func (p *page) request(address string, content []byte) ([]byte, error) {
	var body bytes.Buffer
	status, err := p.reader.Read(p.r.Context(), address, content, &body)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", address, err)
	}
	if status >= http.StatusBadRequest {
		return nil, newRefusal(status, body.Bytes())
	}
	return body.Bytes(), nil
}

// newRefusal returns the error of a response of the interface.
func newRefusal(status int, body []byte) *refusal {
	var answer struct{ StatusMessage string }
	json.Unmarshal(body, &answer)
	return &refusal{Status: status, Message: answer.StatusMessage, Body: string(body)}
}

// read reads the JSON of the interface at an address into a value.
func (p *page) read(address string, query url.Values, into any) error {
	body, err := p.get(address, query)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(body, into); err != nil {
		return fmt.Errorf("reading %s: %w", address, err)
	}
	return nil
}

// refuse returns an error of the caller that the page itself found, in the form of the interface.
func (p *page) refuse(status int, message string) *refusal {
	body, _ := json.Marshal(map[string]any{"statusCode": status, "statusMessage": message}) // cannot fail
	return &refusal{Status: status, Message: message, Body: string(body), isTranslated: true}
}

// isRefused reports whether the interface replied with an error of the caller.
func isRefused(err error) bool {
	r, ok := errors.AsType[*refusal](err)
	return ok && r.Status < http.StatusInternalServerError
}

// isUnavailable reports whether the interface cannot reply at the moment.
func isUnavailable(err error) bool {
	r, ok := errors.AsType[*refusal](err)
	return ok && r.Status == http.StatusServiceUnavailable
}
