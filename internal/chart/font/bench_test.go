package font

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-text/typesetting/harfbuzz"

	"almanac/internal/chart/scene"
)

// chartTexts returns the texts of a chart: title, subtitle, 25 names, 25 values, ticks,
// source. They differ for each n.
func chartTexts(n int) []string {
	texts := []string{
		fmt.Sprintf("GDP per capita in purchasing power standards, %d", 1900+n),
		"Index, EU27_2020 = 100, current prices", "Source: Eurostat (nama_10_gdp), updated 12 March 2025",
	}
	for i, name := range strings.Fields("Austria Belgium Bulgaria Croatia Cyprus Czechia Denmark Estonia Finland France Germany Greece Hungary Ireland Italy Latvia Lithuania Luxembourg Malta Netherlands Poland Portugal Romania Slovakia Sweden") {
		texts = append(texts, name, fmt.Sprintf("%d.%d", n+i*7, i%10))
	}
	for i := range 7 {
		texts = append(texts, fmt.Sprint(n+i*20))
	}
	return texts
}

func layOut(texts []string) (width float64) {
	for _, text := range texts {
		width += Width(text, 12.5, scene.Regular)
		Glyphs(text, 12.5, scene.Regular)
	}
	return width
}

func BenchmarkChartCold(b *testing.B) {
	layOut(chartTexts(0))
	n := 0
	for b.Loop() {
		b.StopTimer()
		cache = lines{}
		texts := chartTexts(n)
		n++
		b.StartTimer()
		layOut(texts)
	}
}

// BenchmarkChartFirst measures the first chart of a process, which reads the fonts.
func BenchmarkChartFirst(b *testing.B) {
	texts := chartTexts(0)
	for b.Loop() {
		b.StopTimer()
		cache = lines{}
		faces[regular], faces[bold] = newFace("regular.ttf"), newFace("bold.ttf")
		s := &shaper{buffer: harfbuzz.NewBuffer()}
		b.StartTimer()
		for _, text := range texts {
			s.shape(text, scene.Regular)
		}
	}
}

func BenchmarkChartWarm(b *testing.B) {
	texts := chartTexts(0)
	for b.Loop() {
		layOut(texts)
	}
}

func BenchmarkWrapTitle(b *testing.B) {
	title := "Gross domestic product at market prices, chain linked volumes, percentage change on the same period of the previous year"
	for b.Loop() {
		Wrap(title, 22, scene.Bold, 850, 2)
	}
}

func BenchmarkWrapLong(b *testing.B) {
	text := strings.Repeat("Gross domestic product — مصر 日本 10 % ", 60)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Wrap(text, 11, scene.Regular, 300, 60)
	}
}

func BenchmarkClean(b *testing.B) {
	texts := append(chartTexts(0), "Türkiye – Côte d’Ivoire", "مصر")
	for b.Loop() {
		for _, text := range texts {
			Clean(text)
		}
	}
}
