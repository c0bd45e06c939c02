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
// region of which it is another name. A notice says what it was read as.
func TestCitiesBeforeTheirRegions(t *testing.T) {
	const cells = "geo,label,2020\n" +
		"PL-14,Mazowieckie,1\nX1,M.st.Warszawa od 2002 (1),2\n" +
		"PL-10,Łódzkie,3\nX2,Łódź (1),4\n" +
		"DK-84,Hovedstaden,5\n" +
		"X3,\"München, kreisfreie Stadt\",6\nX4,\"München, Landkreis\",7\n" +
		"X5,Poznań (1),8\nX6,Poznań (2),9\nDE-BY,Bayern,10\n"
	file := filepath.Join(t.TempDir(), "cities.csv")
	rows := "geo,geo_label,TIME_PERIOD,OBS_VALUE\n"
	for _, line := range strings.Split(strings.TrimSpace(cells), "\n")[1:] {
		at := strings.LastIndex(line, ",")
		rows += line[:at] + ",2020" + line[at:] + "\n"
	}
	if err := os.WriteFile(file, []byte(rows), 0o600); err != nil {
		t.Fatal(err)
	}
	v := firstDataset(t, file, importer.Options{})
	for _, c := range v.Dataset.Geography.Codes {
		t.Log(c.ID, c.Area, c.Label)
	}
	for _, c := range []struct{ name, want, notice string }{
		{"Warsaw", "X1", `"Warsaw" is read as M.st.Warszawa od 2002 (1) [X1], not as Mazowieckie [PL-14]`},
		{"Łódź", "X2", "is read as Łódź (1) [X2], not as Łódzkie [PL-10]"},
		{"Copenhagen", "DK-84", "is read as Hovedstaden [DK-84]; no area of the dataset has this name itself"},
		{"Munich", "X3", "is read as München, kreisfreie Stadt [X3]"},
		{"Poznań", "", "may mean Poznań (1) [X5], Poznań (2) [X6]"},
		{"Bavaria", "DE-BY", ""},
		{"Mazowieckie", "PL-14", ""},
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
