package update

import (
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"
)

// Each item has a folder of its own while it is fetched and imported, named by
// the number under which it is locked. So what a killed process left behind is
// known by its lock being free, and whoever takes the lock may clear it.

// makeFolder makes the folder of a number that is locked, empty.
func (k *Keeper) makeFolder(number int64) (folder string, err error) {
	folder = filepath.Join(k.options.Dir, strconv.FormatInt(number, 10))
	err = os.Mkdir(folder, 0o755)
	if os.IsExist(err) {
		if err = os.RemoveAll(folder); err == nil {
			err = os.Mkdir(folder, 0o755)
		}
	}
	if err != nil {
		return "", fmt.Errorf("making a folder for what is fetched: %w", err)
	}
	return folder, nil
}

// clear removes the folders that nobody uses.
func (k *Keeper) clear() error {
	folders, err := os.ReadDir(k.options.Dir)
	if err != nil {
		return fmt.Errorf("clearing the folder for what is fetched: %w", err)
	}
	for _, f := range folders {
		if err := k.clearOne(f); err != nil && !os.IsNotExist(err) {
			return fmt.Errorf("clearing the folder for what is fetched: %w", err)
		}
	}
	return nil
}

func (k *Keeper) clearOne(f os.DirEntry) error {
	number, err := strconv.ParseInt(f.Name(), 10, 64)
	if err != nil || number <= 0 {
		return nil // not ours
	}
	unlock, ok, err := k.options.Watches.Lock(number)
	if err != nil || !ok {
		return err
	}
	defer unlock()
	return os.RemoveAll(filepath.Join(k.options.Dir, f.Name()))
}

// numberOf is the number under which a reference is locked that is no item:
// above those of items.
func numberOf(ref string) int64 {
	hash := fnv.New64a()
	hash.Write([]byte(ref))
	return 1<<62 - 1 - int64(hash.Sum64()>>3)
}

// lookAtFolder is how often it is told how much has been fetched.
const lookAtFolder = 500 * time.Millisecond

// tellGrowth tells, until it is stopped, how many bytes there are in a folder.
func (k *Keeper) tellGrowth(folder string, tell func(bytes int64)) (stop func()) {
	if k.options.Tell == nil {
		return func() {}
	}
	done := make(chan struct{})
	var looking sync.WaitGroup
	looking.Go(func() {
		ticker := time.NewTicker(lookAtFolder)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				tell(sizeBelow(folder))
			case <-done:
				return
			}
		}
	})
	return func() { close(done); looking.Wait() }
}

// sizeBelow is how many bytes the files of a folder have, as far as they can be
// seen: they come and go.
func sizeBelow(folder string) (bytes int64) {
	files, _ := os.ReadDir(folder)
	for _, f := range files {
		if info, err := f.Info(); err == nil {
			bytes += info.Size()
		}
	}
	return bytes
}

// sizeOf is how many bytes files have together.
func sizeOf(paths []string) (bytes int64) {
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil {
			bytes += info.Size()
		}
	}
	return bytes
}
