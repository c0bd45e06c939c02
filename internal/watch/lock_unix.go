//go:build unix

package watch

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// locksProcesses says that a lock keeps out other processes.
const locksProcesses = true

// takeByte locks one byte of a file for this process; ok is false if another
// process has it.
func takeByte(f *os.File, at int64) (ok bool, err error) {
	err = setLock(f, at, syscall.F_WRLCK)
	if errors.Is(err, syscall.EACCES) || errors.Is(err, syscall.EAGAIN) {
		return false, nil
	}
	return err == nil, err
}

func freeByte(f *os.File, at int64) error { return setLock(f, at, syscall.F_UNLCK) }

func setLock(f *os.File, at int64, kind int16) error {
	raw, err := f.SyscallConn()
	if err != nil {
		return err
	}
	set := func(fd uintptr) {
		for {
			err = syscall.FcntlFlock(fd, syscall.F_SETLK, &syscall.Flock_t{Type: kind, Whence: io.SeekStart, Start: at, Len: 1})
			if !errors.Is(err, syscall.EINTR) {
				return
			}
		}
	}
	if broken := raw.Control(set); broken != nil {
		return broken
	}
	return err
}
