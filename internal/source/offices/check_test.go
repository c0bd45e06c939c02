package offices_test

import (
	"strings"
	"testing"

	"almanac/internal/source/offices"
	"almanac/internal/source/replay"
	"almanac/internal/source/replay/sdmxtest"
	"almanac/internal/source/sourcetest"
	"almanac/internal/stattest"
)

// A check asks for the beginning of the list and for little data, and says what failed.
func TestCheck(t *testing.T) {
	server := sourcetest.CloseAtEnd(t, replay.Serve(sdmxtest.Offices(stattest.DataDir(t))["ecb"]))
	o := sourcetest.OfficeAt(t, "ecb", server)
	o.Sample = "EXR/A.ARS.EUR.SP00.A"
	b := sourcetest.NewOf(t, server, o)
	c := b.Table.Check(t.Context(), "ecb")
	if c.List != offices.CheckWorks || c.Data != offices.CheckWorks || c.Err != nil || c.Code != "EXR/A.ARS.EUR.SP00.A" {
		t.Errorf("got %+v, want that both work", c)
	}
	if n := len(b.Requests("")); n != 2 || len(b.Requests("lastNObservations=1")) != 1 {
		t.Errorf("got %d requests, want one for the list and one for the last observation", n)
	}
	b.Fault(replay.Fault{Match: "/dataflow/", Status: 403, Body: "<html><title>Blocked</title></html>"})
	c = b.Table.Check(t.Context(), "ecb")
	if c.List != offices.CheckFailed || c.Data != offices.CheckWorks || c.Err == nil || !strings.Contains(c.Err.Error(), "blocks requests") {
		t.Errorf("got %+v, want that the list fails", c)
	}
	b.Mend()
	b.Fault(replay.Fault{Match: "/data/", Status: 404})
	if c = b.Table.Check(t.Context(), "ecb"); c.Data != offices.CheckFailed || c.Err == nil {
		t.Errorf("got %+v, want that the sample is missing", c)
	}
}
