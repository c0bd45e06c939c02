package stat

import (
	"testing"
	"time"
)

// The calendar of civil and yearMonth is that of package time, on every day
// that a period can begin or end on.
func TestCalendarIsThatOfPackageTime(t *testing.T) {
	day := time.Date(minYear, 1, 1, 0, 0, 0, 0, time.UTC)
	for n := civil(minYear, 1, 1); n <= civil(maxYear+1, 1, 31); n++ {
		y, m, d := day.Date()
		if got := civil(y, int(m), d); got != n {
			t.Fatalf("civil(%d, %d, %d) = %d, want %d", y, m, d, got, n)
		}
		if gotY, gotM := yearMonth(n); gotY != y || gotM != int(m) {
			t.Fatalf("yearMonth(%d) = %d, %d, want %d, %d", n, gotY, gotM, y, m)
		}
		if got := civil(y-1, int(m)+12, d); got != n {
			t.Fatalf("civil(%d, %d, %d) = %d, want %d: months run on", y-1, int(m)+12, d, got, n)
		}
		day = day.AddDate(0, 0, 1)
	}
}
