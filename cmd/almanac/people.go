package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"almanac/internal/people"
)

// ProvidePeople opens the register of people and creates it if needed.
func (f *folder) ProvidePeople(ctx context.Context, atExit *cleanups) (*people.People, error) {
	if err := os.MkdirAll(f.Data, 0o750); err != nil {
		return nil, fmt.Errorf("creating the data directory: %w", err)
	}
	p, err := people.Open(ctx, people.Options{Dir: f.Data, DatabaseURL: f.Database})
	return closeAtExit(atExit, p, err)
}

type inviteCmd struct {
	Mail         string      `required:"" placeholder:"ADDRESS" help:"The mail address with which the person signs in."`
	Organisation string      `required:"" placeholder:"NAME" help:"The organisation, created with an account of the same name if it does not exist."`
	Role         people.Role `default:"" enum:",owner,member" placeholder:"ROLE" help:"owner or member; default: owner for the first person of an organisation, else member."`
	Expires      lifetime    `default:"7d" placeholder:"DURATION" help:"How long the invitation can be used: minutes, hours or days such as 30m, 24h or 7d (${default})."`
	BaseURL      string      `name:"base-url" placeholder:"URL" help:"Public base address of the service, which the printed address begins with."`
}

func (c *inviteCmd) Run(ctx context.Context, a newAccess, all *people.People, p printer) error {
	if c.Expires == 0 {
		return usageError{fmt.Errorf("an invitation must expire; use a duration such as 7d")}
	}
	if err := people.CheckMail(c.Mail); err != nil {
		return err // before an organisation is created
	}
	o, err := a.CreateOrganisationAccount(ctx, c.Organisation)
	if err != nil {
		return err
	}
	members, err := all.Members(ctx, o.ID)
	if err != nil {
		return err
	}
	switch {
	case c.Role != "":
	case len(members) == 0:
		c.Role = people.Owner
	default:
		c.Role = people.MemberOnly
	}
	invitation := people.Invitation{Mail: c.Mail, Organisation: o.ID, Role: c.Role, Ends: time.Now().Add(time.Duration(c.Expires))}
	token, invitation, err := all.Invite(ctx, invitation)
	if err != nil {
		return err
	}
	what := fmt.Sprintf("invitation of %s to organisation %s as %s", invitation.Mail, o.Name, invitation.Role)
	return showInvitation(p, c.BaseURL, token, invitation, what)
}

// showInvitation prints the address of an invitation to standard output, and what it is elsewhere.
func showInvitation(p printer, base, token string, i people.Invitation, what string) error {
	address := strings.TrimSuffix(base, "/") + "/join/" + token
	err := p.object(struct {
		Address string    `json:"address"`
		Mail    string    `json:"mail"`
		Ends    time.Time `json:"expires"`
	}{address, i.Mail, i.Ends})
	if !p.json {
		_, err = fmt.Fprintln(p.stdout, address)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(p.stderr, "%s, valid until %s UTC; whoever has the address can use it, once, and it is shown only now\n", what, toSecond(i.Ends))
	return nil
}

type resetCmd struct {
	Mail    string `arg:"" help:"The mail address with which the person signs in."`
	BaseURL string `name:"base-url" placeholder:"URL" help:"Public base address of the service, which the printed address begins with."`
}

func (c *resetCmd) Run(ctx context.Context, all *people.People, p printer) error {
	token, invitation, err := all.InviteToReset(ctx, c.Mail)
	if err != nil {
		return err
	}
	return showInvitation(p, c.BaseURL, token, invitation, "link for a new password of "+invitation.Mail+", which also removes the second factor")
}

type signOutCmd struct {
	Mail string `arg:"" optional:"" help:"The mail address with which the person signs in."`
	All  bool   `help:"End the sessions of everybody."`
}

func (c *signOutCmd) Run(ctx context.Context, all *people.People, p printer) error {
	if (c.Mail == "") != c.All {
		return usageError{fmt.Errorf("state either the mail address of a person or --all")}
	}
	n, err := all.SignOut(ctx, c.Mail)
	if err != nil {
		return err
	}
	if err := p.object(struct {
		People int `json:"signed_out"`
	}{n}); err != nil || p.json {
		return err
	}
	_, err = fmt.Fprintf(p.stdout, "people whose sessions have ended: %d\n", n)
	return err
}

type setAdminCmd struct {
	Mail string `arg:"" help:"The mail address with which the person signs in."`
	May  string `arg:"" enum:"yes,no" name:"yes|no" help:"yes or no."`
}

func (c *setAdminCmd) Run(ctx context.Context, all *people.People, p printer) error {
	changed, err := all.SetAdmin(ctx, c.Mail, c.May == yesOrNo(true))
	if err != nil {
		return err
	}
	if err := p.object(struct {
		Mail    string `json:"mail"`
		IsAdmin bool   `json:"admin"`
	}{changed.Mail, changed.IsAdmin}); err != nil || p.json {
		return err
	}
	fmt.Fprintf(p.stdout, "%s: may change everything on the pages: %s\n", changed.Mail, yesOrNo(changed.IsAdmin))
	return nil
}

type peopleCmd struct{}

// personRow is a row of the list of people.
type personRow struct {
	Mail         string      `json:"mail"`
	Name         string      `json:"name"`
	Organisation string      `json:"organisation,omitempty"`
	Role         people.Role `json:"role,omitempty"`
	HasFactor    bool        `json:"second_factor"`
	IsAdmin      bool        `json:"admin,omitempty"`
	SignedIn     time.Time   `json:"signed_in,omitzero"`
}

func (*peopleCmd) Run(ctx context.Context, a newAccess, all *people.People, p printer) error {
	organisations, err := a.Organisations(ctx)
	if err != nil {
		return err
	}
	names := map[int64]string{}
	for _, o := range organisations {
		names[o.ID] = o.Name
	}
	list, err := all.All(ctx)
	if err != nil {
		return err
	}
	var rows []personRow
	for _, person := range list {
		row := personRow{Mail: person.Mail, Name: person.Name, HasFactor: person.Factor != "", IsAdmin: person.IsAdmin, SignedIn: person.SignedIn}
		memberships, err := all.Memberships(ctx, person.ID)
		if err != nil {
			return err
		}
		for _, m := range memberships {
			row.Organisation, row.Role = names[m.Organisation], m.Role
			rows = append(rows, row)
		}
		if len(memberships) == 0 {
			rows = append(rows, row)
		}
	}
	return printList(p, "MAIL\tNAME\tORGANISATION\tROLE\tSECOND FACTOR\tADMIN\tSIGNED IN", rows, func(r personRow) string {
		return fmt.Sprintf("%s\t%s\t%s\t%s\t%s\t%s\t%s", r.Mail, r.Name, cmp.Or(r.Organisation, "-"), cmp.Or(r.Role, "-"), yesOrNo(r.HasFactor), yesOrNo(r.IsAdmin), toMinute(r.SignedIn))
	})
}
