package portal

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/access"
	"almanac/internal/notice"
)

// followPage is the content of the page that follows a dataset.
type followPage struct {
	Account access.Account
	Meta    metadata
	Parts   []dimensionPart // of the selection; none: all of the dataset
	Now     string          // what is followed of the dataset at the moment; empty: nothing
	IsDone  bool            // that is the selection
	NotKept string          // that the dataset is not kept up to date, in words; empty: it is
	Hidden  []link          // the fields of the form
	Back    string          // the address of the page of the dataset with what is shown
	Periods string          // that are shown; all are followed
	Dropped string          // other filters that cannot be followed
	Mail    notice.Rhythm   // how often the visitor is told by mail
	Error   string
}

// dimensionPart are the values of a dimension that a selection has.
type dimensionPart struct{ Dimension, Values string }

// followable are the parameters of a selection that can be followed.
var followable = append(slices.Clone(filters[:8]), "country")

// follow is the page that follows the selection of its address, or all of its dataset.
func (p *page) follow(v *visitor) error {
	chosen := &accountPage{}
	if err := p.chooseAccount(v, chosen); err != nil {
		return err
	}
	if chosen.Account.ID == 0 {
		err := p.refuse(http.StatusNotFound, p.lang.text("account.none", "mail", v.Person.Mail))
		if id, bad := strconv.Atoi(p.field("dataset")); bad == nil {
			err.ways = append(err.ways, link{p.lang.text("follow.back"), "/datasets/" + strconv.Itoa(id)})
		}
		err.ways = append(err.ways, link{p.lang.text("account"), "/account"})
		return err
	}
	c := &followPage{Account: chosen.Account}
	id, err := strconv.Atoi(p.field("dataset"))
	if err != nil {
		return p.refuse(http.StatusBadRequest, p.lang.text("follow.unknown"))
	}
	address := "/api/datasets/" + strconv.Itoa(id)
	if err := p.read(address+"/meta", url.Values{"lang": {p.lang.Code}}, &c.Meta); err != nil {
		return err
	}
	fields := p.r.PostForm
	if !p.isPost() {
		var isMoved bool
		if fields, isMoved, err = p.selectionQuery(); err != nil || isMoved {
			return err
		}
	}
	if c.NotKept, err = p.notKept(&c.Meta); err != nil {
		return err
	}
	p.describeShown(c, fields)
	selection := only(fields, followable...)
	p.template, p.Title, p.Content = "follow", p.lang.text("follow"), c
	p.Trail = []link{{p.lang.text("account"), "/account"}, {p.Title, ""}}
	if p.isPost() {
		if p.field("part") == "whole" {
			selection = url.Values{}
		}
		if err := p.sendFollowed(c, selection); err != nil {
			return err
		}
		if c.Error == "" && p.TellsByMail() && p.r.PostForm.Has("mail") {
			if err := p.subscribe(v, chosen.Member.Organisation); err != nil {
				if err := p.mend(err, &c.Error); err != nil {
					return err
				}
			}
		}
		if c.Error == "" {
			return p.leave(c.doneAddress())
		}
	}
	if c.Mail, err = p.rhythmOf(&v.Person, chosen.Member.Organisation); err != nil {
		return err
	}
	return p.describeFollowed(c, address, selection)
}

// notKept says in words that a dataset is not kept up to date; empty: it is, or the catalogue cannot say it at the moment.
func (p *page) notKept(m *metadata) (string, error) {
	around, err := p.aroundOf(m)
	if isRefused(err) || isUnavailable(err) || err == nil && around.IsUpdated {
		return "", nil
	}
	return p.freshness(m, &around), err
}

// describeShown sets where the reader came from, and says what is shown there and cannot be followed. fields are those of the form, or the
// parameters of the address.
func (p *page) describeShown(c *followPage, fields url.Values) {
	c.Back = addressWith(c.Meta.address(), only(fields, followable...))
	shown := url.Values{}
	if from, err := url.Parse(fields.Get("back")); err == nil && from.EscapedPath() == c.Meta.address() {
		shown = from.Query()
		c.Back = addressWith(c.Meta.address(), shown)
	}
	filter := func(name string) string { return cmp.Or(shown.Get(name), fields.Get(name)) }
	c.Periods = p.lang.period(filter("period"))
	if from, to := filter("period_from"), filter("period_to"); c.Periods == "" && from+to != "" {
		c.Periods = p.lang.period(from) + "–" + p.lang.period(to)
	}
	var dropped []string
	for _, query := range []url.Values{shown, fields} {
		for _, name := range orderedNames(query) {
			if !isFilter(name) || slices.Contains(followable, name) || slices.Contains(periodParameters, name) {
				continue
			}
			if text := name + "=" + strings.Join(query[name], ","); !slices.Contains(dropped, text) {
				dropped = append(dropped, text)
			}
		}
	}
	c.Dropped = strings.Join(dropped, ", ")
}

