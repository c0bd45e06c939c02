package csvlines

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"almanac/internal/stattest/property"
)

// place is a row with where its cells begin.
type place struct {
	cells         []string
	line, columns []int
}

// readAll returns the rows of a text in blocks of a size, and what they leave.
func readAll(t *testing.T, text io.Reader, size int) (rows []place, left string, err error) {
	t.Helper()
	r := New(text)
	r.Separator, r.blockSize = ',', size
	for cells := r.Next(); cells != nil; cells = r.Next() {
		p := place{cells: slices.Clone(cells)}
		for i := range cells {
			line, column := r.At(i)
			p.line, p.columns = append(p.line, line), append(p.columns, column)
		}
		rows = append(rows, p)
	}
	if err := r.Err(); err != nil {
		return rows, "", err
	}
	rest, err := io.ReadAll(r)
	if want := strings.Count(textOf(t, text), "\n"); err == nil && r.Lines()+strings.Count(string(rest), "\n") != want && want > 0 {
		t.Fatalf("%d lines and %q", r.Lines(), rest)
	}
	return rows, string(rest), err
}

// textOf returns the text of a reader of strings; empty for others.
func textOf(t *testing.T, from io.Reader) string {
	t.Helper()
	s, ok := from.(*strings.Reader)
	if !ok {
		return ""
	}
	text := make([]byte, s.Size())
	if _, err := s.ReadAt(text, 0); err != nil && err != io.EOF {
		t.Fatal(err)
	}
	return string(text)
}

// TestRows: rows are lines whose cells have no quotes, or quotes around the whole cell; the
// first other line and all after it are left.
func TestRows(t *testing.T) {
	for text, want := range map[string]struct {
		rows string
		left string
	}{
		"a,b\n\n 1 ,\"2, 3\"\r\n": {"a|b 1|2, 3", ""},
		"a,b\n1,\"2\" \n":         {"a|b 1|2", ""},
		"a,b\n1,\"2\"\"\"\n3,4\n": {"a|b 1|2\" 3|4", ""},
		"a,b\n1,\"2\"\"\n3,4\n":   {"a|b", "1,\"2\"\"\n3,4\n"},
		"\"a, b\" 1 2\nc\n":       {"a, b 1 2 c", ""},
		"a\n1\n2":                 {"a 1", "2"},
		"a,b,c\n=\"01\",\" \"\"02\"\"\",=\"=\"\"03\"\"\"\n=\"x\",1,2\n": {"a|b|c", "=\"01\",\" \"\"02\"\"\",=\"=\"\"03\"\"\"\n=\"x\",1,2\n"},
		"a,b,c\n=\"01\",\" \"\"02\"\"\",\"=\"\"03\"\"\"\n":              {"a|b|c 01|02|03", ""},
		"a\nb\"\n":      {"a", "b\"\n"},
		"a\n\"b\nc\"\n": {"a", "\"b\nc\"\n"},
		"a\n\x00\n":     {"a", "\x00\n"},
		",\n":           {"|", ""},
		"Jobs by sex, age, 2023\nThousands\nSex,,,\n,a,b,c\nx,1,2,3\n": {"Jobs by sex, age, 2023 Thousands Sex||| |a|b|c x|1|2|3", ""},
		"Jobs, men\nIn 2022, 2023\nSex,,\nx,1,2\ny,1,2\n":              {"Jobs, men In 2022, 2023 Sex|| x|1|2 y|1|2", ""},
		"Sex, Jobs\nx,a\ny,2\n":                                        {"Sex|Jobs x|a y|2", ""},
		"Sex, Jobs\nx,1.5,\ny,2,\n":                                    {"Sex|Jobs x|1.5| y|2|", ""},
		"Jobs, by sex, 2023\nSex,2022,2023\nx,1,2\n":                   {"Jobs, by sex, 2023 Sex|2022|2023 x|1|2", ""},
		"Sex, Jobs\nx,1\ny,2\n":                                        {"Sex|Jobs x|1 y|2", ""}, // headings
		"Sex, Jobs\nx, 1, 2\ny, 2, 3\n":                                {"Sex|Jobs x|1|2 y|2|3", ""},
		"":                                                             {"", ""},
	} {
		rows, left, err := readAll(t, strings.NewReader(text), 1000)
		var got []string
		for _, row := range rows {
			got = append(got, strings.Join(row.cells, "|"))
		}
		if s := strings.Join(got, " "); s != want.rows || left != want.left || err != nil {
			t.Errorf("%q: rows %q, left %q, %v; want %q, %q", text, s, left, err, want.rows, want.left)
		}
	}
}

// TestBlocks: the size of the blocks changes nothing, unless a line is longer than a block:
// then fewer rows are read, and more is left.
func TestBlocks(t *testing.T) {
	property.Check(t, func(rt *rapid.T) {
		text := rapid.StringOfN(rapid.SampledFrom([]rune("ab1,,,  \n\n\r\"\"ä\x00")), 0, 200, -1).Draw(rt, "text")
		if rapid.Bool().Draw(rt, "plain") {
			text = strings.NewReplacer("\"", "", "\x00", "").Replace(text) + "\n"
		}
		size := rapid.IntRange(1, 60).Draw(rt, "size")
		whole, left, _ := readAll(t, strings.NewReader(text), 1000)
		blocks, rest, err := readAll(t, strings.NewReader(text), size)
		if err != nil || len(blocks) > len(whole) || !strings.HasSuffix(rest, left) {
			rt.Fatalf("%d rows and %q in blocks, %d and %q as a whole, %v", len(blocks), rest, len(whole), left, err)
		}
		longest := 0
		for line := range strings.Lines(text) {
			longest = max(longest, len(line))
		}
		if longest <= size && (len(blocks) != len(whole) || rest != left) {
			rt.Fatalf("%d rows and %q in blocks, %d and %q as a whole", len(blocks), rest, len(whole), left)
		}
		for i, row := range blocks {
			if !slices.Equal(row.cells, whole[i].cells) || !slices.Equal(row.line, whole[i].line) || !slices.Equal(row.columns, whole[i].columns) {
				rt.Fatalf("row %d is %v, not %v", i, row, whole[i])
			}
		}
	})
}

// TestReadError: all lines before an error are rows, and the part of a line is nothing.
func TestReadError(t *testing.T) {
	broken := errors.New("broken")
	for size := 3; size < 40; size++ {
		rows, _, err := readAll(t, io.MultiReader(strings.NewReader("a\nb\nc\nd"), iotest.ErrReader(broken)), size)
		if len(rows) != 3 || !errors.Is(err, broken) {
			t.Errorf("blocks of %d bytes: %d rows, %v", size, len(rows), err)
		}
	}
}
