package portal

import (
	"crypto/rand"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/internal/access"
	"almanac/internal/stat"
)

// keyPage is the content of the pages of a key, and of a new one.
type keyPage struct {
	Account access.Account
	Key     access.Key
	Secret  string // of a key that was just made; shown once
	Example string // a request with it
	Python  string // the same in Python
	Name    string // as typed
	Expires string // as typed
	Overlap string // days that the old key stays valid
	Error   string
	IsName  bool       // the error is of the name
	Once    string     // of a form that makes a key: it makes one only
	Old     access.Key // that was rotated
	Revokes bool       // the page revokes the key, and does nothing else
}

// Overlaps are the days that a rotated key can stay valid.
func (*keyPage) Overlaps() []string { return []string{"0", "1", "2", "7"} }

// newKey is the page that makes a key.
func (p *page) newKey(v *visitor) error {
	chosen := &accountPage{}
	if err := p.chooseAccount(v, chosen); err != nil {
		return err
	}
	if chosen.Account.ID == 0 {
		return p.refuse(http.StatusNotFound, p.lang.text("account.none", "mail", v.Person.Mail))
	}
	c := &keyPage{Account: chosen.Account, Name: p.field("name"), Expires: p.field("expires"), Once: rand.Text()}
	p.showKey("newkey", p.lang.text("key.new"), c)
	if !p.isPost() {
		return nil
	}
	expires, err := p.expiry(c.Expires)
	if err != nil {
		return p.mend(err, &c.Error)
	}
	if p.wasSent() {
		return p.leave((&accountPage{Account: c.Account}).address("shown"))
	}
	created, err := p.opts.Access.CreateKey(p.r.Context(), access.KeyRequest{Account: c.Account.Name, Expires: expires, Name: strings.TrimSpace(c.Name), Maker: v.Person.ID})
	if err != nil {
		c.IsName = strings.HasPrefix(messageOf(err), "the name")
		return p.mend(err, &c.Error)
	}
	p.showSecret(c, created)
	return nil
}

// wasSent reports whether the form made a key already: the page with the key was loaded again.
func (p *page) wasSent() bool {
	once := p.field("once")
	if once == "" {
		return false
	}
	_, isSent := p.sentForms.LoadOrStore(once, true)
	return isSent
}

// showKey shows a page of keys.
func (p *page) showKey(template, title string, c *keyPage) {
	p.template, p.Title, p.Content = template, title, c
	p.Trail = []link{{p.lang.text("account"), "/account?account=" + c.Account.Name}, {title, ""}}
}

// showSecret shows a key that was just made.
func (p *page) showSecret(c *keyPage, created access.NewKey) {
	c.Key, c.Secret = created.Key, created.Secret
	c.Example = "curl -H 'X-API-Key: " + created.Secret + "' '" + p.opts.BaseURL + "/api/limits'"
	c.Python = "import json, urllib.request\n\nrequest = urllib.request.Request(\n    '" + p.opts.BaseURL + "/api/limits',\n    headers={'X-API-Key': '" + created.Secret + "'})\nprint(json.load(urllib.request.urlopen(request)))"
	p.status = http.StatusCreated
}

// expiry reads the day on which a key expires; empty: never.
func (p *page) expiry(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	day, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return day, stat.Errorf(stat.Invalid, "%q is not a day such as 2027-01-31", text)
	}
	return day, nil
}

// key is the page of a key, where it is rotated or revoked.
func (p *page) key(v *visitor) error {
	c, err := p.findKey(v, p.r.PathValue("id"))
	if err != nil {
		return err
	}
	p.showKey("key", p.lang.text("key", "id", c.Key.ID), c)
	if !p.isPost() {
		return nil
	}
	switch p.field("do") {
	case "revoke":
		_, err = p.opts.Access.RevokeKey(p.r.Context(), c.Key.ID)
	case "rotate":
		var expires time.Time
		if expires, err = p.expiry(c.Expires); err != nil {
			break
		}
		if p.wasSent() {
			return p.leave((&accountPage{Account: c.Account}).address("shown"))
		}
		err = p.rotate(c, expires, v.Person.ID)
	default:
		err = p.refuse(http.StatusBadRequest, p.lang.text("error.form"))
	}
	if err != nil {
		return p.mend(err, &c.Error)
	}
	if c.Secret == "" {
		return p.leave((&accountPage{Account: c.Account}).address("keys", "key", c.Key.ID))
	}
	return nil
}

// rotate makes a successor of a key for a person.
func (p *page) rotate(c *keyPage, expires time.Time, maker string) error {
	if !slices.Contains(c.Overlaps(), c.Overlap) {
		return stat.Errorf(stat.Invalid, "the old key may stay valid for %v days, not for %q", c.Overlaps(), c.Overlap)
	}
	days, _ := strconv.Atoi(c.Overlap)
	created, old, err := p.opts.Access.RotateKey(p.r.Context(), c.Key.ID, time.Duration(days)*24*time.Hour, expires, maker)
	if err == nil {
		c.Old = old
		p.showSecret(c, created)
		p.Title = p.lang.text("rotate.made", "id", old.ID)
		p.Trail[1].Text = p.Title
	}
	return err
}

// IsOldValid reports whether the rotated key is still valid.
func (c *keyPage) IsOldValid() bool { return c.Overlap != "0" }

// findKey returns a key of an organisation of the visitor. There is no other key for them.
func (p *page) findKey(v *visitor, id string) (*keyPage, error) {
	mine := &accountPage{}
	if err := p.chooseAccount(v, mine); err != nil {
		return nil, err
	}
	for _, account := range mine.Accounts {
		keys, err := p.opts.Access.Keys(p.r.Context(), account.Name)
		if err != nil {
			return nil, err
		}
		for _, k := range keys {
			if k.ID == id {
				c := &keyPage{Account: account, Key: k, Expires: p.field("expires"), Overlap: p.field("overlap"), Once: rand.Text(), Revokes: p.r.Form.Has("revoke")}
				if !p.isPost() && !k.Expires.IsZero() {
					c.Expires = k.Expires.Format(time.DateOnly)
				}
				if c.Overlap == "" {
					c.Overlap = "1"
				}
				return c, nil
			}
		}
	}
	return nil, p.refuse(http.StatusNotFound, p.lang.text("key.unknown"))
}

// MadeBy is the name of the person who made a key.
func (c *accountPage) MadeBy(k access.Key) string { return c.makers[k.Maker] }

// readMakers reads the names of those who made the keys: members, those who left, and people who deleted their account.
func (p *page) readMakers(c *accountPage) error {
	c.makers = map[string]string{"": "—"} // nobody who signed in
	for _, m := range c.Members {
		c.makers[m.Person.ID] = m.Person.Name
	}
	for _, k := range c.Keys {
		if c.makers[k.Maker] != "" {
			continue
		}
		person, err := p.opts.People.Person(p.r.Context(), k.Maker)
		switch {
		case err == nil:
			c.makers[k.Maker] = p.lang.text("keys.left", "name", person.Name)
		case stat.KindOf(err) == stat.NotFound:
			c.makers[k.Maker] = p.lang.text("keys.deleted")
		default:
			return err
		}
	}
	return nil
}
