package scale_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/chart/scale"
)

func numbers(t *testing.T, text string) []float64 {
	t.Helper()
	var values []float64
	for field := range strings.FieldsSeq(text) {
		v, err := strconv.ParseFloat(field, 64)
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, v)
	}
	return values
}

func TestClasses(t *testing.T) {
	runCases(t, "classes.txt", func(t *testing.T, input string) string {
		first, rest, _ := strings.Cut(input, "\n")
		count, unit, _ := strings.Cut(first, " unit ")
		n, err := strconv.Atoi(strings.TrimSpace(count))
		if err != nil {
			t.Fatal(err)
		}
		values := numbers(t, rest)
		c := scale.ClassesFor(values, n, unit)
		counts := make([]int, len(c.Edges)-1)
		for _, v := range values {
			counts[c.Index(v)]++
		}
		var out strings.Builder
		out.WriteString(c.Method)
		if c.Diverging {
			out.WriteString(", diverging")
		}
		fmt.Fprintf(&out, "\n%v\n", c.Edges)
		for i, count := range counts {
			fmt.Fprintf(&out, "%s to %s: %d\n", c.Labels[i], c.Labels[i+1], count)
		}
		return out.String()
	})
}
