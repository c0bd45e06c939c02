package api_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"almanac/internal/api"
	"almanac/internal/importer"
	"almanac/internal/stat"
	"almanac/internal/stattest"
	"almanac/internal/stattest/s3"
	"almanac/internal/store"
)

// largeFile has the largest of the datasets of bucketFiles, which is the last.
const largeFile = "eurostat/tsv-new/estat_nama_10_gdp.tsv.gz"

// bucketFiles are files of offices, the nth of which has dataset n.
var bucketFiles = []string{"eurostat/tsv-new/estat_ilc_peps13.tsv.gz", "eurostat/tsv-new/estat_demo_r_pjangrp3.tsv.gz", largeFile}

// realStore returns a store with the datasets of bucketFiles.
func realStore(t *testing.T, o store.Options) *store.Store {
	t.Helper()
	s := reopened(t, o)
	folder := stattest.DataDir(t)
	im, err := importer.New(s, importer.Options{Labels: filepath.Join(folder, "eurostat")})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range bucketFiles {
		for _, outcome := range im.Import(t.Context(), filepath.Join(folder, filepath.FromSlash(name))) {
			if outcome.Error != "" {
				t.Fatal(outcome.Error)
			}
		}
	}
	return s
}

func reopened(t *testing.T, o store.Options) *store.Store {
	t.Helper()
	if o.Now == nil {
		o.Now = func() time.Time { return published }
	}
	s, err := store.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// forget deletes the copies of files in a bucket.
func forget(t *testing.T, dir string) {
	t.Helper()
	if err := os.RemoveAll(filepath.Join(dir, "blobs", "vintages")); err != nil {
		t.Fatal(err)
	}
}

// The responses of a store whose files are in a bucket are those of one with files in its folder: from
// memory, from copies and from parts of the files.
func TestResponsesFromBucket(t *testing.T) {
	bucket, dir := s3.NewBucket(t), t.TempDir()
	plain := serve(t, newAPI(t, api.Options{Store: realStore(t, store.Options{Dir: t.TempDir()})}))
	realStore(t, store.Options{Dir: dir, Blobs: bucket.Place()})
	forget(t, dir)
	for _, memory := range []int64{1, 0} { // too little to load the large one, and enough
		s := reopened(t, store.Options{Dir: dir, Blobs: bucket.Place(), Memory: memory})
		base := serve(t, newAPI(t, api.Options{Store: s}))
		for _, path := range []string{
			"/api/datasets/3/data?dim2=CP_MEUR&dim3=B1GQ&country=DE&country=FR",
			"/api/datasets/3/data?country=LU&latest=true",
			"/api/datasets/2/data?country=DE&period_from=2020",
			"/api/datasets/1/data?country=DE&period_from=2020",
			"/api/datasets/1/data", "/api/datasets/2/data.csv", "/api/datasets/3/data.csv",
			"/api/datasets/1/dataset.parquet", "/api/datasets/3/dataset.parquet", "/api/datasets/3/chart.svg?country=DE",
		} {
			want, got := ask(t, "GET", plain+path), ask(t, "GET", base+path)
			if got.StatusCode != want.StatusCode || got.StatusCode != 200 || got.body != want.body || got.Header.Get("Etag") != want.Header.Get("Etag") {
				t.Errorf("%s: %d with %d bytes, ETag %s; want %d with %d bytes, ETag %s", path, got.StatusCode, len(got.body), got.Header.Get("Etag"), want.StatusCode, len(want.body), want.Header.Get("Etag"))
			}
		}
	}
}

// A selection of a large dataset that nobody has read yet fetches a part of its file.
func TestSelectionFetchesPart(t *testing.T) {
	bucket, dir := s3.NewBucket(t), t.TempDir()
	s := realStore(t, store.Options{Dir: dir, Blobs: bucket.Place()})
	v, err := s.Vintage(t.Context(), len(bucketFiles))
	if err != nil {
		t.Fatal(err)
	}
	size, rows, err := v.FileSize()
	if err != nil {
		t.Fatal(err)
	}
	for path, share := range map[string]int{
		"/api/datasets/3/data?dim2=CP_MEUR&dim3=B1GQ&country=DE": 4, // of all row groups, one has this series
		"/api/datasets/3/data?dim2=CP_MEUR":                      2,
	} {
		forget(t, dir)
		p := s3.NewProxy(t, bucket)
		base := serve(t, newAPI(t, api.Options{Store: reopened(t, store.Options{Dir: dir, Blobs: p.Place(), Memory: 1})}))
		got := ask(t, "GET", base+path)
		requests, bytes := p.Reset()
		t.Logf("%s: %d requests fetched %d of %d bytes (%d rows) for %d bytes", path, requests, bytes, size, rows, len(got.body))
		if got.StatusCode != 200 || len(got.body) < 2000 || int(bytes) > size/share {
			t.Errorf("%d; fetched %d of %d bytes", got.StatusCode, bytes, size)
		}
	}
}

// While the object store has a fault, datasets in memory and copied files are served, others are
// unavailable and not taken for damaged, and after it everything is served.
func TestFaultsOfBucket(t *testing.T) {
	bucket, dir := s3.NewBucket(t), t.TempDir()
	realStore(t, store.Options{Dir: dir, Blobs: bucket.Place()})
	forget(t, dir)
	p := s3.NewProxy(t, bucket)
	o := store.Options{Dir: dir, Blobs: p.Place(), Now: time.Now}
	s := reopened(t, o)
	base := serve(t, newAPI(t, api.Options{Store: s}))
	hot, copied, cold := base+"/api/datasets/1/data?country=DE", base+"/api/datasets/2/data?country=DE", base+"/api/datasets/3/data?country=DE"
	if got := ask(t, "GET", hot); got.StatusCode != 200 {
		t.Fatal(got.body)
	}
	forget(t, dir)
	makeCopy(t, p, dir)
	for name, fault := range map[string]s3.Fault{"stopped": {Stop: true}, "500": {Status: 500}, "503": {Status: 503}, "cut off": {CutOff: true}, "short": {Short: true}} {
		t.Run(name, func(t *testing.T) {
			p.Set(fault)
			defer p.Set(s3.Fault{})
			for _, address := range []string{hot, copied} {
				if got := ask(t, "GET", address); got.StatusCode != 200 {
					t.Errorf("%s: %d %s", address, got.StatusCode, got.body)
				}
			}
			got := ask(t, "GET", cold)
			if got.StatusCode != 503 || got.Header.Get("Retry-After") == "" || strings.Contains(got.body, bucket.Place()) {
				t.Errorf("%s: %d %s", cold, got.StatusCode, got.body)
			}
			for _, err := range s.Check(t.Context()) {
				if stat.KindOf(err) != stat.Unavailable {
					t.Errorf("checking all versions: %v", err)
				}
			}
			if list := s.Damages(); len(list) != 0 {
				t.Errorf("taken for damaged: %+v", list)
			}
			if got := ask(t, "GET", base+"/api/datasets/99/data"); got.StatusCode != 404 {
				t.Errorf("a dataset that does not exist: %d", got.StatusCode)
			}
			p.Set(s3.Fault{})
			stattest.Eventually(t, func() error {
				for v, err := range s.Check(t.Context()) {
					if err = errors.Join(err, v.Err); err != nil {
						return err
					}
				}
				return nil
			})
		})
	}
	stattest.Eventually(t, func() error {
		if got := ask(t, "GET", cold); got.StatusCode != 200 {
			return errors.New(got.body)
		}
		return nil
	})
}

// makeCopy makes a copy of the file of dataset 2.
func makeCopy(t *testing.T, p *s3.Proxy, dir string) {
	t.Helper()
	v, err := reopened(t, store.Options{Dir: dir, Blobs: p.Place()}).Vintage(t.Context(), 2)
	if err != nil {
		t.Fatal(err)
	}
	f, err := v.File()
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
}

// Bytes that are wrong for a while make a version damaged, which ends by itself.
func TestWrongBytesFromBucket(t *testing.T) {
	bucket, dir := s3.NewBucket(t), t.TempDir()
	realStore(t, store.Options{Dir: dir, Blobs: bucket.Place()})
	forget(t, dir)
	p := s3.NewProxy(t, bucket)
	s := reopened(t, store.Options{Dir: dir, Blobs: p.Place(), Now: time.Now})
	address := serve(t, newAPI(t, api.Options{Store: s})) + "/api/datasets/1/data"
	p.Set(s3.Fault{Flip: true})
	if got := ask(t, "GET", address); got.StatusCode != 503 || got.Header.Get("Retry-After") == "" {
		t.Errorf("wrong bytes: %d %s", got.StatusCode, got.body)
	}
	p.Set(s3.Fault{})
	stattest.Eventually(t, func() error {
		if got := ask(t, "GET", address); got.StatusCode != 200 || len(s.Damages()) != 0 {
			return errors.New(got.body)
		}
		return nil
	})
}
