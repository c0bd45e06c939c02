package agent

import (
	"fmt"
	"net/url"
	"slices"
	"testing"
)

func codesOf(areas []codeLabel) (codes []string) {
	for _, v := range areas {
		codes = append(codes, v.Code)
	}
	return codes
}

func TestLevels(t *testing.T) {
	for _, tc := range []struct {
		name, source string
		areas        []codeLabel
		want         string
	}{
		{"NUTS", "eurostat", []codeLabel{{Code: "ES"}, {Code: "ES1"}, {Code: "ES11"}, {Code: "ES111"}, {Code: "ES2"}, {Code: "EL", ISO: "GR"}, {Code: "EL30"}}, "0:[ES EL] 1:[ES1 ES2] 2:[ES11 EL30] 3:[ES111]"},
		{"one level of NUTS", "eurostat", []codeLabel{{Code: "ES11"}, {Code: "ES12"}, {Code: "FR10"}}, "2:[ES11 ES12 FR10]"},
		{"numbers of countries look nested", "fao", []codeLabel{{Code: "1", ISO: "AM"}, {Code: "11", ISO: "AT"}, {Code: "110", ISO: "JP"}}, "0:[1 11 110]"},
		{"groups", "eurostat", []codeLabel{{Code: "EU27_2020"}, {Code: "EU27"}, {Code: "FR"}, {Code: "DE"}}, "0:[FR DE] apart:[EU27_2020 EU27]"},
		{"numbers of provinces of two lengths", "statcan", []codeLabel{{Code: "1", ISO: "CA", Label: "Canada"}, {Code: "2", ISO: "statcan:2", Label: "Atlantic provinces"}, {Code: "7", ISO: "CA-QC", Label: "Quebec"}, {Code: "13", ISO: "CA-BC", Label: "British Columbia"}}, "0:[1] 1:[7 13] apart:[2]"},
		{"municipalities in counties", "scb", []codeLabel{{Code: "00", ISO: "SE", Label: "Riket"}, {Code: "01", ISO: "SE-AB"}, {Code: "03", ISO: "SE-C"}, {Code: "0114", ISO: "scb:0114"}, {Code: "0115", ISO: "scb:0115"}}, "0:[00] 1:[01 03] 2:[0114 0115]"},
		{"codes without a declared level", "scb", []codeLabel{{Code: "01", ISO: "scb:01"}, {Code: "0114", ISO: "scb:0114"}, {Code: "0115", ISO: "scb:0115"}}, "1:[01 0114 0115]"},
		{"letters that tell kinds", "statfin", []codeLabel{{Code: "SSS", ISO: "FI"}, {Code: "KU005", Label: "Alajärvi"}, {Code: "KU091", Label: "Helsinki"}, {Code: "SK011", Label: "SK011 Helsinki"}}, "0:[SSS] 1:[KU005 KU091] 2:[SK011]"},
		{"a country by its name only", "unctad", []codeLabel{{Code: "842", ISO: "unctad:842", Label: "United States of America"}, {Code: "FR"}, {Code: "DE"}}, "0:[842 FR DE]"},
		{"the name of a country that is there", "unctad", []codeLabel{{Code: "US"}, {Code: "842", ISO: "unctad:842", Label: "United States of America"}}, "0:[US] 1:[842]"},
		{"regions with the name of a country", "statfin", []codeLabel{{Code: "SSS", ISO: "FI"}, {Code: "KU005", Label: "Alajärvi"}, {Code: "KU1", Label: "Georgia"}}, "0:[SSS] 1:[KU005 KU1]"},
		{"few countries and an area that is not known", "local", []codeLabel{{Code: "FR"}, {Code: "DE"}, {Code: "Ruritania"}}, "0:[FR DE Ruritania]"},
		{"a country with its parts, a territory and groups of parts", "local", []codeLabel{{Code: "US"}, {Code: "South Region", Label: "South Region"}, {Code: "West Region", Label: "West Region"}, {Code: "US-AL", Label: "Alabama"}, {Code: "US-TX", Label: "Texas"}, {Code: "PR"}}, "0:[US] 1:[US-AL US-TX PR] 2:[South Region West Region]"},
		{"countries with the parts of one", "local", []codeLabel{{Code: "US"}, {Code: "MX"}, {Code: "US-AL"}, {Code: "US-TX"}, {Code: "PR"}}, "0:[US MX PR] 1:[US-AL US-TX]"},
		{"a total", "ige", []codeLabel{{Code: "T", ISO: "ige:T", Label: "Total"}, {Code: "A", ISO: "ige:A", Label: "Abadín"}, {Code: "B", ISO: "ige:B", Label: "Baleira"}}, "1:[A B] apart:[T]"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := ""
			levels, apart := levelsOf(tc.source, tc.areas)
			for _, l := range levels {
				got += fmt.Sprintf("%d:%v ", l.number, codesOf(l.areas))
			}
			if apart != nil {
				got += fmt.Sprintf("apart:%v ", codesOf(apart))
			}
			if got != tc.want+" " {
				t.Errorf("levels are %s, want %s", got, tc.want)
			}
		})
	}
}

func TestSelectAreas(t *testing.T) {
	all := []codeLabel{{Code: "ES", Label: "Spain"}, {Code: "ES1", Label: "North"}, {Code: "ES11", Label: "Galicia"}, {Code: "ES22", Label: "Navarra"}, {Code: "FRI1", Label: "Gers"}, {Code: "FR1", Label: "Tarn"}}
	for _, tc := range []struct {
		name  string
		areas []int
		want  string
	}{
		{"of one country", []int{2, 3}, "like.country=ES%3F%3F"},
		{"a label that matches by chance", []int{2, 4}, "like.country=%3F%3F%3F%3F&not.country=ES22&not.country=FR1"},
		{"codes of several lengths", []int{1, 2}, "country=ES1&country=ES11"},
		{"some of one length", []int{2}, "like.country=ES11"},
		{"most areas", []int{0, 1, 2, 3, 4}, "not.country=FR1"},
		{"an area beside", []int{1}, "like.country=ES1"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var areas []codeLabel
			for _, i := range tc.areas {
				areas = append(areas, all[i])
			}
			query := url.Values{}
			(&structure{Geography: all}).selectAreas(query, areas, slices.Clone(all))
			if got := query.Encode(); got != tc.want {
				t.Errorf("the selection is %s, want %s", got, tc.want)
			}
		})
	}
}
