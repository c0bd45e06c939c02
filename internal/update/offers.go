package update

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"almanac/internal/offer"
	"almanac/internal/source"
	"almanac/internal/stat"
)

// Intervals of reading the whole list of an office. A list that takes a request for each
// folder is read less often.
const (
	listInterval   = day
	walkedInterval = longest
)

// Refresh selects the lists to read.
type Refresh struct {
	Offices []string // IDs
	// AcceptLoss accepts lists that have lost more than half of their datasets.
	AcceptLoss bool
	// Notify, if not nil, is called while a list is read, with the number of datasets so
	// far, from several goroutines.
	Notify func(office string, datasets int)
}

// Listing is the result of reading an office's list of contents.
type Listing struct {
	Office       string
	offer.Change // after a failure, the old list is also the new one
	Took         time.Duration
	Err          error // why the list could not be read or was not accepted; the old one stays
}

// RefreshOffers reads the lists of contents of offices, a few at once, and stores what
// they offer. It yields a result as soon as it is there. A list that ends with an error,
// is empty, or has lost more than half of its datasets, does not replace the old one.
// If ctx ends, the lists under way fail and the rest is not read.
func (u *Updater) RefreshOffers(ctx context.Context, r Refresh) iter.Seq[Listing] {
	return func(yield func(Listing) bool) {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		results := make(chan Listing)
		go func() {
			defer close(results)
			var reading errgroup.Group
			reading.SetLimit(maxOffices)
			for _, id := range r.Offices {
				reading.Go(func() error {
					if ctx.Err() == nil {
						results <- u.refreshInTurn(ctx, id, r)
					}
					return nil
				})
			}
			_ = reading.Wait()
		}()
		wanted := true
		for l := range results {
			if wanted = wanted && yield(l); !wanted {
				stop() // and receive the rest
			}
		}
	}
}

// refreshInTurn waits until no other process reads the list.
func (u *Updater) refreshInTurn(ctx context.Context, id string, r Refresh) Listing {
	unlock, err := u.lock(ctx, listNumber(id), lockPoll, 0)
	if err != nil {
		return Listing{Office: id, Err: err}
	}
	defer unlock()
	return u.refresh(ctx, id, r)
}

// listNumber returns the number under which the reading of a list is locked.
func listNumber(office string) int64 { return numberOf("list of " + office) }

// refresh reads a list, which is locked.
func (u *Updater) refresh(ctx context.Context, id string, r Refresh) Listing {
	l := Listing{Office: id}
	o, ok := u.options.Sources.Office(id)
	if !ok {
		l.Err = stat.Errorf(stat.NotFound, "there is no source %q", id)
		return l
	}
	turn := &longTurn{u: u, office: id}
	if l.Err = turn.take(ctx); l.Err != nil {
		return l
	}
	defer turn.end()
	began := u.options.Now()
	accept := acceptGrown
	if r.AcceptLoss {
		accept = acceptAny
	}
	l.Change, l.Err = u.options.Offers.ReplaceList(ctx, offer.List{Source: id, Offers: u.offersOf(ctx, o, turn, r.Notify), Accept: accept})
	l.Took = u.options.Now().Sub(began)
	if l.Err == nil {
		ctx = context.WithoutCancel(ctx) // a list that is stored is recorded
	}
	if ctx.Err() == nil && faultOf(l.Err) != faultLocal {
		if err := u.recordListing(ctx, o, &l); l.Err == nil {
			l.Err = err
		}
	}
	return l
}

// turnTime is how long the reading of a list keeps others from an office.
const turnTime = 30 * time.Second

// longTurn is the turn at an office for work that may take an hour. It lets others in
// between two requests.
type longTurn struct {
	u      *Updater
	office string
	since  time.Time
	done   func() // nil: others have the turn
}

// take takes the turn, or gives it to those who wait and takes it again if it has lasted
// for turnTime.
func (t *longTurn) take(ctx context.Context) (err error) {
	if t.done != nil && t.u.options.Now().Sub(t.since) < turnTime {
		return nil
	}
	t.end()
	t.done, err = t.u.turn(ctx, t.office)
	t.since = t.u.options.Now()
	return err
}

func (t *longTurn) end() {
	if t.done != nil {
		t.done()
	}
	t.done = nil
}

func acceptAny(old offer.SourceState, datasets int) error {
	if datasets == 0 {
		return stat.Errorf(stat.Refused, "the list of %s is empty", old.Source)
	}
	return nil
}

