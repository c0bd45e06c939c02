package main

import (
	"bufio"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
)

// question is a judged question.
type question struct {
	id, kind, language, text string
	grades                   map[string]int // by source:code: 3 is exactly it, 2 good, 1 acceptable
}

// isOdd reports whether the number of the question is odd. Search is tuned on the even
// ones.
func (q *question) isOdd() bool {
	return must(strconv.Atoi(strings.TrimLeft(q.id, "q")))%2 == 1
}

// readQuestions reads questions.tsv and judgements.tsv of a folder.
func readQuestions(dir string) (list []question) {
	byID := map[string]int{}
	eachRow(dir+"/questions.tsv", func(cells []string) {
		byID[cells[0]] = len(list)
		list = append(list, question{cells[0], cells[1], cells[2], cells[3], map[string]int{}})
	})
	eachRow(dir+"/judgements.tsv", func(cells []string) {
		if i, ok := byID[cells[0]]; ok {
			list[i].grades[cells[1]+":"+cells[2]] = must(strconv.Atoi(cells[3]))
		}
	})
	return list
}

// eachRow calls do with the cells of each line after the heading.
func eachRow(path string, do func(cells []string)) {
	f := must(os.Open(path))
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan(); lines.Scan(); {
		do(strings.Split(lines.Text(), "\t"))
	}
	check(lines.Err())
}

// score says how good the results of a question are.
type score struct {
	ndcg   float64 // of the first ten; gain 2^grade−1, discount log2(rank+1)
	mrr    float64 // 1 ÷ rank of the first one with grade 2 or more
	recall float64 // of those with grade 2 or more: the share that is among the first twenty
	empty  float64 // 1 if there are no results
	judged float64 // share of the first ten that have a grade; NaN if there are none
}

// score rates the results of the question, in order, each as source:code. One that is
// listed again does not count.
func (q *question) score(results []string) (s score) {
	var seen []string
	for _, r := range results {
		if !slices.Contains(seen, r) {
			seen = append(seen, r)
		}
	}
	var grades []int
	good, found, known := 0, 0, 0
	for _, grade := range q.grades {
		grades = append(grades, grade)
		if grade >= 2 {
			good++
		}
	}
	slices.SortFunc(grades, func(a, b int) int { return b - a })
	dcg, ideal := 0.0, 0.0
	for i, grade := range grades[:min(len(grades), 10)] {
		ideal += gain(grade, i)
	}
	for i, r := range seen {
		grade, isJudged := q.grades[r]
		if i < 10 {
			dcg += gain(grade, i)
			if isJudged {
				known++
			}
		}
		if grade >= 2 && s.mrr == 0 {
			s.mrr = 1 / float64(i+1)
		}
		if grade >= 2 && i < 20 {
			found++
		}
	}
	if ideal > 0 {
		s.ndcg = dcg / ideal
	}
	s.recall = float64(found) / float64(max(1, min(20, good)))
	s.judged = float64(known) / float64(min(len(seen), 10))
	if len(seen) == 0 {
		s.empty = 1
	}
	return s
}

func gain(grade, at int) float64 { return (math.Exp2(float64(grade)) - 1) / math.Log2(float64(at+2)) }

// mean returns the mean of the scores.
func mean(scores []score) (m score) {
	judged := 0.0
	for _, s := range scores {
		m.ndcg, m.mrr, m.recall, m.empty = m.ndcg+s.ndcg, m.mrr+s.mrr, m.recall+s.recall, m.empty+s.empty
		if s.empty == 0 {
			m.judged += s.judged
			judged++
		}
	}
	n := float64(max(len(scores), 1))
	return score{m.ndcg / n, m.mrr / n, m.recall / n, m.empty / n, m.judged / max(judged, 1)}
}
