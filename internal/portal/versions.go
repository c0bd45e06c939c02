package portal

import (
	"encoding/json"
	"errors"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/stat"
)

// versionsPage is the content of the page of the versions of a dataset, two of which are compared.
type versionsPage struct {
	Meta       metadata
	Address    string // of the page of the dataset
	Own        string // of this page
	IsHeld     bool   // the newer version waits for a decision
	Versions   []version
	More       bool
	From, To   string // the versions that are compared; empty: there is only one
	Kind       string
	Kinds      []kindCount
	Changes    []revised
	Besides    []difference // the first
	BesidesAll int          // how many there are
	Notices    []string
	Flags      []flagName // of the values of the page
	First      int        // number of the first change of the page
	Last       int
	Total      int
	Before     string
	Next       string
	JSON       string
}

// kindCount is a kind of changes, with how many there are.
type kindCount struct {
	Name, Text, Address string
	Count               int
	IsChosen            bool
}

// revised is a cell of the table that differs between two versions.
type revised struct {
	Kind, Kinds        string
	Series, Area       string
	Period             string
	Old, New           string
	OldFlags, NewFlags flags
	Note               string
}

// What names the value: the area and what else tells it from others.
func (r revised) What() string {
	return strings.Join(slices.DeleteFunc([]string{r.Area, r.Series}, func(s string) bool { return s == "" }), ", ")
}

// difference is one that is not of a cell.
type difference struct{ Kind, Member, Dimension, Code, Old, New string }

// revision is an observation that differs between two versions, as the interface writes it. A value
// that a version does not have is nil.
type revision struct {
	Kind        string
	Changed     []string
	Key         map[string]string `json:"series_key"`
	Country     string
	Period      string
	Old         *json.Number `json:"old_value"`
	New         *json.Number `json:"new_value"`
	OldDecimals *int         `json:"old_decimals"`
	NewDecimals *int         `json:"new_decimals"`
	OldFlags    []string     `json:"old_flags"`
	NewFlags    []string     `json:"new_flags"`
	OldUnit     string       `json:"old_unit"`
	Unit        string
	OldNote     string `json:"old_note"`
	NewNote     string `json:"new_note"`
}

// revisionPage is the response of /revisions.
type revisionPage struct {
	Data                    []revision
	From, To                *version
	Added, Revised, Removed int
	Changes                 []difference
	Notices                 []struct{ Message string }
	Pagination              struct {
		Page, Total int
		HasMore     bool
	}
}

// Numbers of rows on the page of versions.
const (
	listedVersions = 50
	listedChanges  = 100
)

// versions is the page of the versions of a dataset. Its parameters a and b are the older and the
// newer version that are compared; kind and page are those of the interface.
func (p *page) versions() error {
	c := &versionsPage{}
	query := without(p.r.URL.Query())
	for name := range query {
		if !slices.Contains([]string{"a", "b", "kind", "page", "lang"}, name) {
			return stat.Errorf(stat.Invalid, "unknown parameter %q; this page has a and b, the versions to compare, kind and page", name)
		}
	}
	if isMoved, err := p.readMeta(&c.Meta, url.Values{}, "/versions"); err != nil || isMoved {
		return err
	}
	c.Address = c.Meta.address()
	c.Own = c.Address + "/versions"
	api := "/api/datasets/" + strconv.Itoa(c.Meta.ID)
	var list struct {
		Data       []version
		Pagination struct{ HasMore bool }
	}
	if err := p.read(api+"/versions", url.Values{"limit": {strconv.Itoa(listedVersions)}}, &list); err != nil {
		return err
	}
	c.Versions, c.More = list.Data, list.Pagination.HasMore
	if len(c.Versions) > 1 || query.Has("a") || query.Has("b") {
		if err := p.compare(c, api, query); err != nil {
			return err
		}
	}
	p.showDataset(&c.Meta, "versions", c)
	p.Title = p.lang.text("versions.title", "dataset", c.Meta.Title())
	p.Trail = append(p.Trail, link{p.lang.text("section.versions"), ""})
	p.Feed = "/datasets/" + strconv.Itoa(c.Meta.ID) + "/feed"
	return nil
}

