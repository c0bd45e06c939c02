// Package update gets datasets from the offices' servers and keeps them up to
// date: it finds what is due, fetches what changed, imports it, and writes down
// what came of it.
//
// One round, in [Keeper.Sync]: watches that are patterns are expanded against
// the office's list of contents, which is read once; items that are due are
// fetched, each office's one after another, while earlier ones are imported, as
// many at once as there are processors. An office that is out is left alone
// until later. Whatever ends the process, the next round does the rest.
// [Keeper.Run] makes such a round for each office by itself, whenever something
// of it is due. Several processes may do all this at once: one has an item, and
// one fetches from an office, at a time.
//
// # When a dataset is asked for again
//
// After a success: as often as its watch says, if it says. Else, where the
// office's list tells when datasets changed, once in the office's span (a day,
// if its row does not say another): that one list spares the questions for
// each. Else by the dataset's own rhythm: after a tenth of the time since it
// last changed, at least the office's span and at most a week; so a yearly table
// is asked for weekly, and one that changed last week daily. All spans are
// made up to a tenth longer or shorter by chance, so that not all come at once.
//
// After a failure: in 15 minutes, then 1, 4, 12 and 24 hours; what this machine
// could not store, sooner; one that the
// office does not have (any more), but is not out, in 1, 2, 4 and 7 days. What was refused for
// what the data are is fetched again when the office has other data, or when
// somebody asks for it by name.
//
// An office is out after three failures of the outage kind in a row, or twenty
// of any kind (that it refuses a dataset as it is asked for is none), or if it
// says of twenty datasets in a row which are in the store that it does not have
// them, or if it says when to come back. It is then left alone for 5 minutes,
// twice as long each time, at most for 6 hours, or as long as it said; people who
// name what they want have only the latter kept from them. Plain addresses are
// of many hosts, and are never out: each waits for itself, as long as its host
// said if that is longer.
//
// What is wrong with this machine's files (no space, no permission) is no fault of
// an office: it ends the visit, and what was not fetched stays due. Times that a
// wrong clock wrote far ahead keep nothing from being asked for.
//
// # What is written down
//
// A dataset of the store is of one item: another reference that comes to the same
// is refused. Every vintage of it has its line in the log: those that came while
// nobody could write one (the process was killed, somebody published by hand) get
// theirs when the item finishes the next time.
package update

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"almanac/internal/importer"
	"almanac/internal/source"
	"almanac/internal/source/fetch"
	"almanac/internal/stat"
	"almanac/internal/store"
	"almanac/internal/watch"
)

// Options are what a [Keeper] is made from.
type Options struct {
	Store   *store.Store
	Watches *watch.DB
	Sources *source.Table
	Dir     string // where files are kept while they are fetched and read; made, and cleared of what nobody uses

	Imports int // at once; 0: as many as processors
	Offices int // asked at once; 0: 8

	Import importer.Options // what people state of imports by hand

	Now   func() time.Time                           // nil: time.Now
	Sleep func(context.Context, time.Duration) error // nil: waits
	Rand  func() float64                             // 0 ≤ x < 1; nil: math/rand/v2
	Log   *slog.Logger                               // nil: none
	// Tell, if not nil, is told what happens, one call at a time.
	Tell func(Event)
}

// defaultOffices is how many offices are asked at once.
const defaultOffices = 8

// Keeper keeps datasets up to date. It is safe for concurrent use.
type Keeper struct {
	options Options

	// Places, of which one is taken by each office that is asked, and by each
	// import.
	visiting, importing chan struct{}

	mu      sync.Mutex
	lists   map[string]*list    // of offices, as last read
	busy    map[string]bool     // offices that Run is visiting
	passed  map[int64]time.Time // items that another process has, until when they are left to it
	trimmed time.Time           // when the log was last shortened
	claims  map[datasetName]claimOwner

	telling sync.Mutex
}

// New makes a Keeper and clears what an earlier one left behind when it was
// killed. The error is [stat.Invalid] if an option cannot be used.
func New(o Options) (*Keeper, error) {
	var wrong []error
	if o.Store == nil || o.Watches == nil || o.Sources == nil {
		wrong = append(wrong, errors.New("it needs a store, a list of what is watched and a table of offices"))
	}
	if o.Dir == "" {
		wrong = append(wrong, errors.New("it needs a folder for what is fetched"))
	}
	if o.Imports < 0 || o.Offices < 0 {
		wrong = append(wrong, errors.New("how many imports and offices are taken at once is no negative number"))
	}
	if err := errors.Join(wrong...); err != nil {
		return nil, stat.Errorf(stat.Invalid, "keeping datasets up to date: %v", err)
	}
	o.withDefaults()
	k := &Keeper{
		options: o, visiting: make(chan struct{}, o.Offices), importing: make(chan struct{}, o.Imports),
		lists: map[string]*list{}, busy: map[string]bool{}, passed: map[int64]time.Time{},
		claims: map[datasetName]claimOwner{},
	}
	dir, err := filepath.Abs(o.Dir)
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	if err != nil {
		return nil, fmt.Errorf("making the folder for what is fetched: %w", err)
	}
	k.options.Dir = dir
	return k, k.clear()
}

func (o *Options) withDefaults() {
	o.Imports = cmp.Or(o.Imports, runtime.GOMAXPROCS(0))
	o.Offices = cmp.Or(o.Offices, defaultOffices)
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Sleep == nil {
		o.Sleep = fetch.Sleep
	}
	if o.Rand == nil {
		o.Rand = rand.Float64
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
}

// Stage is where an item is.
type Stage string

// The stages of an item.
const (
	Waiting   Stage = "waiting"
	Fetching  Stage = "fetching"
	Importing Stage = "importing"
	Finished  Stage = "finished"  // Event.Entry says how
	Postponed Stage = "postponed" // to a later round: its office is out, another process has it, or the round was ended
)

// Event is a step of an item, or something finished that is told of an office,
// a watch or a dataset that vanished.
type Event struct {
	Ref   string
	Stage Stage
	Bytes int64        // fetched so far
	Entry *watch.Entry // when it is finished

	Left int // items of this round that are not finished, this one included unless it is
}

func (k *Keeper) tell(e Event) {
	if k.options.Tell == nil {
		return
	}
	k.telling.Lock()
	defer k.telling.Unlock()
	k.options.Tell(e)
}

// Statuses of entries, beside those of [importer.Outcome].
const (
	failed   = "failed"   // could not be fetched
	vanished = "vanished" // the office does not list it any more, or its file lacks it
)

// Summary counts what a round did.
type Summary struct {
	Items       int `json:"items"` // that were due
	Created     int `json:"created"`
	Updated     int `json:"updated"`
	Unchanged   int `json:"unchanged"`
	Quarantined int `json:"quarantined"`
	Refused     int `json:"refused"`
	Failed      int `json:"failed"`    // could not be fetched; also lists of contents that could not be read or believed
	Postponed   int `json:"postponed"` // of an office that is out, or taken by another process
}

// add counts an item.
func (s *Summary) add(status string) {
	switch importer.Status(status) {
	case importer.Created:
		s.Created++
	case importer.Updated:
		s.Updated++
	case importer.Unchanged:
		s.Unchanged++
	case importer.Quarantined:
		s.Quarantined++
	case importer.Refused:
		s.Refused++
	case failed:
		s.Failed++
	default:
		s.Postponed++
	}
}
