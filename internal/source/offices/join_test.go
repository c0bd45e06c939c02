package offices

import (
	"slices"
	"testing"

	"almanac/internal/source/fetch"
)

// References to parts of one dataset are joined. Others stay as they are.
func TestJoinParts(t *testing.T) {
	client, err := fetch.New(fetch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	table, err := NewTable(client, nil)
	if err != nil {
		t.Fatal(err)
	}
	got := table.JoinParts([]string{
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
