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
	"runtime"
	"strings"
	"time"

	"almanac/internal/source"
	"almanac/internal/source/fetch"
	"almanac/internal/source/offices"
	"almanac/internal/update"
)

// network holds the flags of the commands that contact offices.
type network struct {
	Sources     string          `placeholder:"FILE" help:"Additional offices; default: sources.json in the folder of --data, if it exists. See docs/add-a-source.md."`
	Secrets     string          `placeholder:"FILE" help:"Keys of offices, a file that only you can read; default: secrets.json in the folder of --data, if it exists. A key may also be in ALMANAC_KEY_ and the office's ID. See docs/sources.md."`
	Agent       string          `placeholder:"TEXT" help:"User agent sent to the offices, preferably with a contact address; default: almanac and its version."`
	Hosts       []string        `placeholder:"HOST" help:"Contact only these hosts; .example.org allows all hosts below example.org. May be repeated."`
	Networks    privateNetworks `placeholder:"CIDR,…" help:"Private networks that may be contacted, also by http; default: none. May be repeated."`
	MaxDownload size            `default:"1GiB" placeholder:"SIZE" help:"The largest download, uncompressed (${default})."`
}

// privateNetworks are networks and single addresses, in one or several flags.
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
			return fmt.Errorf("invalid network %q; use networks such as 10.0.0.0/8 or fd00::/8 and addresses such as 10.1.2.3, separated by commas", part)
		}
		*p = append(*p, network.Masked())
	}
	return nil
}

// sleep is the pause between requests to offices; nil, outside of tests, really waits.
var sleep func(context.Context, time.Duration) error

// sourcesFile is the file of additional offices in the folder of the store.
const sourcesFile = "sources.json"

// table returns the table of offices for the store in dir, which may be "".
// base is the public address of the service, or "".
func (n *network) table(dir, base string, log *slog.Logger) (*offices.Table, error) {
	own, err := n.readOffices(dir)
	if err != nil {
		return nil, err
	}
	secrets, err := n.readSecrets(dir, own)
	if err != nil {
		return nil, err
	}
	agent := "almanac/" + version()
	if base != "" {
		agent += " (+" + base + ")"
	}
	client, err := fetch.New(fetch.Options{
		Agent: cmp.Or(n.Agent, agent), Hosts: n.Hosts, Networks: n.Networks, Bytes: int64(n.MaxDownload), Secrets: secrets, Sleep: sleep, Log: log,
	})
	if err != nil {
		return nil, usageError{err}
	}
	return offices.NewTable(client, own)
}

// isOpenToOthers reports whether other users can read or change a file.
func isOpenToOthers(info fs.FileInfo) bool {
	return runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 // Windows has no such modes
}

// secretsFile is the name of the file with the keys of offices in the folder of the store.
const secretsFile = "secrets.json"

// readSecrets reads the keys of offices from the environment and from a file that nobody
// else may read.
func (n *network) readSecrets(dir string, own []source.Office) ([]fetch.Secret, error) {
	name, keys := n.Secrets, map[string]string{}
	if name == "" && dir != "" {
		name = filepath.Join(dir, secretsFile)
	}
	info, err := os.Stat(name)
	switch {
	case n.Secrets == "" && err != nil:
	case err != nil:
		return nil, fmt.Errorf("reading the keys of offices: %w", err)
	case isOpenToOthers(info):
		return nil, fmt.Errorf("other users can read the keys of offices in %s; to protect them: chmod 600 %[1]s", name)
	default:
		file, err := os.Open(name)
		if err != nil {
			return nil, fmt.Errorf("reading the keys of offices: %w", err)
		}
		defer file.Close()
		if keys, err = offices.ReadKeys(name, file); err != nil {
			return nil, err
		}
	}
	return offices.Secrets(own, func(id string) string { return cmp.Or(os.Getenv(offices.KeyVariable(id)), keys[id]) })
}

func (n *network) readOffices(dir string) ([]source.Office, error) {
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
		return nil, fmt.Errorf("reading the additional offices: %w", err)
	}
	defer file.Close()
	return offices.ReadOffices(name, file)
}

// syncFolder is the folder below --data for downloads.
const syncFolder = "sync"

// openUpdater returns an updater for the datasets of an installation. It opens the watches,
// and the store and the table of offices if o lacks them, and creates what does
// not exist. The returned options contain all of them.
func (n *network) openUpdater(ctx context.Context, atExit *cleanups, at installation, o update.Options) (*update.Updater, update.Options, error) {
	var err error
	if o.Sources == nil {
		if o.Sources, err = n.table(at.dir, "", o.Log); err != nil {
			return nil, o, err
		}
	}
	if o.Store == nil {
		options := at.store()
		options.Log = o.Log
		if o.Store, err = createStore(ctx, atExit, options); err != nil {
			return nil, o, err
		}
	}
	if o.Watches, err = createWatches(ctx, atExit, at); err != nil {
		return nil, o, err
	}
	o.Dir = filepath.Join(at.dir, syncFolder)
	updater, err := update.New(o)
	return updater, o, err
}
