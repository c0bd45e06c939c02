package portal

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"almanac/internal/access"
	"almanac/internal/people"
	"almanac/internal/stat"
)

// Quarantine is where updates wait that remove too much.
type Quarantine struct {
	// Revisions reads the interface as an operator does, to whom an update that waits is the version "quarantine".
	Revisions Interface

	List   func(context.Context) ([]HeldUpdate, error)
	Of     func(ctx context.Context, dataset int) (*HeldUpdate, error) // nil: none waits
	Accept func(ctx context.Context, dataset int) error
	Reject func(ctx context.Context, dataset int) error
}

// HeldUpdate is an update that waits for a decision.
type HeldUpdate struct {
	Dataset                 int
	Code, Name              string // as the update has them
	Served                  string // the title of the dataset as it is served
	Since                   time.Time
	Updated                 time.Time // by the office; zero: it does not say
	Against                 string    // version that is served
	Lacks                   []string  // what is missing in it, as the store says it
	Observations            int
	Added, Revised, Removed int // compared with that version
}

// Address is that of the page of the dataset.
func (h *HeldUpdate) Address() string { return (&metadata{ID: h.Dataset, Code: h.Code}).address() }

// heldVersion is an update that waits, among the versions of the interface.
const heldVersion = "quarantine"

// Review is the address of the page that shows what the update changes.
func (h *HeldUpdate) Review() string { return "/admin/held/" + strconv.Itoa(h.Dataset) }

// Mark tells the update from a later one of the dataset.
func (h *HeldUpdate) Mark() string { return h.Since.UTC().Format(time.RFC3339Nano) }

// heldPage is the content of the page of an update that waits for a decision.
type heldPage struct {
	Update HeldUpdate
	versionsPage
}

// Waiting is the update, for methods that take it.
func (c *heldPage) Waiting() *HeldUpdate { return &c.Update }

// held is the page that shows what an update changes, cell by cell, and where it is accepted or rejected.
func (p *page) held(*visitor) error {
	dataset, err := strconv.Atoi(p.r.PathValue("dataset"))
	if err != nil {
		return p.unknownAddress()
	}
	c := &heldPage{}
	if c.Update, err = p.findHeld(dataset); err != nil {
		return err
	}
	address := "/api/datasets/" + strconv.Itoa(dataset)
	if err := p.read(address+"/meta", url.Values{"lang": {p.lang.Code}}, &c.Meta); err != nil {
		return err
	}
	c.Update.Served = c.Meta.Name
	c.Own, c.IsHeld = c.Update.Review(), true
	p.reader = p.opts.Quarantine.Revisions
	query := only(without(p.r.URL.Query()), "kind", "page")
	query.Set("b", heldVersion)
	if err := p.compare(&c.versionsPage, address, query); err != nil {
		return err
	}
	p.template, p.Title, p.Content = "held", p.lang.text("held.title", "dataset", c.Meta.Title()), c
	p.Trail = []link{{p.lang.text("admin"), "/admin"}, {p.lang.text("admin.held"), "/admin#held"}, {c.Meta.Code, ""}}
	return nil
}

// Lacks says what is missing in an update.
func (p *page) Lacks(h *HeldUpdate) string {
	var all []string
	for _, reason := range h.Lacks {
		text, _ := p.translatedBy(p.lacks, reason)
		all = append(all, text)
	}
	if h.Served != h.Name {
		all = append(all, p.lang.text("held.title.other", "title", h.Name))
	}
	return strings.Join(all, ", ")
}

// findHeld returns the update of a dataset that waits.
func (p *page) findHeld(dataset int) (HeldUpdate, error) {
	h, err := p.opts.Quarantine.Of(p.r.Context(), dataset)
	switch {
	case err != nil:
		return HeldUpdate{}, err
	case h == nil:
		return HeldUpdate{}, stat.Errorf(stat.NotFound, "%s", p.lang.text("held.none"))
	}
	return *h, nil
}

// heldUpdate returns the update of a dataset that waits, for a page that says so besides: nil also while it cannot be read.
func (p *page) heldUpdate(dataset int) *HeldUpdate {
	if p.opts.Quarantine.Of == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(p.r.Context(), heldTime)
	defer cancel()
	h, err := p.opts.Quarantine.Of(ctx, dataset)
	if err != nil {
		p.opts.Log.Warn("the update in quarantine cannot be read for a page", "dataset", dataset, "error", err)
	}
	return h
}

// olderRelease is when the office updated the file of an update, before that of the version that is served.
type olderRelease struct{ Update, Served time.Time }

// Older returns when the office updated both, if the update is older than what is served, which was updated at a day or a time; else nil.
func (h *HeldUpdate) Older(served string) *olderRelease {
	at, err := time.Parse(time.DateOnly, served[:min(len(served), len(time.DateOnly))])
	if err != nil || h.Updated.IsZero() || h.Updated.Format(time.DateOnly) >= at.Format(time.DateOnly) {
		return nil
	}
	return &olderRelease{h.Updated, at}
}

// heldTime bounds how long a page waits for what it says besides.
const heldTime = 500 * time.Millisecond

// heldUpdates returns the updates that wait, by dataset. A page does without them while they cannot be read.
func (p *page) heldUpdates() map[int]*HeldUpdate {
	if p.opts.Quarantine.List == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(p.r.Context(), heldTime)
	defer cancel()
	all, err := p.opts.Quarantine.List(ctx)
	if err != nil {
		p.opts.Log.Warn("the updates in quarantine cannot be read for a page", "error", err)
	}
	held := map[int]*HeldUpdate{}
	for i := range all {
		held[all[i].Dataset] = &all[i]
	}
	return held
}