// compare compares two versions.
func (p *page) compare(c *versionsPage, api string, query url.Values) error {
	asked := only(query, "kind", "page")
	if a := query.Get("a"); a != "" {
		asked.Set("from", a)
	}
	if b := query.Get("b"); b != "" {
		asked.Set("to", b)
	}
	from, to := asked.Get("from"), asked.Get("to")
	if first := c.place(from); first >= 0 && first < c.place(to) { // newest first
		asked.Set("from", to)
		asked.Set("to", from)
	}
	asked.Set("lang", p.lang.Code)
	asked.Set("decimals", "true")
	asked.Set("limit", strconv.Itoa(listedChanges))
	var found revisionPage
	if err := p.read(api+"/revisions", asked, &found); err != nil {
		if r, ok := errors.AsType[*refusal](err); ok {
			r.Message = sides.Replace(r.Message)
		}
		return err
	}
	if found.From != nil {
		c.From = found.From.Version
	}
	c.To = found.To.Version
	c.Besides, c.Kind = found.Changes, query.Get("kind")
	p.addRevisionNotices(c, &found)
	at := func(kind string, page int) string {
		q := url.Values{"a": {c.From}, "b": {c.To}, "kind": {kind}}
		if page > 0 {
			q.Set("page", strconv.Itoa(page))
		}
		if c.IsHeld {
			q.Del("a")
			q.Del("b")
		}
		return addressWith(c.Own, without(q))
	}
	for _, one := range []kindCount{{Name: "", Count: found.Added + found.Revised + found.Removed}, {Name: "added", Count: found.Added}, {Name: "revised", Count: found.Revised}, {Name: "removed", Count: found.Removed}} {
		one.Text, one.Address, one.IsChosen = p.lang.text("versions.kind."+one.Name), at(one.Name, 0), one.Name == c.Kind
		c.Kinds = append(c.Kinds, one)
	}
	c.First, c.Total = found.Pagination.Page*listedChanges+1, found.Pagination.Total
	if found.Pagination.HasMore {
		c.Next = at(c.Kind, found.Pagination.Page+1)
	}
	if found.Pagination.Page > 0 {
		c.Before = at(c.Kind, found.Pagination.Page-1)
	}
	if c.IsHeld {
		c.To = p.lang.text("held.update")
	} else {
		c.JSON = addressWith(api+"/revisions", only(asked, "from", "to", "kind"))
	}
	return p.listChanges(c, &found)
}

// addRevisionNotices adds the notices on a comparison, but for those on what the page lists.
func (p *page) addRevisionNotices(c *versionsPage, found *revisionPage) {
	c.BesidesAll = len(found.Changes)
	for _, n := range found.Notices {
		if first := firstDifferences.FindStringSubmatch(n.Message); first != nil {
			c.BesidesAll, _ = strconv.Atoi(first[1])
		} else if c.IsHeld && strings.HasPrefix(n.Message, "versions ") {
			c.Notices = append(c.Notices, p.lang.text("held.dimensions", "version", c.From))
		} else if !strings.HasPrefix(n.Message, "besides values, versions ") {
			c.Notices = append(c.Notices, p.sentence(n.Message))
		}
	}
}

// firstDifferences matches the notice that not all differences besides values are listed, with their number.
var firstDifferences = regexp.MustCompile(`^changes has the first \d+ of (\d+)$`)

// sides gives the versions in messages of the interface the names that they have in the address of the page.
var sides = strings.NewReplacer("parameter from ", "parameter a ", "parameter to ", "parameter b ")

// place returns the place of a version in the list, which begins with the newest; that of an unknown
// one is -1.
func (c *versionsPage) place(name string) int {
	return slices.IndexFunc(c.Versions, func(v version) bool { return v.Version == name })
}

// listChanges writes the changes of a page.
func (p *page) listChanges(c *versionsPage, found *revisionPage) error {
	offered, err := p.dimensionsOf(c.Meta.ID)
	c.Changes = p.describeRevisions(found.Data, offered.Dimensions)
	c.Last = c.First + len(c.Changes) - 1
	for i := range c.Changes {
		c.Flags = p.lang.addFlags(c.Flags, slices.Concat(c.Changes[i].OldFlags, c.Changes[i].NewFlags))
	}
	return err
}

// dimensionsOf returns the dimensions and areas of a dataset.
func (p *page) dimensionsOf(dataset int) (offered available, err error) {
	err = p.read("/api/datasets/"+strconv.Itoa(dataset)+"/dimensions", url.Values{"lang": {p.lang.Code}}, &offered)
	return offered, err
}

// describeRevisions writes observations that differ between two versions. A dimension is not named if all of them have the only value that
// it has in the dataset.
func (p *page) describeRevisions(list []revision, dimensions []axis) (rows []revised) {
	named := slices.DeleteFunc(slices.Clone(dimensions), func(d axis) bool {
		return len(d.Values) == 1 && !slices.ContainsFunc(list, func(r revision) bool { return r.Key[d.Dim+"_code"] != d.Values[0].Code })
	})
	for i := range list {
		r := &list[i]
		one := revised{Kind: r.Kind, Kinds: p.lang.text("versions.one." + r.Kind), Area: r.Country, Period: r.Period, Old: p.valueOf(r.Old, r.OldDecimals), New: p.valueOf(r.New, r.NewDecimals), OldFlags: newFlags(r.OldFlags), NewFlags: newFlags(r.NewFlags)}
		var key []string
		for _, d := range named {
			if label := r.Key[d.Dim+"_value"]; label != "" {
				key = append(key, label)
			}
		}
		one.Series = strings.Join(key, ", ")
		var notes []string
		for _, what := range r.Changed {
			switch what {
			case "unit":
				notes = append(notes, p.lang.text("versions.unit", "old", r.OldUnit, "new", r.Unit))
			case "note":
				notes = append(notes, p.lang.text("versions.note", "old", r.OldNote, "new", r.NewNote))
			}
		}
		one.Note = strings.Join(notes, "; ")
		rows = append(rows, one)
	}
	return rows
}

// valueOf writes a value that may be missing, with as many decimals as its series has.
func (p *page) valueOf(n *json.Number, decimals *int) string {
	if n == nil {
		return "…"
	}
	return p.lang.number(withDecimals(n.String(), decimals))
}
