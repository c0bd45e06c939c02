package portal

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"almanac/internal/people"
	"almanac/internal/stat"
)

// failure is the content of the page of an error: what happened, and the ways on.
type failure struct {
	Status int
	Lead   string
	Answer string // of the interface at the same address
	// Language is that of the texts of the interface; empty: that of the page.
	Language string
	Field    *wrongField
	Ways     []link
	Areas    []link // that the reader may have meant
	Nearest  []link // datasets

	HasSearch bool
	Left      string // how long a reader who asks too often has to wait
}

// wrongField is a parameter of the address that is no period, in a form that keeps all others.
type wrongField struct {
	Name, Value string
	Address     string
	Others      []link
}

// fail makes the page of an error of it.
func (p *page) fail(err error) {
	r, ok := errors.AsType[*refusal](err)
	if status, isKnown := statuses[stat.KindOf(err)]; isKnown && !ok {
		r, ok = &refusal{Status: status, Message: messageOf(err)}, true
	}
	if !ok {
		p.opts.Log.Error("a page failed", "address", p.r.URL.Path, "error", err)
		r = &refusal{Status: http.StatusInternalServerError, Message: p.lang.text("error.internal")}
		r.Body = fmt.Sprintf(`{"statusCode":%d,"statusMessage":%q}`, r.Status, r.Message)
	}
	p.status, p.template = r.Status, "error"
	isForOperators := p.Section == "admin"
	p.Trail, p.Aside, p.Section = nil, "", ""
	// Messages say what is wrong and, after a semicolon, what would be right.
	message, isForeign := p.translated(r.Message)
	title, lead, _ := strings.Cut(message, "; ")
	c := &failure{Status: r.Status, Lead: upperFirst(lead), Answer: r.Body}
	if ok && !r.isTranslated && isForeign {
		c.Language = "en"
	}
	p.Title, p.Content = upperFirst(strings.TrimSpace(title)), c
	c.HasSearch = r.Status != http.StatusTooManyRequests
	if seconds, err := strconv.Atoi(p.w.Header().Get("Retry-After")); err == nil {
		c.Left = p.lang.text("error.left", "time", timeLeft(seconds))
	}
	switch {
	case p.IsFramed:
		p.showInFrame(c)
	case errors.Is(err, people.ErrInvitation):
		p.offerInvitation(c)
	case p.isPrivate:
		c.Ways = append(c.Ways, r.ways...)
		c.Answer = ""       // the interface has no such address
		if isForOperators { // such as a page to which back leads after an update was accepted
			c.Ways = append(c.Ways, link{p.lang.text("admin"), "/admin"})
		}
	case r.Status == http.StatusBadRequest:
		p.offerRepair(c, r.Message)
	case r.Status == http.StatusNotFound && unknownArea.MatchString(r.Message):
		p.offerAreas(c, r.Message)
	case r.Status == http.StatusNotFound && p.r.URL.Query().Has("sel"):
		c.Ways = append(c.Ways, link{p.lang.text("error.without", "name", "sel"), p.r.URL.EscapedPath()})
	case r.Status == http.StatusNotFound:
		p.offerNearest(c, r.Message)
	case r.Status == http.StatusTooManyRequests && hasPrefix(p.r.URL.Path, notPages):
		p.offerMore(c)
	case r.Status >= http.StatusInternalServerError || r.Status == http.StatusTooManyRequests:
		c.Ways = append(c.Ways, link{p.lang.text("error.retry"), p.Here()})
	}
}

// timeLeft writes a time with signs that are the same in all languages: 9 h 55 min.
func timeLeft(seconds int) string {
	const space = "\u00a0"
	if seconds < 60 {
		return strconv.Itoa(seconds) + space + "s"
	}
	minutes := (seconds + 59) / 60
	if minutes < 60 {
		return strconv.Itoa(minutes) + space + "min"
	}
	return strconv.Itoa(minutes/60) + space + "h " + strconv.Itoa(minutes%60) + space + "min"
}

// offerInvitation says who gives a new link in place of one that cannot be used.
func (p *page) offerInvitation(c *failure) {
	c.Answer, c.HasSearch = "", false
	c.Lead = p.lang.text("invitation.ask")
	c.Ways = append(c.Ways, link{p.lang.text("signin"), "/signin"})
	if p.HasMail() {
		c.Ways = append(c.Ways, link{p.lang.text("reset"), "/signin/reset"})
	}
}

// namedParameter matches the parameter that a message of the interface is about.
var namedParameter = regexp.MustCompile(`^(?:unknown )?parameter "?([a-z0-9_.]+)"?`)

