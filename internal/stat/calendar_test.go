package stat

import (
	"testing"
	"time"
)

// civil and yearMonth agree with package time on every day on which a period can begin
// or end.
func TestCalendar(t *testing.T) {
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
			t.Fatalf("civil(%d, %d, %d) = %d, want %d: months above 12 are those of the next year", y-1, int(m)+12, d, got, n)
		}
		day = day.AddDate(0, 0, 1)
	}
}
