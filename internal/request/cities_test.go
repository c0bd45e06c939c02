package request_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/importer"
	"almanac/internal/request"
)

// A name of a city is the area of the dataset whose label says that it is the city, before the
// region of which it is another name, but not if it is the label of the region. A notice says what it was read as.
func TestCitiesBeforeTheirRegions(t *testing.T) {
	rows := "geo,geo_label,TIME_PERIOD,OBS_VALUE\n" +
		"PL9,Makroregion Mazowieckie,2020,1\nPL911,Miasto Warszawa,2020,2\nPL71,Lódzkie,2020,3\nPL711,Miasto Lódz,2020,4\n" +
		"DK01,Hovedstaden,2020,5\nDE212,\"München, Kreisfreie Stadt\",2020,6\nDE21H,\"München, Landkreis\",2020,7\n" +
		"PL415,Miasto Poznan,2020,8\nPL418,Poznań (1),2020,9\nDE2,Bayern,2020,10\n" +
		"DEA2,Köln,2020,11\nDEA23,\"Köln, Kreisfreie Stadt\",2020,12\nDE11,Stuttgart,2020,13\nDE3,Berlin,2020,14\nFR1,Île-de-France,2020,15\n"
	file := filepath.Join(t.TempDir(), "cities.csv")
	if err := os.WriteFile(file, []byte(rows), 0o600); err != nil {
		t.Fatal(err)
	}
	v := firstDataset(t, file, importer.Options{})
	for _, c := range []struct{ name, want, notice string }{
		{"Warsaw", "PL911", `"Warsaw" is read as Miasto Warszawa [PL911], not as Makroregion Mazowieckie [PL9]`},
		{"Łódź", "PL711", "is read as Miasto Lódz [PL711], not as Lódzkie [PL71]"},
		{"Copenhagen", "DK01", "is read as Hovedstaden [DK01]; no area of the dataset has this name itself"},
		{"Munich", "DE212", "is read as München, Kreisfreie Stadt [DE212]"},
		{"Poznań", "", "may mean Miasto Poznan [PL415], Poznań (1) [PL418]"},
		{"Mazowieckie", "PL9", "is read as Makroregion Mazowieckie [PL9]; no area"},
		{"Köln", "DEA2", `"Köln" is the region Köln [DEA2]; the city is Köln, Kreisfreie Stadt [DEA23]`},
		{"Cologne", "DEA23", "is read as Köln, Kreisfreie Stadt [DEA23]"},
		{"DEA2", "DEA2", ""},
		{"Stuttgart", "DE11", `"Stuttgart" is the region Stuttgart [DE11]; the dataset does not have the city by itself`},
		{"Berlin", "DE3", ""},
		{"Île-de-France", "FR1", ""},
		{"Bavaria", "DE2", ""},
		{"Bayern", "DE2", ""},
	} {
		q, notices, err := request.Parse(v, &request.Data{Country: []string{c.name}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, pos := range q.Select[len(q.Select)-1] {
			got = append(got, v.Dataset.Geography.Codes[pos].ID)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s", c.name, got, c.want)
		}
		if text := request.JoinNotices(notices); !strings.Contains(text, c.notice) || c.notice == "" && text != "" {
			t.Errorf("%s: notices %q, want %q", c.name, text, c.notice)
		}
	}
}
