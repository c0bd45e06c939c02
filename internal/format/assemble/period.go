package assemble

import (
	"slices"
	"strconv"
	"strings"

	"almanac/internal/stat"
)

// timeWords are names of the time in the languages of offices, lower case.
var timeWords = []string{
	"tid", "year", "years", "quarter", "month", "week", "day", "date", "år", "ar", "kvartal", "måned", "månad", "vuosi", "neljännes", "kuukausi",
	"aasta", "jaar", "kwartaal", "maand", "rok", "kwartał", "miesiąc", "čtvrtletí", "év", "negyedév", "hónap", "metai", "gads", "yıl", "ano",
	"έτος", "год", "рік", "година", "年", "年次", "月", "時間軸", "时间", "연도", "시점",
	"jahr", "quartal", "monat", "année", "trimestre", "mois", "año", "mes", "periodo", "anno", "período", "perioden", "ár", "timi", "tími",
}

// IsTimeWord reports whether a name of a dimension is one of the time: an ID that
// [IsTime] accepts, or a word in the language of an office.
func IsTimeWord(name string) bool {
	name = strings.ToLower(strings.TrimSpace(name))
	return IsTime(name) || slices.Contains(timeWords, name)
}

// ParsePeriodOf parses a period of a known frequency (0: unknown) as PC-Axis writes
// it: digits only, as 20041 for the first quarter, or any spelling that states its
// frequency. It returns the zero period for any other text.
func ParsePeriodOf(f stat.Frequency, text string) stat.Period {
	text = strings.TrimSpace(text)
	width := map[stat.Frequency]int{stat.HalfYear: 5, stat.Quarter: 5, stat.Month: 6, stat.Week: 6, stat.Day: 8}[f]
	if width == 0 || len(text) != width || strings.Trim(text, "0123456789") != "" {
		p, err := stat.ParsePeriod(text)
		if err != nil {
			return stat.Period{}
		}
		return p
	}
	year, _ := strconv.Atoi(text[:4])
	number, _ := strconv.Atoi(text[4:])
	if f == stat.Day {
		return stat.NewDay(year, number/100, number%100)
	}
	return stat.NewPeriod(f, year, number)
}

// TimeScale returns the frequency of a time scale of PC-Axis, the Q1 of TLIST(Q1);
// 0 for any other text. K is what some offices write for quarters.
func TimeScale(scale string) stat.Frequency {
	switch strings.TrimSuffix(strings.TrimSpace(scale), "1") {
	case "A", "Y":
		return stat.Annual
	case "H":
		return stat.HalfYear
	case "Q", "K":
		return stat.Quarter
	case "M":
		return stat.Month
	case "W", "U":
		return stat.Week
	case "D":
		return stat.Day
	}
	return 0
}

// BeginsWithYear reports whether a text begins with a year, and so may be a period that
// cannot be stored.
func BeginsWithYear(text string) bool {
	return len(text) >= 4 && len(text) < 40 && strings.Trim(text[:4], "0123456789") == ""
}
