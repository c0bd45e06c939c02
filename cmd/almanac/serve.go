package main

import (
	"cmp"
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
	"runtime"
	"strings"
	"syscall"
	"time"

	"almanac/internal/access"
	"almanac/internal/api"
	"almanac/internal/store"
)

type serveCmd struct {
	Data       string        `type:"folder" placeholder:"DIR" help:"Folder of the store; created if it does not exist."`
	Listen     listenAddress `default:"127.0.0.1:8080" placeholder:"ADDRESS" help:"Address to listen on; port 0 picks a free port (${default})."`
	BaseURL    publicBase    `name:"base-url" placeholder:"URL" help:"Public address of the service; default: the listen address."`
	Demo       bool          `help:"Serve the sample datasets. Without --data, use a temporary store and no limit for anonymous callers."`
	Memory     size          `default:"0" placeholder:"SIZE" help:"Memory for decoded observations, such as 512MiB; 0 uses a quarter of the machine's memory."`
	CacheBytes size          `default:"1GiB" placeholder:"SIZE" help:"Disk space for cached answers (${default})."`
	MaxLimit   int           `default:"5000" placeholder:"N" help:"Largest page of the catalogue that a request may ask for (${default})."`

	Limits         dailyLimits     `default:"" placeholder:"TIER=N,…" help:"Requests a day for anonymous, essential and pro: a number or unlimited (anonymous=3,essential=100,pro=5000). With anonymous=0 every request needs a key. May be repeated."`
	FreeAccounts   int             `default:"0" placeholder:"N" help:"Accounts a day that each client address may create with POST /api/accounts (${default}: none)."`
	TrustedProxies access.Networks `placeholder:"CIDR,…" help:"Networks of proxies that are trusted to state the client's address and HTTPS; default: none. May be repeated."`
	ClientHeader   headerName      `placeholder:"NAME" help:"The header in which these proxies write the client's address (default: X-Forwarded-For)."`
	Public         bool            `help:"Accept keys only over HTTPS, for a service that is open to the internet."`

	Sync bool `help:"Keep watched datasets up to date in the background."`
	network

	temporary bool // the store is deleted when the server ends
}

// Limits of a connection.
const (
	headerTimeout  = 10 * time.Second
	idleTimeout    = 2 * time.Minute
	maxHeaderBytes = 256 << 10
	// shutdownTime is how long requests under way may take after the server is
	// told to end.
	shutdownTime = 10 * time.Second
)

// Validate checks the flags together and reports everything that is wrong.
func (c *serveCmd) Validate() error {
	var wrong []string
	if c.Data == "" && !c.Demo {
		wrong = append(wrong, "missing --data with the folder of the store; --demo serves sample data without it")
	}
	if c.MaxLimit < api.DefaultLimit {
		wrong = append(wrong, fmt.Sprintf("--max-limit must be at least %d, the default size of a page, not %d", api.DefaultLimit, c.MaxLimit))
	}
	if c.FreeAccounts < 0 {
		wrong = append(wrong, fmt.Sprintf("--free-accounts must not be negative, not %d", c.FreeAccounts))
	}
	if u, err := url.Parse(string(c.BaseURL)); err == nil && u.User != nil { // not repeated: there may be a password
		wrong = append(wrong, fmt.Sprintf("--base-url must not contain a user or a password, because callers see it; use %s://%s", u.Scheme, u.Host))
	}
	if c.ClientHeader != "" && len(c.TrustedProxies) == 0 {
		wrong = append(wrong, "--client-header is trusted only from --trusted-proxies; state their networks, such as 10.0.0.0/8")
	}
	if wrong == nil {
		return nil
	}
	return errors.New(strings.Join(wrong, "; "))
}

// Run serves until ctx ends, and then waits for requests under way.
func (c *serveCmd) Run(ctx context.Context, open *closers, out streams) error {
	log := slog.New(slog.NewTextHandler(redacted{out.stderr}, nil))
	if c.Data == "" {
		var err error
		if c.Data, err = temporaryFolder(open, "almanac-demo-"); err != nil {
			return err
		}
		c.temporary, c.Limits.Anonymous = true, access.Unlimited
	}
	s, err := createStore(ctx, open, store.Options{Dir: c.Data, Memory: int64(c.Memory), Log: log})
	if err != nil {
		return err
	}
	a, err := access.Open(ctx, access.Options{Dir: c.Data, Limits: c.Limits.Limits, Log: log})
	if _, err := keepOpen(open, a, err); err != nil {
		return err
	}
	c.checkPepper(log)
	return c.serveAndSync(ctx, open, api.Options{Store: s, Access: a, Log: log}, out.stderr)
}

// serve answers requests until ctx ends.
func (c *serveCmd) serve(ctx context.Context, o api.Options, stderr io.Writer) error {
	var samples map[string]int
	if c.Demo {
		var err error
		if samples, err = importSamples(ctx, o.Store); err != nil {
			return err
		}
	}
	listener, err := net.Listen("tcp", string(c.Listen))
	if err != nil {
		return listenError(string(c.Listen), err)
	}
	address := addressOf(listener)
	o.BaseURL = cmp.Or(string(c.BaseURL), address)
	server, err := c.newServer(o)
	if err != nil {
		listener.Close()
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(api.NewListener(listener)) }()
	if c.Limits.Anonymous == 0 {
		samples = nil // the example requests would need a key
	}
	fmt.Fprint(stderr, "listening on "+address+"\n"+c.limitsText()+c.keyText()+c.publicText()+examplesText(o.BaseURL, samples))
	select {
	case err := <-ended:
		return fmt.Errorf("serving: %w", err)
	case <-ctx.Done():
		return shutDown(server, stderr)
	}
}

