package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/stattest/s3"
)

// testsBesideS3 are the tests of the package, beside an S3 server.
type testsBesideS3 struct{ *testing.M }

func (m testsBesideS3) Run() int { return s3.Run(m.M) }

// All commands work with a store whose files are in a bucket.
func TestStoreInBucket(t *testing.T) {
	bucket, dir := s3.NewBucket(t), t.TempDir()
	files := func(folder string) []string {
		t.Helper()
		found, err := filepath.Glob(bucket.Path("test/" + folder + "/0/1/*.parquet"))
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	fails := func(want string, args ...string) {
		t.Helper()
		if _, stderr, code := commandLine(t, args...); code == exitDone || !strings.Contains(stderr, want) {
			t.Errorf("%v ended with %d: %s; want %s", args, code, stderr, want)
		}
	}
	t.Setenv("ALMANAC_BLOBS", bucket.Place())
	file := filepath.Join(dir, "births.tsv")
	for _, value := range []string{"738819", "738820", "738821"} {
		text := "freq,geo\\TIME_PERIOD\t2021 \t2022 \nA,DE\t795492 \t" + value + " \nA,FR\t742052 \t725997 \n"
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		must(t, "import", "--data", dir, file)
	}
	if got := len(files("vintages")); got != 3 {
		t.Errorf("the bucket has %d versions", got)
	}
	if _, err := os.Stat(filepath.Join(dir, "vintages")); err == nil {
		t.Error("there are files in the data directory")
	}
	if got, want := must(t, "views", "--data", dir, "--duckdb"), "read_parquet('s3://"+strings.TrimPrefix(bucket.Path(""), filepath.Dir(bucket.Path(""))+"/"); !strings.Contains(got, want) {
		t.Errorf("the views read other files than %s: %s", want, got)
	}
	must(t, "dataset", "restore", "--data", dir, "1", "1.0")
	must(t, "dataset", "prune", "--data", dir, "1", "--keep", "2")
	if got := len(files("vintages")); got != 2 {
		t.Errorf("after pruning, the bucket has %d versions", got)
	}
	must(t, "dataset", "restore", "--data", dir, "1", "1.2") // the data of the file

	newest := files("vintages")[2]
	all, err := os.ReadFile(newest)
	if err != nil {
		t.Fatal(err)
	}
	all[len(all)/4] ^= 1
	if err := os.WriteFile(newest, all, 0o644); err != nil {
		t.Fatal(err)
	}
	fails("3 versions read, 1 damaged", "check", "--data", dir)
	fails("version 1.4: the file has the digest", "check", "--repair", "--data", dir)
	if got := must(t, "import", "--data", dir, "--json", file); !strings.Contains(got, `"kind":"repaired"`) {
		t.Errorf("importing the same data: %s", got)
	}
	must(t, "check", "--data", dir)
	copied := filepath.Join(t.TempDir(), "backup")
	must(t, "backup", "--data", dir, copied)
	must(t, "restore", "--data", filepath.Join(t.TempDir(), "restored"), "--blobs=", copied) // which reads all versions
	must(t, "restore", "--data", filepath.Join(t.TempDir(), "moved"), "--blobs", strings.Replace(bucket.Place(), "/test", "/moved", 1), copied)

	t.Setenv("ALMANAC_BLOBS", "")
	unsetEmptyVariables()
	fails("are in s3://", "check", "--data", dir)
	fails("are in s3://", "check", "--data", dir, "--blobs", strings.Replace(bucket.Place(), "/test", "/other", 1))
	fails("the known ones are endpoint and region", "check", "--data", dir, "--blobs", bucket.Place()+"&acl=private")
	must(t, "dataset", "remove", "--data", dir, "--blobs", bucket.Place(), "1")
	if got := files("vintages"); len(got) != 0 {
		t.Errorf("after removing it, the bucket has %v", got)
	}
}
