package api_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"almanac/internal/api"
	"almanac/internal/watch"
)

// docs/operations.md, Datasets on request: callers see of an error what the office's answer
// is, and nothing of how the service is set up.
func TestPublicErrorsOfJobs(t *testing.T) {
	db := openWatches(t)
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t), Watches: db}))
	for i, c := range []struct {
		fault       watch.JobFault
		error, want string
	}{
		{watch.FaultKeyless, "destatis answers only requests with a key, and set ALMANAC_KEY_DESTATIS or put it into the file of secrets", "this service has no key of the office"},
		{watch.FaultContested, "it is dataset 3 (x), which own:x already updates", "this service has the dataset under another reference already"},
		{watch.FaultRefused, `Get "http://10.0.0.7/x?y=1": made:d0:1: no number`, `Get "the office's server": made:d0:1: no number`},
		{watch.FaultRefused, "made:d0:1: no number", "made:d0:1: no number"},
		{watch.FaultMissing, "http://10.0.0.7/x: not found on the server", "the office does not offer this dataset"},
		{watch.FaultUnlisted, "http://10.0.0.7/x: not found on the server", "the office's server did not send this dataset, and the office's list of datasets could not be read"},
		{watch.FaultInterrupted, "made:d0: given up after 30 attempts that were interrupted", "made:d0: given up after 30 attempts that were interrupted"},
		{watch.FaultFailed, "http://10.0.0.7/x: the server refused the request: status 400 Bad Request", "the server refused the request: status 400 Bad Request"},
		{watch.FaultFailed, "open /srv/almanac/store.db: no space", "the dataset could not be fetched or stored; see the log of the service"},
	} {
		now := time.Now()
		added, err := db.AddJob(t.Context(), watch.JobRequest{Ref: fmt.Sprintf("made:d%d", i), Office: "made", Limit: -1, LimitOfAll: -1, Now: now})
		if err != nil {
			t.Fatal(err)
		}
		_, lease, unlock, ok, err := db.TakeJob(t.Context(), added.Job, now, now.Add(time.Minute))
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		if err := db.FinishJob(t.Context(), lease, watch.JobEnd{At: now, Fault: c.fault, Error: c.error}, nil); err != nil {
			t.Fatal(err)
		}
		unlock()
		var got struct{ Status, Error string }
		reply := ask(t, "GET", fmt.Sprintf("%s/api/jobs/%d", base, added.ID))
		if err := json.Unmarshal([]byte(reply.body), &got); err != nil || got.Status != "failed" || got.Error != c.want {
			t.Errorf("%s: %s, %v, want the error %q", c.fault, reply.body, err, c.want)
		}
	}
}
