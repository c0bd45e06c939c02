package portal_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"almanac/internal/access"
	"almanac/internal/api"
	"almanac/internal/importer"
	"almanac/internal/people"
	"almanac/internal/portal"
	"almanac/internal/store"
)

// fruit is a dataset of several items; without pears, an update of it is held back.
func fruit(value int, items ...string) string {
	var b strings.Builder
	b.WriteString("#almanac-tidy,1\n#source,nso,National office\n#dataset,fruit,Fruit\n#dimension,item,Item\n")
	for _, item := range items {
		fmt.Fprintf(&b, "#code,%s,%s\n", item, item)
	}
	b.WriteString("#geography,geo,Area\n#code,DE,Germany\n#code,FR,France\nitem,geo,TIME_PERIOD,OBS_VALUE\n")
	for _, item := range items {
		for _, area := range []string{"DE", "FR"} {
			fmt.Fprintf(&b, "%s,%s,2020,%d\n", item, area, value)
		}
	}
	return b.String()
}

// importFruit imports a version of the dataset and returns what became of it.
func importFruit(t *testing.T, s *store.Store, text string) importer.Status {
	t.Helper()
	return importFruitOf(t, s, text, time.Time{})
}

// importFruitOf is like importFruit, for a file that the office updated at a time.
func importFruitOf(t *testing.T, s *store.Store, text string, updated time.Time) importer.Status {
	t.Helper()
	im, err := importer.New(s, importer.Options{Updated: updated})
	if err != nil {
		t.Fatal(err)
	}
	return im.Read(context.Background(), "fruit.csv", strings.NewReader(text))[0].Status
}

// openHeld serves a store with an update that is held back, and returns an operator who is signed
// in.
func openHeld(t *testing.T, change func(*portal.Options)) (*office, *reader) {
	t.Helper()
	s := newStore(t)
	if status := importFruit(t, s, fruit(1, "Apples", "Pears", "Plums", "Cherries")); status != importer.Created {
		t.Fatal(status)
	}
	if status := importFruit(t, s, fruit(2, "Apples")); status != importer.Quarantined {
		t.Fatal(status)
	}
	return openHeldOf(t, s, change)
}

// heldOf is what pages know of an update in quarantine.
func heldOf(h *store.QuarantinedVintage) portal.HeldUpdate {
	return portal.HeldUpdate{Dataset: h.ID, Code: h.Code, Name: h.Name, Since: h.Since, Updated: h.Updated, Against: h.Against, Lacks: h.Reasons, Observations: h.Observations, Removed: h.Removed, Revised: h.Revised}
}

// openHeldOf is like openHeld, for a store of its caller.
func openHeldOf(t *testing.T, s *store.Store, change func(*portal.Options)) (*office, *reader) {
	t.Helper()
	o := openOfficeOver(t, s, func(_ *api.Options, p *portal.Options) {
		p.Quarantine = portal.Quarantine{
			List: func(ctx context.Context) ([]portal.HeldUpdate, error) {
				all, err := s.Quarantined(ctx)
				var list []portal.HeldUpdate
				for i := range all {
					list = append(list, heldOf(&all[i]))
				}
				return list, err
			},
			Of: func(ctx context.Context, id int) (*portal.HeldUpdate, error) {
				h, err := s.QuarantinedVintage(ctx, id)
				if err != nil || h == nil {
					return nil, err
				}
				held := heldOf(h)
				return &held, nil
			},
			Accept: func(ctx context.Context, id int) error { _, err := s.Accept(ctx, id); return err },
			Reject: func(ctx context.Context, id int) error { _, err := s.Reject(ctx, id); return err },
		}
		if change != nil {
			change(p)
		}
	})
	r := o.member(t, "ann@example.org", "Example Times", people.Owner)
	r.open("/admin").want(404, "/admin")
	if _, err := o.people.SetAdmin(context.Background(), "ann@example.org", true); err != nil {
		t.Fatal(err)
	}
	return o, r
}

