package topics_test

import (
	"bufio"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/stattest"
	"almanac/internal/topics"
)

// catalogue returns the theme and the title of each row of the catalogue of offices in
// $ALMANAC_SEARCH, or else ../shared/search beside the project's root.
func catalogue(t testing.TB) (rows [][]string) {
	f, err := os.Open(filepath.Join(stattest.SearchDir(t), "catalogue.tsv.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unpacked, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(unpacked)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		rows = append(rows, strings.Split(lines.Text(), "\t"))
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return rows[1:]
}

// TestShareWithTopic checks that most datasets that offices list have a topic.
func TestShareWithTopic(t *testing.T) {
	rows := catalogue(t)
	with := 0
	n := 0
	for i := 0; i < len(rows); i += 4 { // a fourth is enough
		n++
		if r := rows[i]; len(topics.Of(r[4], r[2])) > 0 {
			with++
		}
	}
	share := float64(with) / float64(n)
	t.Logf("%.3f of %d rows have a topic", share, n)
	if share < .85 {
		t.Errorf("%.3f of the rows have a topic, want .85 or more", share)
	}
}
