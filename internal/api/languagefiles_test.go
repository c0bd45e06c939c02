package api_test

import (
	"fmt"
	"strings"
	"testing"

	"almanac/internal/api"
)

// fileIn is a table of an office with a file for each language: words are the language, the title, the
// names of the first dimension and of its two areas, and the name of the second dimension.
func fileIn(words ...any) string {
	return fmt.Sprintf(`CHARSET="ANSI";
AXIS-VERSION="2013";
CODEPAGE="utf-8";
LANGUAGE="%[1]s";
MATRIX="FOLK";
TITLE="%[2]s";
CONTENTS="%[2]s";
SOURCE="Statistics Test";
UNITS="1";
STUB="%[3]s","%[6]s";
HEADING="tid";
VARIABLECODE("%[3]s")="REGION";
VARIABLECODE("%[6]s")="KIND";
VARIABLECODE("tid")="Tid";
VALUES("%[3]s")="%[4]s","%[5]s";
CODES("%[3]s")="SE","NO";
VALUES("%[6]s")="X","Y";
CODES("%[6]s")="1","2";
VALUES("tid")="2023","2024";
TIMEVAL("tid")=TLIST(A1),"2023","2024";
DATA=
1 2
3 4
5 6
7 8;
`, words...)
}

// TestFilesInEachLanguage imports one file after another, and reads the labels that everybody gets
// and those in each language.
func TestFilesInEachLanguage(t *testing.T) {
	swedish := fileIn("sv", "Folkmängd", "region", "Sverige", "Norge", "slag")
	finnish := fileIn("fi", "Väkiluku", "alue", "Ruotsi", "Norja", "laji")
	english := fileIn("en", "Population", "area", "Sweden", "Norway", "kind")
	for _, c := range []struct {
		name  string
		files []string
		want  map[string][]string // parts of /dimensions and of the metadata by language, "" without a choice
	}{
		{"English last", []string{swedish, finnish, english}, map[string][]string{
			"": {`"Sweden"`, `"kind"`, `"Population"`, `"languages":["en","fi","sv"]`}, "sv": {`"Sverige"`, `"slag"`, `"Folkmängd"`}, "fi": {`"Ruotsi"`, `"laji"`, `"Väkiluku"`},
		}},
		{"English first", []string{english, finnish, swedish}, map[string][]string{
			"": {`"Sweden"`, `"kind"`, `"Population"`, `"languages":["en","fi","sv"]`}, "sv": {`"Sverige"`, `"slag"`, `"Folkmängd"`}, "fi": {`"Ruotsi"`, `"laji"`, `"Väkiluku"`},
		}},
		{"not English", []string{swedish, finnish}, map[string][]string{
			"": {`"Sverige"`, `"slag"`, `"Folkmängd"`, `"languages":["sv","fi"]`}, "fi": {`"Ruotsi"`, `"laji"`, `"Väkiluku"`},
		}},
		{"another label in the second language", []string{english, swedish, strings.ReplaceAll(swedish, "Norge", "Noreg")}, map[string][]string{
			"": {`"Norway"`}, "sv": {`"Noreg"`, `"Sverige"`},
		}},
		{"other values", []string{swedish, strings.ReplaceAll(english, "7 8", "7 9")}, map[string][]string{
			"": {`"Sweden"`, `"version":"1.1"`}, "sv": {`"Sverige"`, `"version":"1.1"`},
		}},
		{"a code that ended", []string{swedish, strings.NewReplacer(`"Sweden","Norway"`, `"Sweden"`, `"SE","NO"`, `"SE"`, "3 4\n5 6\n7 8;", "3 4;").Replace(english)}, map[string][]string{
			"": {`"Sweden"`}, "sv": {`"Sverige"`},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStore(t)
			for _, file := range c.files {
				load(t, s, "folk.px", strings.NewReader(file))
			}
			base := serve(t, newAPI(t, api.Options{Store: s})) + "/api/datasets/1"
			for language, parts := range c.want {
				query := ""
				if language != "" {
					query = "?lang=" + language
				}
				text := ask(t, "GET", base+"/dimensions"+query).body + ask(t, "GET", base+"/meta"+query).body
				for _, part := range parts {
					if !strings.Contains(text, part) {
						t.Errorf("in %q: no %s in %s", language, part, text)
					}
				}
			}
		})
	}
}