// TestHeldBack reads which dataset has a newer version that is held back, on its page and in the list of its source.
func TestHeldBack(t *testing.T) {
	o, _ := openHeld(t, nil)
	var list struct{ Data []struct{ Source string } }
	fromInterface(t, o.base+"/api/datasets?fields=source", &list)
	for address, want := range map[string]string{"/datasets/1/fruit": "A newer version is held back since", "/sources/" + list.Data[0].Source: "update held back"} {
		if got := ask(t, "GET", o.base+address); !strings.Contains(got.body, want) {
			t.Errorf("%s: %d, and it does not say %q", address, got.StatusCode, want)
		}
	}
}

// An update that the office made before the version that is served is not called newer: the page of the dataset and that of the update say
// when both were made.
func TestHeldOlder(t *testing.T) {
	s, served := newStore(t), time.Date(2025, 7, 4, 0, 0, 0, 0, time.UTC)
	importFruitOf(t, s, fruit(1, "Apples", "Pears", "Plums", "Cherries"), served)
	if status := importFruitOf(t, s, fruit(2, "Apples"), served.AddDate(0, -1, 0)); status != importer.Quarantined {
		t.Fatal(status)
	}
	o, r := openHeldOf(t, s, nil)
	if body := ask(t, "GET", o.base+"/datasets/1/fruit").body; !strings.Contains(body, "An update that the office made on 4 Jun 2025 is held back") || !strings.Contains(body, "older than what is served (4 Jul 2025)") {
		t.Errorf("the page of the dataset does not say that the update is older")
	}
	r.setFactor(o)
	r.open("/admin/held/1").want(200, "/admin/held/1", "Older than what is served", "updated by the office on 4 Jun 2025; what is served, on 4 Jul 2025")
}

// setFactor sets up the second factor of a reader.
func (r *reader) setFactor(o *office) {
	r.t.Helper()
	r.open("/account/factor")
	r.factor = r.find(`\b[A-Z2-7]{32}\b`)
	r.post("/account/factor", "secret", r.value("secret"), "code", o.code(r.t, r.factor)).want(200, "/account/factor", "shown only now")
}

// An operator has a second factor, sees what an update would change, and accepts or rejects it.
func TestOperatorDecides(t *testing.T) {
	for _, c := range []struct{ do, says, value string }{{"accept", "was published", "2"}, {"reject", "was discarded", "1"}} {
		t.Run(c.do, func(t *testing.T) {
			o, r := openHeld(t, nil)
			r.open("/admin").want(200, "/account/factor", "authenticator app")
			r.setFactor(o)
			r.open("/admin").want(200, "/admin", "Fruit", "National office", "Example Times", "ann@example.org")
			if row := textOf(elements(r.root, "tbody")[0]); !strings.Contains(row, "6 of 8 values") {
				t.Errorf("the row of the update is %q, want what the update removes", row)
			}
			if got := ask(t, "GET", o.base+"/api/datasets/1/revisions?to=quarantine").StatusCode; got != 400 {
				t.Errorf("the interface shows an update in quarantine: %d", got)
			}
			r.open("/admin/held/1").want(200, "/admin/held/1", "published at once", "cannot be accepted later", "6 of 8 values", "All 8", "Added 0", "Revised 2", "Removed 6", "France Pears 2020 Removed 1 …", "Germany Apples 2020 Revised 1 2")
			if sections := elements(r.root, "section"); textOf(sections[0]) != textOf(withID(t, r.root, "decide")) {
				t.Error("the decision is below what the update changes")
			}
			r.open("/admin/held/1?lang=de").want(200, "/admin/held/1", "6 von 8 Werten (75,0 %)", "Bezeichnungen und andere Texte weichen ab")
			r.open("/set?lang=en&to=/admin/held/1")
			update := r.value("update")
			if r.open("/admin/held/1?kind=revised"); strings.Contains(r.text(), "Pears 2020") || !strings.Contains(r.text(), "France Apples 2020 Revised 1 2") {
				t.Errorf("only what is revised: %s", r.text())
			}
			r.post("/admin", "do", c.do, "dataset", "1", "update", "2020-01-01T00:00:00Z").want(409, "/admin", "look at it again")
			r.post("/admin", "do", c.do, "dataset", "1", "update", update).want(200, "/admin?", c.says, "Fruit", "No update waits")
			if len(elements(withID(t, r.root, "main"), "a", "href=/datasets/1/fruit/versions")) != 1 {
				t.Error("what was decided does not lead to the versions of the dataset")
			}
			r.post("/admin", "do", c.do, "dataset", "1", "update", update).want(404, "/admin")
			if r.open("/admin/held/1").want(404, "/admin/held/1"); len(elements(withID(t, r.root, "main"), "a", "href=/admin")) != 1 {
				t.Error("the page of an update that was decided on does not lead to that of the operator")
			}
			if got := ask(t, "GET", o.base+"/api/datasets/1/latest?country=Germany&dim1=Apples").body; !strings.Contains(got, `"Germany":"`+c.value+`"`) {
				t.Errorf("the value is not %s: %s", c.value, got)
			}
		})
	}
}

