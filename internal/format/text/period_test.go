package text_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"almanac/internal/format/text"
	"almanac/internal/stat"
	"almanac/internal/stattest/property"
)

// TestReadPeriod reads single texts; the empty result is an error.
func TestReadPeriod(t *testing.T) {
	for _, line := range strings.Split(strings.TrimSpace(singles), "\n") {
		s, want, _ := strings.Cut(line, " = ")
		p, err := text.ReadPeriod(s)
		if p.String() != want || (err == nil) != (want != "") {
			t.Errorf("%q is read as %q, %v; want %q", s, p, err, want)
		}
	}
}

const singles = `
2013T4 = Q4/2013
2008TIV = Q4/2008
2008K1 = Q1/2008
2024年 = 2024
2024年1月 = 01/2024
2024年1月31日 = 31/01/2024
2024年第1四半期 = Q1/2024
2024年第一季度 = Q1/2024
2024年上半年 = H1/2024
平成30年 = 2018
１９９４年 = 1994
1994/1- 3. = Q1/1994
11 May 23 = 11/05/2023
May 11, 2023 = 11/05/2023
1 de enero de 2020 = 01/01/2020
31.12.2000 = 31/12/2000
Mar-2015 = 03/2015
2015-Mar = 03/2015
janeiro 2012 = 01/2012
2024. január = 01/2024
2024 m. sausis = 01/2024
январь 2024 г. = 01/2024
листопад 2024 = 11/2024
كانون الثاني 2024 = 01/2024
août 2020 = 08/2020
01/2005 = 01/2005
2005/01 = 01/2005
2010 M13 = 2010
2010 S03 = 2010
2010 S01 = H1/2010
2010 Q05 = 2010
2019JJ00 = 2019
G7 2000 = 
I11 2000 = 
2019MM01 = 01/2019
1Q24 = Q1/2024
2024. I. negyedév = Q1/2024
1. Quartal 2024 = Q1/2024
I квартал 2024 г. = Q1/2024
1er trimestre 2024 = Q1/2024
1. Halbjahr 2024 = H1/2024
KW 5/2024 = W05/2024
2024V05 = W05/2024
2024 [YR2024] = 2024
2024.0 = 2024
20240131 = 31/01/2024
01/31/2020 12:00:00 AM = 31/01/2020
0730 = 0730
FY2011 = 2011
2010–11 = 2011
1950-1955 = 1955
2010-11 = 11/2010
2010/11 = 
03/04/2020 = 
Mar-15 = 
2024:1 = 
2024-I = 
2019KW01 = 
2024.1 = 
730 = 
listopad 2024 = 
-2010 = 
2020W99 = 
Total 2024 = 
12.5 = 
1.6093 = 
2024-01-31T12:00:00 = 
2024 13 = 
31.02.2024 = 
Feb-Apr 2020 = 
2010 2011 = 
`

// TestSpellings reads a random period in the spellings of offices.
func TestSpellings(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		year := rapid.IntRange(1800, 2199).Draw(t, "year")
		month := rapid.IntRange(1, 12).Draw(t, "month")
		quarter := (month + 2) / 3
		name := time.Month(month).String()
		fill := strings.NewReplacer("YYYY", strconv.Itoa(year), "mm", fmt.Sprintf("%02d", month), "m", strconv.Itoa(month), "Name", name, "Nam", name[:3], "q", strconv.Itoa(quarter))
		for want, spellings := range map[stat.Period]string{
			stat.NewPeriod(stat.Month, year, month):     "YYYY Name|Name YYYY|Nam-YYYY|YYYYMmm|YYYYMMmm|mm.YYYY|mm/YYYY|YYYY年m月",
			stat.NewPeriod(stat.Quarter, year, quarter): "YYYYTq|YYYYKq|Qq YYYY|q. Kvartal YYYY|YYYY Qq|YYYY年q季度|YYYYQq",
			stat.NewPeriod(stat.Annual, year, 1):        "YYYY|YYYY年|YYYYJJ00|YYYY.|YYYY г.",
			stat.NewDay(year, month, 28):                "28.m.YYYY|28 Nam YYYY|Name 28, YYYY|YYYY/mm/28|28/mm/YYYY 00:00|YYYY年m月28日",
		} {
			for spelling := range strings.SplitSeq(spellings, "|") {
				s := fill.Replace(spelling)
				if p, err := text.ReadPeriod(s); err != nil || p != want {
					t.Fatalf("%q is read as %v, %v; want %v", s, p, err, want)
				}
			}
		}
	})
}

// FuzzPeriods checks that a column of any texts is read without a panic, and that a style
// reads only periods.
func FuzzPeriods(f *testing.F) {
	f.Add("2010-11\n2011-12")
	f.Add("03/04/2020\n1Q24\nMar-15")
	f.Add("平成30年\n2024-I\nTIV 2008")
	f.Fuzz(func(t *testing.T, column string) {
		var finder text.PeriodFinder
		texts := strings.Split(column, "\n")
		for _, s := range texts {
			finder.Add(s)
			_, _ = text.ReadPeriod(s)
		}
		style, err := finder.Find()
		if err != nil {
			return
		}
		for _, s := range texts {
			if p, _, err := style.Read(s); (err == nil) == p.IsZero() {
				t.Errorf("%q is read as %v with the error %v", s, p, err)
			}
		}
	})
}
