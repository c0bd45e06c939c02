package portal

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/access"
	"almanac/internal/notice"
	"almanac/internal/people"
	"almanac/internal/stat"
)

// changesPage is the content of the page of what changed in what an organisation follows, and of
// the ways to be told.
type changesPage struct {
	Account      access.Account
	Changes      []change
	InLanguage   string // what addresses that are read without a browser need at their end for the language of the page
	Feed         string // the address of the organisation's feed, without its extension; empty: it has none
	Calendar     string // the address of its calendar
	Subscription notice.Subscription
	Mails        []notice.Delivery // the newest ones
	Error        string
}

// Bounds of the page.
const (
	shownChanges = 20
	shownMails   = 3
)

// showChanges is the page of what changed.
func (p *page) showChanges(v *visitor) error {
	chosen := &accountPage{}
	if err := p.chooseAccount(v, chosen); err != nil {
		return err
	}
	if chosen.Account.ID == 0 || p.opts.Notices == nil {
		return p.refuse(http.StatusNotFound, p.lang.text("account.none", "mail", v.Person.Mail))
	}
	ctx, db := p.r.Context(), p.opts.Notices
	c, organisation := &changesPage{Account: chosen.Account, InLanguage: "?lang=" + p.lang.Code}, chosen.Member.Organisation
	p.template, p.Title, p.Content = "changes", p.lang.text("news"), c
	p.Trail = []link{{p.lang.text("account"), c.accountAddress("/account")}, {p.Title, ""}}
	if p.isPost() {
		err := p.changeNotices(v, organisation)
		if err == nil {
			return p.leave(c.accountAddress("/account/changes"))
		}
		if err := p.mend(err, &c.Error); err != nil {
			return err
		}
	}
	token, err := db.FeedToken(ctx, organisation)
	if err != nil {
		return err
	}
	if token != "" {
		c.Feed = strings.TrimSuffix(p.opts.BaseURL, "/") + "/followed/" + token + "/feed"
		c.Calendar = strings.TrimSuffix(c.Feed, "feed") + "calendar.ics"
	}
	if c.Subscription, err = db.Subscription(ctx, organisation, v.Person.ID); err != nil {
		return err
	}
	if c.Mails, err = db.Deliveries(ctx, c.Subscription.ID, shownMails); err != nil {
		return err
	}
	news, err := db.News(ctx, organisation, shownChanges)
	if err != nil {
		return err
	}
	c.Changes, err = p.followedChanges(organisation, news, feedChanges)
	return err
}

// changeNotices does what a form of the page asks for.
func (p *page) changeNotices(v *visitor, organisation int64) error {
	switch ctx, now := p.r.Context(), p.opts.Now(); p.field("do") {
	case "mail":
		return p.subscribe(v, organisation)
	case "renew":
		return p.opts.Notices.RenewFeed(ctx, organisation, now)
	case "revoke":
		return p.opts.Notices.RevokeFeed(ctx, organisation)
	}
	return p.refuse(http.StatusBadRequest, p.lang.text("error.form"))
}

// subscribe sets how often the visitor is told by mail, as the form says.
func (p *page) subscribe(v *visitor, organisation int64) error {
	return p.opts.Notices.Subscribe(p.r.Context(), notice.Subscription{
		Endpoint: notice.Endpoint{Organisation: organisation}, Person: v.Person.ID, Rhythm: notice.Rhythm(p.field("mail")), Language: p.lang.Code,
	}, p.opts.Now())
}

// rhythmOf returns how often a person is told by mail.
func (p *page) rhythmOf(person *people.Person, organisation int64) (notice.Rhythm, error) {
	if p.opts.Notices == nil {
		return notice.Never, nil
	}
	s, err := p.opts.Notices.Subscription(p.r.Context(), organisation, person.ID)
	return s.Rhythm, err
}

func (c *changesPage) accountAddress(path string) string {
	return path + "?account=" + url.QueryEscape(c.Account.Name)
}

// Rhythms are those that the form offers.
func (p *page) Rhythms() []notice.Rhythm { return notice.Rhythms }

// TellsByMail reports whether people can be told by mail what changed.
func (p *page) TellsByMail() bool { return p.opts.Mail != nil && p.opts.Notices != nil }

