package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"strings"

	"almanac/internal/source"
	"almanac/internal/source/fetch"
	"almanac/internal/store"
	"almanac/internal/update"
)

// network are the flags of the commands that ask the offices' servers.
type network struct {
	Sources     string          `placeholder:"FILE" help:"The installation's own offices; sources.json in the folder of --data if that is there. See docs/add-a-source.md."`
	Agent       string          `placeholder:"TEXT" help:"How the installation names itself to the offices, best with an address for their questions; almanac and its version if not given."`
	Hosts       []string        `placeholder:"HOST" help:"The only hosts that are asked, if any are named; .example.org stands for all below example.org. May be repeated."`
	Networks    privateNetworks `placeholder:"CIDR,…" help:"Private networks that may be asked all the same, by http too; none if not given. May be repeated."`
	MaxDownload size            `default:"1GiB" placeholder:"SIZE" help:"The largest answer that is taken, as it unpacks (${default})."`
}

// privateNetworks are networks and single addresses, in one flag or in several.
type privateNetworks []netip.Prefix

// UnmarshalText adds the networks of one more flag.
func (p *privateNetworks) UnmarshalText(text []byte) error {
	for part := range strings.SplitSeq(string(text), ",") {
		part = strings.TrimSpace(part)
		network, err := netip.ParsePrefix(part)
		if address, single := netip.ParseAddr(part); single == nil {
			network, err = address.Prefix(address.BitLen())
		}
		if err != nil {
			return fmt.Errorf("%q is no network; right are networks such as 10.0.0.0/8 or fd00::/8 and addresses such as 10.1.2.3, with commas between them", part)
		}
		*p = append(*p, network.Masked())
	}
	return nil
}

// sourcesFile is where an installation's own offices stand in its folder.
const sourcesFile = "sources.json"

// table makes the table of offices for the installation in dir, which may be
// empty. base is the address that the service is known by, if it is known.
func (n *network) table(dir, base string, log *slog.Logger) (*source.Table, error) {
	own, err := n.own(dir)
	if err != nil {
		return nil, err
	}
	client, err := fetch.New(fetch.Options{
		Agent: n.agent(base), Hosts: n.Hosts, Networks: n.Networks, Bytes: int64(n.MaxDownload), Log: log,
	})
	if err != nil {
		return nil, usageError{err}
	}
	return source.NewTable(client, own)
}

// own are the installation's own offices.
func (n *network) own(dir string) ([]source.Office, error) {
	name := n.Sources
	if name == "" {
		if dir == "" {
			return nil, nil
		}
		name = filepath.Join(dir, sourcesFile)
	}
	file, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) && n.Sources == "" {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the installation's offices: %w", err)
	}
	defer file.Close()
	return source.ReadOffices(name, file)
}

// agent is how the installation names itself.
func (n *network) agent(base string) string {
	if n.Agent == "" && base != "" {
		return "almanac/" + version() + " (+" + base + ")"
	}
	return cmp.Or(n.Agent, "almanac/"+version())
}

// syncFolder is where files are kept in an installation's folder while they are
// fetched and read.
const syncFolder = "sync"

// openKeeper opens what brings the datasets of the installation in dir up to
// date: its watches, its store and its table of offices, if o lacks them. All
// are made if they are not there.
func (n *network) openKeeper(ctx context.Context, open *closers, dir string, o update.Options) (*update.Keeper, update.Options, error) {
	var err error
	if o.Sources == nil {
		if o.Sources, err = n.table(dir, "", o.Log); err != nil {
			return nil, o, err
		}
	}
	if o.Store == nil {
		if o.Store, err = makeStore(ctx, open, store.Options{Dir: dir, Log: o.Log}); err != nil {
			return nil, o, err
		}
	}
	if o.Watches, err = makeWatches(ctx, open, dir); err != nil {
		return nil, o, err
	}
	o.Dir = filepath.Join(dir, syncFolder)
	keeper, err := update.New(o)
	return keeper, o, err
}
