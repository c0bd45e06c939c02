package portal

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"almanac/internal/access"
	"almanac/internal/people"
	"almanac/internal/stat"
)

// Quarantine is where updates wait that remove too much.
type Quarantine struct {
	List   func(context.Context) ([]HeldUpdate, error)
	Accept func(ctx context.Context, dataset int) error
	Reject func(ctx context.Context, dataset int) error
}

// HeldUpdate is an update that waits for a decision.
type HeldUpdate struct {
	Dataset                 int
	Code, Name              string
	Since                   time.Time
	Against                 string // version that is served
	Lacks                   string // what is missing in it
	Observations            int
	Added, Revised, Removed int // compared with that version
}

// Address is that of the page of the dataset.
func (h *HeldUpdate) Address() string { return (&metadata{ID: h.Dataset, Code: h.Code}).address() }

// adminPage is the content of the page of the operator.
type adminPage struct {
	Held     []HeldUpdate
	Sources  []sourceState
	Accounts []access.Account
	Tiers    []access.Tier
	People   []people.Person
	Done     string
	Error    string
}

// sourceState is how up to date a source is.
type sourceState struct {
	ID, Name                                string
	Datasets, Watched, Failing, Quarantined int
	Newest                                  string                          `json:"newest_update"`
	LastSuccess                             string                          `json:"last_success"`
	LastError                               *struct{ Time, Message string } `json:"last_error"`
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
			return p.unknownAddress()
		case v.Person.Factor == "":
			return p.leadTo("/account/factor")
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
	if c.Accounts, err = p.opts.Access.Accounts(ctx); err != nil {
		return err
	}
	c.People, err = p.opts.People.All(ctx)
	return err
}

// administer does what a form of the page asks for, and returns what was done.
func (p *page) administer() (done string, err error) {
	ctx := p.r.Context()
	switch p.field("do") {
	case "accept", "reject":
		dataset, err := strconv.Atoi(p.field("dataset"))
		if err != nil {
			return "", stat.Errorf(stat.NotFound, "there is no such dataset")
		}
		if p.field("do") == "reject" {
			return "rejected", p.opts.Quarantine.Reject(ctx, dataset)
		}
		return "accepted", p.opts.Quarantine.Accept(ctx, dataset)
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
