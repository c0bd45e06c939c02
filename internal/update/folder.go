package update

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"
)

// Each item has a folder of its own while it is fetched and imported, named by
// the number under which it is locked. If the lock is free, a killed process left
// the folder behind, and whoever takes the lock may remove it.

func (u *Updater) makeFolder(number int64) (folder string, err error) {
	folder = filepath.Join(u.options.Dir, strconv.FormatInt(number, 10))
	if err = os.RemoveAll(folder); err == nil {
		err = os.Mkdir(folder, 0o755)
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

// sizePoll is how often the size of a download is reported.
const sizePoll = 500 * time.Millisecond

// notifyGrowth reports the size of a folder until it is stopped.
func (u *Updater) notifyGrowth(folder string, notify func(bytes int64)) (stop func()) {
	if u.options.Notify == nil {
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
