package pxweb

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"almanac/internal/source"
	"almanac/internal/stat"
)

// numbered returns variables with the given numbers of values.
func numbered(sizes ...int) []variable {
	var variables []variable
	for i, n := range sizes {
		v := variable{code: fmt.Sprint("v", i)}
		for value := range n {
			v.values = append(v.values, fmt.Sprint(value))
		}
		variables = append(variables, v)
	}
	return variables
}

// shape describes parts by their numbers of values.
func shape(parts [][]variable) string {
	var shapes []string
	for _, part := range parts {
		var sizes []string
		for _, v := range part {
			sizes = append(sizes, fmt.Sprint(len(v.values)))
		}
		shapes = append(shapes, strings.Join(sizes, "x"))
	}
	return strings.Join(shapes, " ")
}

func TestSplit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		sizes    []int
		contents int // the variable of measures; -1: none
		most     int
		want     string
	}{
		{[]int{3, 4}, -1, 0, "3x4"},
		{[]int{3, 4}, -1, 12, "3x4"},
		{[]int{3, 4}, -1, 11, "3x2 3x2"},
		{[]int{3, 5}, -1, 11, "3x3 3x2"},
		{[]int{10, 7}, -1, 20, "10x2 10x2 10x2 10x1"}, // four parts along the second variable, not five along the first
		{[]int{3, 5}, -1, 2, "2x1 2x1 2x1 2x1 2x1 1x1 1x1 1x1 1x1 1x1"},
		{[]int{2, 2}, -1, 1, "1x1 1x1 1x1 1x1"},
		{[]int{4, 9}, 1, 9, "1x9 1x9 1x9 1x9"}, // the measures stay together
		{[]int{2, 9}, 1, 5, "1x5 1x4 1x5 1x4"}, // unless one measure has too many cells
		{[]int{100_000}, -1, 10, "too many"},
	} {
		variables := numbered(c.sizes...)
		if c.contents >= 0 {
			variables[c.contents].isMeasure = true
		}
		parts, err := split(variables, c.most, maxParts)
		got := shape(parts)
		if err != nil {
			got = "too many"
		}
		if got != c.want {
			t.Errorf("%v, at most %d: got %s, want %s", c.sizes, c.most, got, c.want)
		}
	}
}

func TestMultiply(t *testing.T) {
	t.Parallel()
	for want, sizes := range map[int][]int{1: nil, 12: {3, 4}, math.MaxInt: {1 << 40, 1 << 40, 1 << 40}} {
		if got := multiply(sizes); got != want {
			t.Errorf("%v: got %d, want %d", sizes, got, want)
		}
	}
}

// The parts of any table contain each cell once and are not too large. Merged, they
// restore the order of the table. The same table always gives the same parts.
func TestSplitIsComplete(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var sizes []int
		for range 1 + random.IntN(4) {
			sizes = append(sizes, 1+random.IntN(9))
		}
		variables := numbered(sizes...)
		variables[random.IntN(len(sizes))].isMeasure = true
		most := 1 + random.IntN(60)
		parts, err := split(variables, most, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		again, _ := split(variables, most, 1<<20)
		if shape(parts) != shape(again) {
			t.Fatal("the same table was split in two ways")
		}
		cells := map[string]bool{}
		order := make([][]string, len(sizes))
		for _, part := range parts {
			if n := cellsOf(part); n > most || n == 0 {
				t.Fatalf("%v: got a part of %d cells, want 1 to %d", sizes, n, most)
			}
			eachCell(part, "", func(cell string) {
				if cells[cell] {
					t.Fatalf("%v: the cell %s is in two parts", sizes, cell)
				}
				cells[cell] = true
			})
			for i, v := range part {
				for _, value := range v.values {
					if !slices.Contains(order[i], value) {
						order[i] = append(order[i], value)
					}
				}
			}
		}
		if len(cells) != cellsOf(variables) {
			t.Fatalf("%v: got %d of %d cells", sizes, len(cells), cellsOf(variables))
		}
		for i, v := range variables {
			if !slices.Equal(order[i], v.values) {
				t.Fatalf("%v: the merged values of %s are %v", sizes, v.code, order[i])
			}
		}
	}
}

