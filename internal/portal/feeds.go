package portal

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gorilla/feeds"
)

// Bounds of a feed.
const (
	feedEntries  = 30 // versions in a feed
	feedDatasets = 30 // datasets whose versions are in the feed of a source
	feedChanges  = 20 // changed values in an entry; the entry links to all of them
)

// change is what changed in one version of a dataset, or in a part of it.
type change struct {
	Dataset                 metadata
	Version                 version
	Before                  string    // the version that it is compared with; empty: it is the first
	Followed                *followed // the part; nil: all of the dataset
	Added, Revised, Removed int
	Values                  []revised  // the first ones
	More                    int        // changed values that are not listed
	Flags                   []flagName // of the listed values
}

// feedAddress is that of the feed of a dataset, without its extension.
func feedAddress(dataset int) string { return "/datasets/" + strconv.Itoa(dataset) + "/feed" }

// datasetFeed is the feed of the versions of a dataset.
func (p *page) datasetFeed() error {
	var m metadata
	api := "/api/datasets/" + url.PathEscape(p.r.PathValue("id"))
	if err := p.read(api+"/meta", nil, &m); err != nil {
		return err
	}
	changes, err := p.changes(&m, feedEntries)
	if err != nil {
		return err
	}
	return p.sendFeed(&feedHead{Title: m.Title(), About: m.address()}, changes)
}

// catalogueFeed is the feed of the newest versions of all datasets, or of those of a source.
func (p *page) catalogueFeed() error {
	query := url.Values{"sort": {"-last_update"}, "limit": {strconv.Itoa(feedDatasets)}, "fields": {"source,code"}}
	title, about := p.lang.text("feed.all"), "/"
	if source := p.r.PathValue("source"); source != "" {
		query.Set("source", source)
		about = "/search?source=" + url.QueryEscape(source)
	}
	var catalogue struct {
		Data []struct {
			entry
			Source string
		}
		Notices []struct{ Message string }
	}
	if err := p.read("/api/datasets", query, &catalogue); err != nil {
		return err
	}
	if len(catalogue.Notices) > 0 {
		return &refusal{Status: http.StatusNotFound, Message: catalogue.Notices[0].Message}
	}
	if query.Has("source") && len(catalogue.Data) > 0 {
		title = p.lang.text("feed.source", "source", catalogue.Data[0].SourceName)
	}
	var all []change
	for _, one := range catalogue.Data {
		m := &metadata{ID: one.ID, Code: one.Code, Source: one.Source, Name: one.Name, SourceName: one.SourceName}
		if query.Has("source") && m.SourceName != catalogue.Data[0].SourceName { // files that say who published them
			title = p.lang.text("feed.publishers", "source", one.Source)
		}
		changes, err := p.changes(m, 1)
		if err != nil {
			return err
		}
		all = append(all, changes...)
	}
	slices.SortStableFunc(all, func(a, b change) int { return b.Version.Imported.Compare(a.Version.Imported) })
	return p.sendFeed(&feedHead{Title: title, About: about}, all[:min(len(all), feedEntries)])
}

// changes returns the newest versions of a dataset, at most n, with what changed in them.
func (p *page) changes(m *metadata, n int) ([]change, error) {
	api := "/api/datasets/" + strconv.Itoa(m.ID)
	var versions struct{ Data []version }
	if err := p.read(api+"/versions", url.Values{"limit": {strconv.Itoa(n + 1)}}, &versions); err != nil {
		return nil, err
	}
	offered, err := p.dimensionsOf(m.ID)
	if err != nil {
		return nil, err
	}
	var list []change
	for i, v := range versions.Data[:min(n, len(versions.Data))] {
		one := change{Dataset: *m, Version: v}
		if i+1 < len(versions.Data) {
			one.Before = versions.Data[i+1].Version
			query := url.Values{"from": {one.Before}, "to": {v.Version}, "limit": {strconv.Itoa(feedChanges)}, "lang": {p.lang.Code}}
			if err := p.readChange(&one, query, offered.Dimensions); err != nil {
				return nil, err
			}
		}
		list = append(list, one)
	}
	return list, nil
}