// offerRepair offers the page with another period, or without the parameter that is wrong.
func (p *page) offerRepair(c *failure, message string) {
	named := namedParameter.FindStringSubmatch(message)
	query := p.r.URL.Query()
	if named == nil || !query.Has(named[1]) {
		return
	}
	name := named[1]
	value := query.Get(name)
	query.Del(name)
	without := strings.TrimSuffix(p.r.URL.EscapedPath()+"?"+query.Encode(), "?")
	c.Ways = append(c.Ways, link{p.lang.text("error.without", "name", name), without})
	if !strings.Contains(message, name+" must be a period") {
		return
	}
	c.Field = &wrongField{Name: name, Value: value, Address: p.r.URL.EscapedPath()}
	for _, name := range slices.Sorted(maps.Keys(query)) {
		for _, value := range query[name] {
			c.Field.Others = append(c.Field.Others, link{name, value})
		}
	}
	p.Title, c.Lead = p.lang.text("error.period", "value", value), ""
	c.Language = ""
}

// unknownArea is the message of the interface on an area that it does not know, with similar names.
var unknownArea = regexp.MustCompile(`^no area has the code or name "(.*?)"(?:; nearest: (.*))?; /api/areas`)

// offerAreas offers the page with each of the areas that have similar names.
func (p *page) offerAreas(c *failure, message string) {
	p.Title, c.Areas = p.nearestAreas(message)
	c.Lead, c.Language = "", ""
	c.Ways = append(c.Ways, link{p.lang.text("home.areas.all"), "/areas"})
}

// nearestAreas returns the message on an unknown area in the language of the page, and links to the page with each of the areas
// that have similar names.
func (p *page) nearestAreas(message string) (text string, nearest []link) {
	parts := unknownArea.FindStringSubmatch(message)
	for name := range strings.SplitSeq(parts[2], ", ") {
		var found struct{ Area areaName }
		if name == "" || p.read("/api/areas/"+url.PathEscape(name), url.Values{"lang": {p.lang.Code}}, &found) != nil {
			continue // part of a name with a comma
		}
		to := areaAddress(found.Area.Code)
		if query := p.r.URL.Query(); query.Has("country") {
			query.Set("country", found.Area.Code)
			to = addressWith(p.r.URL.EscapedPath(), query)
		}
		if one := (link{found.Area.Name, to}); !slices.Contains(nearest, one) { // by names in several languages
			nearest = append(nearest, one)
		}
	}
	return p.lang.text("error.area", "name", parts[1]), nearest
}

// Bounds of what the page of an unknown address suggests.
const (
	nearestDatasets = 5
	maxNearestText  = 100 // characters of the address that are searched for
	minNearestText  = 3   // fewer are in too many titles
)

// removedDataset matches the message on a removed dataset, with its code.
var removedDataset = regexp.MustCompile(`^dataset \d+ was removed; it was (.+) of \S+$`)

// offerNearest offers the datasets that the address may have meant. Nothing is offered if the
// search fails.
func (p *page) offerNearest(c *failure, message string) {
	var all struct {
		Data       []entry
		Pagination struct{ Total int }
	}
	if err := p.read("/api/datasets", url.Values{"sort": {"-id"}, "limit": {"1"}, "fields": {"source,code"}, "lang": {p.lang.Code}}, &all); err == nil && len(all.Data) > 0 {
		c.Ways = append(c.Ways, link{p.lang.text("error.all", "n", all.Pagination.Total), "/search"})
		if id := p.r.PathValue("id"); isNumber(id) {
			last := &all.Data[0]
			c.Ways = append(c.Ways, link{p.lang.text("error.highest", "id", strconv.Itoa(last.ID), "name", last.Title()), last.Address()})
			if c.Lead == "" {
				c.Lead, c.Language = p.lang.text("error.number"), ""
			}
		}
	}
	words := wordsOf(p.r.URL.Path)
	if of := removedDataset.FindStringSubmatch(message); of != nil {
		words = of[1]
	}
	if len(words) < minNearestText {
		return
	}
	var found struct{ Data []entry }
	if err := p.read("/api/search", url.Values{"q": {words}, "limit": {strconv.Itoa(nearestDatasets)}, "here": {"true"}, "lang": {p.lang.Code}}, &found); err != nil {
		return
	}
	for i := range found.Data {
		if h := &found.Data[i]; h.ID != 0 {
			c.Nearest = append(c.Nearest, link{h.Title(), h.Address()})
		}
	}
	p.Query = words
}

func isNumber(text string) bool {
	_, err := strconv.ParseUint(text, 10, 64)
	return err == nil
}

// wordsOf returns what the last part of an address speaks of: words and codes with letters.
func wordsOf(path string) string {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	last := parts[len(parts)-1]
	if _, code, ok := strings.Cut(last, ":"); ok {
		last = code
	}
	last = strings.Join(strings.FieldsFunc(last, func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), " ")
	if !strings.ContainsFunc(last, unicode.IsLetter) || len(last) > maxNearestText {
		return ""
	}
	return last
}

// unknownAddress is the page of an address that is no page.
func (p *page) unknownAddress() error {
	return &refusal{Status: http.StatusNotFound, Message: p.lang.text("error.address"), isTranslated: true}
}
