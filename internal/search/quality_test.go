package search_test

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"almanac/internal/offer"
	"almanac/internal/search"
	"almanac/internal/stattest"
)

// measuredDir returns the folder with the catalogue, questions and judgements:
// $ALMANAC_SEARCH, or else ../shared/search beside the project's root.
func measuredDir(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("ALMANAC_SEARCH")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "search")
	}
	if _, err := os.Stat(dir); err != nil {
		stattest.SkipOrFail(t, "the judged questions are not at "+dir+"; set ALMANAC_SEARCH")
	}
	return dir
}

// readTable reads a file of tab-separated values without its heading.
func readTable(t testing.TB, name string) (rows [][]string) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		rows = append(rows, strings.Split(lines.Text(), "\t"))
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return rows[1:]
}

// measured returns a search over the whole catalogue of the judged questions.
func measured(t testing.TB) *search.Search {
	t.Helper()
	f, err := os.Open(filepath.Join(measuredDir(t), "catalogue.tsv.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	table, err := offer.ReadTable(f, "")
	if err != nil {
		t.Fatal(err)
	}
	db, err := offer.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	for source, list := range table.Offers {
		if _, err := db.Replace(t.Context(), source, withoutErrors(slices.Values(list))); err != nil {
			t.Fatal(err)
		}
	}
	s := search.New(search.Options{Offers: db})
	start := time.Now()
	if err := s.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Logf("index built in %v", time.Since(start).Round(time.Millisecond))
	return s
}

type measurement struct {
	questions               int
	ndcg, mrr, none, judged float64
	times                   []time.Duration
}

// The floors are those of the questions with odd numbers; the search was tuned on those
// with even numbers.
var floors = map[string]float64{"all": .0}

func TestQuality(t *testing.T) {
	dir := measuredDir(t)
	s := measured(t)
	grades := map[string]map[string]int{}
	for _, r := range readTable(t, filepath.Join(dir, "judgements.tsv")) {
		if grades[r[0]] == nil {
			grades[r[0]] = map[string]int{}
		}
		grades[r[0]][r[1]+" "+r[2]], _ = strconv.Atoi(r[3])
	}
	results := map[string]*measurement{}
	for _, q := range readTable(t, filepath.Join(dir, "questions.tsv")) {
		number, _ := strconv.Atoi(q[0][1:])
		parity := []string{"even", "odd"}[number%2]
		start := time.Now()
		found := find(t, s, q[3])
		took := time.Since(start)
		for _, kind := range []string{q[1], "all"} {
			name := parity + " " + kind
			m := results[name]
			if m == nil {
				m = &measurement{}
				results[name] = m
			}
			m.add(found, grades[q[0]], took)
		}
		if os.Getenv("ALMANAC_SHOW") != "" && parity == "even" {
			show(q, found, grades[q[0]])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(results)) {
		m := results[name]
		n := float64(m.questions)
		slices.Sort(m.times)
		t.Logf("%-20s %3d nDCG@10 %.3f MRR %.3f none %.3f judged %.2f p50 %v p95 %v", name, m.questions,
			m.ndcg/n, m.mrr/n, m.none/n, m.judged/n, m.times[len(m.times)/2], m.times[len(m.times)*95/100])
	}
	for kind, floor := range floors {
		m := results["odd "+kind]
		if got := m.ndcg / float64(m.questions); got < floor {
			t.Errorf("nDCG@10 of %s is %.3f, below %.2f", kind, got, floor)
		}
	}
}

func find(t testing.TB, s *search.Search, text string) (found []search.Hit) {
	t.Helper()
	r, err := s.Find(context.Background(), search.Query{Text: text})
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return r.Hits
}

func (m *measurement) add(found []search.Hit, grades map[string]int, took time.Duration) {
	m.questions++
	m.times = append(m.times, took)
	if len(found) == 0 {
		m.none++
	}
	gain := func(grade, rank int) float64 { return (math.Exp2(float64(grade)) - 1) / math.Log2(float64(rank)+2) }
	var got, ideal, reciprocal float64
	for i, h := range found {
		grade, judged := grades[h.Source+" "+h.Code]
		if i < 10 {
			got += gain(grade, i)
			if judged {
				m.judged += 1 / float64(min(10, len(found)))
			}
		}
		if grade >= 2 && reciprocal == 0 {
			reciprocal = 1 / float64(i+1)
		}
	}
	best := make([]int, 0, len(grades))
	for _, g := range grades {
		best = append(best, g)
	}
	slices.SortFunc(best, func(a, b int) int { return cmp.Compare(b, a) })
	for i, g := range best[:min(10, len(best))] {
		ideal += gain(g, i)
	}
	if ideal > 0 {
		m.ndcg += got / ideal
	}
	m.mrr += reciprocal
}

func show(q []string, found []search.Hit, grades map[string]int) {
	fmt.Println("=====", q[0], q[1], q[3])
	for i, h := range found[:min(10, len(found))] {
		grade := "-"
		if g, ok := grades[h.Source+" "+h.Code]; ok {
			grade = strconv.Itoa(g)
		}
		fmt.Printf("%2d %s %.3f %s %s | %.90s | %v\n", i+1, grade, h.Score, h.Source, h.Code, h.Name, h.Found)
	}
}
