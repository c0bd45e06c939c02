package main

import (
	"context"

	"almanac"
	"almanac/internal/access"
	"almanac/internal/api"
	"almanac/internal/format/office"
	"almanac/internal/mail"
	"almanac/internal/portal"
	"almanac/internal/store"
)

// quarantine lets operators decide on the updates of a store that wait in quarantine.
func quarantine(s *store.Store, revisions portal.Interface) portal.Quarantine {
	return portal.Quarantine{
		Revisions: revisions,
		List: func(ctx context.Context) (list []portal.HeldUpdate, err error) {
			all, err := s.Quarantined(ctx)
			for i := range all {
				list = append(list, heldUpdate(&all[i]))
			}
			return list, err
		},
		Of: func(ctx context.Context, dataset int) (*portal.HeldUpdate, error) {
			h, err := s.QuarantinedVintage(ctx, dataset)
			if err != nil || h == nil {
				return nil, err
			}
			held := heldUpdate(h)
			return &held, nil
		},
		Accept: func(ctx context.Context, dataset int) error {
			_, err := s.Accept(ctx, dataset)
			return err
		},
		Reject: func(ctx context.Context, dataset int) error {
			_, err := s.Reject(ctx, dataset)
			return err
		},
	}
}

// heldUpdate is what the pages say of an update in quarantine.
func heldUpdate(h *store.QuarantinedVintage) portal.HeldUpdate {
	return portal.HeldUpdate{
		Dataset: h.ID, Code: h.Code, Name: h.Name, Since: h.Since, Updated: h.Updated, Against: h.Against, Lacks: h.Reasons,
		Observations: h.Observations, Added: h.Added, Revised: h.Revised, Removed: h.Removed,
	}
}

// newPages returns the pages, which read the interface.
func (c *serveCmd) newPages(o *api.Options, service *api.API) (*portal.Portal, error) {
	sender, err := c.mailSender()
	if err != nil {
		return nil, err
	}
	signIn, err := c.signInFlags.service(o.BaseURL)
	if err != nil {
		return nil, err
	}
	return portal.New(portal.Options{
		Interface: service.LocalCall(), Aside: service.AsideCall(), Else: service, Network: service.ClientNetwork, BaseURL: o.BaseURL, Changelog: almanac.Changelog, Log: o.Log,
		InterfaceOf: func(caller access.Caller) portal.Sender { return service.CallOf(caller) }, InNameOf: api.InNameOf, AsPage: api.AsPage,
		Access: o.Access, People: c.people, Notices: c.notices, Proxies: o.Proxies, Public: o.Public,
		Quarantine: quarantine(o.Store, service.OperatorCall()), OwnAdmin: c.AdminListen != "",
		OfficePage: office.DatasetPage, OfficeSite: office.Site, SignIn: signIn, RequireFactor: c.RequireFactor, Mail: sender, FreeAccounts: access.Limit(c.FreeAccounts),
	})
}

// mailSender returns what sends mail, nil if no server for it is known.
func (c *serveCmd) mailSender() (*mail.Sender, error) {
	if c.SMTP == "" {
		return nil, nil
	}
	return mail.New(mail.Options{Server: c.SMTP, From: c.MailFrom})
}
