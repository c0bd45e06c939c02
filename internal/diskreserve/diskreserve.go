// Package diskreserve keeps a file without content in a data directory, whose room is given up
// while a command frees room, or takes rights away, on a full disk. Such commands write little,
// but SQLite cannot delete a row without writing first.
package diskreserve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// File is the name of the file in the data directory.
const File = "disk.reserve"

// Size is what a command may need: opening the databases takes 100 KB, and deleting the rows of
// a dataset with thousands of versions two or three megabytes.
const Size = 4 << 20

// makesFrom is how much room a disk must have for a reserve to be made: the reserve must not be
// what fills it.
const makesFrom = 4 * Size

const keepEvery = time.Minute

// Keep makes the reserve, or makes it whole again, if the disk has room.
func Keep(dir string) error {
	path := filepath.Join(dir, File)
	if info, err := os.Stat(path); err == nil && info.Size() >= Size {
		return nil
	}
	if free, err := freeBytes(dir); err != nil || free < makesFrom {
		return err
	}
	return fill(path)
}

// Run keeps the reserve until ctx ends: it is made again when the disk has room again.
func Run(ctx context.Context, dir string, log *slog.Logger) {
	ticker := time.NewTicker(keepEvery)
	defer ticker.Stop()
	for isLogged := false; ; {
		if err := Keep(dir); err != nil && !isLogged {
			isLogged = true
			log.Warn("the reserve for a full disk cannot be made", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// GiveUp frees the room of the reserve for the caller, until it calls takeBack. On a disk that is
// still full, the reserve gets back what is left of it. Errors are left to the caller's own
// writes and to Run: nobody wants a key to stay valid because of the reserve.
func GiveUp(dir string) (takeBack func()) {
	path := filepath.Join(dir, File)
	if os.Truncate(path, 0) != nil {
		return func() { _ = Keep(dir) } // there was none
	}
	return func() { _ = fill(path) }
}

// fill gives the file its size, or as much of it as there is room for. The bytes are random, so that
// no file system compresses them or leaves them out.
func fill(path string) (err error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("making the reserve for a full disk: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	source := rand.NewChaCha8([32]byte{})
	block := make([]byte, 64<<10)
	for at := 0; at < Size; at += len(block) {
		_, _ = source.Read(block) // never fails
		_, err := file.WriteAt(block, int64(at))
		if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("making the reserve for a full disk: %w", err)
		}
	}
	return nil
}