// The only item of a dataset that is served is not named beside values, but those that an update adds are told apart.
func TestHeldUpdateNamesNewCodes(t *testing.T) {
	s := newStore(t)
	importFruit(t, s, fruit(1, "Apples"))
	if status := importFruit(t, s, fruit(2, "Pears", "Plums")); status != importer.Quarantined {
		t.Fatal(status)
	}
	o, r := openHeldOf(t, s, nil)
	r.setFactor(o)
	r.open("/admin/held/1").want(200, "/admin/held/1", "Germany Pears 2020 Added", "Germany Plums 2020 Added", "Germany Apples 2020 Removed")
}

func TestOperatorChangesAccounts(t *testing.T) {
	o, r := openHeld(t, nil)
	r.setFactor(o)
	r.post("/admin", "do", "tier", "account", "Example Times", "tier", "gold").want(400, "/admin", "essential or pro")
	r.post("/admin", "do", "tier", "account", "nobody", "tier", "pro").want(404, "/admin", "no account")
	r.post("/admin", "do", "tier", "account", "Example Times", "tier", "pro").want(200, "/admin?", "The tier was changed")
	r.post("/admin", "do", "bring", "account", "Example Times", "may", "yes").want(200, "/admin?", "Forbid")
	all, err := o.access.Accounts(context.Background())
	if err != nil || all[0].Tier != access.Pro || !all[0].MayBring {
		t.Errorf("%+v, %v", all, err)
	}
	member := o.member(t, "bob@example.org", "Example Times", people.MemberOnly)
	member.post("/admin", "do", "tier", "account", "Example Times", "tier", "essential").want(404, "/admin")
}

// With a listener of its own, the page of the operator is nowhere else.
func TestOwnListenerOfOperator(t *testing.T) {
	o, r := openHeld(t, func(p *portal.Options) { p.OwnAdmin = true })
	r.setFactor(o)
	r.open("/admin").want(404, "/admin")
	r.open("/admin/held/1").want(404, "/admin/held/1")
	r.post("/admin", "do", "accept", "dataset", "1").want(404, "/admin")
}

// A dataset whose update waits is called by its title that is served. The other title of the update is a reason, and numbers are grouped.
func TestHeldIsCalledAsServed(t *testing.T) {
	s := newStore(t)
	var many []string
	for i := range 700 {
		many = append(many, fmt.Sprintf("Fruit %d", i))
	}
	importFruitOf(t, s, fruit(1, many...), time.Time{})
	if status := importFruitOf(t, s, strings.Replace(fruit(2, "Apples"), "Fruit", "Vegetables", 1), time.Time{}); status != importer.Quarantined {
		t.Fatal(status)
	}
	o, r := openHeldOf(t, s, nil)
	r.setFactor(o)
	r.open("/admin").want(200, "/admin")
	row := withID(t, r.root, "held")
	if got := textOf(elements(row, "tbody")[0]); !strings.HasPrefix(got, "Fruit") || !strings.Contains(got, "1 400 of 1 400 values (100.0 %)") || !strings.Contains(got, "another title: Vegetables") {
		t.Errorf("the row is %q", got)
	}
}
