package offices_test

import (
	"slices"
	"testing"

	"almanac/internal/source/fetch"
	"almanac/internal/source/sourcetest"
)

// References to parts of one dataset are joined. Others stay as they are.
func TestJoinParts(t *testing.T) {
	got := sourcetest.NewTable(t, fetch.Options{}).JoinParts([]string{
		"ecb:EXR/M.USD.EUR.SP00.A", "eurostat:une_rt_m", "ecb:EXR/M.GBP.EUR.SP00.A", "ecb:EXR/M.USD.EUR.SP00.A", "ecb:EXR",
		"ecb:EXR/M.CHF.EUR.SP00.A?startPeriod=2015", "ecb:BSI/M.U2", "ecb:EXR/*", "nowhere:x",
	})
	want := []string{
		"ecb:EXR/M.USD.EUR.SP00.A;M.GBP.EUR.SP00.A", "eurostat:une_rt_m", "ecb:EXR",
		"ecb:EXR/M.CHF.EUR.SP00.A?startPeriod=2015", "ecb:BSI/M.U2", "ecb:EXR/*", "nowhere:x",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
