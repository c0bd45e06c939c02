package office

import "testing"

// TestFindFirst: the publisher of a text is the office whose name it begins with, and
// another text after it, such as that of a survey, is known as one.
func TestFindFirst(t *testing.T) {
	for _, c := range []struct {
		text, id string
		isWhole  bool
	}{
		{"Statistics Norway", "ssb", true},
		{"Statistics Sweden (SCB)", "scb", true},
		{"Instituto Nacional de Estadística (INE), www.ine.es", "ine", true},
		{"Central Statistics Office, Ireland", "cso", true},
		{"BFS - Beschäftigungsstatistik - © BFS", "bfs", false},
		{"INE. Encuesta de Población Activa", "ine", false},
		{"Statistics Finland, families", "statfin", false},
		{"Eurostat; Statistics Norway", "", false},
		{"INE and IGE", "", false},
		{"Own calculation from data of INSEE", "", false},
		{"Encuesta de Población Activa (EPA)Instituto Nacional de Estadística (INE)", "", false},
		{"", "", false},
	} {
		if s, isWhole := FindFirst(c.text); s.ID != c.id || isWhole != c.isWhole {
			t.Errorf("FindFirst(%q) = %s, %t; want %s, %t", c.text, s.ID, isWhole, c.id, c.isWhole)
		}
	}
	if s := Find("OECD.SDD.NAD"); s.ID != "oecd" {
		t.Errorf("Find returned %+v for an agency of the OECD", s)
	}
}
