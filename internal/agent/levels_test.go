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
		name  string
		areas []codeLabel
		want  string
	}{
		{"NUTS", []codeLabel{{Code: "ES"}, {Code: "ES1"}, {Code: "ES11"}, {Code: "ES111"}, {Code: "ES2"}, {Code: "EL", ISO: "GR"}, {Code: "EL30"}}, "0:[ES EL] 1:[ES1 ES2] 2:[ES11 EL30] 3:[ES111]"},
		{"one level of regions", []codeLabel{{Code: "ES11"}, {Code: "ES12"}, {Code: "FR10"}}, "0:[ES11 ES12 FR10]"},
		{"numbers of countries look nested", []codeLabel{{Code: "1", ISO: "AM"}, {Code: "11", ISO: "AT"}, {Code: "110", ISO: "JP"}}, "0:[1 11 110]"},
		{"labels look nested", []codeLabel{{Code: "Niger", ISO: "NE"}, {Code: "Nigeria", ISO: "NG"}, {Code: "Asia"}, {Code: "Asia Minor"}}, "0:[Niger Nigeria Asia Asia Minor]"},
		{"groups with the code of another group", []codeLabel{{Code: "EU27_2020"}, {Code: "EU27"}, {Code: "DE_TOT"}, {Code: "DE"}}, "0:[EU27_2020 EU27 DE_TOT DE]"},
		{"municipalities", []codeLabel{{Code: "00"}, {Code: "01", ISO: "scb:01"}, {Code: "0114"}, {Code: "0115"}, {Code: "03", ISO: "scb:03"}}, "0:[00 01 03] 1:[0114 0115]"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := ""
			for _, l := range levelsOf(tc.areas, tc.areas) {
				got += fmt.Sprintf("%d:%v ", l.number, codesOf(l.areas))
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
