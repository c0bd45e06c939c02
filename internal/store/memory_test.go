package store

import "testing"

// TestImportMemory: an import may use an eighth of the memory, within bounds.
func TestImportMemory(t *testing.T) {
	for available, want := range map[int64]int64{1 << 20: 16 << 20, 512 << 20: 64 << 20, 1 << 30: 128 << 20, 1 << 40: 384 << 20} {
		if got := importMemoryOf(available); got != want {
			t.Errorf("of %d MiB: %d MiB, want %d", available>>20, got>>20, want>>20)
		}
	}
}
