package portal

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	ics "github.com/arran4/golang-ical"

	"almanac/internal/access"
	"almanac/internal/stat"
)

// nextUpdate is when a source updates a dataset next, as it says itself.
type nextUpdate struct {
	At    time.Time
	IsDay bool // no time of the day is stated
}

// nextUpdate returns when the source updates the dataset next. ok is false if it does not say.
func (m *metadata) nextUpdate() (r nextUpdate, ok bool) {
	var err error
	if r.At, err = time.Parse(time.DateOnly, m.NextUpdate); err == nil {
		r.IsDay = true
		return r, true
	}
	r.At, err = time.Parse(time.RFC3339, m.NextUpdate)
	return r, err == nil
}

// NextUpdate says when the source updates a dataset next; empty if it does not say, or the day has
// passed.
func (p *page) NextUpdate(m metadata) string {
	r, ok := m.nextUpdate()
	switch {
	case !ok || r.At.Before(p.opts.Now().AddDate(0, 0, -1)):
		return ""
	case r.IsDay:
		return p.lang.date(r.At)
	}
	return p.lang.moment(r.At)
}

// Bounds of a calendar.
const (
	calendarPage = 1000 // datasets that are read at once
	calendarPast = 31   // days after which a date is left out
)

// datasetCalendar is the calendar with the next update of a dataset.
func (p *page) datasetCalendar() error {
	var m metadata
	if err := p.read("/api/datasets/"+url.PathEscape(p.r.PathValue("id"))+"/meta", url.Values{"lang": {p.lang.Code}}, &m); err != nil {
		return err
	}
	return p.sendCalendar(m.Title(), []metadata{m})
}

// sourceCalendar is the calendar of the datasets of a source.
func (p *page) sourceCalendar() error {
	source := p.r.PathValue("source")
	all, err := p.releasesOf(source)
	if err != nil {
		return err
	}
	name := source
	if len(all) > 0 {
		name = all[0].SourceName
	}
	return p.sendCalendar(p.lang.text("calendar.source", "source", name), all)
}

// releasesOf reads the datasets of a source whose next update is known and not long past.
func (p *page) releasesOf(source string) (all []metadata, err error) {
	for number := 0; ; number++ {
		var list releasePage
		if err := p.readReleases(source, number, calendarPage, &list); err != nil {
			return nil, err
		}
		if len(list.Notices) > 0 {
			return nil, &refusal{Status: http.StatusNotFound, Message: list.Notices[0].Message}
		}
		for i := range list.Data {
			if !p.isCurrent(&list.Data[i]) {
				return all, nil // the latest dates come first
			}
			all = append(all, list.Data[i])
		}
		if !list.Pagination.HasMore {
			return all, nil
		}
	}
}

// hasReleases reports whether the next update of a dataset of a source is known and not long past.
func (p *page) hasReleases(source string) (bool, error) {
	var list releasePage
	err := p.readReleases(source, 0, 1, &list)
	return len(list.Data) > 0 && p.isCurrent(&list.Data[0]), err
}

// releasePage is a page of datasets.
type releasePage struct {
	Data       []metadata
	Notices    []struct{ Message string }
	Pagination struct{ HasMore bool }
}

// readReleases reads a page of the datasets of a source, those with the latest date of the next
// update first.
func (p *page) readReleases(source string, number, limit int, into *releasePage) error {
	return p.read("/api/datasets", url.Values{
		"source": {source}, "sort": {"-next_update"}, "fields": {"source,code,next_update"}, "lang": {p.lang.Code},
		"page": {strconv.Itoa(number)}, "limit": {strconv.Itoa(limit)},
	}, into)
}

// isCurrent reports whether the next update of a dataset is known and not long past.
func (p *page) isCurrent(m *metadata) bool {
	r, ok := m.nextUpdate()
	return ok && r.At.After(p.opts.Now().AddDate(0, 0, -calendarPast))
}

// followedCalendar is the calendar of what an organisation follows. Whoever has its address reads it.
func (p *page) followedCalendar() error {
	organisation, err := p.opts.Notices.FeedOf(p.r.Context(), p.r.PathValue("token"))
	if stat.KindOf(err) == stat.NotFound {
		return p.refuse(http.StatusNotFound, p.lang.text("news.address"))
	}
	if err != nil {
		return err
	}
	inName := *p
	inName.reader = p.opts.InterfaceOf(access.Caller{Organisation: organisation})
	var list struct{ Data []followed }
	if err := inName.read("/api/followed", url.Values{"limit": {strconv.Itoa(calendarPage)}}, &list); err != nil {
		return err
	}
	var all []metadata
	for _, f := range list.Data {
		var m metadata
		err := p.read("/api/datasets/"+strconv.Itoa(f.ID)+"/meta", url.Values{"lang": {p.lang.Code}}, &m)
		if isRefused(err) {
			continue // it was removed
		}
		if err != nil {
			return err
		}
		all = append(all, m)
	}
	name, err := p.organisationName(organisation)
	if err != nil {
		return err
	}
	return p.sendCalendar(p.lang.text("calendar.followed", "organisation", name), all)
}

// sendCalendar sends the next updates of datasets as iCalendar (RFC 5545).
func (p *page) sendCalendar(name string, datasets []metadata) error {
	base := strings.TrimSuffix(p.opts.BaseURL, "/")
	host := base
	if u, err := url.Parse(base); err == nil {
		host = cmp.Or(u.Hostname(), host)
	}
	calendar := ics.NewCalendar()
	calendar.SetProductId("-//Almanac//" + p.lang.Code)
	calendar.SetMethod(ics.MethodPublish)
	calendar.SetName(name)
	calendar.SetXWRCalName(name)
	datasets = slices.DeleteFunc(slices.Clone(datasets), func(m metadata) bool { return !p.isCurrent(&m) })
	slices.SortFunc(datasets, func(a, b metadata) int {
		x, _ := a.nextUpdate()
		y, _ := b.nextUpdate()
		return cmp.Or(x.At.Compare(y.At), a.ID-b.ID)
	})
	for i := range datasets {
		m := &datasets[i]
		r, _ := m.nextUpdate()
		event := calendar.AddEvent("dataset-" + strconv.Itoa(m.ID) + "-" + r.At.UTC().Format("20060102") + "@" + host)
		event.SetDtStampTime(p.opts.Now().Truncate(24 * time.Hour))
		if r.IsDay {
			event.SetAllDayStartAt(r.At)
		} else {
			event.SetStartAt(r.At)
		}
		event.SetSummary(m.SourceName + ": " + m.Title())
		event.SetDescription(p.lang.text("calendar.stated", "source", m.SourceName))
		event.SetURL(base + m.address())
		event.SetTimeTransparency(ics.TransparencyTransparent)
	}
	p.sendFile("text/calendar; charset=utf-8", []byte(calendar.Serialize(ics.WithNewLineWindows)))
	return nil
}
