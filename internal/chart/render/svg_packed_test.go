package render

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"almanac/internal/chart/scene"
)

func TestPackedLists(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct{ got, want string }{
		{packedNumbers([]float64{1.25, 1.15, nan, 1.18}), "2 125-10x3"},
		{packedNumbers([]float64{-3, -3, 0, nan, nan, 7}), "0-3 0 3xx7"},
		{packedNumbers([]float64{nan, 1e15, 1}), ""}, // 16 digits
		{packedNumbers([]float64{1e21, 1}), ""},
		{packedNumbers([]float64{123456789012.5, .125, 1}), "3 123456789012500-123456789012375 875"},
		{packedDays("2024-02-28", daysOf([]string{"2024-02-28", "2024-02-29", "2024-03-01", "2024-03-04", "2024-03-14"})), "2024-02-28 113a"},
		{packedFlags([]string{"-", "-", "P", "E,P", "E,P"}), "-*2 P E,P*2"},
		{packedText("2024-Q1") + " " + packedText("2024-05-31") + " " + packedText("2024"), "Q1/2024 31/05/2024 2024"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
	days := daysOf([]string{"2024-01-05", "2024-01-08", "2024-01-09"})
	if !isEven([]float64{1, 2.05, 3}, nil) || isEven([]float64{1, 2.2, 3}, nil) || !isEven([]float64{0, 30, 40}, days) || isEven([]float64{0, 20, 40}, days) {
		t.Error("positions in even steps are not told from others")
	}
	for _, codes := range [][]string{{"2024-02-28", "2024-04-29"}, {"2024-02", "2024-03"}, {"2024-02-28", "2024-02-28"}} {
		if days := daysOf(codes); days != nil {
			t.Errorf("%v are the days %v, want none", codes, days)
		}
	}
}

// Packed numbers are read as the script of a page does, and written as the office's.
func TestPackedNumbersAreExact(t *testing.T) {
	token := regexp.MustCompile(`x|-?\d+`)
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) float64 {
			if rapid.IntRange(0, 9).Draw(t, "kind") == 0 {
				return math.NaN()
			}
			v, _ := strconv.ParseFloat(strconv.FormatInt(rapid.Int64Range(-1e9, 1e9).Draw(t, "digits"), 10)+"e-"+strconv.Itoa(rapid.IntRange(0, 4).Draw(t, "decimals")), 64)
			return v
		}), 1, 30).Draw(t, "values")
		tokens := token.FindAllString(packedNumbers(values), -1)
		if len(tokens) != len(values)+1 {
			t.Fatalf("%v: %d values", tokens, len(tokens)-1)
		}
		decimals, _ := strconv.Atoi(tokens[0])
		sum := int64(0)
		for i, text := range tokens[1:] {
			want := string(appendValue(nil, values[i]))
			if text == "x" {
				text = "-"
			} else {
				step, _ := strconv.ParseInt(text, 10, 64)
				sum += step
				text = withPoint(sum, decimals)
			}
			if text != want {
				t.Fatalf("value %d is %s, want %s", i, text, want)
			}
		}
	})
}

func withPoint(n int64, decimals int) string {
	sign := ""
	if n < 0 {
		sign, n = "-", -n
	}
	digits := strconv.FormatInt(n, 10)
	if decimals == 0 {
		return sign + digits
	}
	digits = strings.Repeat("0", max(0, decimals+1-len(digits))) + digits
	whole, part := digits[:len(digits)-decimals], strings.TrimRight(digits[len(digits)-decimals:], "0")
	return strings.TrimSuffix(sign+whole+"."+part, ".")
}

// Lines in the background lose names and values, and become one path, in a document that would
// be too large.
func TestMergedBackground(t *testing.T) {
	s := &scene.Scene{Width: 100, Height: 60, Scale: 1, PixelWidth: 100, PixelHeight: 60}
	for i := range 40 {
		role, values := scene.Context, &scene.Values{}
		if i == 39 {
			role = scene.Series
		}
		o := &scene.Outline{}
		for j := range 20 {
			x, y := float64(j*5), float64((i*7+j*j)%53)
			values.Values = append(values.Values, y)
			if j == 0 {
				o.MoveTo(x, y)
			} else {
				o.LineTo(x, y)
			}
		}
		s.Add(&scene.Path{Tag: scene.Tag{Role: role, Name: "Area " + strconv.Itoa(i), Values: values}, Outline: o, Pen: scene.Pen{Width: 1}})
	}
	for limit, want := range map[int]int{100_000: 40, 6_000: 1} {
		var b strings.Builder
		if err := SmallSVG(&b, s, Limits{Bytes: limit, Values: 10_000, Packed: true}); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(b.String(), "data-vd="); n != want {
			t.Errorf("limit %d: %d lines have values, want %d", limit, n, want)
		}
		if n := strings.Count(b.String(), `class="context"`); limit < 10_000 && n != 1 {
			t.Errorf("%d elements in the background, want 1", n)
		}
	}
}
