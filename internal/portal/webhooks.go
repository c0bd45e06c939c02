package portal

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"almanac/internal/access"
	"almanac/internal/notice"
	"almanac/internal/stat"
)

// webhooksPage is the content of the page of the webhooks of an organisation.
type webhooksPage struct {
	Account   access.Account
	Endpoints []webhook
	Address   string // as typed
	Secret    string // of an address that was just added; shown once
	Added     string // that address
	Error     string
}

// webhook is an address with its newest messages.
type webhook struct {
	notice.Endpoint
	Messages []notice.Delivery
}

const shownMessages = 10

// webhooks is the page of the webhooks of an organisation.
func (p *page) webhooks(v *visitor) error {
	chosen := &accountPage{}
	if err := p.chooseAccount(v, chosen); err != nil {
		return err
	}
	if chosen.Account.ID == 0 || p.opts.Notices == nil {
		return p.refuse(http.StatusNotFound, p.lang.text("account.none", "mail", v.Person.Mail))
	}
	c := &webhooksPage{Account: chosen.Account, Address: p.field("address")}
	p.template, p.Title, p.Content = "webhooks", p.lang.text("webhooks"), c
	p.Trail = []link{{p.lang.text("account"), "/account?account=" + url.QueryEscape(c.Account.Name)}, {p.Title, ""}}
	organisation := chosen.Member.Organisation
	if p.isPost() {
		err := p.changeWebhook(c, organisation)
		if err == nil && c.Secret == "" {
			return p.leave("/account/webhooks?account=" + url.QueryEscape(c.Account.Name))
		}
		if err != nil {
			if err := p.mend(err, &c.Error); err != nil {
				return err
			}
		}
	}
	endpoints, err := p.opts.Notices.Endpoints(p.r.Context(), organisation)
	if err != nil {
		return err
	}
	for _, e := range endpoints {
		messages, err := p.opts.Notices.Deliveries(p.r.Context(), e.ID, shownMessages)
		if err != nil {
			return err
		}
		c.Endpoints = append(c.Endpoints, webhook{e, messages})
	}
	return nil
}

// changeWebhook does what a form of the page asks for.
func (p *page) changeWebhook(c *webhooksPage, organisation int64) (err error) {
	ctx, db, now := p.r.Context(), p.opts.Notices, p.opts.Now()
	if p.field("do") == "add" {
		return p.addWebhook(c, organisation)
	}
	id, err := strconv.ParseInt(p.field("endpoint"), 10, 64)
	if err != nil {
		return stat.Errorf(stat.NotFound, "there is no such address")
	}
	switch p.field("do") {
	case "test":
		if err := db.QueueTest(ctx, organisation, id, notice.TestBody(now), now); err != nil {
			return err
		}
		return p.awaitTest(id)
	case "enable":
		return db.EnableEndpoint(ctx, organisation, id)
	case "remove":
		return db.RemoveEndpoint(ctx, organisation, id)
	}
	return p.refuse(http.StatusBadRequest, p.lang.text("error.form"))
}

// How long a page waits for the first attempt at a test, and how often it looks.
const (
	testTime  = 4 * time.Second
	testPause = 100 * time.Millisecond
)

// awaitTest waits until the newest message for an address was attempted, so that the page shows the answer, but not long.
func (p *page) awaitTest(endpoint int64) error {
	ctx, cancel := context.WithTimeout(p.r.Context(), testTime)
	defer cancel()
	for {
		newest, err := p.opts.Notices.Deliveries(ctx, endpoint, 1)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil || len(newest) == 0 || newest[0].Attempts > 0 {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(testPause):
		}
	}
}

// addWebhook adds the address of the form, unless it is there already.
func (p *page) addWebhook(c *webhooksPage, organisation int64) error {
	ctx, db := p.r.Context(), p.opts.Notices
	all, err := db.Endpoints(ctx, organisation)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(all, func(e notice.Endpoint) bool { return e.Address == c.Address }) {
		return stat.Errorf(stat.Conflict, "%s", p.lang.text("webhooks.twice"))
	}
	var added notice.Endpoint
	if added, c.Secret, err = db.CreateEndpoint(ctx, organisation, c.Address, p.opts.Now()); err == nil {
		c.Added, c.Address = added.Address, ""
	}
	return err
}

// State says whether the address works.
func (w *webhook) State() string {
	switch {
	case !w.Disabled.IsZero():
		return "disabled"
	case !w.FailingSince.IsZero():
		return "failing"
	}
	return "ok"
}

// Since is since when it has the state.
func (w *webhook) Since() time.Time {
	if !w.Disabled.IsZero() {
		return w.Disabled
	}
	return w.FailingSince
}
