package sourcetest

import (
	"strings"
	"testing"

	"almanac/internal/source/replay"
)

// FaultCase is a fault and the text that the error of the fetch must contain.
type FaultCase struct {
	Name    string
	Fault   replay.Fault
	Message string
}

// CheckFaults applies the faults one after another. Each must cause an error with the
// message and leave no files, and the next fetch must succeed.
func (b *Harness) CheckFaults(t *testing.T, code string, cases []FaultCase) {
	t.Helper()
	for _, r := range cases {
		t.Run(r.Name, func(t *testing.T) {
			b.Fault(r.Fault)
			d, err := b.Fetch(t, code, nil)
			if err == nil || !strings.Contains(err.Error(), r.Message) {
				t.Errorf("got %+v, %v; want the error to contain %q", d, err, r.Message)
			}
			b.Mend()
			if _, err := b.Fetch(t, code, nil); err != nil {
				t.Errorf("after the fault: %v", err)
			}
		})
	}
}
