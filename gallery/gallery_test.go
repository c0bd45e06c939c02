package main

import (
	"context"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/chart"
	"almanac/internal/chart/layout"
	"almanac/internal/chart/layoutcheck"
	"almanac/internal/chart/scene"
	"almanac/internal/stattest"
)

// TestScenes checks the scene of every picture in the gallery: no text outside the
// picture, no overlapping texts, enough contrast, a legend that covers the data, and a
// statement of what was checked.
func TestScenes(t *testing.T) {
	pictures, err := readCases("../internal/chart/testdata/cases")
	if err != nil {
		t.Fatal(err)
	}
	if len(pictures) < 60 {
		t.Errorf("found %d cases, want at least 60", len(pictures))
	}
	t.Run("cases", func(t *testing.T) { checkPictures(t, pictures) })
	t.Run("real files", func(t *testing.T) {
		stattest.SkipUnderRace(t)
		pictures, err := realPictures(context.Background(), stattest.DataDir(t))
		if err != nil {
			t.Fatal(err)
		}
		if len(pictures) < 20 {
			t.Errorf("found %d charts from real files, want at least 20", len(pictures))
		}
		checkPictures(t, pictures)
	})
}

// TestDefaultPictures draws every dataset of the offices' files with nothing but the type
// of the chart. A dataset without default lines or bars is an error.
func TestDefaultPictures(t *testing.T) {
	stattest.SkipUnderRace(t)
	most := int64(stattest.Rounds(t, 100<<10, 0)) // `make soak` draws all
	defaults, err := defaultPictures(t.Context(), t.TempDir(), most, pageSize, stattest.DataDir(t))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(defaults.Pictures); n < 65 {
		t.Errorf("drew %d default pictures, want at least 65", n)
	}
	checkPictures(t, defaults.Pictures)
	var without []string
	for _, u := range defaults.Undrawn {
		without = append(without, u.File+": "+u.Reason)
	}
	slices.Sort(without)
	want := []string{"47_850-data.xml: the file does not state the names of the areas", "csv-2.0-example-06.csv: the file does not state what is measured", "exr-time-series.json: it has two values that hardly differ"}
	if !slices.Equal(without, want) {
		t.Errorf("without a picture: %q, want %q", without, want)
	}
}

func checkPictures(t *testing.T, pictures []picture) {
	for _, p := range pictures {
		t.Run(p.Name, func(t *testing.T) {
			sc := layout.Layout(p.Spec)
			for _, problem := range layoutcheck.Check(sc) {
				t.Error(problem)
			}
			if p.Checked == "" {
				t.Error("the case does not state what was checked")
			}
			if p.Spec.Type == chart.Map && p.Spec.Locale == "" {
				checkLegend(t, p.Spec, sc)
			}
		})
	}
}

// checkLegend compares the numbers of a map's legend with the values drawn on the map.
func checkLegend(t *testing.T, spec *chart.Spec, sc *scene.Scene) {
	drawn := map[string]bool{}
	low, high := math.Inf(1), math.Inf(-1)
	for _, m := range sc.Marks {
		tag := m.Tags()
		if text, ok := m.(*scene.Text); ok && tag.Role == scene.LegendText {
			if v, ok := parseNumber(text.Text); ok {
				low, high = min(low, v), max(high, v)
			}
		}
		if tag.Role == scene.Area {
			drawn[tag.Name] = true
		}
	}
	if math.IsInf(low, 0) {
		if spec.ShowLegend && len(drawn) > 0 {
			t.Error("the map has no legend")
		}
		return
	}
	rounding := 5e-4 * max(math.Abs(low), math.Abs(high)) // a legend of single values rounds them
	for i, c := range spec.Categories {
		v := spec.Series[0].Values[i]
		if drawn[c.Area] && (v < low-rounding || v > high+rounding) {
			t.Errorf("%s has %v, outside the legend from %v to %v", c.Label, v, low, high)
		}
	}
}

// parseNumber parses a number as a legend shows it.
func parseNumber(text string) (float64, bool) {
	times := 1.0
	for word, power := range map[string]float64{" thousand": 1e3, " million": 1e6, " billion": 1e9, " trillion": 1e12} {
		if rest, ok := strings.CutSuffix(text, word); ok {
			text, times = rest, power
		}
	}
	if mantissa, power, ok := strings.Cut(text, "×10"); ok { // 2×10³⁰⁵
		for i, digit := range []rune("⁰¹²³⁴⁵⁶⁷⁸⁹") {
			power = strings.ReplaceAll(power, string(digit), strconv.Itoa(i))
		}
		text = mantissa + "e" + strings.ReplaceAll(power, "⁻", "-")
	}
	text = strings.NewReplacer(",", "", "−", "-", "%", "", "€", "", "$", "", "£", "").Replace(text)
	v, err := strconv.ParseFloat(text, 64)
	return v * times, err == nil
}

// matrixOfCases returns the pictures of the matrix, which need no files.
func matrixOfCases(t *testing.T) []picture {
	t.Helper()
	pictures, err := readCases("../internal/chart/testdata/cases")
	if err != nil {
		t.Fatal(err)
	}
	matrix, err := matrixPictures(pictures)
	if err != nil {
		t.Fatal(err)
	}
	return matrix
}

// TestMatrix checks the variants of the matrix: both themes, three
// sizes and five scripts.
func TestMatrix(t *testing.T) {
	matrix := matrixOfCases(t)
	if len(matrix) < 300 {
		t.Errorf("found %d pictures, want at least 300", len(matrix))
	}
	step := stattest.Rounds(t, 3, 1) // `make soak` checks all
	for i := 0; i < len(matrix); i += step {
		checkPictures(t, matrix[i:i+1])
	}
}

// TestMatrixLegends checks that every map of the matrix has a legend, in any language: without it,
// colours say little.
func TestMatrixLegends(t *testing.T) {
	for _, p := range matrixOfCases(t) {
		isLegend := func(m scene.Mark) bool { return m.Tags().Role == scene.LegendText }
		if p.Spec.Type == chart.Map && !slices.ContainsFunc(layout.Layout(p.Spec).Marks, isLegend) {
			t.Errorf("%s has no legend", p.Name)
		}
	}
}

// TestMatrixScripts checks that no English word is left in pictures of another script.
func TestMatrixScripts(t *testing.T) {
	english := regexp.MustCompile(`[A-Z][a-z]{3,}`)
	matrix := matrixOfCases(t)
	for _, p := range matrix {
		if !strings.Contains(p.Name, "-arabic-") && !strings.Contains(p.Name, "-japanese-") || p.Spec.Type == chart.Map {
			continue
		}
		for _, m := range layout.Layout(p.Spec).Marks {
			if text, ok := m.(*scene.Text); ok && english.MatchString(text.Text) {
				t.Errorf("%s: %q", p.Name, text.Text)
			}
		}
	}
}
