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
	_, err = doLock(f, syscall.F_SETLK, at, syscall.F_WRLCK)
	if errors.Is(err, syscall.EACCES) || errors.Is(err, syscall.EAGAIN) {
		return false, nil
	}
	return err == nil, err
}

// isByteTaken reports whether another process has locked a byte of a file.
func isByteTaken(f *os.File, at int64) (bool, error) {
	found, err := doLock(f, syscall.F_GETLK, at, syscall.F_WRLCK)
	return found.Type != syscall.F_UNLCK, err
}

func freeByte(f *os.File, at int64) error {
	_, err := doLock(f, syscall.F_SETLK, at, syscall.F_UNLCK)
	return err
}

// doLock calls fcntl with a command about a lock of one byte, and returns the lock as the
// system has changed it.
func doLock(f *os.File, command int, at int64, kind int16) (lock syscall.Flock_t, err error) {
	raw, err := f.SyscallConn()
	if err != nil {
		return lock, err
	}
	call := func(fd uintptr) {
		for {
			lock = syscall.Flock_t{Type: kind, Whence: io.SeekStart, Start: at, Len: 1}
			if err = syscall.FcntlFlock(fd, command, &lock); !errors.Is(err, syscall.EINTR) {
				return
			}
		}
	}
	if broken := raw.Control(call); broken != nil {
		return lock, broken
	}
	return lock, err
}
