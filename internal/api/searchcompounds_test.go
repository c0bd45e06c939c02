package api_test

import (
	"testing"

	"almanac/internal/importer"
)

// TestCompounds checks that a German compound which no dataset has is read as its parts, with a notice, also one that is a term of
// the field, and that what is said of them is written as in the question and the titles.
func TestCompounds(t *testing.T) {
	base := searchFilesOf(t, importer.Options{Name: "Erwerbsquote nach Geschlecht"}, ownFile(t, "quote.csv", `Land;Geschlecht;Jahr;Wert
Deutschland;Insgesamt;2021;61,5
Deutschland;Insgesamt;2022;61,8
Deutschland;Frauen;2021;56,4
Deutschland;Frauen;2022;56,9
Deutschland;Männer;2021;66,8
Deutschland;Männer;2022;66,9
Frankreich;Insgesamt;2021;56,0
Frankreich;Insgesamt;2022;56,4
Frankreich;Frauen;2021;52,0
Frankreich;Frauen;2022;52,6
Frankreich;Männer;2021;60,3
Frankreich;Männer;2022;60,5
`))
	checkAnswers(t, base, `
Frauenerwerbsquote Deutschland         | quote | Deutschland 2022: 56.9 Frauen
Männererwerbsquote Frankreich          | quote | Frankreich 2022: 60.5 Männer
Erwerbsquote der Frauen in Deutschland | quote | Deutschland 2022: 56.9 Frauen
Erwerbsquote Deutschland               | quote | Deutschland 2022: 61.8 Insgesamt
`)
	checkNotices(t, base, `
Frauenerwerbsquote Deutschland | "Frauenerwerbsquote" is read as "Frauen" and "Erwerbsquote"
frauenerwerbsquote deutschland | "frauenerwerbsquote" is read as "frauen" and "erwerbsquote"
Männererwerbsquote Frankreich  | "Männererwerbsquote" is read as "Männer" and "Erwerbsquote"
Erwerbsquote                   | not is read as
`)
	base = searchFiles(t, "eurostat/tsv-old/une_rt_a.tsv.gz")
	checkAnswers(t, base, `
Frauenarbeitslosenquote Deutschland  | une_rt_a | 2019: 2.7 A From 15 to 74 years
Männerarbeitslosigkeit Deutschland   | une_rt_a | 2019: 3.5 A From 15 to 74 years
Jugendarbeitslosenquote Deutschland  | une_rt_a | "Jugend" is read as From 15 to 24 years [Y15-24]
Jugend Arbeitslosenquote Deutschland | une_rt_a | "Jugend" is read as From 15 to 24 years [Y15-24]
`)
	checkNotices(t, base, `
Frauenarbeitslosenquote | "Frauenarbeitslosenquote" is read as "Frauen" and "Arbeitslosenquote"
Jugendarbeitslosenquote | "Jugendarbeitslosenquote" is read as "Jugend" and "Arbeitslosenquote"
Jugendarbeitslosigkeit  | not is read as
`)
}

// TestWrittenNames checks that notices and remarks have words as the question, titles and the table of terms have them.
func TestWrittenNames(t *testing.T) {
	base := searchFilesOf(t, importer.Options{Name: "Bevölkerung nach Geschlecht"}, ownFile(t, "einwohner.csv", `Land;Geschlecht;Jahr;Wert
Deutschland;Insgesamt;2021;83,2
Deutschland;Insgesamt;2022;84,4
Deutschland;Frauen;2021;42,2
Deutschland;Frauen;2022;42,8
`))
	checkAnswers(t, base, `
Einwohner Deutschland                  | einwohner | "Einwohner" is read as "Bevölkerung"
Bevölkerung der Käfer in Deutschland   | einwohner | "Käfer" is neither
`)
	checkNotices(t, base, `
Bevölkerunk Deutschland                | no dataset has "Bevölkerunk"; showing results for "Bevölkerung Deutschland"
Bevölkerung der Käfer                  | "Käfer"
`)
}
