package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"sync"

	"almanac/internal/access"
	"almanac/internal/agent"
	"almanac/internal/api"
	"almanac/internal/search"
)

type mcpCmd struct {
	Data string `type:"folder" placeholder:"DIR" help:"Folder of the store. Nothing is counted and there are no limits."`
	services
	Server  publicBase `placeholder:"URL" help:"Read from this server, in place of a folder. It counts each request that a tool makes."`
	Key     string     `placeholder:"KEY" help:"Key for the server; safer in the variable ALMANAC_KEY."`
	BaseURL publicBase `name:"base-url" placeholder:"URL" help:"Public address of a server of the same store, for links in the results; default: links without a host."`
}

// Validate checks the flags together.
func (c *mcpCmd) Validate() error {
	if (c.Data == "") == (c.Server == "") {
		return errors.New("state either --data with the folder of a store, or --server with the address of a server")
	}
	return nil
}

// Run answers an agent on standard input and output until it closes them.
func (c *mcpCmd) Run(ctx context.Context, atExit *cleanups, out streams) error {
	log := slog.New(slog.NewTextHandler(redacted{out.stderr}, nil))
	o := agent.Options{Version: version(), Log: log, BaseURL: string(c.BaseURL)}
	if c.Server != "" {
		caller := agent.NewRemote(string(c.Server), c.Key)
		o.CallerOf, o.BaseURL = func(context.Context) agent.Caller { return caller }, string(c.Server)
	} else {
		a, stop, err := c.open(ctx, atExit, log)
		if err != nil {
			return err
		}
		defer stop()
		caller := a.LocalCall()
		o.CallerOf = func(context.Context) agent.Caller { return caller }
	}
	return agent.New(o).Serve(ctx, os.Stdin, writeCloser{out.stdout})
}

// open returns the interface to a store, with a search that follows it until stop.
func (c *mcpCmd) open(ctx context.Context, atExit *cleanups, log *slog.Logger) (a *api.API, stop func(), err error) {
	s, err := openStore(ctx, atExit, c.in(c.Data))
	if err != nil {
		return nil, nil, err
	}
	callers, err := c.openCallers(ctx, atExit, log)
	if err != nil {
		return nil, nil, err
	}
	index := search.New(search.Options{Store: s, Log: log})
	if err := index.Refresh(ctx); err != nil {
		return nil, nil, err
	}
	if a, err = api.New(api.Options{Store: s, Access: callers, Search: index, BaseURL: string(c.BaseURL), Log: log, Version: version()}); err != nil {
		return nil, nil, err
	}
	following, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	running.Go(func() { index.Run(following) })
	return a, func() { cancel(); running.Wait() }, nil
}

// openCallers opens a register that is deleted at the end: nothing is counted.
func (c *mcpCmd) openCallers(ctx context.Context, atExit *cleanups, log *slog.Logger) (*access.Access, error) {
	dir, err := temporaryFolder(atExit, "almanac-mcp-")
	if err != nil {
		return nil, err
	}
	unlimited := access.Limits{Anonymous: access.Unlimited, Essential: access.Unlimited, Pro: access.Unlimited}
	callers, err := access.Open(ctx, access.Options{Dir: dir, Limits: unlimited, Log: log})
	return closeAtExit(atExit, callers, err)
}

// writeCloser is standard output, which stays open.
type writeCloser struct{ io.Writer }

func (writeCloser) Close() error { return nil }
