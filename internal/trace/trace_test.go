package trace

import (
	"net/http"
	"testing"
)

// Where tracing is off, it allocates nothing.
func TestOffCostsNothing(t *testing.T) {
	r, err := http.NewRequest(http.MethodGet, "http://127.0.0.1/", nil)
	if err != nil {
		t.Fatal(err)
	}
	n := testing.AllocsPerRun(100, func() {
		r, request := BeginRequest(r)
		ctx, span := Begin(r.Context(), "select observations")
		_, call := BeginCall(ctx, "S3 GetObject")
		call.Set("aws.s3.key", "vintages/1")
		call.End(nil)
		span.SetNumber("almanac.dataset.id", 1)
		span.End(nil)
		if request.IsRecorded() || request.TraceID() != "" {
			t.Error("a request is recorded")
		}
		request.End(nil)
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}