// adminPage is the content of the page of the operator.
type adminPage struct {
	Held     []HeldUpdate
	Sources  []sourceState
	Accounts []access.Account
	Tiers    []access.Tier
	People   []people.Person
	Done     string
	Decided  *link // the versions of the dataset whose update was decided on
	Error    string
}

// Waiting are the updates that wait.
func (c *adminPage) Waiting() (list []*HeldUpdate) {
	for i := range c.Held {
		list = append(list, &c.Held[i])
	}
	return list
}

// sourceState is how up to date a source is.
type sourceState struct {
	ID, Name                                string
	Datasets, Watched, Failing, Quarantined int
	Newest                                  string       `json:"newest_update"`
	LastSuccess                             string       `json:"last_success"`
	LastError                               *sourceError `json:"last_error"`
}

// sourceError is why a source failed last.
type sourceError struct {
	Time    string
	Message string
}

// At is when it failed; zero: the time cannot be read.
func (e *sourceError) At() time.Time {
	at, _ := time.Parse("2006-01-02T15:04:05-0700", e.Time)
	return at.UTC()
}

// adminListener is the key of requests that came to the listener of the operator.
type adminListener struct{}

// Admin serves all pages and that of the operator, for a listener of its own.
func (p *Portal) Admin() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), adminListener{}, true)))
	})
}

// isForAdmin reports whether the request came where the page of the operator is served alone.
func (p *page) isForAdmin() bool { return p.r.Context().Value(adminListener{}) != nil }

// admins shows a page to people who may change everything, and who have given a second factor.
func admins(show func(*page, *visitor) error) func(*page, *visitor) error {
	return func(p *page, v *visitor) error {
		switch {
		case !p.IsAdmin:
			p.opts.Log.Warn("the page of the operator was refused", "person", v.Person.ID, "network", p.network())
			return p.unknownAddress()
		case v.Person.Factor == "":
			return p.leadTo(factorPath)
		}
		p.Section = "admin"
		return show(p, v)
	}
}

// adminOutcomes are what the forms of the page do.
var adminOutcomes = map[string]bool{"accepted": true, "rejected": true, "tier": true, "bring": true}

// admin is the page of the operator.
func (p *page) admin(v *visitor) error {
	c := &adminPage{Tiers: []access.Tier{access.Essential, access.Pro}}
	if done := p.r.URL.Query().Get("done"); adminOutcomes[done] {
		c.Done = done
	}
	if p.isPost() {
		done, err := p.administer()
		if err == nil {
			p.opts.Log.Info("an operator changed something", "person", v.Person.ID, "what", p.field("do"), "dataset", p.field("dataset"), "account", p.field("account"))
			return p.leadTo("/admin?done=" + done)
		}
		if err := p.mend(err, &c.Error); err != nil {
			return err
		}
	}
	p.template, p.Title, p.Content = "admin", p.lang.text("admin"), c
	p.Trail = []link{{p.lang.text("admin"), ""}}
	ctx := p.r.Context()
	var status struct{ Sources []sourceState }
	err := p.read("/api/status", nil, &status)
	if err != nil {
		return err
	}
	c.Sources = status.Sources
	if c.Held, err = p.opts.Quarantine.List(ctx); err != nil {
		return err
	}
	if err := p.nameDatasets(c); err != nil {
		return err
	}
	if c.Accounts, err = p.opts.Access.Accounts(ctx); err != nil {
		return err
	}
	c.People, err = p.opts.People.All(ctx)
	return err
}

// nameDatasets reads the titles of the datasets whose updates wait, and of the one that was decided on.
func (p *page) nameDatasets(c *adminPage) error {
	for i := range c.Held {
		m, err := p.metaOf(strconv.Itoa(c.Held[i].Dataset))
		if err != nil {
			return err
		}
		c.Held[i].Served = m.Name
	}
	if id := p.r.URL.Query().Get("dataset"); c.Done != "" && id != "" {
		m, err := p.metaOf(id)
		if isRefused(err) {
			return nil // an address that somebody made
		}
		if err != nil {
			return err
		}
		c.Decided = &link{m.Title(), m.address() + "/versions"}
	}
	return nil
}

// metaOf reads the metadata of a dataset in the language of the page.
func (p *page) metaOf(id string) (*metadata, error) {
	m := &metadata{}
	return m, p.read("/api/datasets/"+url.PathEscape(id)+"/meta", url.Values{"lang": {p.lang.Code}}, m)
}

// administer does what a form of the page asks for, and returns what was done, as the parameters of the page say it.
func (p *page) administer() (done string, err error) {
	ctx := p.r.Context()
	switch p.field("do") {
	case "accept", "reject":
		dataset, err := strconv.Atoi(p.field("dataset"))
		if err != nil {
			return "", stat.Errorf(stat.NotFound, "there is no such dataset")
		}
		update, err := p.findHeld(dataset)
		if err != nil {
			return "", err
		}
		if p.field("update") != update.Mark() {
			return "", stat.Errorf(stat.Conflict, "%s", p.lang.text("held.changed"))
		}
		if p.field("do") == "reject" {
			return "rejected&dataset=" + p.field("dataset"), p.opts.Quarantine.Reject(ctx, dataset)
		}
		return "accepted&dataset=" + p.field("dataset"), p.opts.Quarantine.Accept(ctx, dataset)
	case "tier":
		tier := access.Tier(p.field("tier"))
		if tier != access.Essential && tier != access.Pro {
			return "", stat.Errorf(stat.Invalid, "the tier must be essential or pro, not %q", tier)
		}
		_, err := p.opts.Access.SetTier(ctx, p.field("account"), tier)
		return "tier", err
	case "bring":
		_, err := p.opts.Access.SetMayBring(ctx, p.field("account"), p.field("may") == "yes")
		return "bring", err
	}
	return "", p.refuse(http.StatusBadRequest, p.lang.text("error.form"))
}
