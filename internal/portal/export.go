package portal

import (
	"encoding/json"
	"time"

	"almanac/internal/notice"
	"almanac/internal/people"
)

// personalData is everything that is stored of a person but secrets.
type personalData struct {
	Mail        string               `json:"mail"`
	Name        string               `json:"name"`
	Created     time.Time            `json:"created"`
	SignedIn    time.Time            `json:"signed_in"`
	HasFactor   bool                 `json:"second_factor"`
	Passkeys    []exportedPasskey    `json:"passkeys"`
	Identities  []exportedIdentity   `json:"identities"`
	Memberships []exportedMembership `json:"organisations"`
	Sessions    []exportedSession    `json:"sessions"`
	Invitations []exportedInvitation `json:"invitations"`
}

// exportedInvitation is an invitation or another link that was made for the mail address.
type exportedInvitation struct {
	Purpose string    `json:"purpose"`
	Mail    string    `json:"mail"`
	Created time.Time `json:"created"`
	Ends    time.Time `json:"ends"`
	Used    time.Time `json:"used,omitzero"`
}

type exportedPasskey struct {
	Name    string    `json:"name"`
	Created time.Time `json:"created"`
	Used    time.Time `json:"used"`
}

// exportedIdentity is who the person is at another service with which they sign in.
type exportedIdentity struct {
	Issuer  string    `json:"issuer"`
	Subject string    `json:"subject"`
	Mail    string    `json:"mail"`
	Created time.Time `json:"created"`
	Used    time.Time `json:"used"`
}

type exportedMembership struct {
	Organisation string        `json:"organisation"`
	Role         people.Role   `json:"role"`
	Since        time.Time     `json:"since"`
	Mail         notice.Rhythm `json:"mail_on_changes,omitempty"`
}

type exportedSession struct {
	Created time.Time `json:"created"`
	Used    time.Time `json:"used"`
	Ends    time.Time `json:"ends"`
	Family  string    `json:"address_family"`
	Browser string    `json:"browser"`
}

// export sends everything that is stored of the visitor.
func (p *page) export(v *visitor) error {
	all, err := p.personalData(&v.Person)
	if err != nil {
		return err
	}
	body, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	p.w.Header().Set("Content-Disposition", `attachment; filename="almanac-account.json"`)
	p.sendFile("application/json", append(body, '\n'))
	return nil
}

func (p *page) personalData(person *people.Person) (*personalData, error) {
	ctx, register := p.r.Context(), p.opts.People
	all := &personalData{Mail: person.Mail, Name: person.Name, Created: person.Created, SignedIn: person.SignedIn, HasFactor: person.Factor != ""}
	passkeys, err := register.Passkeys(ctx, person.ID)
	if err != nil {
		return nil, err
	}
	for _, k := range passkeys {
		all.Passkeys = append(all.Passkeys, exportedPasskey{k.Name, k.Created, k.Used})
	}
	identities, err := register.Identities(ctx, person.ID)
	if err != nil {
		return nil, err
	}
	for _, i := range identities {
		all.Identities = append(all.Identities, exportedIdentity{i.Issuer, i.Subject, i.Mail, i.Created, i.Used})
	}
	memberships, err := register.Memberships(ctx, person.ID)
	if err != nil {
		return nil, err
	}
	for _, m := range memberships {
		name, err := p.organisationName(m.Organisation)
		if err != nil {
			return nil, err
		}
		rhythm, err := p.rhythmOf(person, m.Organisation)
		if err != nil {
			return nil, err
		}
		all.Memberships = append(all.Memberships, exportedMembership{name, m.Role, m.Since, rhythm})
	}
	invitations, err := register.InvitationsTo(ctx, person.Mail)
	if err != nil {
		return nil, err
	}
	for _, i := range invitations {
		all.Invitations = append(all.Invitations, exportedInvitation{string(i.Purpose), i.Mail, i.Created, i.Ends, i.Used})
	}
	sessions, err := register.Sessions(ctx, person.ID)
	for _, s := range sessions {
		all.Sessions = append(all.Sessions, exportedSession{s.Created, s.Used, s.Ends, s.Family, s.Browser})
	}
	return all, err
}