// readChange reads the values that changed between two versions.
func (p *page) readChange(c *change, query url.Values, dimensions []axis) error {
	query.Set("decimals", "true")
	var found revisionPage
	if err := p.read("/api/datasets/"+strconv.Itoa(c.Dataset.ID)+"/revisions", query, &found); err != nil {
		return err
	}
	c.Version, c.Values = *found.To, p.describeRevisions(found.Data, dimensions)
	c.Added, c.Revised, c.Removed = found.Added, found.Revised, found.Removed
	c.More = found.Pagination.Total - len(found.Data)
	for _, v := range c.Values {
		c.Flags = p.lang.addFlags(c.Flags, slices.Concat(v.OldFlags, v.NewFlags))
	}
	return nil
}

// feedHead is what a feed says of itself.
type feedHead struct {
	Title string
	About string    // the address of the page that it is of
	Of    string    // of whom it is, at the end of the ids of the feed and its entries; empty: everybody
	Made  time.Time // of a feed that may have no entry
}

// sendFeed sends changes as Atom, or as JSON Feed if the address ends with .json.
func (p *page) sendFeed(head *feedHead, changes []change) error {
	base := strings.TrimSuffix(p.opts.BaseURL, "/")
	about, of := base+head.About, head.Of
	feed := &feeds.Feed{Title: head.Title, Id: about, Link: &feeds.Link{Href: about}, Author: &feeds.Author{Name: "Almanac"}, Updated: head.Made}
	if of != "" {
		feed.Id, of = about+"#"+of, "-"+of
	}
	for i := range changes {
		c := &changes[i]
		var content bytes.Buffer
		if err := p.lang.templates.ExecuteTemplate(&content, "change.html", c); err != nil {
			return err
		}
		address := base + c.Address()
		feed.Add(&feeds.Item{
			Title:   p.lang.text("feed.entry", "dataset", c.Dataset.Title(), "version", c.Version.Version, "changes", c.summary(p.lang)),
			Id:      base + "/datasets/" + strconv.Itoa(c.Dataset.ID) + "#version-" + c.Version.Version + of,
			Link:    &feeds.Link{Href: address},
			Author:  &feeds.Author{Name: p.lang.office(c.Dataset.SourceName)},
			Content: content.String(), Created: c.Version.Imported, Updated: c.Version.Imported,
		})
		if i == 0 { // the newest
			feed.Updated = c.Version.Imported
		}
	}
	if feed.Updated.IsZero() { // an installation without datasets
		feed.Updated = p.opts.Now()
	}
	text, kind, err := writeFeed(feed, strings.HasSuffix(p.r.URL.Path, ".json"), base+p.r.URL.Path)
	if err != nil {
		return err
	}
	p.sendFile(kind, []byte(text))
	return nil
}

func writeFeed(feed *feeds.Feed, asJSON bool, own string) (text, kind string, err error) {
	if asJSON {
		f := (&feeds.JSON{Feed: feed}).JSONFeed()
		f.FeedUrl = own
		whole := struct {
			*feeds.JSONFeed
			Items []*feeds.JSONItem `json:"items"` // the library leaves out an empty list, which a reader needs
		}{f, append([]*feeds.JSONItem{}, f.Items...)}
		body, err := json.MarshalIndent(whole, "", "  ")
		return string(body), "application/feed+json", err
	}
	text, err = feed.ToAtom()
	return text, "application/atom+xml; charset=utf-8", err
}

// Address is that of the page that shows the change.
func (c *change) Address() string {
	if c.Before == "" {
		return c.Dataset.address() + "?version=" + url.QueryEscape(c.Version.Version)
	}
	return c.Dataset.address() + "/versions?" + url.Values{"a": {c.Before}, "b": {c.Version.Version}}.Encode()
}

// PartAddress is that of the page of what is followed.
func (c *change) PartAddress() string {
	if c.Followed == nil {
		return c.Dataset.address()
	}
	return c.Followed.Address()
}

// summary counts what changed.
func (c *change) summary(l *language) string {
	if c.Before == "" {
		return l.text("feed.first", "values", l.text("values", "n", c.Version.Observations))
	}
	return l.text("feed.changes", "added", c.Added, "revised", c.Revised, "removed", c.Removed)
}
