package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"almanac/internal/access"
	"almanac/internal/agent"
	"almanac/internal/api"
	"almanac/internal/database"
	"almanac/internal/demand"
	"almanac/internal/diskreserve"
	"almanac/internal/format/office"
	"almanac/internal/importer"
	"almanac/internal/monitor"
	"almanac/internal/notice"
	"almanac/internal/people"
	"almanac/internal/portal"
	"almanac/internal/sample"
	"almanac/internal/search"
	"almanac/internal/stat"
	"almanac/internal/store"
	"almanac/internal/trace"
	"almanac/internal/update"
)

type serveCmd struct {
	Data string `type:"folder" placeholder:"DIR" help:"Folder of the store; created if it does not exist."`
	services
	Listen   listenAddress `default:"127.0.0.1:8080" placeholder:"ADDRESS" help:"Address to listen on; port 0 picks a free port (${default})."`
	SMTP     string        `name:"smtp" placeholder:"URL" help:"Server that sends mail, such as smtps://user:password@mail.example.org:465 or smtp://localhost:25; default: no mail. State it in ALMANAC_SMTP, because others can see flags."`
	MailFrom string        `placeholder:"ADDRESS" help:"Sender of mail, such as almanac@example.org; needed with --smtp."`
	signInFlags
	AdminListen listenAddress `placeholder:"ADDRESS" help:"Address for operators: health, metrics, profiles, and the page of the operator, which is then served only there. Default: none. It needs no key, so use 127.0.0.1:8081."`
	tlsFlags
	AccessLog  string        `placeholder:"FILE" help:"File to which a line of JSON for each request is appended, or stderr; default: none."`
	Drain      time.Duration `default:"1s" placeholder:"DURATION" help:"How long requests are answered after SIGTERM while /readyz is already 503, such as 10s; at least as long as proxies need to notice (${default})."`
	BaseURL    publicBase    `name:"base-url" placeholder:"URL" help:"Public address of the service; default: the listen address."`
	Demo       bool          `help:"Serve the sample datasets. Without --data, use a temporary store and no limit for anonymous callers."`
	Memory     size          `default:"0" placeholder:"SIZE" help:"Memory for decoded observations, such as 512MiB; 0 uses a quarter of the machine's memory."`
	CacheBytes size          `default:"1GiB" placeholder:"SIZE" help:"Disk space for cached responses and pictures (${default})."`
	MaxLimit   int           `default:"5000" placeholder:"N" help:"Largest page of the catalogue that a request may ask for (${default})."`

	Borders string `type:"folder" placeholder:"DIR" help:"Folder of GeoJSON and TopoJSON files with the outlines of regions, for maps of them, such as GISCO's files of NUTS."`

	Limits         dailyLimits     `default:"" placeholder:"TIER=N,…" help:"Requests a day for anonymous, essential and pro: a number or unlimited (anonymous=3,essential=100,pro=5000). With anonymous=0 every request needs a key. May be repeated."`
	FreeAccounts   int             `default:"0" placeholder:"N" help:"Accounts a day that each client address may create with POST /api/accounts (${default}: none)."`
	TrustedProxies access.Networks `placeholder:"CIDR,…" help:"Networks of proxies that are trusted to state the client's address and HTTPS; default: none. May be repeated."`
	ClientHeader   headerName      `placeholder:"NAME" help:"The header in which these proxies write the client's address (default: X-Forwarded-For)."`
	Bursts         burstLimits     `default:"" placeholder:"TIER=N,…" help:"Requests a minute for anonymous, essential and pro: a number of 1 or more, or unlimited (unlimited for all). May be repeated."`
	Public         bool            `help:"Accept keys only over HTTPS, for a service that is open to the internet."`

	Sync            bool            `help:"Keep watched datasets up to date in the background, read what the offices offer, and bring the datasets that callers request."`
	Offers          bool            `default:"true" negatable:"" help:"With --sync, read the lists of what the offices offer, each daily."`
	OnDemand        bool            `help:"Let every caller have datasets of offices brought with POST /api/datasets, and bring them. Without it, only the accounts that may: almanac account set-may-bring."`
	WebhookNetworks privateNetworks `placeholder:"CIDR,…" help:"Private networks to which webhooks may be sent, also by http; default: none. May be repeated."`

	BringLimits bringLimits `default:"" placeholder:"NAME=N,…" help:"Datasets a day that are brought for each account, for each address without a key (anonymous), and for all: a number or unlimited (account=20,anonymous=20,all=200). May be repeated."`
	network
	importFlags

	temporary bool // the store is deleted when the server ends
	people    *people.People
	pages     *portal.Portal
	monitor   *monitor.Monitor
	imports   importCounts
	notices   *notice.DB // of changes in what organisations follow
}

