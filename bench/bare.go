package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"
)

// ready is an answer with nothing left to do but to be written.
type ready struct {
	status int
	header http.Header
	body   []byte
}

// bare answers from memory: the least that a net/http server can do.
type bare map[string]ready

func (b bare) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	answer, ok := b[r.RequestURI]
	if !ok {
		http.NotFound(w, r)
		return
	}
	header := w.Header()
	for name, values := range answer.header {
		header[name] = values
	}
	if answer.status != http.StatusOK {
		w.WriteHeader(answer.status)
	}
	if len(answer.body) > 0 {
		_, _ = w.Write(answer.body) // a client that went away is its own affair
	}
}

func newBare(list []exchange) bare {
	b := make(bare, len(list))
	for _, e := range list {
		header := http.Header{}
		if e.Status == http.StatusNotModified {
			header["Etag"] = []string{e.ETag}
		} else {
			header["Content-Type"] = []string{e.Type}
			header["Content-Length"] = []string{strconv.Itoa(len(e.Body))}
		}
		if e.Encoding != "" {
			header["Content-Encoding"] = []string{e.Encoding}
		}
		b[e.URI] = ready{e.Status, header, e.Body}
	}
	return b
}

// runBare serves the exchanges of a file until it is told to stop.
func runBare(ctx context.Context, args []string, stderr io.Writer) error {
	if len(args) != 1 {
		return errors.New("usage: bench bare FILE")
	}
	list, err := load(args[0])
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: newBare(list), ReadHeaderTimeout: 10 * time.Second}
	context.AfterFunc(ctx, func() { _ = server.Close() })
	fmt.Fprintf(stderr, "listening on http://%s\n", listener.Addr())
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
