package main

import (
	"bufio"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"

	"golang.org/x/sync/errgroup"
)

// exchange is one request and the answer that the server gave to it.
type exchange struct {
	URI      string // path and query
	Header   string // name of one request header beside Host; empty for none
	Value    string
	Status   int
	Type     string // Content-Type of the answer
	Encoding string // Content-Encoding of the answer
	ETag     string
	Body     []byte
}

// gets are plain GET requests for addresses, not yet answered.
func gets(uris []string) []exchange {
	list := make([]exchange, len(uris))
	for i, uri := range uris {
		list[i].URI = uri
	}
	return list
}

// capture asks the server each request once and keeps what it answers.
// An answer other than want is an error: a case measures what works.
func capture(ctx context.Context, url string, list []exchange, want int) error {
	client := &http.Client{Transport: &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 2}}
	defer client.CloseIdleConnections()
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(2)
	for i := range list {
		group.Go(func() error { return ask(ctx, client, url, &list[i], want) })
	}
	return group.Wait()
}

func ask(ctx context.Context, client *http.Client, url string, e *exchange, want int) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url+e.URI, nil)
	if err != nil {
		return err
	}
	if e.Header != "" {
		req.Header.Set(e.Header, e.Value)
	}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	e.Status = resp.StatusCode
	e.Type = resp.Header.Get("Content-Type")
	e.Encoding = resp.Header.Get("Content-Encoding")
	e.ETag = resp.Header.Get("ETag")
	if e.Body, err = io.ReadAll(resp.Body); err != nil {
		return fmt.Errorf("reading the answer to %s: %w", e.URI, err)
	}
	if e.Status != want {
		return fmt.Errorf("%s answers %d instead of %d: %.300s", e.URI, e.Status, want, e.Body)
	}
	return nil
}

// save writes exchanges to a file, for the other processes.
func save(name string, list []exchange) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	defer file.Close()
	w := bufio.NewWriter(file)
	enc := gob.NewEncoder(w)
	for i := range list {
		if err := enc.Encode(&list[i]); err != nil {
			return err
		}
	}
	return errors.Join(w.Flush(), file.Close())
}

// load reads what save wrote.
func load(name string) ([]exchange, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	dec := gob.NewDecoder(bufio.NewReader(file))
	var list []exchange
	for {
		var e exchange
		switch err := dec.Decode(&e); {
		case err == io.EOF:
			return list, nil
		case err != nil:
			return nil, fmt.Errorf("reading %s: %w", name, err)
		}
		list = append(list, e)
	}
}
