package importprocess

import (
	"fmt"
	"os"
	"syscall"
)

// Bound limits the memory of this process to so many bytes more than it has, and has the system
// end it before others when memory is short.
func Bound(memory int64) error {
	has, err := dataBytes()
	if err != nil {
		return fmt.Errorf("bounding the memory of an import: %w", err)
	}
	limit := &syscall.Rlimit{Cur: uint64(has + memory), Max: uint64(has + memory)}
	if err := syscall.Setrlimit(syscall.RLIMIT_DATA, limit); err != nil {
		return fmt.Errorf("bounding the memory of an import: %w", err)
	}
	// 500 of 1000: well before the server, which has 0. Containers may forbid it; the bound remains.
	_ = os.WriteFile("/proc/self/oom_score_adj", []byte("500"), 0)
	return nil
}

// dataBytes returns what counts against the limit now. The runtime of Go reserves some 100 MB when
// it starts, and uses little of it.
func dataBytes() (int64, error) {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0, err
	}
	var all, resident, shared, code, library, data int64
	if _, err := fmt.Sscan(string(text), &all, &resident, &shared, &code, &library, &data); err != nil {
		return 0, fmt.Errorf("reading /proc/self/statm: %w", err)
	}
	return data * int64(os.Getpagesize()), nil
}
