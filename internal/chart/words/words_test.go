package words_test

import (
	"testing"
	"time"

	"almanac/internal/chart/words"
	"almanac/internal/stat"
)

// TestPeriod writes one period of each frequency in each language.
func TestPeriod(t *testing.T) {
	periods := []stat.Period{
		stat.NewPeriod(stat.Annual, 2024, 1), stat.NewPeriod(stat.HalfYear, 2024, 2), stat.NewPeriod(stat.Quarter, 2024, 3),
		stat.NewPeriod(stat.Month, 2024, 6), stat.NewPeriod(stat.Week, 2024, 5), stat.NewDay(1999, 1, 4),
	}
	for code, want := range map[string][]string{
		"en": {"2024", "H2/2024", "Q3/2024", "Jun 2024", "W05/2024", "4 Jan 1999"},
		"de": {"2024", "2. Hj. 2024", "Q3 2024", "Juni 2024", "KW 5/2024", "4. Jan. 1999"},
		"fr": {"2024", "S2 2024", "T3 2024", "juin 2024", "sem. 5 2024", "4 janv. 1999"},
		"es": {"2024", "S2 2024", "T3 2024", "jun 2024", "sem. 5 2024", "4 ene 1999"},
		"it": {"2024", "S2 2024", "T3 2024", "giu 2024", "sett. 5 2024", "4 gen 1999"},
		"ar": {"2024", "النصف الثاني 2024", "الربع الثالث 2024", "يونيو 2024", "الأسبوع 5، 2024", "4 يناير 1999"},
		"ja": {"2024", "2024年下半期", "2024年第3四半期", "2024年6月", "2024年第5週", "1999年1月4日"},
	} {
		for i, p := range periods {
			if got := words.In(code).Period(p); got != want[i] {
				t.Errorf("%s: %s is written %q, want %q", code, p, got, want[i])
			}
		}
	}
}

// TestDecimal compares the forms of numbers with CLDR's.
func TestDecimal(t *testing.T) {
	for code, want := range map[string][2]string{
		"en": {"1,250.5", "12,500"}, "de": {"1.250,5", "12.500"}, "fr": {"1\u202f250,5", "12\u202f500"},
		"es": {"1250,5", "12.500"}, "it": {"1.250,5", "12.500"}, "ar": {"1,250.5", "12,500"}, "ja": {"1,250.5", "12,500"},
	} {
		l := words.In(code)
		if got := [2]string{l.Decimal("1250", "5"), l.Int(12500)}; got != want {
			t.Errorf("%s: 1250.5 and 12500 are written %q, want %q", code, got, want)
		}
	}
}

func TestText(t *testing.T) {
	names := []string{"A", "B", "C", "D", "E", "F", "G", "H", "I"}
	if got, want := words.In("de").List(names), "A, B, C, D, E, F und 3 weitere"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := words.In("").Text("%s of %s", 1250, 2500), "1,250 of 2,500"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Pages have a narrow space between thousands and days with the name of the month in every language.
func TestLanguagesForPages(t *testing.T) {
	day := time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)
	for code, want := range map[string]string{"en": "1\u202f250.5 29 Feb 2024", "de": "1\u202f250,5 29. Feb. 2024", "fr": "1\u202f250,5 29 févr. 2024", "es": "1\u202f250,5 29 feb 2024"} {
		l := words.In(code).ForPages()
		if got := l.Decimal("1250", "5") + " " + l.Date(day); got != want || l.Text("no data") != words.In(code).Text("no data") {
			t.Errorf("%s: %q, want %q", code, got, want)
		}
	}
}
