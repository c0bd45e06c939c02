package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"almanac/internal/api"
	"almanac/internal/store"
)

// serveCmd is `almanac serve`.
type serveCmd struct {
	Data       string     `placeholder:"DIR" help:"Folder of the store; made if it is not there."`
	Listen     string     `default:"127.0.0.1:8080" placeholder:"ADDRESS" help:"Address to listen on; port 0 takes a free one (${default})."`
	BaseURL    publicBase `name:"base-url" placeholder:"URL" help:"Address under which the service is reached from outside; the listen address if not given."`
	Demo       bool       `help:"Serve the sample datasets, in a temporary store if --data is not given."`
	Limits     limits     `default:"" placeholder:"TIER=N,…" help:"Requests a day for anonymous, essential and pro: a number or unlimited (anonymous=3,essential=100,pro=5000)."`
	Memory     size       `default:"0" placeholder:"SIZE" help:"Memory for decoded observations, such as 512MiB; 0 is a quarter of the machine's."`
	CacheBytes size       `default:"1GiB" placeholder:"SIZE" help:"Disk space for rendered answers (${default})."`
	MaxLimit   int        `default:"5000" placeholder:"N" help:"The largest page of the catalog that may be asked for (${default})."`

	temporary bool // the store goes when the server ends
}

// Bounds on what a connection may take.
const (
	headerTimeout  = 10 * time.Second
	idleTimeout    = 2 * time.Minute
	maxHeaderBytes = 256 << 10
	// shutdownTime is how long requests may take to finish once the server was
	// told to end.
	shutdownTime = 10 * time.Second
)

// Validate checks the flags together.
func (c *serveCmd) Validate() error {
	if c.Data == "" && !c.Demo {
		return errors.New("--data says where the store is; --demo needs none and serves sample data")
	}
	if c.MaxLimit < api.DefaultLimit {
		return fmt.Errorf("--max-limit is at least %d, not %d: so many datasets are on a page if nothing is asked for", api.DefaultLimit, c.MaxLimit)
	}
	return nil
}

// Run serves until ctx ends, and then lets the requests under way finish.
func (c *serveCmd) Run(ctx context.Context, out streams) error {
	log := slog.New(slog.NewTextHandler(out.stderr, nil))
	if c.Data == "" {
		if err := c.useTemporary(); err != nil {
			return err
		}
		defer os.RemoveAll(c.Data)
	}
	s, err := store.Open(ctx, store.Options{Dir: c.Data, Memory: int64(c.Memory), Log: log})
	if err != nil {
		return err
	}
	defer s.Close()
	var samples map[string]int
	if c.Demo {
		if samples, err = importSamples(ctx, s); err != nil {
			return err
		}
	}
	listener, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return listenError(c.Listen, err)
	}
	address := addressOf(listener)
	base := c.BaseURL.or(address)
	server, err := c.server(base, s, log)
	if err != nil {
		listener.Close()
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(api.Wire(listener)) }()
	fmt.Fprint(out.stderr, "listening on "+address+"\n"+c.limitsText()+examplesText(base, samples))
	select {
	case err := <-ended:
		return fmt.Errorf("serving: %w", err)
	case <-ctx.Done():
		return shutDown(server, out.stderr)
	}
}

// useTemporary sets the command up for a store that nobody keeps.
func (c *serveCmd) useTemporary() error {
	dir, err := os.MkdirTemp("", "almanac-demo-")
	if err != nil {
		return fmt.Errorf("making a temporary store: %w", err)
	}
	c.Data, c.temporary = dir, true
	c.Limits.anonymous = unlimited
	return nil
}

// addressOf is an address under which this machine reaches the listener.
func addressOf(listener net.Listener) string {
	address := listener.Addr().(*net.TCPAddr)
	if address.IP.IsUnspecified() {
		return fmt.Sprintf("http://127.0.0.1:%d", address.Port)
	}
	return "http://" + address.String()
}

func (c *serveCmd) server(base string, s *store.Store, log *slog.Logger) (*http.Server, error) {
	handler, err := api.New(api.Options{
		Store: s, BaseURL: base, MaxLimit: c.MaxLimit, Log: log, Version: version(),
		CacheDir: filepath.Join(c.Data, "cache"), CacheBytes: int64(c.CacheBytes),
	})
	if err != nil {
		return nil, err
	}
	return &http.Server{
		Handler: handler,
		// No WriteTimeout: a whole dataset may take long over a slow line.
		ReadHeaderTimeout: headerTimeout, ReadTimeout: headerTimeout, IdleTimeout: idleTimeout,
		MaxHeaderBytes:               maxHeaderBytes,
		ErrorLog:                     slog.NewLogLogger(log.Handler(), slog.LevelWarn),
		DisableGeneralOptionsHandler: true, // OPTIONS * gets our answer too
	}, nil
}

// limitsText tells of the limits and of what they do not yet mean.
func (c *serveCmd) limitsText() string {
	lifted := ""
	if c.temporary {
		lifted = " (lifted for the demo)"
	}
	return fmt.Sprintf("limits a day: anonymous %s%s, essential %s, pro %s; not enforced, because this version gives no keys\n",
		c.Limits.anonymous, lifted, c.Limits.essential, c.Limits.pro)
}

// shutDown stops accepting and gives requests under way their time.
func shutDown(server *http.Server, w io.Writer) error {
	fmt.Fprintf(w, "ending: requests under way have %s to finish\n", shutdownTime)
	ctx, cancel := context.WithTimeout(context.Background(), shutdownTime)
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		fmt.Fprintln(w, "some requests did not finish in time and were cut off")
		server.Close()
	}
	return nil
}

// listenError says in a sentence why an address cannot be listened on.
func listenError(address string, err error) error {
	var op *net.OpError
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("cannot listen on %s: the port is in use; --listen takes another, --listen 127.0.0.1:0 a free one", address)
	case errors.Is(err, syscall.EACCES):
		return fmt.Errorf("cannot listen on %s: ports below 1024 need special rights; --listen 127.0.0.1:8080 does not", address)
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return fmt.Errorf("cannot listen on %s: it is no address of this machine", address)
	case errors.As(err, &op):
		return fmt.Errorf("cannot listen on %s: %w; it takes an address such as 127.0.0.1:8080", address, op.Err)
	}
	return fmt.Errorf("cannot listen on %s: %w", address, err)
}

// publicBase is the address that links begin with, without a slash at the end.
type publicBase string

// UnmarshalText takes an absolute http or https address.
func (b *publicBase) UnmarshalText(text []byte) error {
	u, err := url.Parse(string(text))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return fmt.Errorf("%q is no base address: it is written as https://statistics.example.org", text)
	}
	*b = publicBase(strings.TrimRight(string(text), "/"))
	return nil
}

func (b publicBase) or(address string) string {
	if b == "" {
		return address
	}
	return string(b)
}