// addressOf returns the listener's address as seen from this machine.
func addressOf(listener net.Listener) string {
	address := listener.Addr().(*net.TCPAddr)
	if address.IP.IsUnspecified() {
		return fmt.Sprintf("http://127.0.0.1:%d", address.Port)
	}
	return "http://" + address.String()
}

// newServer completes o from the flags and returns the server.
func (c *serveCmd) newServer(o api.Options) (*http.Server, error) {
	o.MaxLimit, o.Version = c.MaxLimit, version()
	o.CacheDir, o.CacheBytes = filepath.Join(c.Data, "cache"), int64(c.CacheBytes)
	o.Proxies = access.Proxies{Trusted: c.TrustedProxies, Header: string(c.ClientHeader)}
	o.Public, o.FreeAccounts = c.Public, access.Limit(c.FreeAccounts)
	handler, err := api.New(o)
	if err != nil {
		return nil, err
	}
	return &http.Server{
		Handler: handler,
		// No WriteTimeout: a whole dataset may take long over a slow connection.
		ReadHeaderTimeout: headerTimeout, ReadTimeout: headerTimeout, IdleTimeout: idleTimeout,
		MaxHeaderBytes:               maxHeaderBytes,
		ErrorLog:                     slog.NewLogLogger(o.Log.Handler(), slog.LevelWarn),
		DisableGeneralOptionsHandler: true, // api answers OPTIONS * too
	}, nil
}

func (c *serveCmd) limitsText() string {
	remark := ""
	switch {
	case c.temporary:
		remark = " (lifted for the demo)"
	case c.Limits.Anonymous == 0:
		remark = " (each request needs a key)"
	}
	return fmt.Sprintf("limits a day: anonymous %s%s, essential %s, pro %s\n",
		c.Limits.Anonymous, remark, c.Limits.Essential, c.Limits.Pro)
}

// fewRequests is the daily limit up to which an anonymous caller soon needs a
// key.
const fewRequests = 10

// keyText shows the command that creates a key, if callers need one soon.
func (c *serveCmd) keyText() string {
	if c.Limits.Anonymous == access.Unlimited || c.Limits.Anonymous > fewRequests {
		return ""
	}
	return fmt.Sprintf("to create a key for more requests: almanac key create %s --account NAME\n", flagText("--data", absolute(c.Data)))
}

// absolute makes a path usable in a command that is run elsewhere.
func absolute(path string) string {
	whole, _ := filepath.Abs(path)
	return cmp.Or(whole, path)
}

// checkPepper warns if other users can read or change the pepper: it protects
// the client addresses in the database.
func (c *serveCmd) checkPepper(log *slog.Logger) {
	path := absolute(filepath.Join(c.Data, access.PepperFile))
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm()&0o077 == 0 || runtime.GOOS == "windows" { // Windows has no such modes
		return
	}
	log.Warn("other users can read or change the pepper; to fix it: chmod 600 "+shellWord(path), "mode", info.Mode().String())
}

// publicText warns if no key can be accepted.
func (c *serveCmd) publicText() string {
	if !c.Public || len(c.TrustedProxies) > 0 {
		return ""
	}
	return "no key will be accepted: --public accepts keys only over HTTPS, which a proxy in --trusted-proxies must confirm\n"
}

// shutDown stops accepting requests and waits shutdownTime for those under way.
func shutDown(server *http.Server, w io.Writer) error {
	fmt.Fprintf(w, "shutting down: requests under way have %s to finish\n", shutdownTime)
	ctx, cancel := context.WithTimeout(context.Background(), shutdownTime)
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		fmt.Fprintln(w, "some requests did not finish in time and were aborted")
		server.Close()
	}
	return nil
}

// listenError explains why the server cannot listen on an address.
func listenError(address string, err error) error {
	why := err.Error()
	switch op, isOp := errors.AsType[*net.OpError](err); {
	case errors.Is(err, syscall.EADDRINUSE):
		why = "the port is in use; choose another with --listen, or a free one with --listen 127.0.0.1:0"
	case errors.Is(err, syscall.EACCES):
		why = "ports below 1024 need special rights; use a port such as --listen 127.0.0.1:8080"
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		why = "it is not an address of this machine"
	case isOp:
		why = op.Err.Error() + "; use an address such as 127.0.0.1:8080"
	}
	return fmt.Errorf("cannot listen on %s: %s", address, why)
}

// redacted is a log without keys, in whatever attribute or error they occur.
// Each Write must be a whole record, as slog's handlers write it.
type redacted struct{ log io.Writer }

// Write writes a record without secrets.
func (r redacted) Write(record []byte) (int, error) {
	if _, err := io.WriteString(r.log, access.Redact(string(record))); err != nil {
		return 0, err
	}
	return len(record), nil
}
