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

// serveCmd is `almanac serve`.
type serveCmd struct {
	Data       string        `type:"folder" placeholder:"DIR" help:"Folder of the store; made if it is not there."`
	Listen     listenAddress `default:"127.0.0.1:8080" placeholder:"ADDRESS" help:"Address to listen on; port 0 takes a free one (${default})."`
	BaseURL    publicBase    `name:"base-url" placeholder:"URL" help:"Address under which the service is reached from outside; the listen address if not given."`
	Demo       bool          `help:"Serve the sample datasets, in a temporary store without a limit for anonymous callers if --data is not given."`
	Memory     size          `default:"0" placeholder:"SIZE" help:"Memory for decoded observations, such as 512MiB; 0 is a quarter of the machine's."`
	CacheBytes size          `default:"1GiB" placeholder:"SIZE" help:"Disk space for rendered answers (${default})."`
	MaxLimit   int           `default:"5000" placeholder:"N" help:"The largest page of the catalog that may be asked for (${default})."`

	Limits         dailyLimits     `default:"" placeholder:"TIER=N,…" help:"Requests a day for anonymous, essential and pro: a number or unlimited (anonymous=3,essential=100,pro=5000). With anonymous=0 every request needs a key. May be repeated."`
	FreeAccounts   int             `default:"0" placeholder:"N" help:"How many accounts a day each client address may ask for by POST /api/accounts (${default}: none)."`
	TrustedProxies access.Networks `placeholder:"CIDR,…" help:"Networks of the proxies in front of the service, whose word on a client's address and on HTTPS is believed; none if not given. May be repeated."`
	ClientHeader   headerName      `placeholder:"NAME" help:"The one header in which these proxies write the client's address (X-Forwarded-For)."`
	Public         bool            `help:"The service is open to the internet: keys are only taken over HTTPS."`

	Sync bool `help:"Keep what is watched up to date, in the background."`
	network

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

// Validate checks the flags together and tells all that is wrong.
func (c *serveCmd) Validate() error {
	var wrong []string
	if c.Data == "" && !c.Demo {
		wrong = append(wrong, "--data says where the store is; --demo needs none and serves sample data")
	}
	if c.MaxLimit < api.DefaultLimit {
		wrong = append(wrong, fmt.Sprintf("--max-limit is at least %d, not %d: so many datasets are on a page if nothing is asked for", api.DefaultLimit, c.MaxLimit))
	}
	if c.FreeAccounts < 0 {
		wrong = append(wrong, fmt.Sprintf("--free-accounts is a number of accounts, not %d", c.FreeAccounts))
	}
	if u, err := url.Parse(string(c.BaseURL)); err == nil && u.User != nil { // not repeated: there may be a password
		wrong = append(wrong, fmt.Sprintf("--base-url has no user and no password, since callers see it; right is %s://%s", u.Scheme, u.Host))
	}
	if c.ClientHeader != "" && len(c.TrustedProxies) == 0 {
		wrong = append(wrong, "--client-header is believed only from --trusted-proxies: give their networks, such as 10.0.0.0/8")
	}
	if wrong == nil {
		return nil
	}
	return errors.New(strings.Join(wrong, "; "))
}

// Run serves until ctx ends, and then lets the requests under way finish.
func (c *serveCmd) Run(ctx context.Context, open *closers, out streams) error {
	log := slog.New(slog.NewTextHandler(redacted{out.stderr}, nil))
	if c.Data == "" {
		if err := c.useTemporary(open); err != nil {
			return err
		}
	}
	s, err := makeStore(ctx, open, store.Options{Dir: c.Data, Memory: int64(c.Memory), Log: log})
	if err != nil {
		return err
	}
	a, err := makeAccess(ctx, open, access.Options{Dir: c.Data, Limits: c.Limits.Limits, Log: log})
	if err != nil {
		return err
	}
	c.warnOfPepper(log)
	return c.serveAndSync(ctx, open, api.Options{Store: s, Access: a, Log: log}, out.stderr)
}

// serve answers from what o has opened until ctx ends.
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
	server, err := c.server(o)
	if err != nil {
		listener.Close()
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(api.NewListener(listener)) }()
	if c.Limits.Anonymous == 0 {
		samples = nil // nobody can try these without a key
	}
	fmt.Fprint(stderr, "listening on "+address+"\n"+c.limitsText()+c.keyText()+c.publicText()+examplesText(o.BaseURL, samples))
	select {
	case err := <-ended:
		return fmt.Errorf("serving: %w", err)
	case <-ctx.Done():
		return shutDown(server, stderr)
	}
}

// useTemporary sets the command up for a store that nobody keeps.
func (c *serveCmd) useTemporary(open *closers) error {
	dir, err := os.MkdirTemp("", "almanac-demo-")
	if err != nil {
		return fmt.Errorf("making a temporary store: %w", err)
	}
	open.add(func() error { return os.RemoveAll(dir) })
	c.Data, c.temporary = dir, true
	c.Limits.Anonymous = access.Unlimited
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

// server makes the server of what o has opened.
func (c *serveCmd) server(o api.Options) (*http.Server, error) {
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
		// No WriteTimeout: a whole dataset may take long over a slow line.
		ReadHeaderTimeout: headerTimeout, ReadTimeout: headerTimeout, IdleTimeout: idleTimeout,
		MaxHeaderBytes:               maxHeaderBytes,
		ErrorLog:                     slog.NewLogLogger(o.Log.Handler(), slog.LevelWarn),
		DisableGeneralOptionsHandler: true, // OPTIONS * gets our answer too
	}, nil
}

// limitsText tells of the limits in force.
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

// fewRequests is how many requests of anonymous callers are so few that whoever
// tries the service needs a key.
const fewRequests = 10

// keyText is the command that makes a key, while one is needed soon.
func (c *serveCmd) keyText() string {
	if c.Limits.Anonymous == access.Unlimited || c.Limits.Anonymous > fewRequests {
		return ""
	}
	return fmt.Sprintf("a key for more requests is made by: almanac key create %s --account NAME\n", flagText("--data", absolute(c.Data)))
}

// absolute is a path that is right wherever a printed command is run.
func absolute(path string) string {
	if whole, err := filepath.Abs(path); err == nil {
		return whole
	}
	return path
}

// warnOfPepper warns of a pepper that others than its owner may read or change:
// without it the database tells nobody which addresses have asked.
func (c *serveCmd) warnOfPepper(log *slog.Logger) {
	path := absolute(filepath.Join(c.Data, access.PepperFile))
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm()&0o077 == 0 || runtime.GOOS == "windows" { // which has no such modes
		return
	}
	log.Warn("others than its owner may read the pepper or change it; to mend it: chmod 600 "+shellWord(path), "mode", info.Mode().String())
}

// publicText warns of a service that takes no key at all.
func (c *serveCmd) publicText() string {
	if !c.Public || len(c.TrustedProxies) > 0 {
		return ""
	}
	return "no key will be taken: --public takes them over HTTPS alone, which only a proxy of --trusted-proxies can vouch for\n"
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

// redacted is a log in which keys are not seen, whatever attribute or error of
// whichever package they come in. It takes a whole record with each Write, as
// slog's handlers give it.
type redacted struct{ log io.Writer }

// Write writes a record without its secrets.
func (r redacted) Write(record []byte) (int, error) {
	if _, err := io.WriteString(r.log, access.Redact(string(record))); err != nil {
		return 0, err
	}
	return len(record), nil
}
