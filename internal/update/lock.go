package update

import (
	"context"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"almanac/internal/stat"
	"almanac/internal/watch"
)

// How often a busy lock is tried again: the turn at an office, and an item.
const (
	turnPoll = 50 * time.Millisecond
	lockPoll = 250 * time.Millisecond
)

// turn waits until this process may contact an office: offices want one
// connection, however many processes there are. A second lock keeps the queue
// fair. Plain addresses are on many hosts and need no turn.
func (u *Updater) turn(ctx context.Context, office string) (done func(), err error) {
	if office == "" {
		return func() {}, nil
	}
	leave, err := u.lock(ctx, numberOf("queue of "+office), turnPoll, 0)
	if err != nil {
		return nil, err
	}
	defer leave()
	return u.lock(ctx, numberOf("turn at "+office), turnPoll, 0)
}

// lock locks a number. While another process has it, lock tries again after each
// poll, until the timeout if that is not 0.
func (u *Updater) lock(ctx context.Context, number int64, poll, timeout time.Duration) (unlock func(), err error) {
	for waited := time.Duration(0); ; waited += poll {
		unlock, ok, err := u.options.Watches.Lock(number)
		if ok || err != nil {
			return unlock, err
		}
		if timeout > 0 && waited >= timeout {
			return nil, stat.Errorf(stat.Conflict, "another process has been fetching it for more than %v; try again when it has finished", timeout)
		}
		if err := u.options.Sleep(ctx, poll); err != nil {
			return nil, err
		}
	}
}

// numberOf returns the number under which a reference that is not an item is
// locked: above those of items.
func numberOf(ref string) int64 {
	hash := fnv.New64a()
	hash.Write([]byte(ref))
	return 1<<62 - 1 - int64(hash.Sum64()>>3)
}

func (u *Updater) withoutSkipped(items []watch.Item) []watch.Item {
	now := u.options.Now()
	u.mu.Lock()
	defer u.mu.Unlock()
	return slices.DeleteFunc(items, func(it watch.Item) bool {
		until := u.skipped[it.ID]
		return now.Before(until) && !until.After(now.Add(skipTime))
	})
}

// datasetName identifies a dataset that may have no ID yet.
type datasetName struct{ source, code string }

// claim reserves a dataset for an item that is about to publish it. Two
// references may lead to one dataset, because its code may be a file's name, and
// would overwrite each other in turn. The first one keeps it.
func (u *Updater) claim(ctx context.Context, j *job, source, code string, id int) error {
	claimed := watch.Dataset{ID: id, Item: j.item.ID, Ref: j.item.Ref}
	which := "the dataset " + code
	if id != 0 {
		which = fmt.Sprintf("dataset %d (%s)", id, code)
		known, err := u.options.Watches.DatasetByID(ctx, id)
		if err != nil {
			return err
		}
		if known.Item != 0 {
			claimed = known
		}
	}
	if claimed.Item == j.item.ID && j.item.ID != 0 { // else an import by hand of an unwatched dataset
		first, _ := u.claims.LoadOrStore(datasetName{source, code}, claimed)
		claimed = first.(watch.Dataset)
	}
	if claimed.Item == j.item.ID {
		if j.bringing != nil {
			return j.bringing.noteClaim(ctx, len(j.Data), watch.DatasetName{Source: source, Code: code})
		}
		return nil
	}
	j.isContested = true
	return stat.Errorf(stat.Refused, "it is %s, which %s already updates; two references cannot update one dataset: watch only one of them (`almanac watch remove`), "+
		"or import one by hand under another --code", which, claimed.Ref)
}

// releaseClaims releases the claims of an item after its datasets are recorded.
func (u *Updater) releaseClaims(item int64) {
	u.claims.Range(func(name, dataset any) bool {
		if dataset.(watch.Dataset).Item == item {
			u.claims.Delete(name)
		}
		return true
	})
}

// Each item has a folder of its own while it is fetched and imported, named by
// the number under which it is locked. If the lock is free, a killed process left
// the folder behind, and whoever takes the lock may remove it.

func (u *Updater) makeFolder(number int64) (folder string, err error) {
	folder = filepath.Join(u.options.Dir, strconv.FormatInt(number, 10))
	if err = os.RemoveAll(folder); err == nil {
		err = os.Mkdir(folder, 0o750)
	}
	if err != nil {
		return "", fmt.Errorf("creating a folder for a download: %w", err)
	}
	return folder, nil
}

func (u *Updater) clear() error {
	folders, err := os.ReadDir(u.options.Dir)
	if err != nil {
		return err
	}
	for _, f := range folders {
		number, err := strconv.ParseInt(f.Name(), 10, 64)
		if err != nil || number <= 0 {
			continue // not ours
		}
		unlock, ok, err := u.options.Watches.Lock(number)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		err = os.RemoveAll(filepath.Join(u.options.Dir, f.Name()))
		unlock()
		if err != nil {
			return err
		}
	}
	return nil
}

const sizePoll = 500 * time.Millisecond

// notifyGrowth reports the size of a folder until it is stopped.
func (r *round) notifyGrowth(folder string, notify func(bytes int64)) (stop func()) {
	if r.options.Notify == nil && r.bringing == nil {
		return func() {}
	}
	done := make(chan struct{})
	var looking sync.WaitGroup
	looking.Go(func() {
		ticker := time.NewTicker(sizePoll)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				notify(folderSize(folder))
			case <-done:
				return
			}
		}
	})
	return func() { close(done); looking.Wait() }
}

// folderSize returns the size of the files in a folder, ignoring files that
// disappear meanwhile.
func folderSize(folder string) (bytes int64) {
	files, _ := os.ReadDir(folder)
	for _, f := range files {
		if info, err := f.Info(); err == nil {
			bytes += info.Size()
		}
	}
	return bytes
}
