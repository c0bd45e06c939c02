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

	"almanac/internal/database"
	"almanac/internal/offer"
	"almanac/internal/search"
	"almanac/internal/stattest"
)

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
	f, err := os.Open(filepath.Join(stattest.SearchDir(t), "catalogue.tsv.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	table, err := offer.ReadTable(f, "")
	if err != nil {
		t.Fatal(err)
	}
	db, err := offer.Open(t.Context(), database.Location{Dir: t.TempDir()})
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

// measurement sums over questions.
type measurement struct {
	questions               int
	ndcg, mrr, none, judged float64
	times                   []time.Duration
}

// The floors are below what the questions with odd numbers reach. The weights of the search
// were tuned on those with even numbers. Some with odd numbers were read when terms were
// added, so the floors hold what was reached; they do not measure unseen questions.
var floors = []struct {
	kind      string
	ndcg, mrr float64
}{
	{"all", .68, .80}, {"code", .90, .95}, {"keyword", .70, 0}, {"multilingual", .60, 0}, {"place", .50, 0},
	{"prefix", .70, 0}, {"question", .60, 0}, {"synonym", .50, 0}, {"typo", .70, 0},
}

// maxNone is the share of questions that may find nothing.
const maxNone = .01

func TestQuality(t *testing.T) {
	stattest.SkipUnderRace(t)
	dir := stattest.SearchDir(t)
	s := measured(t)
	grades := readGrades(t, dir)
	results := map[string]*measurement{}
	for _, q := range readTable(t, filepath.Join(dir, "questions.tsv")) {
		id, kind, text := q[0], q[1], q[3]
		number, err := strconv.Atoi(id[1:])
		if err != nil {
			t.Fatal(err)
		}
		parity := []string{"even", "odd"}[number%2]
		start := time.Now()
		found := find(t, s, text)
		took := time.Since(start)
		for _, name := range []string{parity + " " + kind, parity + " all"} {
			if results[name] == nil {
				results[name] = &measurement{}
			}
			results[name].add(found, grades[id], took)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(results)) {
		t.Log(name, results[name])
	}
	for _, floor := range floors {
		m := results["odd "+floor.kind]
		n := float64(m.questions)
		if m.ndcg/n < floor.ndcg || m.mrr/n < floor.mrr || m.none/n > maxNone {
			t.Errorf("%s: %v; nDCG@10 must reach %.2f, MRR %.2f", floor.kind, m, floor.ndcg, floor.mrr)
		}
	}
}

// readGrades returns the grade of each judged dataset by question, source and code.
func readGrades(t testing.TB, dir string) map[string]map[string]int {
	t.Helper()
	grades := map[string]map[string]int{}
	for _, r := range readTable(t, filepath.Join(dir, "judgements.tsv")) {
		if grades[r[0]] == nil {
			grades[r[0]] = map[string]int{}
		}
		grade, err := strconv.Atoi(r[3])
		if err != nil {
			t.Fatal(err)
		}
		grades[r[0]][r[1]+" "+r[2]] = grade
	}
	return grades
}

// String returns the means, and the times that a half and 95 % of the questions took at most.
func (m *measurement) String() string {
	n := float64(m.questions)
	times := slices.Sorted(slices.Values(m.times))
	return fmt.Sprintf("%d questions: nDCG@10 %.3f, MRR %.3f, without hits %.3f, judged %.2f, p50 %v, p95 %v", m.questions,
		m.ndcg/n, m.mrr/n, m.none/n, m.judged/n, times[len(times)/2].Round(time.Microsecond), times[len(times)*95/100].Round(time.Microsecond))
}

func find(t testing.TB, s *search.Search, text string) (found []search.Hit) {
	t.Helper()
	r, err := s.Find(context.Background(), search.Query{Text: text})
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return r.Hits
}

// add measures the hits of a question. A dataset without a grade counts as irrelevant.
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
