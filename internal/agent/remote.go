package agent

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"time"
)

// Remote is a caller whose requests a server elsewhere answers and counts.
type Remote struct {
	base, key string
	client    *http.Client
}

// NewRemote returns a caller of the service with an address such as
// https://statistics.example.org, and a key; empty: none.
func NewRemote(base, key string) *Remote {
	return &Remote{strings.TrimSuffix(base, "/"), key, &http.Client{Timeout: time.Minute}}
}

// Admit counts nothing: the server counts each request that a tool makes.
func (r *Remote) Admit() (refund func(), err error) { return func() {}, nil }

// Read sends a request to the server.
func (r *Remote) Read(ctx context.Context, address string, body []byte, w io.Writer) (status int, err error) {
	method := http.MethodGet
	if body != nil {
		method = http.MethodPost
	}
	request, err := http.NewRequestWithContext(ctx, method, r.base+address, bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	if r.key != "" {
		request.Header.Set("X-API-Key", r.key)
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := r.client.Do(request)
	if err != nil {
		return 0, errorf("the server does not answer: %v", err)
	}
	defer response.Body.Close()
	_, err = io.Copy(w, response.Body)
	return response.StatusCode, err
}
