//go:build linux || darwin

package diskreserve

import "syscall"

// freeBytes returns the room that this process may use on the disk of a folder.
func freeBytes(dir string) (int64, error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return 0, err
	}
	return int64(s.Bavail) * int64(s.Bsize), nil
}
