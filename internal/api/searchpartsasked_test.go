package api_test

import (
	"path/filepath"
	"testing"

	"almanac/internal/importer"
	"almanac/internal/stattest"
)

// sexAnswers are questions for women and men, see [answers]: of terms of the field that no dataset has, and of labels in other languages.
const sexAnswers = `
taux d'activité des femmes en Espagne   | 4206 | Total Nacional Q4/2021: 53.93 Mujeres
taux d'activité Espagne femmes          | 4206 | Total Nacional Q4/2021: 53.93 Mujeres
taux d'activité des hommes en Espagne   | 4206 | Total Nacional Q4/2021: 63.65 Hombres
tasa de actividad femenina Madrid       | 4206 | Madrid, Comunidad de Q4/2021: 58.72 Mujeres
Erwerbsquote der Frauen in Spanien      | 4206 | Total Nacional Q4/2021: 53.93 Mujeres
activité femmes Madrid                  | 4206 | "activite" is neither
`

// estonianAnswers are likewise of a table in another language, with a label for both sexes.
const estonianAnswers = `
Wieviele Einwohner hat Estland          | rv021 | Estonia 2024: 1280636
population of Estonia                   | rv021 | Estonia 2024: 1280636 Mehed ja naised
Bevölkerung Estland 2020 Frauen         | rv021 | Estonia 2020: 686510 Naised
female population of Estonia            | rv021 | Naised
male population of Estonia 2000         | rv021 | Estonia 2000: 653080 Mehed
women aged 20-24 Estonia 2010           | rv021 | Estonia 2010: 48780 Naised 20-24
population hommes Estonie               | rv021 | Mehed
`

// TestPartsAsked checks that a value is of the part that a question names.
func TestPartsAsked(t *testing.T) {
	stattest.SkipUnderRace(t)
	stattest.SampleMore(t, "ine-4206/4206.csv")
	more := filepath.Join("..", "data-more")
	checkAnswers(t, searchFiles(t, filepath.Join(more, "ine-4206/4206.csv")), sexAnswers)
	checkAnswers(t, searchFilesOf(t, importer.Options{Country: "EE"}, filepath.Join(more, "estonia-rv021/RV021.csv")), estonianAnswers)
}