// Limits of a connection.
const (
	headerTimeout  = 10 * time.Second
	idleTimeout    = 2 * time.Minute
	maxHeaderBytes = 256 << 10
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
	if err := c.tlsFlags.check(); err != nil {
		wrong = append(wrong, err.Error())
	}
	if err := c.importFlags.check(); err != nil {
		wrong = append(wrong, err.Error())
	}
	if c.Drain < 0 {
		wrong = append(wrong, fmt.Sprintf("--drain must be 0s or more, not %s", c.Drain))
	}
	if c.FreeAccounts < 0 {
		wrong = append(wrong, fmt.Sprintf("--free-accounts must be 0 or more, not %d", c.FreeAccounts))
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
func (c *serveCmd) Run(ctx context.Context, atExit *cleanups, out streams) error {
	log := slog.New(slog.NewTextHandler(redacted{out.stderr}, nil))
	stopTracing, err := trace.Start(ctx, version(), log)
	if err != nil {
		return err
	}
	atExit.add(stopTracing)
	if c.monitor, err = c.newMonitor(atExit, log, out.stderr); err != nil {
		return err
	}
	stopAdmin, err := c.serveAdmin(log, out.stderr)
	if err != nil {
		return err
	}
	defer stopAdmin()
	if c.Data == "" {
		if c.Data, err = temporaryFolder(atExit, "almanac-demo-"); err != nil {
			return err
		}
		c.temporary, c.Limits.Anonymous = true, access.Unlimited
		c.Blobs, c.Database = "", "" // everything is deleted, too
		c.Drain = 0                  // somebody waits at the terminal
	}
	options := c.in(c.Data).store()
	options.Memory, options.Log = int64(c.Memory), log
	s, err := createStore(ctx, atExit, options)
	if err != nil {
		return err
	}
	a, err := access.Open(ctx, access.Options{Dir: c.Data, DatabaseURL: c.Database, Limits: c.Limits.Limits, Bursts: c.Bursts.Limits, Log: log})
	if _, err := closeAtExit(atExit, a, err); err != nil {
		return err
	}
	if c.people, err = people.Open(ctx, people.Options{Dir: c.Data, DatabaseURL: c.Database, Log: log}); err != nil {
		return err
	}
	atExit.add(c.people.Close)
	c.checkPepper(log)
	if c.notices, err = openNotices(ctx, atExit, c.in(c.Data), a); err != nil {
		return err
	}
	c.notices.Networks = c.WebhookNetworks
	counts, err := demand.Open(ctx, demand.Options{Dir: c.Data, DatabaseURL: c.Database, Log: log})
	if _, err := closeAtExit(atExit, counts, err); err != nil {
		return err
	}
	go counts.Run(ctx)
	go diskreserve.Run(ctx, c.Data, log)
	outlines, err := readBorders(c.Borders, out.stderr)
	if err != nil {
		return err
	}
	return c.serveAndSearch(ctx, atExit, api.Options{Store: s, Access: a, Demand: counts, Log: log, Atlas: outlines}, out.stderr)
}

// serveAndSearch keeps an index of the store and of the offices' lists in memory, and
// serves until ctx ends.
func (c *serveCmd) serveAndSearch(ctx context.Context, atExit *cleanups, o api.Options, stderr io.Writer) error {
	offers, err := createOffers(ctx, atExit, c.in(c.Data))
	if err != nil {
		return err
	}
	o.Bringing.Offers = offers
	o.Search = search.New(search.Options{Store: o.Store, Offers: offers, Log: o.Log})
	following, stop := context.WithCancel(ctx)
	var running sync.WaitGroup
	running.Go(func() { o.Search.Run(following) })
	defer running.Wait()
	defer stop() // the server may have failed
	return c.serveAndSync(ctx, atExit, o, stderr)
}

// serveAndSync answers requests until ctx ends. With --sync it also keeps the
// watched datasets up to date, and with that or --on-demand it brings the datasets that
// callers request.
func (c *serveCmd) serveAndSync(ctx context.Context, atExit *cleanups, o api.Options, stderr io.Writer) error {
	table, err := c.table(c.Data, string(c.BaseURL), o.Log)
	if err != nil {
		return err
	}
	updater, using, err := c.openUpdater(ctx, atExit, c.in(c.Data), c.inProcesses(c.in(c.Data), update.Options{Store: o.Store, Sources: table, Offers: o.Bringing.Offers, Log: o.Log, Notify: c.observeEvents(o.Log)}))
	if err != nil {
		return err
	}
	o.Watches, o.Offices = using.Watches, map[string]stat.Source{}
	for _, row := range table.Offices() {
		o.Offices[row.ID] = office.Find(row.Name)
	}
	o.Bringing.Sources, o.Bringing.Everyone, o.Bringing.Limits = table, c.OnDemand, c.BringLimits.JobLimits
	o.Bringing.WorksHere = c.Sync || c.OnDemand
	background, stop := context.WithCancel(ctx)
	var running sync.WaitGroup
	// A failure leaves the server running: it still serves what is stored.
	if c.Sync {
		running.Go(func() {
			if err := updater.Run(background); err != nil && background.Err() == nil {
				o.Log.Error("updates have stopped; restart the server to resume them", "error", err)
			}
		})
	}
	if c.Sync && c.Offers {
		running.Go(func() {
			if err := updater.RunOffers(background); err != nil && background.Err() == nil {
				o.Log.Error("the lists of what offices offer are no longer read; restart the server to resume", "error", err)
			}
		})
	}
	if o.Bringing.WorksHere {
		running.Go(func() {
			if err := updater.Bring(background); err != nil && background.Err() == nil {
				o.Log.Error("no more datasets are brought; restart the server to resume it", "error", err)
			}
		})
	}
	running.Go(func() { findDamage(background, o.Store, o.Watches, o.Log) })
	defer running.Wait()
	defer stop() // the server may have failed
	return c.serve(ctx, o, stderr)
}

func (c *serveCmd) serve(ctx context.Context, o api.Options, stderr io.Writer) error {
	var samples map[string]int
	if c.Demo {
		var err error
		if samples, err = importSamples(ctx, o.Store); err != nil {
			return err
		}
		if err := o.Search.Refresh(ctx); err != nil { // the first request may be a search
			return err
		}
	}
	encryption, err := c.openCertificate(o.Log)
	if err != nil {
		return err
	}
	var config net.ListenConfig
	config.SetMultipathTCP(false) // refuseConnections needs plain TCP
	listener, err := config.Listen(ctx, "tcp", string(c.Listen))
	if err != nil {
		return listenError("--listen", string(c.Listen), err)
	}
	address := addressOf(listener)
	if encryption != nil {
		address = "https" + strings.TrimPrefix(address, "http")
	}
	o.BaseURL = cmp.Or(string(c.BaseURL), address)
	server, service, err := c.newServer(o)
	if err != nil {
		listener.Close()
		return err
	}
	c.startMonitor(&o, service, encryption)
	background, stop := context.WithCancel(ctx)
	var running sync.WaitGroup
	running.Go(func() { c.runNotices(background, o, service) })
	defer running.Wait()
	defer stop() // the server may have failed
	ended := make(chan error, 1)
	go func() { ended <- encryption.serve(server, listener) }()
	if c.Limits.Anonymous == 0 {
		samples = nil // the example requests would need a key
	}
	fmt.Fprint(stderr, "listening on "+address+"\n"+c.limitsText()+examplesText(o.BaseURL, samples))
	select {
	case err := <-ended:
		return fmt.Errorf("serving: %w", err)
	case <-ctx.Done():
		return c.shutDown(server, listener, service, stderr)
	case <-database.NotOnDisk():
		return errors.Join(errDisk, c.shutDown(server, listener, service, stderr))
	}
}

var errDisk = errors.New("the disk failed to keep a change of a database: see the log; the server ends, so that it is started again with what is on the disk")

// addressOf returns the listener's address as seen from this machine.
func addressOf(listener net.Listener) string {
	address := listener.Addr().(*net.TCPAddr)
	if address.IP.IsUnspecified() {
		return fmt.Sprintf("http://127.0.0.1:%d", address.Port)
	}
	return "http://" + address.String()
}

// newServer completes o from the flags and returns the server, and the interface that it serves.
func (c *serveCmd) newServer(o api.Options) (*http.Server, *api.API, error) {
	o.MaxLimit, o.Version = c.MaxLimit, version()
	o.CacheDir, o.CacheBytes = filepath.Join(c.Data, "cache"), int64(c.CacheBytes)
	o.Proxies = access.Proxies{Trusted: c.TrustedProxies, Header: string(c.ClientHeader)}
	o.Public, o.FreeAccounts = c.Public, access.Limit(c.FreeAccounts)
	o.Agents = agent.New(agent.Options{
		CallerOf: func(ctx context.Context) agent.Caller { return api.AgentCallOf(ctx) },
		BaseURL:  o.BaseURL, Version: o.Version, Log: o.Log,
	}).Handler()
	service, err := api.New(o)
	if err != nil {
		return nil, nil, err
	}
	if c.pages, err = c.newPages(&o, service); err != nil {
		return nil, nil, err
	}
	return newHTTPServer(c.monitor.Measure(c.pages), o.Log), service, nil
}

// fewRequests is the daily limit up to which an anonymous caller soon needs a
// key.
const fewRequests = 10

// limitsText shows the limits, and how to create a key if callers soon need one.
func (c *serveCmd) limitsText() string {
	remark := ""
	switch {
	case c.temporary:
		remark = " (lifted for the demo)"
	case c.Limits.Anonymous == 0:
		remark = " (each request needs a key)"
	}
	text := fmt.Sprintf("limits a day: anonymous %s%s, essential %s, pro %s\n",
		c.Limits.Anonymous, remark, c.Limits.Essential, c.Limits.Pro)
	switch l := c.BringLimits; {
	case c.OnDemand:
		text += fmt.Sprintf("datasets brought a day: for each account %s, for each address without a key %s, for all %s\n",
			access.Limit(l.Account), access.Limit(l.Anonymous), access.Limit(l.All))
	case c.Sync:
		text += fmt.Sprintf("datasets brought a day: for each account that may have them brought %s, for all %s\n", access.Limit(l.Account), access.Limit(l.All))
	}
	if c.Limits.Anonymous != access.Unlimited && c.Limits.Anonymous <= fewRequests {
		text += fmt.Sprintf("to create a key for more requests: almanac key create %s --account NAME\n", flagText("--data", absolute(c.Data)))
	}
	if c.Database != "" && c.Blobs == "" {
		text += fmt.Sprintf("the files of datasets are on this machine only, in %s: other machines with the same --database cannot read them; to share them, see --blobs\n", absolute(c.Data))
	}
	if c.Public && len(c.TrustedProxies) == 0 && c.TLSCertificate == "" {
		text += "no key will be accepted: --public accepts keys only over HTTPS, which a proxy in --trusted-proxies must confirm, or which needs --tls-certificate\n"
	}
	return text
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
	if err != nil || !isOpenToOthers(info) {
		return
	}
	log.Warn("other users can read or change the pepper; to fix it: chmod 600 "+shellWord(path), "mode", info.Mode().String())
}

// listenError says why a server cannot listen on the address of a flag, and what to do.
func listenError(flag, address string, err error) error {
	why := err.Error()
	switch op, isOp := errors.AsType[*net.OpError](err); {
	case errors.Is(err, syscall.EADDRINUSE):
		why = fmt.Sprintf("the port is in use; choose another with %[1]s, or a free one with %[1]s 127.0.0.1:0", flag)
	case errors.Is(err, syscall.EACCES):
		why = "ports below 1024 need special permissions; use a port such as " + flag + " 127.0.0.1:8080"
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

// importSamples imports the sample datasets and returns their IDs by code.
func importSamples(ctx context.Context, s *store.Store) (map[string]int, error) {
	im, err := importer.New(s, importer.Options{})
	if err != nil {
		return nil, err
	}
	names, err := fs.Glob(sample.Files(), "*")
	if err != nil {
		return nil, err
	}
	ids := map[string]int{}
	for _, name := range names {
		f, err := sample.Files().Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		for _, o := range im.Read(ctx, name, f) {
			if o.Status == importer.Refused {
				return nil, errors.New("sample data: " + o.Error)
			}
			ids[o.Code] = o.ID
		}
	}
	return ids, nil
}

// examplesText shows three requests to the sample datasets; it is empty if they
// are not served.
func examplesText(base string, samples map[string]int) string {
	if samples == nil {
		return ""
	}
	series := url.Values{
		"dim1": {"Life expectancy"}, "country": {"Germany", "Japan"}, "period_from": {"1985"},
	}
	return fmt.Sprintf(`three requests to try:
  curl '%[1]s/api/datasets'
  curl '%[1]s/api/datasets/%[2]d/data?%[3]s'
  curl '%[1]s/api/datasets/%[4]d/latest'
`, base, samples["gapminder"], series.Encode(), samples["us_employment"])
}
