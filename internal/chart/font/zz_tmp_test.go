package font

import (
	"fmt"
	"math/rand"
	"os"
	"testing"
)

func TestBidiDump(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	alpha := []rune("abאבגصم١٢12 .,%$-+()[]:/ ")
	f, _ := os.Create("/tmp/font/bidi.txt")
	defer f.Close()
	s := &shaper{}
	for range 20000 {
		n := 1 + r.Intn(14)
		text := make([]rune, n)
		for i := range text {
			text[i] = alpha[r.Intn(len(alpha))]
		}
		s.begin(string(text))
		s.setLevels()
		s.runs = s.runs[:0]
		for i := range text {
			s.runs = append(s.runs, run{start: i, end: i + 1, level: s.levels[i]})
		}
		reorder(s.runs)
		fmt.Fprintf(f, "%s\t", string(text))
		for _, x := range s.runs {
			fmt.Fprintf(f, "%c", text[x.start])
		}
		fmt.Fprintf(f, "\t%v\n", s.levels)
	}
}
