package api_test

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"almanac/internal/access"
	"almanac/internal/api"
	"almanac/internal/store"
)

const downloadPath = "/api/datasets/1/dataset.parquet"

// fileStatuses notes the statuses that only files have, of which ranges can be read.
func fileStatuses(t *testing.T, s *store.Store, doc *reference, note func(path string, status int, got answer)) {
	t.Helper()
	base := serve(t, newAPI(t, api.Options{Store: s, CacheDir: t.TempDir()}))
	for documented := range doc.Paths {
		path := strings.Replace(documented, "{id}", "1", 1)
		if path != downloadPath && !strings.HasPrefix(path, "/api/datasets/1/data.") {
			continue
		}
		for _, method := range []string{"GET", "HEAD"} {
			note(path, 206, ask(t, method, base+path, "Range: bytes=0-3"))
			note(path, 416, ask(t, method, base+path, "Range: bytes=99999999-"))
			note(path, 412, ask(t, method, base+path, `If-Match: "x"`))
		}
	}
}

// TestDatasetFile checks the file of a dataset, and ranges of it, against its digest.
func TestDatasetFile(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t)}))
	whole := ask(t, "GET", base+downloadPath, "Accept-Encoding: gzip, zstd")
	sum := sha256.Sum256([]byte(whole.body))
	if want := "sha-256=:" + base64.StdEncoding.EncodeToString(sum[:]) + ":"; whole.Header.Get("Repr-Digest") != want || whole.Header.Get("Content-Encoding") != "" {
		t.Errorf("headers %v, want the digest %s and no coding", whole.Header, want)
	}
	if file, err := parquet.OpenFile(strings.NewReader(whole.body), int64(len(whole.body))); err != nil || file.NumRows() == 0 {
		t.Fatalf("the file cannot be read: %v", err)
	}
	if head := ask(t, "HEAD", base+downloadPath); head.ContentLength != int64(len(whole.body)) || head.Header.Get("Repr-Digest") != whole.Header.Get("Repr-Digest") {
		t.Errorf("HEAD has the headers %v", head.Header)
	}
	end := whole.body[len(whole.body)-8:]
	for _, c := range []struct {
		name, ranges, condition string
		status                  int
		body                    string
	}{
		{"the beginning", "bytes=0-3", "X: x", 206, "PAR1"},
		{"the end", "bytes=-8", "X: x", 206, end},
		{"of the known version", "bytes=-8", "If-Range: " + whole.Header.Get("ETag"), 206, end},
		{"of another version", "bytes=-8", `If-Range: "other"`, 200, whole.body},
		{"another unit", "rows=0-3", "X: x", 416, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ask(t, "GET", base+downloadPath, "Range: "+c.ranges, c.condition)
			if got.StatusCode != c.status || c.status < 400 && got.body != c.body {
				t.Errorf("%d with %d bytes, want %d with %d", got.StatusCode, len(got.body), c.status, len(c.body))
			}
		})
	}
	several := ask(t, "GET", base+downloadPath, "Range: bytes=0-3,-4")
	if kind := several.Header.Get("Content-Type"); several.StatusCode != 206 || !strings.HasPrefix(kind, "multipart/byteranges") || strings.Count(several.body, "PAR1") != 2 {
		t.Errorf("two ranges: %d, %s", several.StatusCode, kind)
	}
}

// TestSizeOfDatasetFile compares the size of the file of a dataset with the file, which is not sent.
func TestSizeOfDatasetFile(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t)}))
	whole := ask(t, "GET", base+downloadPath)
	file, err := parquet.OpenFile(strings.NewReader(whole.body), int64(len(whole.body)))
	if err != nil {
		t.Fatal(err)
	}
	var got, data struct {
		Data []any
		Meta struct{ Version string }
		Size struct {
			Series, Rows, Observations, Bytes, Cost int
			IsExact                                 bool `json:"bytes_exact"`
		}
	}
	readJSON(t, base+downloadPath+"?dry_run=true", &got)
	readJSON(t, base+"/api/datasets/1/data.parquet?dry_run=true", &data)
	if s := got.Size; s.Bytes != len(whole.body) || int64(s.Rows) != file.NumRows() || s.Series != data.Size.Series || s.Observations != data.Size.Observations || s.Cost != 1 || !s.IsExact {
		t.Errorf("the size is %+v of a file of %d bytes and %d rows; all data have %+v", s, len(whole.body), file.NumRows(), data.Size)
	}
	if len(got.Data) != 0 || got.Meta.Version != "1.0" {
		t.Errorf("beside the size there are %v and version %q", got.Data, got.Meta.Version)
	}
	if earlier := ask(t, "GET", base+downloadPath+"?dry_run=true&version=9.9"); earlier.StatusCode != 404 {
		t.Errorf("the size of no version: %d", earlier.StatusCode)
	}
}

// TestRangesCountOnce checks that the ranges of a file are one request of the daily limit for
// an hour, and that whole files and other callers are not part of that.
func TestRangesCountOnce(t *testing.T) {
	now := clockAt(t, "2025-11-21T10:20:30Z")
	callers := newAccess(t, access.Limits{Anonymous: 2, Essential: 100}, now.now)
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t), Access: callers, Now: now.now}))
	read := func(method, what string, status int, headers ...string) {
		t.Helper()
		if got := ask(t, method, base+downloadPath, append(headers, "Range: bytes=0-9")...); got.StatusCode != status {
			t.Errorf("%s: %d, want %d", what, got.StatusCode, status)
		}
	}
	read("HEAD", "the request that counts", 206)
	for range 5 {
		read("GET", "a range of the download", 206)
	}
	if got := ask(t, "GET", base+downloadPath); got.StatusCode != 200 {
		t.Errorf("the second request that counts: %d", got.StatusCode)
	}
	wantError(t, ask(t, "GET", base+downloadPath), 429)
	read("GET", "a range when the limit is used up", 206)
	read("GET", "another caller", 206, "X-API-Key: "+newKey(t, callers, "desk", access.Essential))
	now.set(t, "2025-11-21T11:20:31Z")
	read("GET", "a range an hour later", 429)
}
