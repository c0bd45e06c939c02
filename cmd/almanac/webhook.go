package main

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"almanac/internal/access"
	"almanac/internal/notice"
)

// webhookCmd is `almanac webhook`.
type webhookCmd struct {
	folder

	Create webhookCreateCmd `cmd:"" help:"Add an address. Its secret is shown only once."`
	List   webhookListCmd   `cmd:"" help:"List the addresses of an organisation, and whether they work."`
	Log    webhookLogCmd    `cmd:"" help:"List the newest messages to an address, with the answers to them."`
	Test   webhookTestCmd   `cmd:"" help:"Have a running server send a test message to an address."`
	Enable webhookEnableCmd `cmd:"" help:"Use an address again that was disabled because it failed for a week."`
	Remove webhookRemoveCmd `cmd:"" help:"Remove an address with its messages."`
}

// ProvideNotices opens the database of notices.
func (c *webhookCmd) ProvideNotices(ctx context.Context, atExit *cleanups, a *access.Access) (*notice.DB, error) {
	return openNotices(ctx, atExit, c.in(c.Data), a)
}

// ofOrganisation is an argument of all commands.
type ofOrganisation struct {
	Organisation string `required:"" placeholder:"NAME" help:"The organisation."`
}

func (o *ofOrganisation) id(ctx context.Context, a *access.Access) (int64, error) {
	all, err := a.Organisations(ctx)
	if err != nil {
		return 0, err
	}
	for _, one := range all {
		if one.Name == o.Organisation {
			return one.ID, nil
		}
	}
	return 0, fmt.Errorf("there is no organisation %q; almanac organisation list shows all", o.Organisation)
}

// endpointObject is an endpoint as JSON.
type endpointObject struct {
	ID       int64      `json:"id"`
	Address  string     `json:"address"`
	Secret   string     `json:"secret,omitempty"`
	State    string     `json:"state"`
	Created  time.Time  `json:"created"`
	Failing  *time.Time `json:"failing_since,omitempty"`
	Disabled *time.Time `json:"disabled,omitempty"`
}

func endpointOf(e notice.Endpoint, secret string) endpointObject {
	o := endpointObject{ID: e.ID, Address: e.Address, Secret: secret, State: "in use", Created: e.Created}
	if !e.FailingSince.IsZero() {
		o.State, o.Failing = "failing", &e.FailingSince
	}
	if !e.Disabled.IsZero() {
		o.State, o.Disabled = "disabled", &e.Disabled
	}
	return o
}

type webhookCreateCmd struct {
	ofOrganisation
	Address         string          `arg:"" help:"The address, such as https://example.org/hooks."`
	WebhookNetworks privateNetworks `placeholder:"CIDR,…" help:"Private networks that almanac serve has with the same flag; addresses of http are then possible."`
}

// Run prints the secret alone to standard output.
func (c *webhookCreateCmd) Run(ctx context.Context, a *access.Access, db *notice.DB, p printer) error {
	organisation, err := c.id(ctx, a)
	if err != nil {
		return err
	}
	db.Networks = c.WebhookNetworks
	e, secret, err := db.CreateEndpoint(ctx, organisation, c.Address, time.Now())
	if err != nil {
		return err
	}
	if err := p.object(endpointOf(e, secret)); err != nil {
		return err
	}
	if !p.json {
		fmt.Fprintln(p.stdout, secret)
	}
	_, err = fmt.Fprintf(p.stderr, "webhook %d: created for organisation %s; its messages are signed with the secret, which is shown only once\n", e.ID, c.Organisation)
	return err
}

type webhookListCmd struct{ ofOrganisation }

func (c *webhookListCmd) Run(ctx context.Context, a *access.Access, db *notice.DB, p printer) error {
	organisation, err := c.id(ctx, a)
	if err != nil {
		return err
	}
	endpoints, err := db.Endpoints(ctx, organisation)
	if err != nil {
		return err
	}
	var list []endpointObject
	for _, e := range endpoints {
		list = append(list, endpointOf(e, ""))
	}
	return printList(p, "ID\tSTATE\tCREATED\tADDRESS", list, func(e endpointObject) string {
		return fmt.Sprintf("%d\t%s\t%s\t%s", e.ID, e.State, toSecond(e.Created), e.Address)
	})
}