// sendFollowed has the organisation of the account follow a selection.
func (p *page) sendFollowed(c *followPage, selection url.Values) error {
	body, err := json.Marshal(selection)
	if err != nil {
		return err
	}
	var answer bytes.Buffer
	sender := p.opts.InterfaceOf(p.opts.Access.CallerOf(c.Account))
	status, err := sender.Send(p.r.Context(), http.MethodPut, "/api/followed/"+strconv.Itoa(c.Meta.ID), body, &answer)
	if err != nil {
		return err
	}
	if status >= http.StatusInternalServerError {
		return newRefusal(status, answer.Bytes())
	}
	if status >= http.StatusBadRequest {
		p.status, c.Error = status, p.sentence(newRefusal(status, answer.Bytes()).Message)
	}
	return nil
}

// describeFollowed reads the labels of a selection, and what is followed now.
func (p *page) describeFollowed(c *followPage, address string, selection url.Values) error {
	var all available
	if err := p.read(address+"/dimensions", url.Values{"lang": {p.lang.Code}}, &all); err != nil {
		return err
	}
	axes := append(slices.Clone(all.Dimensions), axis{Dim: "country", Label: p.lang.text("fact.areas"), Values: all.Geography})
	for _, d := range axes {
		var labels []string
		for _, code := range selection[d.Dim] {
			c.Hidden = append(c.Hidden, link{d.Dim, code})
			labels = append(labels, d.labelOf(code))
		}
		if len(labels) > 0 && len(d.Values) > 1 {
			c.Parts = append(c.Parts, dimensionPart{d.Label, strings.Join(labels, ", ")})
		}
	}
	now, err := p.followed(c.Account)
	asked := followed{Selection: selection}
	asked.translate(all, p.lang)
	for i := range now {
		if now[i].ID == c.Meta.ID {
			c.IsDone = now[i].Part() == asked.Part()
			c.Now = cmp.Or(now[i].Part(), p.lang.text("followed.whole"))
		}
	}
	return err
}

// doneAddress is that of the page of the dataset, which says that it is followed.
func (c *followPage) doneAddress() string {
	back, query, _ := strings.Cut(c.Back, "?")
	if query != "" {
		query += "&"
	}
	return back + "?" + query + "done=followed"
}

// readFollowed finds whether an organisation of the visitor follows all that is shown.
func (p *page) readFollowed(c *datasetPage) (err error) {
	if c.visitor, err = p.signedInVisitor(); err != nil || c.visitor == nil || c.Selection.FollowAddress() == "" {
		return err
	}
	chosen := &accountPage{}
	if err := p.chooseAccount(c.visitor, chosen); err != nil {
		return err
	}
	offered, err := p.dimensionsOf(c.Meta.ID)
	if err != nil {
		return err
	}
	shown := followed{Selection: only(c.Selection.query(), followable...)}
	shown.translate(offered, p.lang)
	for _, account := range chosen.Accounts {
		list, err := p.followedList(account)
		if err != nil {
			return err
		}
		for i := range list {
			if list[i].ID != c.Meta.ID {
				continue
			}
			if list[i].translate(offered, p.lang); list[i].has(&shown) {
				c.Followed = "/account?" + url.Values{"account": {account.Name}}.Encode() + "#followed"
				c.IsDone = p.r.URL.Query().Get("done") == "followed"
				return nil
			}
		}
	}
	return nil
}

// has reports whether all of another selection is followed. Both have labels.
func (f *followed) has(other *followed) bool {
	for dim, labels := range f.Labels {
		isOutside := func(label string) bool { return !slices.Contains(labels, label) }
		if len(other.Labels[dim]) == 0 || slices.ContainsFunc(other.Labels[dim], isOutside) {
			return false
		}
	}
	return true
}

// labelOf returns the label of a code, or the code if the dimension does not have it.
func (a *axis) labelOf(code string) string {
	for _, v := range a.Values {
		if v.Code == code || v.ISO == code {
			return v.Label
		}
	}
	return code
}

// FollowAddress is that of the page that follows what is shown.
func (s *selection) FollowAddress() string {
	if !s.canFollow {
		return ""
	}
	q := only(s.query(), followable...)
	maps.DeleteFunc(q, func(name string, values []string) bool { return len(values) == 0 || s.sel != "" && s.asked.Has(name) })
	if s.sel != "" {
		q.Set("sel", s.sel)
	}
	q.Set("dataset", strconv.Itoa(s.Meta.ID))
	q.Set("back", s.changed(nil))
	return "/account/follow?" + q.Encode()
}
