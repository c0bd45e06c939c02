package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"almanac/internal/access"
	"almanac/internal/api"
	"almanac/internal/request"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// linkCmd is `almanac link`. The address of a link is printed once, to standard output.
type linkCmd struct {
	folder

	Create linkCreateCmd `cmd:"" default:"withargs" help:"Create a link. Only its address goes to standard output."`
	List   linkListCmd   `cmd:"" help:"List the links with their uses."`
	Revoke linkRevokeCmd `cmd:"" help:"Revoke links. Running servers refuse them within a second."`
}

type linkCreateCmd struct {
	Account string   `required:"" placeholder:"NAME" help:"The account whose daily limit the uses count against."`
	Dataset string   `required:"" placeholder:"ID" help:"The dataset: its id, or its source and code such as eurostat:une_rt_a."`
	Form    string   `default:"csv" placeholder:"FORM" help:"The extension of the file: csv, json, xlsx and others (${default})."`
	Expires lifetime `default:"90d" placeholder:"DURATION" help:"How long the link is valid: minutes, hours or days such as 30m, 24h or 90d, or never (${default})."`
	BaseURL string   `name:"base-url" placeholder:"URL" help:"Public base address of the service, which the printed address begins with."`
	Query   string   `arg:"" optional:"" help:"The parameters of the data, such as 'dim1=Total&country=Germany'; none: all data."`
}

// lifetime is how long a link is valid; 0: for ever.
type lifetime time.Duration

// UnmarshalText reads minutes, hours or days, such as 30m, 24h or 90d, or never.
func (l *lifetime) UnmarshalText(text []byte) error {
	if string(text) == "never" {
		*l = 0
		return nil
	}
	number := strings.TrimRight(string(text), "mhd")
	unit := map[string]time.Duration{"m": time.Minute, "h": time.Hour, "d": 24 * time.Hour}[string(text[len(number):])]
	n, err := strconv.ParseUint(number, 10, 16)
	if err != nil || n == 0 || unit == 0 {
		return fmt.Errorf("invalid duration %q; use minutes, hours or days such as 30m, 24h or 90d, or never", text)
	}
	*l = lifetime(time.Duration(n) * unit)
	return nil
}

func (c *linkCreateCmd) Run(ctx context.Context, f *folder, s *store.Store, a *access.Access, p printer) error {
	id, err := c.datasetIn(s)
	if err != nil {
		return err
	}
	service, err := api.New(api.Options{Store: s, Access: a})
	if err != nil {
		return err
	}
	notices, err := service.CheckLink(ctx, id, c.Form, c.Query)
	if err != nil {
		return usageError{err}
	}
	if len(notices) > 0 {
		fmt.Fprintf(p.stderr, "warning: %s\n", request.JoinNotices(notices))
	}
	request := access.LinkRequest{Account: c.Account, Dataset: id, Form: c.Form, Query: c.Query}
	if c.Expires != 0 {
		request.Expires = time.Now().Add(time.Duration(c.Expires))
	}
	token, link, err := a.CreateLink(ctx, request)
	if stat.KindOf(err) == stat.NotFound {
		return fmt.Errorf("%w; almanac account create %s %s makes one", err, flagText("--data", f.Data), shellWord(c.Account))
	}
	if err != nil {
		return err
	}
	address := strings.TrimSuffix(c.BaseURL, "/") + api.LinkAddress(token, c.Form)
	err = p.object(struct {
		Address string `json:"address"`
		access.Link
	}{address, link})
	if !p.json {
		_, err = fmt.Fprintln(p.stdout, address)
	}
	if err != nil {
		return err
	}
	if c.BaseURL == "" {
		fmt.Fprintf(p.stderr, "the address lacks the one of the service, such as https://almanac.example.org; --base-url adds it\n")
	}
	ends := "never expires"
	if !link.Expires.IsZero() {
		ends = "valid until " + toSecond(link.Expires) + " UTC"
	}
	fmt.Fprintf(p.stderr, "link %s: created for account %s, %s; whoever has the address can read these data, and it is shown only once\n", link.ID, link.Account, ends)
	return nil
}

// datasetIn returns the id of the dataset.
func (c *linkCreateCmd) datasetIn(s *store.Store) (int, error) {
	list := s.Catalog()
	if source, code, isReference := strings.Cut(c.Dataset, ":"); isReference {
		if e := list.Find(source, code); e != nil {
			return e.ID, nil
		}
		return 0, fmt.Errorf("there is no dataset %s; almanac dataset list shows all", c.Dataset)
	}
	id, err := strconv.Atoi(c.Dataset)
	if err != nil {
		return 0, usageError{errors.New("--dataset must be an id, or a source and code such as eurostat:une_rt_a")}
	}
	if list.Entry(id) == nil {
		return 0, fmt.Errorf("there is no dataset %d; almanac dataset list shows all", id)
	}
	return id, nil
}

type linkListCmd struct{}

func (*linkListCmd) Run(ctx context.Context, a *access.Access, p printer) error {
	links, err := a.Links(ctx)
	if err != nil {
		return err
	}
	return printList(p, "ID\tACCOUNT\tDATASET\tFORM\tSTATE\tCREATED\tEXPIRES\tTODAY\tUSES\tSELECTION", links, func(l access.Link) string {
		return fmt.Sprintf("%s\t%s\t%d\t%s\t%s\t%s\t%s\t%d\t%d\t%s", l.ID, l.Account, l.Dataset, l.Form, l.State,
			toSecond(l.Created), toSecond(l.Expires), l.UsedToday, l.Used, l.Query)
	})
}

type linkRevokeCmd struct {
	IDs []string `arg:"" name:"id" help:"The IDs of the links, as almanac link list shows them."`
}

// Run revokes the links. An unknown one does not stop the others.
func (c *linkRevokeCmd) Run(ctx context.Context, a revokingAccess, p printer) error {
	return p.each(ctx, c.IDs, func(id string) error {
		l, err := a.RevokeLink(ctx, id)
		if err != nil {
			return err
		}
		return p.result(l, fmt.Sprintf("link %s of account %s: revoked at %s UTC", l.ID, l.Account, toSecond(l.Revoked)))
	})
}
