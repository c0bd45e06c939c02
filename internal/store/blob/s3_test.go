package blob_test

import (
	"bytes"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"almanac/internal/stat"
	"almanac/internal/stattest"
	"almanac/internal/stattest/s3"
	"almanac/internal/store/blob"
)

func TestParsePlace(t *testing.T) {
	for _, name := range []string{"AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3"} {
		t.Setenv(name, "")
	}
	for address, want := range map[string]string{
		"s3://statistics":           "s3://statistics/",
		"s3://statistics/almanac/":  "s3://statistics/almanac",
		"s3://statistics//a/../b/c": "s3://statistics/b/c",
		"s3://statistics/almanac?endpoint=http://127.0.0.1:7070&region=eu-1": "s3://statistics/almanac",
	} {
		if p, err := blob.ParsePlace(address); err != nil || p.String() != want {
			t.Errorf("%s: %v, %v; want %s", address, p, err, want)
		}
	}
	for address, want := range map[string]string{
		"":                                  "use s3://BUCKET/PREFIX",
		"/var/lib/blobs":                    "use s3://BUCKET/PREFIX",
		"https://s3.example.org/statistics": "use s3://BUCKET/PREFIX",
		"s3:///almanac":                     "use s3://BUCKET/PREFIX",
		"s3://ab/almanac":                   `invalid name of a bucket "ab" in the place of blobs: Bucket name cannot be shorter than 3 characters`,
		"s3://key:tops3cret@statistics":     "must not contain a key",
		"s3://statistics?acl=private":       `unknown parameter "acl"`,
		"s3://statistics?x-amz-security-token=tops3cret":         "the known ones are endpoint and region",
		"s3://statistics?endpoint=s3.example.org":                "invalid endpoint",
		"s3://statistics?endpoint=https://a:tops3cret@s3.org":    "invalid endpoint",
		"s3://statistics?endpoint=https://s3.example.org/bucket": "invalid endpoint",
	} {
		if _, err := blob.ParsePlace(address); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "tops3cret") {
			t.Errorf("%s: %v; want %s", address, err, want)
		}
	}
}

// content returns bytes that do not compress.
func content(size int) string {
	text := make([]byte, size)
	random := rand.NewChaCha8([32]byte{1})
	_, _ = random.Read(text) // it never fails
	return string(text)
}

// save stores a blob with a key.
func save(t *testing.T, d blob.Store, key, text string) {
	t.Helper()
	if err := stage(t, d, text).SaveAs(key); err != nil {
		t.Fatal(err)
	}
}

// A blob that is opened for parts costs what is read of it, and its end.
func TestReadParts(t *testing.T) {
	bucket := s3.NewBucket(t)
	text := content(20 << 20) // written in parts
	save(t, openS3(t, bucket.Place(), t.TempDir(), 1<<30), "large", text)
	p := s3.NewProxy(t, bucket)
	d := openS3(t, p.Place(), t.TempDir(), 1<<30)
	b, err := d.Open(t.Context(), "large", blob.Part)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Load([]blob.Span{{From: 1000, To: 2000}, {From: 2000, To: 5000}, {From: 9 << 20, To: 9<<20 + 100}}); err != nil {
		t.Fatal(err)
	}
	part := make([]byte, 5000)
	for _, at := range []int64{1000, 1500, 9 << 20, int64(len(text)) - 100} {
		n, err := b.ReadAt(part[:100], at)
		if err != nil || string(part[:n]) != text[at:at+100] {
			t.Errorf("%d bytes at %d, %v", n, at, err)
		}
	}
	if n, err := b.ReadAt(part, 500); err != nil || string(part) != text[500:5500] {
		t.Errorf("across loaded parts: %d bytes, %v", n, err)
	}
	if n, err := b.ReadAt(part, b.Size-10); n != 10 || err != io.EOF {
		t.Errorf("at the end: %d bytes, %v", n, err)
	}
	requests, size := p.Reset()
	if requests > 5 || size > 80<<10 {
		t.Errorf("%d requests fetched %d bytes", requests, size)
	}
	if got := read(t, d, "large"); got != text {
		t.Error("the whole blob is another one")
	}
	if requests, size := p.Reset(); requests > 10 || size > 22<<20 {
		t.Errorf("all of it: %d requests fetched %d bytes", requests, size)
	}
	if read(t, d, "large"); p != nil {
		if requests, _ := p.Reset(); requests != 0 {
			t.Errorf("the copy on the local disk: %d requests", requests)
		}
	}
	if err := stage(t, d, "another").SaveAs("large"); err != nil {
		t.Fatal(err)
	}
	if b, err = d.Open(t.Context(), "large", blob.Original); err != nil || b.Size != int64(len(text)) {
		t.Errorf("an existing large blob was replaced: %v", err)
	}
}

