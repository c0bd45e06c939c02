package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"almanac/internal/api"
)

const (
	// shutdownTime is how long requests under way may take after the server is
	// told to end.
	shutdownTime = 10 * time.Second
	// settleTime is how long what is on its way to the server may take to arrive: the
	// last packets of a new connection, and a request on one that was idle.
	settleTime = 250 * time.Millisecond
)

// shutDown ends a server so that no client notices who looks at /readyz or gets other
// servers from a proxy that does: it is not ready from now on, serves c.Drain longer and
// closes the connection of each response, then closes the listener, and waits
// shutdownTime for the requests under way.
func (c *serveCmd) shutDown(server *http.Server, listener net.Listener, service *api.API, w io.Writer) error {
	service.Stop()
	c.monitor.Stop()
	if c.Drain > 0 {
		fmt.Fprintf(w, "shutting down: not ready; new requests are answered for %s\n", c.Drain)
		time.Sleep(c.Drain)
		refuseConnections(listener)
		time.Sleep(settleTime)
		listener.Close()
		time.Sleep(settleTime)
	}
	fmt.Fprintf(w, "shutting down: requests under way have %s to finish\n", shutdownTime)
	ctx, cancel := context.WithTimeout(context.Background(), shutdownTime)
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		fmt.Fprintln(w, "some requests did not finish in time and were aborted")
		server.Close()
	}
	return nil
}
