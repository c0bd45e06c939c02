package notice

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"log/slog"
	"net/http"
	"slices"
	"time"
)

// Dataset is a dataset and its current version.
type Dataset struct {
	ID      int
	Version string
}

// Change is what changed between two versions of a dataset in what an organisation follows of it.
type Change struct {
	Dataset     int             `json:"dataset"`
	Reference   string          `json:"reference"` // source:code
	Name        string          `json:"name"`
	Page        string          `json:"page"`
	Before      string          `json:"before"` // the older version
	Version     string          `json:"version"`
	Added       int             `json:"added"`
	Revised     int             `json:"revised"`
	Removed     int             `json:"removed"`
	Revisions   json.RawMessage `json:"revisions"` // the first ones, as the interface writes them
	MoreAddress string          `json:"all_revisions"`
}

// Service is what notices are about.
type Service interface {
	// Datasets returns the current version of all datasets. It is called every second.
	Datasets() iter.Seq[Dataset]
	// Followers returns the organisations that follow a dataset.
	Followers(ctx context.Context, dataset int) ([]int64, error)
	// Change compares two versions in what an organisation follows. ok is false if nothing differs.
	Change(ctx context.Context, organisation int64, dataset int, before, version string) (c Change, ok bool, err error)
}

// Options configure a [Notifier].
type Options struct {
	DB      *DB
	Service Service
	// Transport sends messages; it must refuse addresses that are not public.
	Transport http.RoundTripper
	// Mailer sends mail; nil: mail waits until there is one.
	Mailer Mailer
	Now    func() time.Time // nil: time.Now
	Log    *slog.Logger     // nil: none
}

// Notifier makes and sends notices.
type Notifier struct {
	opts    Options
	client  *http.Client
	known   map[int]string // the versions that were last compared with the database
	trimmed time.Time      // when old messages were last deleted
}

// NewNotifier returns a Notifier.
func NewNotifier(o Options) *Notifier {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Notifier{opts: o, known: map[int]string{}, client: &http.Client{Transport: o.Transport, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse // a redirect is no success
	}}}
}

// Run makes and sends notices every second until ctx ends.
func (n *Notifier) Run(ctx context.Context) {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	isFailing := false
	for {
		err := n.Step(ctx)
		if err != nil && !isFailing && ctx.Err() == nil {
			n.opts.Log.Error("notices cannot be sent at the moment", "error", err)
		}
		isFailing = err != nil
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// Step makes the notices of what changed, and sends what is due.
func (n *Notifier) Step(ctx context.Context) error {
	if err := n.makeNotices(ctx); err != nil {
		return err
	}
	now := n.opts.Now()
	if n.opts.Mailer != nil {
		if err := n.opts.DB.queueDigests(ctx, now); err != nil {
			return err
		}
	}
	if now.Sub(n.trimmed) >= trimEvery {
		if err := n.opts.DB.trim(ctx, now.Add(-keepFor)); err != nil {
			return err
		}
		n.trimmed = now
	}
	return n.sendDue(ctx)
}

// makeNotices queues messages about the datasets that have a newer version than before.
func (n *Notifier) makeNotices(ctx context.Context) error {
	var changed []Dataset
	for d := range n.opts.Service.Datasets() {
		if n.known[d.ID] != d.Version {
			changed = append(changed, d)
		}
	}
	if len(changed) == 0 {
		return nil
	}
	seen, err := n.opts.DB.seen(ctx)
	if err != nil {
		return err
	}
	for _, d := range changed {
		if err := n.notify(ctx, d, seen[d.ID]); err != nil {
			return fmt.Errorf("notices of dataset %d: %w", d.ID, err)
		}
		n.known[d.ID] = d.Version
	}
	return nil
}

// notify queues the messages about the version of a dataset. A dataset that is new has no
// followers yet, and nothing to compare with.
func (n *Notifier) notify(ctx context.Context, d Dataset, before string) error {
	if before == d.Version {
		return nil
	}
	var messages []Message
	now := n.opts.Now()
	if before != "" {
		followers, err := n.opts.Service.Followers(ctx, d.ID)
		if err != nil {
			return err
		}
		for _, organisation := range slices.Sorted(slices.Values(followers)) {
			c, ok, err := n.opts.Service.Change(ctx, organisation, d.ID, before, d.Version)
			if err != nil {
				return err
			}
			if !ok {
				continue
			}
			body, err := json.Marshal(body{Type: "dataset.changed", Timestamp: now.UTC().Format(time.RFC3339), Data: c})
			if err != nil {
				return err
			}
			messages = append(messages, Message{Organisation: organisation, Kind: "dataset.changed", Body: string(body)})
		}
	}
	return n.opts.DB.see(ctx, d, before, messages, now)
}

// body is the body of a message, in the form that Standard Webhooks recommends.
type body struct {
	Type      string `json:"type"`
	Timestamp string `json:"timestamp"`
	Data      any    `json:"data"`
}

// TestBody is the body of a message that tests an endpoint.
func TestBody(now time.Time) string {
	text, _ := json.Marshal(body{Type: "test", Timestamp: now.UTC().Format(time.RFC3339), Data: map[string]string{"message": "This endpoint is told of changes in followed datasets."}})
	return string(text)
}