// Copies stay within their space; those that were used last stay.
func TestCacheIsBounded(t *testing.T) {
	dir := t.TempDir()
	d := openS3(t, s3.NewBucket(t).Place(), dir, 100_000)
	for _, key := range strings.Split("abcdefghijklmnopqrstuvwxyz", "") {
		save(t, d, key, content(9_000))
	}
	sizes := func() (sum int64) {
		err := filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
			if info, infoErr := e.Info(); err == nil && infoErr == nil && !e.IsDir() {
				sum += info.Size()
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return sum
	}
	if got := sizes(); got > 100_000 || got < 50_000 {
		t.Errorf("the cache of 100000 bytes has %d", got)
	}
	save(t, d, "large", content(90_000))
	for _, key := range []string{"a", "z", "large"} {
		if got := len(read(t, d, key)); got < 9_000 {
			t.Errorf("%s has %d bytes", key, got)
		}
	}
	if got := sizes(); got > 100_000 {
		t.Errorf("the cache of 100000 bytes has %d", got)
	}
}

// A damaged or unfinished copy is fetched again.
func TestDamagedCopy(t *testing.T) {
	for name, damage := range map[string]func([]byte) []byte{
		"flipped": func(b []byte) []byte { b[len(b)/2] ^= 1; return b },
		"shorter": func(b []byte) []byte { return b[:len(b)/2] },
		"empty":   func([]byte) []byte { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			bucket, dir := s3.NewBucket(t), t.TempDir()
			text := content(5000)
			save(t, openS3(t, bucket.Place(), dir, 1<<20), "a", text)
			file := filepath.Join(dir, "vintages", "a")
			all, err := os.ReadFile(file)
			if err != nil || !bytes.HasPrefix(all, []byte(text)) {
				t.Fatalf("the copy: %v", err)
			}
			if err := os.WriteFile(file, damage(all), 0o644); err != nil {
				t.Fatal(err)
			}
			d := openS3(t, bucket.Place(), dir, 1<<20)
			for range 2 {
				if read(t, d, "a") != text {
					t.Error("the copy is not the blob")
				}
			}
		})
	}
}