// acceptGrown refuses a list that has lost more than half of the datasets of the office's
// last one: most likely a part of it is missing.
func acceptGrown(old offer.SourceState, datasets int) error {
	if old.Origin == "" && 2*datasets < old.Datasets {
		return &ListLossError{old.Source, old.Datasets, datasets}
	}
	return acceptAny(old, datasets)
}

// ListLossError is the error of a list that has lost more than half of its datasets.
type ListLossError struct {
	Office      string
	Before, Now int // datasets
}

func (e *ListLossError) Error() string {
	return fmt.Sprintf("the list of %s had %d datasets and now has %d; the old list stays", e.Office, e.Before, e.Now)
}

// recordListing records the try and when the list is due next. It adds the old list to a
// failed one.
func (u *Updater) recordListing(ctx context.Context, o source.Office, l *Listing) error {
	now := u.options.Now()
	try := offer.Try{Tried: now, Due: now.Add(stretch(listingInterval(o), u.randomFactor()))}
	if l.Err != nil {
		states, err := u.offerStates(ctx)
		if err != nil {
			return err
		}
		l.Before, l.After = states[o.ID], states[o.ID]
		waits := afterFailure
		if faultOf(l.Err) == faultMissing {
			waits = afterMissing
		}
		try.Failed, try.Error = states[o.ID].Failed+1, short(l.Err.Error())
		wait := stretch(waits[min(try.Failed, len(waits))-1], u.randomFactor())
		try.Due = now.Add(max(wait, retryAfter(l.Err)))
	}
	return u.options.Offers.Record(ctx, o.ID, try)
}

func listingInterval(o source.Office) time.Duration {
	if o.Walked("") {
		return walkedInterval
	}
	return listInterval
}

func (u *Updater) offerStates(ctx context.Context) (map[string]offer.SourceState, error) {
	list, err := u.options.Offers.Sources(ctx)
	states := map[string]offer.SourceState{}
	for _, s := range list {
		states[s.Source] = s
	}
	return states, err
}

// offersOf yields the offers of an office: a dataset has one for each of its languages.
func (u *Updater) offersOf(ctx context.Context, o source.Office, turn *longTurn, notify func(string, int)) iter.Seq2[offer.Offer, error] {
	return func(yield func(offer.Offer, error) bool) {
		n := 0
		for e, err := range u.options.Sources.Server(o.ID).Contents(ctx, source.Filter{Languages: true}) {
			if n++; err == nil && n > maxListed {
				err = stat.Errorf(stat.Refused, "the list of %s has more than %d entries", o.Name, maxListed)
			}
			if err == nil {
				err = turn.take(ctx)
			}
			if err != nil {
				yield(offer.Offer{}, err)
				return
			}
			for _, one := range offersIn(o, e) {
				if !yield(one, nil) {
					return
				}
			}
			if notify != nil {
				notify(o.ID, n)
			}
		}
	}
}

// offersIn returns the offers of an entry: the one with its title, and one for each other
// language into which the office translated its texts.
func offersIn(o source.Office, e source.Entry) []offer.Offer {
	first := offer.Offer{
		Source: o.ID, Code: e.Code, Title: e.Title, Description: e.Description, Topic: e.Theme, Language: baseLanguage(cmp.Or(e.Language, o.Language, "en")),
		Frequency: e.Frequency, First: e.First, Last: e.Last, Updated: dayOrTime(e.Updated),
	}
	all := []offer.Offer{first}
	isKnown := map[string]bool{first.Language: true}
	for _, text := range e.Others {
		language := baseLanguage(text.Language)
		isTranslated := text.Title != "" && (text.Title != first.Title || text.Description != first.Description)
		if isKnown[language] || !isTranslated {
			continue
		}
		isKnown[language] = true
		other := first
		other.Language, other.Title, other.Description, other.Topic = language, text.Title, text.Description, cmp.Or(text.Theme, first.Topic)
		all = append(all, other)
	}
	return all
}

// baseLanguage returns a language as in ISO 639: "pt" of "pt-br".
func baseLanguage(tag string) string {
	base, _, _ := strings.Cut(stat.LanguageTag(tag), "-")
	return base
}

// dayOrTime formats the time of an update: as a day if it is midnight at the office.
func dayOrTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	if hour, minute, second := t.Clock(); hour+minute+second == 0 {
		return t.Format(time.DateOnly)
	}
	return t.UTC().Format(time.RFC3339)
}
