package main

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"almanac/internal/offer"
	"almanac/internal/request"
	"almanac/internal/search"
	"almanac/internal/search/hits"
	"almanac/internal/store"
)

type searchCmd struct {
	folder

	Query          []string `arg:"" help:"What to look for, as you would say it: words, a code or a question."`
	Limit          int      `default:"20" placeholder:"N" help:"Number of datasets, at most 100 (${default})."`
	Source         []string `placeholder:"ID" help:"Only datasets of this source. May be repeated, as all filters."`
	Topic          []string `placeholder:"TOPIC" help:"Only datasets of this subject-matter domain: a code such as 1.2, or a name."`
	Frequency      []string `placeholder:"LETTER" help:"Only datasets of this frequency: A, S, Q, M, W or D."`
	Area           []string `placeholder:"AREA" help:"Only datasets that have or may have this area: any code or name."`
	LastPeriodFrom string   `placeholder:"YEAR" help:"Only datasets whose last period is in this year or later."`
	Lang           string   `placeholder:"TAG" help:"Language of the names where the office has them in it, such as de. It does not change what is found."`
	Page           int      `placeholder:"N" help:"Page, counted from 0 (0)."`
	Here           bool     `help:"Only datasets of the store, not those that offices only offer."`
}

// Validate checks the flags together.
func (c *searchCmd) Validate() error {
	if c.Limit < 1 || c.Limit > search.MaxLimit {
		return fmt.Errorf("--limit must be between 1 and %d, not %d", search.MaxLimit, c.Limit)
	}
	return nil
}

// maxSearchWait is how long the command waits for the latest values of the datasets that it found.
const maxSearchWait = 10 * time.Second

// Run finds datasets with an index that it builds.
func (c *searchCmd) Run(ctx context.Context, atExit *cleanups, p printer) error {
	s, offers, err := c.openSources(ctx, atExit)
	if err != nil {
		return err
	}
	index := search.New(search.Options{Store: s, Offers: offers})
	if err := index.Refresh(ctx); err != nil {
		return err
	}
	language, err := request.BaseLanguage(c.Lang, "")
	if err != nil {
		return err
	}
	q := &search.Query{
		LastPeriodFrom: c.LastPeriodFrom, Language: language, Page: c.Page,
		Text: strings.Join(c.Query, " "), Source: c.Source, Topic: c.Topic, Frequency: c.Frequency, Area: c.Area, Limit: c.Limit,
	}
	if c.Here {
		q.Here = "here"
	}
	reader := hits.NewReader(s, offers)
	reader.Wait = maxSearchWait
	page, _, err := reader.Find(ctx, index, q)
	if err != nil {
		return err
	}
	for _, n := range page.Notices {
		fmt.Fprintln(p.stderr, oneLine(n.Message)+nearestText(n.Nearest, n.Parameter))
	}
	if len(page.Data) == 0 && !p.json {
		fmt.Fprintln(p.stderr, "no dataset found"+c.emptyHint(offers))
		return nil
	}
	if err := printList(p, "ID\tDATASET\tFREQUENCY\tPERIODS\tLATEST\tNAME", page.Data, hitLine); err != nil {
		return err
	}
	if !p.json {
		printNoLatest(p, page.Data)
	}
	if total := page.Pagination.Total; total > len(page.Data) {
		fmt.Fprintf(p.stderr, "%d of %s; --limit or --page shows more\n", len(page.Data), countOf(total, "dataset"))
	}
	return nil
}

// openSources opens the store and what offices offer; each may be missing, but not both.
func (c *searchCmd) openSources(ctx context.Context, atExit *cleanups) (s *store.Store, offers *offer.DB, err error) {
	s, missing := openStore(ctx, atExit, c.in(c.Data))
	if offers, err = openOffers(ctx, atExit, c.in(c.Data)); err != nil {
		return nil, nil, err
	}
	if offers == nil {
		return s, nil, missing
	}
	if missing != nil {
		s = nil
	}
	return s, offers, nil
}

func (c *searchCmd) emptyHint(offers *offer.DB) string {
	if offers != nil {
		return ""
	}
	return "; to search what offices offer too, read their lists first: almanac source refresh " + flagText("--data", c.Data)
}

func nearestText(nearest []string, parameter string) string {
	if len(nearest) == 0 || parameter == "q" {
		return ""
	}
	return "; nearest: " + oneLine(strings.Join(nearest, ", "))
}

func hitLine(h hits.Hit) string {
	id := "-"
	if h.ID != 0 {
		id = strconv.Itoa(h.ID)
	}
	periods := h.OldestPeriod
	if h.LatestPeriod != periods {
		periods = cmp.Or(h.OldestPeriod, "…") + "–" + cmp.Or(h.LatestPeriod, "…")
	}
	latest := "-"
	if l := h.Latest; l != nil {
		latest = fmt.Sprintf("%s %s: %s", l.Area.Name, l.Period, l.Value)
		if l.Composition != "" {
			latest = fmt.Sprintf("%s; %s: %s", l.Composition, l.Period, l.Value)
		}
		if l.Unit != "" {
			latest += " " + l.Unit
		}
		if l.IsForecast {
			latest += " (forecast)"
		}
		if l.ReadAs != "" {
			latest += "; " + l.ReadAs
		}
	}
	return strings.Join([]string{
		id, oneLine(h.Source + ":" + h.Code), cmp.Or(h.Frequency, "-"), cmp.Or(oneLine(periods), "-"), oneLine(latest), oneLine(h.Name),
	}, "\t")
}

// printNoLatest says why datasets have no latest value, each reason once.
func printNoLatest(p printer, list []hits.Hit) {
	var reasons []string
	datasets := map[string][]string{}
	for _, h := range list {
		if h.NoLatest == "" {
			continue
		}
		if datasets[h.NoLatest] == nil {
			reasons = append(reasons, h.NoLatest)
		}
		datasets[h.NoLatest] = append(datasets[h.NoLatest], strconv.Itoa(h.ID))
	}
	for _, reason := range reasons {
		fmt.Fprintf(p.stderr, "no latest value of dataset %s: %s\n", strings.Join(datasets[reason], ", "), oneLine(reason))
	}
}