// ofEndpoint is an argument of the commands about one address.
type ofEndpoint struct {
	ofOrganisation
	ID int64 `arg:"" help:"The ID of the address, as almanac webhook list shows it."`
}

// find returns the organisation of the endpoint.
func (c *ofEndpoint) find(ctx context.Context, a *access.Access, db *notice.DB) (int64, error) {
	organisation, err := c.id(ctx, a)
	if err != nil {
		return 0, err
	}
	endpoints, err := db.Endpoints(ctx, organisation)
	if err != nil {
		return 0, err
	}
	for _, e := range endpoints {
		if e.ID == c.ID {
			return organisation, nil
		}
	}
	return 0, fmt.Errorf("organisation %s has no webhook %d; almanac webhook list shows its webhooks", c.Organisation, c.ID)
}

type webhookLogCmd struct {
	ofEndpoint
	Limit int `default:"20" placeholder:"N" help:"How many messages (${default})."`
}

// deliveryObject is a message as JSON.
type deliveryObject struct {
	Message   string    `json:"message"`
	Kind      string    `json:"kind"`
	Status    string    `json:"status"`
	Attempts  int       `json:"attempts"`
	Answer    string    `json:"answer,omitempty"`
	Created   time.Time `json:"created"`
	NextTry   string    `json:"next_try,omitempty"`
	BodyBytes int       `json:"bytes"`
}

func (c *webhookLogCmd) Run(ctx context.Context, a *access.Access, db *notice.DB, p printer) error {
	if _, err := c.find(ctx, a, db); err != nil {
		return err
	}
	deliveries, err := db.Deliveries(ctx, c.ID, c.Limit)
	if err != nil {
		return err
	}
	var list []deliveryObject
	for _, d := range deliveries {
		o := deliveryObject{Message: d.Message, Kind: d.Kind, Status: string(d.Status), Attempts: d.Attempts, Answer: d.Answer, Created: d.Created, BodyBytes: len(d.Body)}
		if d.Status == notice.Waiting {
			o.NextTry = d.Due.Format(time.RFC3339)
		}
		list = append(list, o)
	}
	return printList(p, "CREATED\tKIND\tSTATUS\tATTEMPTS\tANSWER\tMESSAGE", list, func(d deliveryObject) string {
		return fmt.Sprintf("%s\t%s\t%s\t%d\t%s\t%s", toSecond(d.Created), d.Kind, d.Status, d.Attempts, d.Answer, d.Message)
	})
}

type webhookTestCmd struct{ ofEndpoint }

func (c *webhookTestCmd) Run(ctx context.Context, a *access.Access, db *notice.DB, p printer) error {
	organisation, err := c.find(ctx, a, db)
	if err != nil {
		return err
	}
	now := time.Now()
	if err := db.QueueTest(ctx, organisation, c.ID, notice.TestBody(now), now); err != nil {
		return err
	}
	return p.result(map[string]int64{"id": c.ID}, "webhook "+strconv.FormatInt(c.ID, 10)+": a running server sends a test message; almanac webhook log shows the answer")
}

type webhookEnableCmd struct{ ofEndpoint }

func (c *webhookEnableCmd) Run(ctx context.Context, a *access.Access, db *notice.DB, p printer) error {
	organisation, err := c.find(ctx, a, db)
	if err != nil {
		return err
	}
	if err := db.EnableEndpoint(ctx, organisation, c.ID); err != nil {
		return err
	}
	return p.result(map[string]int64{"id": c.ID}, "webhook "+strconv.FormatInt(c.ID, 10)+": in use again")
}

type webhookRemoveCmd struct{ ofEndpoint }

func (c *webhookRemoveCmd) Run(ctx context.Context, a *access.Access, db *notice.DB, p printer) error {
	organisation, err := c.find(ctx, a, db)
	if err != nil {
		return err
	}
	if err := db.RemoveEndpoint(ctx, organisation, c.ID); err != nil {
		return err
	}
	return p.result(map[string]int64{"id": c.ID}, "webhook "+strconv.FormatInt(c.ID, 10)+": removed")
}
