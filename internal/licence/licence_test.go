package licence

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// Every row says where the source states its terms; a licence that is not unknown has an
// attribution.
func TestTable(t *testing.T) {
	for id, l := range load().sources {
		if l.StatedAt == "" {
			t.Errorf("%s: it is not said where the terms are", id)
		}
		if (l.Redistribution == Unknown) != (l.Attribution == "") {
			t.Errorf("%s: redistribution is %s, the attribution %q", id, l.Redistribution, l.Attribution)
		}
		if l.Redistribution == Conditions && l.Note == "" {
			t.Errorf("%s: the conditions are not named", id)
		}
		if l.Name != "" && l.URL == "" {
			t.Errorf("%s: the licence %s has no address", id, l.Name)
		}
	}
	demands := []string{"CC BY", "NLOD", "ODbL", "OGL", "dl-de/by"}
	for id, l := range load().sources {
		named := slices.ContainsFunc(demands, func(name string) bool { return strings.HasPrefix(l.Name, name) })
		if named && l.MissingOnPicture("Source: Office, dataset x") == "" {
			t.Errorf("%s: the licence %s is not named on pictures", id, l.Name)
		}
	}
	for key, l := range load().licences {
		if l.Redistribution == Unknown || l.URL == "" {
			t.Errorf("licence %q: %+v", key, l)
		}
	}
}

// What a dataset states goes before the table, which knows the licence by its names and
// address.
func TestFor(t *testing.T) {
	for name, tc := range map[string]struct {
		dataset Dataset
		want    Licence
		ok      bool
	}{
		"by the table": {
			Dataset{Source: "ons", Name: "GDP"},
			Licence{Name: "OGL 3.0", Attribution: "Source: Office for National Statistics licensed under the Open Government Licence v.3.0", Redistribution: Allowed, OnPictures: "Open Government Licence v3.0"}, true,
		},
		"an attribution with name and year": {
			Dataset{Source: "it-nrw", Name: "x", Updated: time.Date(2025, 3, 1, 0, 0, 0, 0, time.UTC)},
			Licence{Name: "dl-de/by-2-0", Attribution: "© Statistisches Landesamt Nordrhein-Westfalen, 2025, dl-de/by-2-0", Redistribution: Allowed, OnPictures: "dl-de/by-2-0"}, true,
		},
		"an attribution without a year": {
			Dataset{Source: "it-nrw"},
			Licence{Name: "dl-de/by-2-0", Attribution: "© Statistisches Landesamt Nordrhein-Westfalen, dl-de/by-2-0", Redistribution: Allowed, OnPictures: "dl-de/by-2-0"}, true,
		},
		"stated with an address": {
			Dataset{Source: "gapminder", Licence: "CC BY 4.0, https://creativecommons.org/licenses/by/4.0/", Attribution: "Free data from Gapminder"},
			Licence{Name: "CC BY 4.0", URL: "https://creativecommons.org/licenses/by/4.0/", Attribution: "Free data from Gapminder", Redistribution: Allowed, OnPictures: "CC BY 4.0"}, true,
		},
		"stated in other words": {
			Dataset{Source: "eurostat", Licence: "cc-by-nc-4.0"},
			Licence{Name: "CC BY-NC 4.0", Attribution: "Source: Eurostat", Redistribution: Conditions, OnPictures: "CC BY-NC 4.0"}, true,
		},
		"stated as an address": {
			Dataset{Source: "x", Licence: "http://creativecommons.org/publicdomain/zero/1.0"},
			Licence{Name: "CC0 1.0", Redistribution: Allowed}, true,
		},
		"stated, unknown": {Dataset{Source: "eurostat", Licence: "Ask the office"}, Licence{Name: "Ask the office", Attribution: "Source: Eurostat", Redistribution: Unknown}, true},
		"nothing known":   {Dataset{Source: "nobody"}, Licence{Redistribution: Unknown}, false},
	} {
		got, ok := For(tc.dataset)
		if tc.want.URL == "" {
			got.URL = ""
		}
		got.StatedAt, got.Seen, got.Note = "", "", ""
		if got != tc.want || ok != tc.ok {
			t.Errorf("%s: got %+v (%t), want %+v (%t)", name, got, ok, tc.want, tc.ok)
		}
	}
}

// A licence that a source line names in any of its forms is not missing on the picture.
func TestMissingOnPicture(t *testing.T) {
	l, _ := Of("worldbank")
	for line, want := range map[string]string{
		"Source: World Bank, dataset NY.GDP": "CC BY 4.0",
		"":                                   "CC BY 4.0",
		"Source: World Bank, CC BY 4.0":      "",
		"Source: World Bank (CC-BY-4.0)":     "",
		"Source: World Bank. Licensed under Creative Commons Attribution 4.0, without changes": "",
		"Source: World Bank, https://creativecommons.org/licenses/by/4.0/":                     "",
		"Source: World Bank, CC BYZ": "CC BY 4.0",
	} {
		if got := l.MissingOnPicture(line); got != want {
			t.Errorf("%q: got %q, want %q", line, got, want)
		}
	}
	l, _ = Of("scb")
	if got := l.MissingOnPicture("Source: SCB"); got != "" {
		t.Errorf("CC0 demands %q", got)
	}
}

// A table with a mistake is refused, and the error names the place and the mistake.
func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"office x\nstated https://x.example":                       "licence or source",
		"source x\nlicence CC BY 9":                                `unknown licence "CC BY 9"`,
		"source x\nstatd https://x.example":                        `unknown word "statd"`,
		"source x\nstated x.example":                               `"x.example" is not an address`,
		"source x\nredistribution maybe":                           "allowed, conditions, forbidden or unknown",
		"source x\nseen yesterday":                                 "2026-11-28",
		"source x\nnote":                                           `"note" has no value`,
		"source x\nnote a\n\nsource y x\nnote b":                   `block at line 4: "x" stands twice`,
		"licence A\nredistribution allowed\n\nlicence a\nnote b\n": "stands twice",
		"source":                      "needs a name",
		"# comment\nsource x\nalso y": `unknown word "also"`,
	} {
		if _, err := parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want an error with %q", text, err, want)
		}
	}
}

// FuzzParse checks that every text is refused or gives rows that are well-formed.
func FuzzParse(f *testing.F) {
	f.Add(text)
	f.Add("source x\nlicence CC0 1.0\n")
	f.Fuzz(func(t *testing.T, text string) {
		parsed, err := parse(text)
		if err != nil {
			return
		}
		for key, l := range parsed.sources {
			if strings.ContainsAny(key, " \n") || l.check() != nil {
				t.Errorf("%q: %+v", key, l)
			}
		}
	})
}
