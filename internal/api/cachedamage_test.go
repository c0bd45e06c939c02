package api_test

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/api"
)

// onlyCached returns the only file of a cache whose key ends like this.
func onlyCached(t *testing.T, dir, ending string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"+ending+".body"))
	if err != nil || len(files) != 1 {
		t.Fatalf("the cache has %q, want one file (%v)", files, err)
	}
	return files[0]
}

// flipAt changes the lowest bit of a byte of a file, which makes another digit of a digit.
func flipAt(t *testing.T, path string, at int64) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var b [1]byte
	if _, err := file.ReadAt(b[:], at); err != nil {
		t.Fatal(err)
	}
	b[0] ^= 1
	if _, err := file.WriteAt(b[:], at); err != nil {
		t.Fatal(err)
	}
}

// placesIn returns the first and last bytes, those beside the borders of checked blocks, and some between.
func placesIn(size int64) (places []int64) {
	for border := int64(0); border < size; border += 64 << 10 {
		places = append(places, border, min(border+12345, size-1), min(border+64<<10, size)-1)
	}
	return places
}

// TestDamagedResponse changes single bytes of cached responses, and cuts and extends them. The
// bytes served are always those of the first response; a changed one is made again and kept.
func TestDamagedResponse(t *testing.T) {
	s := largeStore(t)
	for _, coding := range []string{"identity", "gzip", "zstd"} {
		t.Run(coding, func(t *testing.T) {
			dir := t.TempDir()
			var logged serverLog
			a := newAPI(t, api.Options{Store: s, CacheDir: dir, Log: slog.New(slog.NewTextHandler(&logged, nil))})
			base := serve(t, a)
			get := func() answer { return ask(t, "GET", base+"/api/datasets/1", "Accept-Encoding: "+coding) }
			first := get()
			path := onlyCached(t, dir, "")
			size := int64(len(first.body))
			damages := map[string]func(){
				"cut":   func() { check(t, os.Truncate(path, size-1)) },
				"empty": func() { check(t, os.Truncate(path, 0)) },
			}
			for _, place := range placesIn(size) {
				damages[fmt.Sprintf("byte %d", place)] = func() { flipAt(t, path, place) }
			}
			for name, damage := range damages {
				damage()
				damaged := get()
				again := get()
				if damaged.body != first.body || damaged.StatusCode != 200 {
					t.Fatalf("%s: %d, and the bytes served are others", name, damaged.StatusCode)
				}
				if damaged.ContentLength >= 0 {
					t.Errorf("%s: the response was not made again", name)
				}
				if again.body != first.body || again.ContentLength != size {
					t.Errorf("%s: the response that was made again is not in the cache, or differs", name)
				}
			}
			if got, want := figure(t, a, "almanac_cache_damaged_total"), float64(len(damages)); got != want {
				t.Errorf("%g damaged responses are counted, want %g", got, want)
			}
			if lines := strings.Count(logged.String(), "a cached response is damaged"); lines != len(damages) {
				t.Errorf("the log has %d lines of damage, want %d", lines, len(damages))
			}
			extend(t, path)
			if got := get(); got.body != first.body || got.ContentLength != size {
				t.Error("after bytes were appended to the file, the response differs")
			}
		})
	}
}

func extend(t *testing.T, path string) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	check(t, err)
	_, err = file.WriteString("more")
	check(t, err)
	check(t, file.Close())
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// figure returns a number of the interface for the operator that has no labels.
func figure(t *testing.T, a *api.API, name string) float64 {
	t.Helper()
	for _, f := range a.Figures() {
		if f.Name == name {
			values, err := f.Read(t.Context())
			check(t, err)
			return values[0].Number
		}
	}
	t.Fatalf("there is no number %s", name)
	return 0
}

// TestDamagedRanges changes a byte of a file of which ranges are read. Ranges without the byte
// are served, one with it is cut off before it, and the file is then made again.
func TestDamagedRanges(t *testing.T) {
	dir := t.TempDir()
	base := serve(t, newAPI(t, api.Options{Store: largeStore(t), CacheDir: dir}))
	url := base + "/api/datasets/1/data.csv"
	whole := ask(t, "GET", url, "Range: bytes=0-").body
	for _, place := range placesIn(int64(len(whole))) {
		flipAt(t, onlyCached(t, dir, ""), place)
		block := place &^ (64<<10 - 1)
		if block > 0 {
			if got := ask(t, "GET", url, fmt.Sprintf("Range: bytes=0-%d", block-1)); got.body != whole[:block] {
				t.Errorf("byte %d: a range before it differs", place)
			}
		}
		want := whole[max(block-10, 0):]
		got, err := readPart(url, fmt.Sprintf("bytes=%d-", len(whole)-len(want)))
		if got != want && (err == nil || !strings.HasPrefix(want, got)) { // the client tries again if nothing was sent
			t.Errorf("byte %d: a range with it has %d bytes (%v) that are not those of the file", place, len(got), err)
		}
		if got := ask(t, "GET", url, "Range: bytes=0-"); got.StatusCode != 206 || got.body != whole {
			t.Errorf("byte %d: the file that was made again differs", place)
		}
	}
}

// readPart reads a range of a response as far as it goes.
func readPart(url, which string) (string, error) {
	r, err := http.NewRequest("GET", url, nil)
	if err != nil {
		return "", err
	}
	r.Header.Set("Range", which)
	response, err := client.Do(r)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return string(body), err
}

// TestDamagedPicture changes each of the enumerated bytes of pictures in the cache.
func TestDamagedPicture(t *testing.T) {
	for _, format := range []string{"png", "svg", "jpg"} {
		t.Run(format, func(t *testing.T) {
			dir := t.TempDir()
			a := newAPI(t, api.Options{Store: sampleStore(t), CacheDir: dir})
			base := serve(t, a)
			made := post(t, base, smallChart(""))
			url := base + strings.TrimSuffix(pathOf(t, made), "png") + format
			first := ask(t, "GET", url)
			places := append(placesIn(int64(len(first.body))), 100, 1000, int64(len(first.body)/2))
			for _, place := range places {
				flipAt(t, onlyCached(t, dir, "-"+format), place)
				if got := ask(t, "GET", url); got.StatusCode != 200 || got.body != first.body {
					t.Errorf("byte %d: %d, and the picture is another one", place, got.StatusCode)
				}
			}
			if got := figure(t, a, "almanac_cache_damaged_total"); got != float64(len(places)) {
				t.Errorf("%g damaged pictures are counted, want %d", got, len(places))
			}
		})
	}
}
