package portal

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/internal/access"
	"almanac/internal/people"
	"almanac/internal/stat"
)

// accountPage is the content of the page of an account of an organisation.
type accountPage struct {
	Accounts []access.Account // of the organisations of the visitor
	Account  access.Account   // the one that is shown
	Used     usage
	Keys     []access.Key
	makers   map[string]string // names of those who made keys, by their IDs
	Followed []followed

	Member      people.Member // the visitor
	Members     []people.Member
	Invitations []people.Invitation

	Person        people.Person
	Sessions      []people.Session
	Session       string // the id of this one
	RecoveryCodes int

	Done    string // what was done last
	Revoked string // the key that was revoked last; empty: none
	Error   string
	ErrorAt string // the form that the error is about
	Mail    string // of an invitation
	Link    string // of an invitation that was just made; shown once
	Invited string // to whom it is sent
}

// usage is how much of the limit of an account is used.
type usage struct {
	Standing       access.Standing
	IsLimited      bool
	Hours, Minutes int // until the count starts again
	IsUsedUp       bool
	Width          int // of the bar of what is used, of barWidth
	Share          string
	Days           []dayBar
	Most           int
}

// dayBar is the bar of a day in the chart of the requests of an account.
type dayBar struct {
	X, Y, Height int
	Date         time.Time
	Requests     int
	HasLabel     bool
}

// Middle and Above are where the label of the bar stands.
func (b dayBar) Middle() int { return b.X + 7 }
func (b dayBar) Above() int  { return b.Y - 4 }

// Last is the last day.
func (u usage) Last() time.Time { return u.Days[len(u.Days)-1].Date }

// Sizes of the bars, in the units of their pictures.
const (
	barWidth    = 500
	usageDays   = 30
	dayWidth    = 20
	dayHeight   = 70
	dayBaseline = 86
)

// followed is a dataset that the organisation follows.
type followed struct {
	ID        int    `json:"datasetId"`
	Name      string `json:"dataset_name"`
	Selection map[string][]string
	Labels    map[string][]string
	Since     time.Time

	Meta                    *metadata // nil: the dataset was removed
	Added, Revised, Removed int       // since it is followed
	IsOfDataset             bool      // these are of all of the dataset
}

// Address is that of the followed part on the page of the dataset.
func (f *followed) Address() string {
	return addressWith(f.Meta.address(), url.Values(f.Selection))
}

// Part names what is followed of the dataset; empty: all of it.
func (f *followed) Part() string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(f.Labels)) {
		parts = append(parts, strings.Join(f.Labels[name], ", "))
	}
	return strings.Join(parts, "; ")
}

// IsChanged reports whether a value changed since the dataset is followed.
func (f *followed) IsChanged() bool { return f.Added+f.Revised+f.Removed > 0 }

// ChangedText is the text that counts what changed.
func (f *followed) ChangedText() string {
	if f.IsOfDataset {
		return "followed.changed.dataset"
	}
	return "followed.changed"
}

// account is the page of an account, and does what its forms ask for.
func (p *page) account(v *visitor) error {
	c := &accountPage{Person: v.Person, Session: v.ID, Done: p.r.URL.Query().Get("done"), Mail: p.field("mail")}
	if !slices.Contains(outcomes, c.Done) {
		c.Done = ""
	}
	if err := p.chooseAccount(v, c); err != nil {
		return err
	}
	if p.isPost() {
		done, err := p.change(v, c)
		if err == nil && done != "" {
			return p.leadTo(c.address(done))
		}
		if err != nil {
			c.ErrorAt = p.field("do")
			if err := p.mend(err, &c.Error); err != nil {
				return err
			}
		}
	}
	if err := p.readAccount(v, c); err != nil {
		return err
	}
	p.template, p.Title, p.Content = "account", p.lang.text("account"), c
	if c.Account.Name != "" {
		p.Title = c.Account.Name
	}
	p.Trail = []link{{p.lang.text("account"), ""}}
	return nil
}

// address is that of the page of the account, after something was done.
// whom names what it was done to: a parameter and its value.
func (c *accountPage) address(done string, whom ...string) string {
	query := url.Values{"done": {done}}
	if len(whom) == 2 {
		query.Set(whom[0], whom[1])
	}
	if c.Account.Name != "" {
		query.Set("account", c.Account.Name)
	}
	return "/account?" + query.Encode() + "#" + c.sectionOf(done)
}

// sectionOf is the part of the page that says what was done.
func (c *accountPage) sectionOf(done string) string {
	switch done {
	case "shown":
		return "keys"
	case "sessions", "password", "factor":
		return "name"
	}
	return done
}

