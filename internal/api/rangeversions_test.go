package api_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"almanac/internal/access"
	"almanac/internal/api"
)

// TestRangesOfTwoVersions publishes a version between two requests for parts of a file: If-Range then has the
// whole new file, and the parameter version the rest of the old one.
func TestRangesOfTwoVersions(t *testing.T) {
	s := clockStore(t)
	load(t, s, "a.csv", strings.NewReader(perCapitaFiles[0]))
	base := serve(t, newAPI(t, api.Options{Store: s, CacheDir: t.TempDir()})) + "/api/datasets/1/"
	for _, path := range []string{"data.csv?dim1=MIO_EUR", "data.parquet?", "dataset.parquet?"} {
		t.Run(path, func(t *testing.T) {
			old := ask(t, "GET", base+path)
			oldTag := old.Header.Get("ETag")
			version := ask(t, "GET", base+"meta").body
			_, version, _ = strings.Cut(version, `"version":"`)
			version, _, _ = strings.Cut(version, `"`)
			first := ask(t, "GET", base+path, "Range: bytes=0-3")
			if first.StatusCode != 206 || first.Header.Get("ETag") != oldTag {
				t.Fatalf("%d with ETag %s, want %s", first.StatusCode, first.Header.Get("ETag"), oldTag)
			}
			load(t, s, "a.csv", strings.NewReader(changed(version)))
			rest := ask(t, "GET", base+path, "Range: bytes=4-", "If-Range: "+oldTag)
			now := ask(t, "GET", base+path)
			if rest.StatusCode != 200 || rest.body != now.body || now.body == old.body || rest.Header.Get("ETag") == oldTag {
				t.Errorf("%d, %d bytes with ETag %s; the new file has %d, the old one %d", rest.StatusCode, len(rest.body), rest.Header.Get("ETag"), len(now.body), len(old.body))
			}
			pinned := ask(t, "GET", base+path+"&version="+version, "Range: bytes=4-")
			if whole := ask(t, "GET", base+path+"&version="+version); pinned.StatusCode != 206 || pinned.body != whole.body[4:] {
				t.Errorf("of version %s: %d, %d bytes", version, pinned.StatusCode, len(pinned.body))
			}
			wantError(t, ask(t, "GET", base+path, "Range: bytes=4-", "If-Match: "+oldTag), 412)
		})
	}
}

// changed returns the table of amounts with other values for each version that it follows.
func changed(version string) string {
	return strings.Replace(perCapitaFiles[0], ",134,", ",134."+strings.ReplaceAll(version, ".", "")+",", 1)
}

// TestRangesOfLink checks that parts of a file are read over a link, and count as one request.
func TestRangesOfLink(t *testing.T) {
	s := sampleStore(t)
	a := newAccess(t, access.Limits{Anonymous: 0, Essential: 2, Pro: 5000}, nil)
	newKey(t, a, "sheet", access.Essential)
	base := serve(t, newAPI(t, api.Options{Store: s, Access: a, CacheDir: t.TempDir()}))
	token, _, err := a.CreateLink(t.Context(), access.LinkRequest{Account: "sheet", Dataset: 1, Form: "parquet", Query: "country=Germany", Expires: published.AddDate(0, 0, 90)})
	if err != nil {
		t.Fatal(err)
	}
	address := base + api.LinkAddress(token, "parquet")
	head := ask(t, "HEAD", address)
	if head.StatusCode != 200 || head.ContentLength < 100 || head.Header.Get("Accept-Ranges") != "bytes" {
		t.Fatalf("HEAD: %d %v", head.StatusCode, head.Header)
	}
	for range 3 {
		first, last := ask(t, "GET", address, "Range: bytes=0-3"), ask(t, "GET", address, "Range: bytes=-4", "If-Range: "+head.Header.Get("ETag"))
		if first.StatusCode != 206 || first.body != "PAR1" || last.StatusCode != 206 || last.body != "PAR1" {
			t.Errorf("%d %q, %d %q", first.StatusCode, first.body, last.StatusCode, last.body)
		}
	}
	if whole := ask(t, "GET", address); whole.StatusCode != 200 || int64(len(whole.body)) != head.ContentLength {
		t.Errorf("%d with %d bytes, want %d", whole.StatusCode, len(whole.body), head.ContentLength)
	}
	wantError(t, ask(t, "GET", address), 429)
}

// TestFileOfStoppedServer checks that a file whose server ends before it is sent does not look complete.
func TestFileOfStoppedServer(t *testing.T) {
	a := newAPI(t, api.Options{Store: largeStore(t)})
	for _, form := range []string{"csv", "ndjson", "parquet", "xlsx", "sdmx.xml"} {
		server := httptest.NewServer(a)
		r, err := http.NewRequest("GET", server.URL+"/api/datasets/1/data."+form, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Accept-Encoding", "identity")
		response, err := (&http.Transport{ReadBufferSize: 4 << 10}).RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(response.Body, make([]byte, 1000)); err != nil {
			t.Fatal(err)
		}
		server.CloseClientConnections()
		n, err := io.Copy(io.Discard, response.Body)
		response.Body.Close()
		server.Close()
		if whole := ask(t, "GET", serve(t, a)+"/api/datasets/1/data."+form); err == nil && int(n)+1000 < len(whole.body) {
			t.Errorf("%s: %d of %d bytes look like all", form, n+1000, len(whole.body))
		}
	}
}
