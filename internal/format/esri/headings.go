package esri

import (
	"slices"
	"strings"
	"unicode"
)

// headings composes the names of the columns from the English lines, if row is the last
// line above the values. The first column, that of the quarters, has no name.
func (l lines) headings(above [][]string, row []string) []string {
	if len(above) != l.last {
		return nil
	}
	upper, lower := row, make([]string, len(row))
	if l.upper < l.last {
		upper, lower = padded(above[l.upper], len(row)), row
	}
	steps := stepsOf(above[titleLine+1:l.upper], len(row))
	names := make([]string, len(row))
	group, qualifier := "", ""
	for i := 1; i < len(row); i++ {
		switch {
		case upper[i] == "" && lower[i] == "": // an empty column between two groups
			group, qualifier = "", ""
		case upper[i] == "":
			names[i] = joined(group, lower[i])
		default:
			group = upper[i]
			names[i] = upper[i]
			isGroup := i+1 < len(row) && upper[i+1] == "" && lower[i+1] != ""
			if lower[i] != "" && isGroup {
				names[i], qualifier = joined(group, lower[i]), ""
			} else if lower[i] != "" {
				qualifier = lower[i]
			}
			if parent := steps.parent(i); parent > 0 && lower[i] == "" && qualifier == "" {
				names[i] = joined(names[parent], upper[i])
			}
			if qualifier != "" {
				names[i] += ", " + qualifier
			}
		}
	}
	return names
}

func joined(group, name string) string {
	if group == "" {
		return name
	}
	return group + ": " + name
}

func padded(row []string, width int) []string {
	return append(slices.Clone(row), make([]string, max(0, width-len(row)))...)
}

// steps are, for each column, the first and the last of the Japanese lines that
// are not empty; -1 if all are.
type steps [][2]int

func stepsOf(lines [][]string, width int) steps {
	s := make(steps, width)
	for i := range s {
		s[i] = [2]int{-1, -1}
		for l, line := range lines {
			if i < len(line) && line[i] != "" {
				if s[i][0] < 0 {
					s[i][0] = l
				}
				s[i][1] = l
			}
		}
	}
	return s
}

// parent returns the column that a column is part of, or -1: the nearest one to its
// left whose heading ends on a line above.
func (s steps) parent(i int) int {
	for left := i - 1; left > 0 && s[left][0] >= 0; left-- {
		if s[left][1] < s[i][0] {
			return left
		}
		if s[left][0] < s[i][0] {
			return -1
		}
	}
	return -1
}

// withSpaces restores spaces where headings had line breaks: between a lower-case
// and an upper-case letter, before a bracket, after the point of an abbreviation.
func withSpaces(heading string) string {
	var b strings.Builder
	var before rune
	for _, r := range strings.ReplaceAll(heading, "Changein ", "Change in ") {
		isLost := unicode.IsUpper(r) && (unicode.IsLower(before) || before == '.') || r == '(' && before != ' '
		if isLost && before != 0 {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
		before = r
	}
	return b.String()
}