// chooseAccount finds the accounts of the visitor's organisations, and the one that is shown: that
// of the address, else the first.
func (p *page) chooseAccount(v *visitor, c *accountPage) error {
	memberships, err := p.opts.People.Memberships(p.r.Context(), v.Person.ID)
	if err != nil {
		return err
	}
	asked := p.r.Form.Get("account")
	for _, m := range memberships {
		accounts, err := p.opts.Access.AccountsOf(p.r.Context(), m.Organisation)
		if err != nil {
			return err
		}
		for _, a := range accounts {
			if c.Account.ID == 0 || strings.EqualFold(a.Name, asked) {
				c.Account, c.Member = a, m
			}
		}
		c.Accounts = append(c.Accounts, accounts...)
	}
	if asked != "" && !strings.EqualFold(c.Account.Name, asked) {
		return p.refuse(http.StatusNotFound, p.lang.text("account.unknown"))
	}
	return nil
}

// readAccount reads what the page shows.
func (p *page) readAccount(v *visitor, c *accountPage) (err error) {
	ctx, register := p.r.Context(), p.opts.People
	if c.Sessions, err = register.Sessions(ctx, v.Person.ID); err != nil {
		return err
	}
	if c.RecoveryCodes, err = register.RecoveryCodes(ctx, v.Person.ID); err != nil || c.Account.ID == 0 {
		return err
	}
	if c.Members, err = register.Members(ctx, c.Member.Organisation); err != nil {
		return err
	}
	if c.Invitations, err = register.Invitations(ctx, c.Member.Organisation); err != nil {
		return err
	}
	if c.Keys, err = p.opts.Access.Keys(ctx, c.Account.Name); err != nil {
		return err
	}
	if err := p.readMakers(c); err != nil {
		return err
	}
	if id := p.r.URL.Query().Get("key"); c.Done == "keys" && slices.ContainsFunc(c.Keys, func(k access.Key) bool { return k.ID == id && k.State == access.Revoked }) {
		c.Revoked = id
	}
	slices.SortStableFunc(c.Keys, func(a, b access.Key) int { return b.Created.Compare(a.Created) })
	if c.Used, err = p.usage(c.Account); err != nil {
		return err
	}
	c.Followed, err = p.followed(c.Account)
	return err
}

// IsOwner reports whether the visitor may change the members.
func (c *accountPage) IsOwner() bool { return c.Member.Role == people.Owner }

// usage reads how much of the limit of an account is used today, and what was used on the last
// days.
func (p *page) usage(account access.Account) (u usage, err error) {
	if u.Standing, err = p.opts.Access.Standing(p.r.Context(), p.opts.Access.CallerOf(account)); err != nil {
		return u, err
	}
	left := u.Standing.Left.Round(time.Minute)
	u.Hours, u.Minutes = int(left.Hours()), int(left.Minutes())%60
	if limit := int64(u.Standing.Limit); limit > 0 {
		u.IsLimited, u.IsUsedUp = true, u.Standing.Used >= limit
		u.Width = int(min(u.Standing.Used*barWidth/limit, barWidth))
		u.Share = p.lang.number(strconv.FormatFloat(float64(u.Standing.Used*100)/float64(limit), 'f', 1, 64))
	}
	days, err := p.opts.Access.AccountUsage(p.r.Context(), account, usageDays)
	if err != nil {
		return u, err
	}
	for _, d := range days {
		u.Most = max(u.Most, int(d.Requests))
	}
	isLabelled := false
	for i, d := range slices.Backward(days) { // of several highest days, the last has the label
		date, err := time.Parse(time.DateOnly, d.Day)
		if err != nil {
			return u, err
		}
		bar := dayBar{X: i * dayWidth, Height: 1, Date: date, Requests: int(d.Requests)}
		if u.Most > 0 {
			bar.Height = max(1, bar.Requests*dayHeight/u.Most)
		}
		if bar.Requests == u.Most && u.Most > 0 && !isLabelled {
			bar.HasLabel, isLabelled = true, true
		}
		bar.Y = dayBaseline - bar.Height
		u.Days = append(u.Days, bar)
	}
	slices.Reverse(u.Days)
	return u, nil
}