// HasNotices reports whether organisations are told what changed.
func (p *page) HasNotices() bool { return p.opts.Notices != nil }

// State says whether mail arrives.
func (c *changesPage) State() string { return (&webhook{Endpoint: c.Subscription.Endpoint}).State() }

// followedChanges reads what changed in what an organisation follows. Updates are left out that
// cannot be compared any more, or that changed nothing in what is followed now. Each change lists at
// most limit values.
func (p *page) followedChanges(organisation int64, news []notice.News, limit int) ([]change, error) {
	inName := *p
	inName.reader = p.opts.InterfaceOf(access.Caller{Organisation: organisation})
	followed := map[int]*followed{}
	dimensions := map[int][]axis{}
	var list []change
	for _, n := range news {
		if followed[n.Dataset] == nil {
			f, err := inName.followedDataset(n.Dataset)
			if isRefused(err) {
				continue // it was removed, or is not followed any more
			}
			if err != nil {
				return nil, err
			}
			offered, err := p.dimensionsOf(n.Dataset)
			if err != nil {
				return nil, err
			}
			f.translate(offered, p.lang)
			followed[n.Dataset], dimensions[n.Dataset] = f, offered.Dimensions
		}
		one := change{Dataset: *followed[n.Dataset].Meta, Before: n.Before, Followed: followed[n.Dataset]}
		query := url.Values{"from": {n.Before}, "to": {n.Version}, "followed": {"true"}, "limit": {strconv.Itoa(limit)}, "lang": {p.lang.Code}}
		err := inName.readChange(&one, query, dimensions[n.Dataset])
		if isRefused(err) {
			continue // one of the versions was deleted
		}
		if err != nil {
			return nil, err
		}
		if one.Added+one.Revised+one.Removed > 0 {
			list = append(list, one)
		}
	}
	return list, nil
}

// followedDataset reads what the caller follows of a dataset.
func (p *page) followedDataset(dataset int) (*followed, error) {
	f, id := &followed{}, strconv.Itoa(dataset)
	if err := p.read("/api/followed/"+id, nil, f); err != nil {
		return nil, err
	}
	f.Meta = &metadata{}
	return f, p.read("/api/datasets/"+id+"/meta", url.Values{"lang": {p.lang.Code}}, f.Meta)
}

// translate sets the labels of what is followed to those of the dimensions. A dimension with one value is not named, and a frequency
// that has only a code is in words.
func (f *followed) translate(offered available, l *language) {
	f.Labels = map[string][]string{}
	for _, d := range append(slices.Clone(offered.Dimensions), axis{Dim: "country", Values: offered.Geography}) {
		if len(d.Values) == 1 && d.Dim != "country" {
			continue
		}
		for _, code := range f.Selection[d.Dim] {
			label := d.labelOf(code)
			if d.Role == "frequency" && label == code {
				label = l.textOr("frequency."+code, label)
			}
			f.Labels[d.Dim] = append(f.Labels[d.Dim], label)
		}
	}
}

// followedFeed is the feed of what changed in what an organisation follows. Whoever has its address
// reads it.
func (p *page) followedFeed() error {
	ctx, db := p.r.Context(), p.opts.Notices
	organisation, err := db.FeedOf(ctx, p.r.PathValue("token"))
	if stat.KindOf(err) == stat.NotFound {
		return p.refuse(http.StatusNotFound, p.lang.text("news.address"))
	}
	if err != nil {
		return err
	}
	made, err := db.FeedMade(ctx, organisation)
	if err != nil {
		return err
	}
	news, err := db.News(ctx, organisation, feedEntries)
	if err != nil {
		return err
	}
	changes, err := p.followedChanges(organisation, news, feedChanges)
	if err != nil {
		return err
	}
	name, err := p.organisationName(organisation)
	if err != nil {
		return err
	}
	slices.SortStableFunc(changes, func(a, b change) int { return b.Version.Imported.Compare(a.Version.Imported) })
	return p.sendFeed(&feedHead{
		Title: p.lang.text("news.feed", "organisation", name), About: "/account/changes", Of: "organisation-" + strconv.FormatInt(organisation, 10), Made: made,
	}, changes)
}