func eachCell(part []variable, cell string, visit func(string)) {
	if len(part) == 0 {
		visit(cell)
		return
	}
	for _, value := range part[0].values {
		eachCell(part[1:], cell+" "+value, visit)
	}
}

func TestStatedLimits(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"maxValues":110000,"maxCells":150000,"maxCalls":30,"timeWindow":10,"CORS":true}`: "150000 333.333333ms",
		`{"maxValues":5000,"maxCalls":10,"timeWindow":10}`:                                 "5000 1s",
		`{"maxDataCells":800000,"maxCallsPerTimeWindow":0,"timeWindow":0}`:                 "800000 0s",
		`{"maxCells":-1,"maxCalls":1,"timeWindow":99999}`:                                  "0 1m0s",
		`[1]`: "0 0s",
		``:    "0 0s",
	} {
		if l := (serverLimits{}).with([]byte(body)); fmt.Sprint(l.cells, " ", l.pause) != want {
			t.Errorf("%s: got %+v, want %s", body, l, want)
		}
	}
}

func TestText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Labour force <em>[SOEATI4]</em>": "Labour force [SOEATI4]",
		"  two\n lines ":                  "two lines",
		"less < than":                     "less < than",
		"<br/>":                           "other",
		"":                                "other",
	} {
		if got := plainText(text, "other"); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// Reading any response ends, and what it names can be requested.
func FuzzResponses(f *testing.F) {
	for _, text := range []string{
		`[{"id":"BE","type":"l","text":"Population"},{"id":"T.px","type":"t","text":"A table","updated":"2024-02-21T08:00:00"}]`,
		`[{"dbid":"px-x-1","text":"px-x-1"}]`,
		`[{"id":"T.px","path":"/A/B","title":"A table","score":1.5,"published":"2024-02-21T08:00:00"}]`,
		`{"title":"x","variables":[{"code":"Tid","text":"year","values":["2023","2024"],"valueTexts":["2023","2024"],"time":true}]}`,
		`{"language":"en","tables":[{"id":"TAB1","label":"x","updated":"2024-02-21T07:00:00Z","paths":[[{"id":"BE","label":"Population"}]]}],"page":{"totalPages":3}}`,
		`{"id":["a","b"],"size":[2,1],"role":{"metric":["b"]},"dimension":{"a":{"category":{"index":{"x":1,"y":0}}},"b":{"category":{"label":{"z":"Z"}}}}}`,
		`{"maxCells":150000,"maxCalls":30,"timeWindow":10}`,
		`{"id":["a"],"size":[2],"dimension":{"a":{"category":{"index":["x","y"]}}}}`,
		"\xef\xbb\xbf[]", `[{}]`, `{"tables":[null]}`, `{"variables":[{"code":"a"}]}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		n := 0
		count := func() error {
			if n++; n < 1000 {
				return nil
			}
			return source.ErrStop
		}
		_ = readItems(body, func(i listItem) error { _ = source.ParseTime(i.Updated); _ = plainText(i.Text, i.ID); return count() })
		_, _ = readPage(body, func(p v2Table) error { _ = p.entry("BE/BE0101"); return count() })
		l := serverLimits{}.with(body)
		if l.cells < 0 || l.pause < 0 {
			t.Errorf("limits %+v", l)
		}
		for _, read := range []func([]byte) (tableInfo, error){readTable, readStat} {
			table, err := read(body)
			if err != nil {
				continue
			}
			listed := !slices.ContainsFunc(table.variables, func(v variable) bool { return len(v.values) == 0 })
			if parts, err := split(table.variables, 10, 100); err == nil && listed && len(parts) == 0 {
				t.Error("no parts")
			}
			_ = encodeQuery(table.variables)
		}
		if err := checkCode(string(body)); err == nil {
			for _, o := range Offices[:2] {
				c := &caller{Office: o, base: "https://example.org/api"}
				if address := c.address(string(body)); !strings.HasPrefix(address, "https://example.org/api/") || strings.ContainsAny(address, " ?#\n") || strings.Contains(address, "/../") {
					t.Errorf("%q: got the unsafe address %s", body, address)
				}
			}
		} else if stat.KindOf(err) != stat.Invalid {
			t.Error(err)
		}
	})
}