// followed reads what the organisation of an account follows, and what changed in it.
func (p *page) followed(account access.Account) ([]followed, error) {
	list, err := p.followedList(account)
	if err != nil {
		return nil, err
	}
	for i := range list {
		f := &list[i]
		address := "/api/datasets/" + strconv.Itoa(f.ID)
		var meta metadata
		if err := p.read(address+"/meta", url.Values{"lang": {p.lang.Code}}, &meta); isRefused(err) {
			continue // it was removed
		} else if err != nil {
			return nil, err
		}
		f.Meta = &meta
		offered, err := p.dimensionsOf(f.ID)
		if err != nil {
			return nil, err
		}
		f.translate(offered, p.lang)
		if err := p.inNameOf(account).readChanged(f); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// followedList reads what an account follows, as codes.
func (p *page) followedList(account access.Account) ([]followed, error) {
	var list struct{ Data []followed }
	err := p.inNameOf(account).read("/api/followed", url.Values{"limit": {"100"}}, &list)
	return list.Data, err
}

// inNameOf returns the page as it reads the interface in the name of an account.
func (p *page) inNameOf(account access.Account) *page {
	one := *p
	one.reader = p.opts.InterfaceOf(p.opts.Access.CallerOf(account))
	return &one
}

// readChanged counts what changed in a followed part since it is followed: the values that differ between the version of that time and the
// current one. Where a version is lost, and for all of a dataset, it is the sum of what each version changed in the dataset.
func (p *page) readChanged(f *followed) error {
	address := "/api/datasets/" + strconv.Itoa(f.ID)
	var versions struct{ Data []version }
	if err := p.read(address+"/versions", url.Values{"limit": {"100"}}, &versions); err != nil {
		return err
	}
	at := slices.IndexFunc(versions.Data, func(v version) bool { return !v.Imported.After(f.Since) })
	if at == 0 {
		return nil
	}
	if at > 0 && len(f.Selection) > 0 {
		var found revisionPage
		query := url.Values{"from": {versions.Data[at].Version}, "followed": {"true"}, "limit": {"1"}}
		err := p.read(address+"/revisions", query, &found)
		if err == nil {
			f.Added, f.Revised, f.Removed = found.Added, found.Revised, found.Removed
		}
		if !isRefused(err) {
			return err
		}
	}
	f.IsOfDataset = true
	for _, one := range versions.Data {
		if one.Imported.After(f.Since) {
			f.Added, f.Revised, f.Removed = f.Added+one.Added, f.Revised+one.Revised, f.Removed+one.Removed
		}
	}
	return nil
}

// outcomes are what the forms of the page do.
var outcomes = []string{"keys", "shown", "followed", "members", "sessions", "name", "password", "factor"}

// change does what a form of the page asks for. It returns the part of the page that changed;
// empty: the page itself shows what was done.
func (p *page) change(v *visitor, c *accountPage) (done string, err error) {
	ctx, register := p.r.Context(), p.opts.People
	organisation := c.Member.Organisation
	switch do := p.field("do"); do {
	case "end-session":
		return "sessions", register.EndSession(ctx, v.Person.ID, p.field("session"))
	case "end-sessions":
		return "sessions", register.EndSessions(ctx, v.Person.ID, v.ID)
	case "rename":
		return "name", register.Rename(ctx, v.Person.ID, p.field("name"))
	case "unfollow":
		dataset, err := strconv.Atoi(p.field("dataset"))
		if err != nil {
			return "", stat.Errorf(stat.NotFound, "there is no such dataset")
		}
		return "followed", p.opts.Access.Unfollow(ctx, organisation, dataset)
	case "leave":
		if err = register.RemoveMember(ctx, organisation, v.Person.ID); err == nil {
			c.Account = access.Account{} // it is theirs no more
		}
		return "members", err
	case "invite", "withdraw", "set-role", "remove":
		if !c.IsOwner() {
			return "", p.refuse(http.StatusForbidden, p.lang.text("members.owner"))
		}
		return p.changeMembers(do, c)
	}
	return "", p.refuse(http.StatusBadRequest, p.lang.text("error.form"))
}

// changeMembers does what only owners may.
func (p *page) changeMembers(do string, c *accountPage) (done string, err error) {
	ctx, register, organisation := p.r.Context(), p.opts.People, c.Member.Organisation
	switch do {
	case "withdraw":
		return "members", register.Withdraw(ctx, organisation, p.field("invitation"))
	case "set-role":
		role := people.Role(p.field("role"))
		if role != people.Owner {
			role = people.MemberOnly
		}
		return "members", register.SetRole(ctx, organisation, p.field("person"), role)
	case "remove":
		return "members", register.RemoveMember(ctx, organisation, p.field("person"))
	}
	role := people.MemberOnly
	if p.field("role") == string(people.Owner) {
		role = people.Owner
	}
	mail := strings.TrimSpace(p.field("mail"))
	members, err := register.Members(ctx, organisation)
	if err != nil {
		return "", err
	}
	if slices.ContainsFunc(members, func(m people.Member) bool { return strings.EqualFold(m.Person.Mail, mail) }) {
		return "", stat.Errorf(stat.Conflict, "%s", p.lang.text("members.already", "mail", mail))
	}
	token, invitation, err := register.Invite(ctx, people.Invitation{Mail: mail, Organisation: organisation, Role: role})
	if err == nil {
		c.Link, c.Mail = strings.TrimSuffix(p.opts.BaseURL, "/")+"/join/"+token, ""
		c.Invited = invitation.Mail
		if p.HasMail() {
			p.sendInvitation(token, invitation, inviter{c.Person.Name + " (" + c.Person.Mail + ")", c.Account.Organisation})
		}
	}
	return "", err
}
