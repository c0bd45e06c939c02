package store

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

// fallbackMemory is assumed if the machine's memory is unknown.
const fallbackMemory = 4 << 30

// machineMemory returns the machine's memory in bytes.
func machineMemory() int64 {
	f, err := os.Open("/proc/meminfo")
	if err != nil {
		return fallbackMemory
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var kib int64
		if rest, ok := strings.CutPrefix(lines.Text(), "MemTotal:"); ok {
			if _, err := fmt.Sscanf(rest, "%d kB", &kib); err == nil && kib > 0 {
				return kib << 10
			}
		}
	}
	return fallbackMemory
}
