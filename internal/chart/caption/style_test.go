package caption

import (
	"slices"
	"strings"
	"testing"

	"almanac/internal/stat"
)

func TestStyle(t *testing.T) {
	for _, test := range []struct {
		name         string
		labels, want string
		shared       string
	}{
		{"numbers of an office", "Total Nacional|01 Andalucía|13 Madrid, Comunidad de|19 Melilla", "Total Nacional|Andalucía|Madrid, Comunidad de|Melilla", ""},
		{"ranges of numbers", "00; Employed|30-32; Students|50-60 Pensioners", "Employed|Students|Pensioners", ""},
		{"ranges of ages", "0-14 Years|15-24 Years|25-64 Years", "0-14 Years|15-24 Years|25-64 Years", ""},
		{"ages are no numbers", "15 Years|16 Years|17 Years", "15 Years|16 Years|17 Years", ""},
		{"nor are spans", "0 to 4|5 to 9|10 to 14", "0 to 4|5 to 9|10 to 14", ""},
		{"nor are years", "2019 Census|2020 Survey|2021 Estimate", "2019 Census|2020 Survey|2021 Estimate", ""},
		{"a kind with a number", "Division 1: New England|Division 2: Middle Atlantic|Division 3: Mountain", "New England|Middle Atlantic|Mountain", ""},
		{"kinds of areas", kreise, strings.ReplaceAll(strings.ReplaceAll(kreise, ", Landkreis", ""), ", kreisfreie Stadt", ""), ""},
		{"what all share", "Albany, NY|Erie, NY|Kings, NY", "Albany|Erie|Kings", "NY"},
		{"the longest part that all share", "Tract 1, Travis County, Texas|Tract 2, Travis County, Texas|Tract 3, Travis County, Texas", "Tract 1|Tract 2|Tract 3", "Travis County, Texas"},
		{"what only some share", "Albany, NY|Erie, PA|Kings, NY", "Albany, NY|Erie, PA|Kings, NY", ""},
		{"capitals", "EASTERN AFRICA|ISLE OF MAN|CARIBBEAN", "Eastern Africa|Isle of Man|Caribbean", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := stat.Dimension{ID: "geo", Role: stat.RoleGeo}
			for _, label := range strings.Split(test.labels, "|") {
				d.Codes = append(d.Codes, stat.Code{ID: label, Label: label})
			}
			style := StyleOf("", &d)
			var got []string
			for _, code := range d.Codes {
				got = append(got, style.Short(code.Label))
			}
			if want := strings.Split(test.want, "|"); !slices.Equal(got, want) || style.Shared() != test.shared {
				t.Errorf("got %q, shared %q, want %q, %q", got, style.Shared(), want, test.shared)
			}
		})
	}
}

const kreise = "Kiel, kreisfreie Stadt|Plön, Landkreis|Lübeck, kreisfreie Stadt|Segeberg, Landkreis|Essen, kreisfreie Stadt|" +
	"Wesel, Landkreis|Köln, kreisfreie Stadt|Steinfurt, Landkreis|Berlin, kreisfreie Stadt|Peine, Landkreis|Ortenaukreis"

func TestUninverted(t *testing.T) {
	for name, want := range map[string]string{
		"Madrid, Comunidad de": "Comunidad de Madrid", "Rioja, La": "La Rioja", "Gambia, The": "The Gambia", "Micronesia, Federated States of": "Federated States of Micronesia",
		"Korea, North": "Korea, North", "Plön, Landkreis": "Plön, Landkreis", "A, B, C of": "A, B, C of", "Spain": "Spain", "Madrid, ": "Madrid, ",
	} {
		if got := Uninverted(name); got != want {
			t.Errorf("Uninverted(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestCausesOf(t *testing.T) {
	for description, want := range map[string]string{
		"MCD - ICD-10 Codes: T40.0 (Opium); T40.1 (Heroin)\nYear/Month: 2007": "Opium, Heroin",
		"Year/Month: 2007": "",
	} {
		if got := causesOf(description); got != want {
			t.Errorf("causesOf(%q) = %q, want %q", description, got, want)
		}
	}
}