// Without the object store, copies are read, other blobs are unavailable, and it recovers by itself.
func TestFaults(t *testing.T) {
	bucket, dir := s3.NewBucket(t), t.TempDir()
	p := s3.NewProxy(t, bucket)
	d := openS3(t, p.Place(), dir, 1<<20)
	text := content(200_000)
	save(t, d, "copied", text)
	save(t, openS3(t, bucket.Place(), t.TempDir(), 1<<20), "other", text)
	for name, fault := range map[string]s3.Fault{
		"stopped": {Stop: true}, "500": {Status: 500}, "503": {Status: 503}, "403": {Status: 403}, "cut off": {CutOff: true}, "short": {Short: true},
	} {
		t.Run(name, func(t *testing.T) {
			if err := d.Delete("new"); err != nil {
				t.Fatal(err)
			}
			p.Set(fault)
			defer p.Set(s3.Fault{})
			if read(t, d, "copied") != text {
				t.Error("the copy is not the blob")
			}
			for _, use := range []blob.Use{blob.Part, blob.Whole, blob.Original} {
				if _, err := d.Open(t.Context(), "other", use); stat.KindOf(err) != stat.Unavailable {
					t.Errorf("opening another blob: %v", err)
				}
			}
			if fault.CutOff || fault.Short { // of responses with an object
				return
			}
			s := stage(t, d, "new")
			if err := s.SaveAs("new"); stat.KindOf(err) != stat.Unavailable || !strings.Contains(err.Error(), "writing s3://") || strings.Contains(err.Error(), os.Getenv("AWS_SECRET_ACCESS_KEY")) {
				t.Errorf("writing: %v", err)
			}
			if _, err := d.List(""); stat.KindOf(err) != stat.Unavailable {
				t.Errorf("listing: %v", err)
			}
			if err := d.Delete("copied"); stat.KindOf(err) != stat.Unavailable {
				t.Errorf("deleting: %v", err)
			}
			p.Set(s3.Fault{})
			if err := s.SaveAs("new"); err != nil {
				t.Errorf("writing after the fault: %v", err)
			}
			read(t, d, "copied") // it was not deleted
		})
		stattest.Eventually(t, func() error {
			b, err := d.Open(t.Context(), "other", blob.Part)
			if err == nil {
				b.Close()
			}
			return err
		})
	}
}

// A fault of a single response goes unnoticed.
func TestSingleFaults(t *testing.T) {
	bucket := s3.NewBucket(t)
	p := s3.NewProxy(t, bucket)
	text := content(200_000)
	save(t, openS3(t, bucket.Place(), t.TempDir(), 1<<20), "a", text)
	for name, fault := range map[string]s3.Fault{
		"stopped": {Stop: true}, "500": {Status: 500}, "cut off": {CutOff: true}, "short": {Short: true}, "another byte": {Flip: true}, "stalled": {Stall: true}, "slow": {Delay: 500 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			d := openS3(t, p.Place(), t.TempDir(), 1<<20)
			fault.OnlyOnce = true
			p.Set(fault)
			if read(t, d, "a") != text {
				t.Error("the blob has other bytes")
			}
			if fault.Flip || fault.CutOff || fault.Short || fault.Stall { // of responses with an object, or takes a minute
				return
			}
			p.Set(fault)
			save(t, d, "new "+name, text)
		})
	}
}

// The error for a wrong key, region or bucket says what to do.
func TestMisconfigured(t *testing.T) {
	bucket := s3.NewBucket(t)
	if _, err := openS3(t, strings.Replace(bucket.Place(), "/test", "x/test", 1), t.TempDir(), 1<<20).List(""); err == nil || !strings.Contains(err.Error(), "no such bucket") {
		t.Errorf("another bucket: %v", err)
	}
	for _, do := range []func(*blob.S3) error{
		func(s *blob.S3) error { _, err := s.List(""); return err },
		func(s *blob.S3) error { _, err := s.Open(t.Context(), "a", blob.Whole); return err },
	} {
		err := do(openS3(t, bucket.Place()+"&region=mars-1", t.TempDir(), 1<<20))
		if err == nil || !strings.Contains(err.Error(), `the region is "mars-1"`) || strings.Contains(err.Error(), "cannot be reached") {
			t.Errorf("another region: %v", err)
		}
	}
	t.Setenv("AWS_SECRET_ACCESS_KEY", "wrong")
	if _, err := openS3(t, bucket.Place(), t.TempDir(), 1<<20).Open(t.Context(), "a", blob.Whole); stat.KindOf(err) != stat.Unavailable || !strings.Contains(err.Error(), "AWS_SECRET_ACCESS_KEY is wrong") {
		t.Errorf("another key: %v", err)
	}
	t.Setenv("AWS_ACCESS_KEY_ID", "")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "")
	t.Setenv("HOME", t.TempDir())
	place, err := blob.ParsePlace(bucket.Place())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := blob.OpenBucket(blob.BucketOptions{Place: place, Dir: t.TempDir(), Now: time.Now}); err == nil || !strings.Contains(err.Error(), "state it in AWS_ACCESS_KEY_ID") {
		t.Errorf("no key: %v", err)
	}
}
