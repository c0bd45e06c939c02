package portal

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"almanac/internal/mail"
	"almanac/internal/notice"
	"almanac/internal/people"
	"almanac/internal/stat"
)

// Bounds of a mail on what changed.
const (
	mailChanges = 20 // datasets
	mailValues  = 5  // of each
)

// digest is what the templates of a mail show.
type digest struct {
	Language     string
	Title        string
	Organisation string
	Changes      []change
	More         int    // datasets that are not listed
	Base         string // what addresses begin with
	Account      string // the address of the page where the rhythm is chosen
	Unsubscribe  string
	Rhythm       notice.Rhythm

	page *page
}

// Summary counts what changed.
func (d *digest) Summary(c change) string { return c.summary(d.page.lang) }

// Date is for templates.
func (d *digest) Date(c change) string { return d.page.lang.date(c.Version.Imported) }

// Mail sends a digest. It implements [notice.Mailer].
func (p *Portal) Mail(ctx context.Context, n notice.Digest, handOver func() error) (isSent bool, err error) {
	person, err := p.memberOf(ctx, n.Subscription.Person, n.Subscription.Organisation)
	if err != nil {
		return false, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "/account/changes", nil)
	if err != nil {
		return false, err
	}
	one := &page{Portal: p, r: r, reader: p.opts.Interface, lang: p.languages[0]}
	if i := slices.Index(p.codes(), n.Subscription.Language); i >= 0 {
		one.lang = p.languages[i]
	}
	changes, err := one.followedChanges(n.Subscription.Organisation, n.News, mailValues)
	if err != nil || len(changes) == 0 {
		return false, err
	}
	m, err := one.writeDigest(&n, changes)
	if err != nil {
		return false, err
	}
	m.To, m.ID, m.HandOver = person.Mail, n.Message, handOver
	err = p.opts.Mail.Send(ctx, m)
	if mail.IsRefused(err) {
		err = fmt.Errorf("%w: %w", notice.ErrRefused, err)
	}
	return err == nil, err
}

// memberOf returns a person who belongs to an organisation. The error is [notice.ErrGone] for others.
func (p *Portal) memberOf(ctx context.Context, id string, organisation int64) (people.Person, error) {
	person, err := p.opts.People.Person(ctx, id)
	if stat.KindOf(err) == stat.NotFound {
		return person, notice.ErrGone
	}
	if err != nil {
		return person, err
	}
	memberships, err := p.opts.People.Memberships(ctx, id)
	if err == nil && !slices.ContainsFunc(memberships, func(m people.Member) bool { return m.Organisation == organisation }) {
		err = notice.ErrGone
	}
	return person, err
}

// writeDigest writes a mail on what changed, without its address.
func (p *page) writeDigest(n *notice.Digest, changes []change) (m mail.Message, err error) {
	base := strings.TrimSuffix(p.opts.BaseURL, "/")
	d := &digest{
		Language: p.lang.Code, Changes: changes[:min(len(changes), mailChanges)], More: max(0, len(changes)-mailChanges),
		Base: base, Account: base + "/account/changes", Unsubscribe: base + "/unsubscribe/" + n.Unsubscribe, Rhythm: n.Subscription.Rhythm, page: p,
	}
	if d.Organisation, err = p.organisationName(n.Subscription.Organisation); err != nil {
		return m, err
	}
	d.Title = p.lang.text("digest.subject", "n", len(changes))
	if len(changes) == 1 {
		d.Title = p.lang.text("digest.subject.one", "dataset", changes[0].Dataset.Name, "changes", changes[0].summary(p.lang))
	}
	m.Subject, m.Unsubscribe = d.Title, d.Unsubscribe
	var formatted, plain bytes.Buffer
	if err := p.lang.templates.ExecuteTemplate(&formatted, "digest.html", d); err != nil {
		return m, err
	}
	if err := p.lang.plain.ExecuteTemplate(&plain, "digest.txt", d); err != nil {
		return m, err
	}
	m.HTML, m.Text = formatted.String(), plain.String()
	return m, nil
}

// unsubscribePage is the content of the page that ends a subscription.
type unsubscribePage struct {
	Token        string
	Organisation string
	Done         bool
}

// unsubscribe is the page that ends the mails to the owner of a subscription. Mail programs send its
// form themselves (RFC 8058), so it needs no signing in and nothing else.
func (p *page) unsubscribe() error {
	ctx, token := p.r.Context(), p.r.PathValue("token")
	s, err := p.opts.Notices.SubscriptionOf(ctx, token)
	if stat.KindOf(err) == stat.NotFound {
		return p.refuse(http.StatusNotFound, p.lang.text("unsubscribe.unknown"))
	}
	if err != nil {
		return err
	}
	c := &unsubscribePage{Token: token, Done: p.isPost()}
	if c.Organisation, err = p.organisationName(s.Organisation); err != nil {
		return err
	}
	if c.Done {
		s.Rhythm = notice.Never
		if err := p.opts.Notices.Subscribe(ctx, s, p.opts.Now()); err != nil {
			return err
		}
	}
	p.template, p.Title, p.Content = "unsubscribe", p.lang.text("unsubscribe"), c
	return nil
}
