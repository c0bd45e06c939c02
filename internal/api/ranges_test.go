package api_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"almanac/internal/access"
	"almanac/internal/api"
)

// TestRangesOfFiles checks that HEAD and ranges of every file that is made when it is read are
// those of the bytes of a plain GET, with the same ETag.
func TestRangesOfFiles(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t), CacheDir: t.TempDir()}))
	for _, form := range []string{"csv", "parquet", "ndjson", "jsonstat", "xlsx", "sdmx.csv", "sdmx.json", "sdmx.xml"} {
		t.Run(form, func(t *testing.T) {
			path := base + "/api/datasets/1/data." + form + "?country=DE"
			head := ask(t, "HEAD", path)
			part := ask(t, "GET", path, "Range: bytes=1-9", "Accept-Encoding: gzip", "If-Range: "+head.Header.Get("ETag"))
			whole := ask(t, "GET", path)
			if head.ContentLength != int64(len(whole.body)) || head.Header.Get("Accept-Ranges") != "bytes" || head.Header.Get("ETag") != whole.Header.Get("ETag") {
				t.Errorf("HEAD has the headers %v, the file has %d bytes", head.Header, len(whole.body))
			}
			if want := fmt.Sprintf("bytes 1-9/%d", len(whole.body)); part.StatusCode != 206 || part.body != whole.body[1:10] || part.Header.Get("Content-Range") != want || part.Header.Get("Content-Encoding") != "" {
				t.Errorf("%d %q with the headers %v", part.StatusCode, part.body, part.Header)
			}
			if other := ask(t, "GET", path, "Range: bytes=1-9", `If-Range: "other"`); other.StatusCode != 200 || other.body != whole.body {
				t.Errorf("If-Range of another version: %d, %d bytes", other.StatusCode, len(other.body))
			}
			if known := ask(t, "HEAD", path, "If-None-Match: "+head.Header.Get("ETag")); known.StatusCode != 304 {
				t.Errorf("HEAD of a known file: %d", known.StatusCode)
			}
			wantError(t, ask(t, "GET", path, "Range: bytes=99999999-"), 416)
			wantError(t, ask(t, "GET", path, `If-Match: "x"`, "Range: bytes=0-1"), 412)
		})
	}
}

// TestRangesWithoutCache checks that the whole file is the response where it cannot be made
// before it is sent, and that every such request counts.
func TestRangesWithoutCache(t *testing.T) {
	for name, options := range map[string]api.Options{"no cache": {}, "no room": {CacheDir: t.TempDir(), CacheBytes: 1000}} {
		t.Run(name, func(t *testing.T) {
			now := clockAt(t, "2025-11-21T10:20:30Z")
			options.Store, options.Now = largeStore(t), now.now
			options.Access = newAccess(t, access.Limits{Anonymous: 3}, now.now)
			path := serve(t, newAPI(t, options)) + "/api/datasets/1/data.csv"
			if head := ask(t, "HEAD", path); head.StatusCode != 200 || head.ContentLength >= 0 || head.Header.Get("Accept-Ranges") != "" {
				t.Errorf("HEAD: %d, %v", head.StatusCode, head.Header)
			}
			for range 2 {
				if got := ask(t, "GET", path, "Range: bytes=0-9"); got.StatusCode != 200 || len(got.body) < 1000 {
					t.Errorf("a range: %d with %d bytes", got.StatusCode, len(got.body))
				}
			}
			wantError(t, ask(t, "GET", path, "Range: bytes=0-9"), 429)
			if files, _ := filepath.Glob(filepath.Join(options.CacheDir, "*")); options.CacheDir != "" && len(files) != 0 {
				t.Errorf("the folder has %q", files)
			}
		})
	}
}

// TestMadeFilesCount checks that a file is made for one counted request, also for those that ask
// at the same time, and that the ranges of it count again only when it has to be made again.
func TestMadeFilesCount(t *testing.T) {
	now := clockAt(t, "2025-11-21T10:20:30Z")
	dir := t.TempDir()
	callers := newAccess(t, access.Limits{Anonymous: 3}, now.now)
	base := serve(t, newAPI(t, api.Options{Store: largeStore(t), Access: callers, CacheDir: dir, Now: now.now}))
	path := base + "/api/datasets/1/data.csv?last_n=200"
	if got := ask(t, "HEAD", path); got.StatusCode != 200 || got.ContentLength < 0 {
		t.Fatalf("HEAD: %d, %v", got.StatusCode, got.Header)
	}
	var readers sync.WaitGroup
	for i := range 8 {
		readers.Go(func() {
			if got := ask(t, "GET", path, fmt.Sprintf("Range: bytes=%d-%d", 10*i, 10*i+9)); got.StatusCode != 206 || len(got.body) != 10 {
				t.Errorf("range %d: %d", i, got.StatusCode)
			}
		})
	}
	readers.Wait()
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(files) != 1 || !strings.HasSuffix(files[0], ".body") {
		t.Fatalf("the cache has %q", files)
	}
	if err := os.Remove(files[0]); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ ranges, left string }{{"bytes=0-9", "1"}, {"bytes=10-19", ""}} {
		if got := ask(t, "GET", path, "Range: "+c.ranges); got.StatusCode != 206 || got.Header.Get("X-RateLimit-Remaining") != c.left {
			t.Errorf("%s: %d with %q left, want %q", c.ranges, got.StatusCode, got.Header.Get("X-RateLimit-Remaining"), c.left)
		}
	}
	// A file was made for a range that it does not have.
	wantError(t, ask(t, "GET", path+"&labels=code", "Range: bytes=99999999-"), 416)
	wantError(t, ask(t, "GET", path+"&labels=code", "Range: bytes=0-9"), 429)
}

// TestFilesMadeAtOnce checks that requests for a file at the same time have it made once.
func TestFilesMadeAtOnce(t *testing.T) {
	dir := t.TempDir()
	path := serve(t, newAPI(t, api.Options{Store: largeStore(t), CacheDir: dir})) + "/api/datasets/1/data.parquet"
	var readers sync.WaitGroup
	for range 8 {
		readers.Go(func() {
			if got := ask(t, "GET", path, "Range: bytes=0-3"); got.StatusCode != http.StatusPartialContent || got.body != "PAR1" {
				t.Errorf("%d %.100q", got.StatusCode, got.body)
			}
		})
	}
	readers.Wait()
	if files, _ := filepath.Glob(filepath.Join(dir, "*")); len(files) != 1 {
		t.Errorf("the cache has %q", files)
	}
}
