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
activité femmes Madrid                  | 4206 | "activité" is neither
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
population of women in Estonia 2040     | rv021 | Estonia 2040: 618544 Naised … forecast
Bevölkerung Estland 2040                | rv021 | Estonia 2040: … forecast
`

// measureAnswers are likewise: prices that are only those of amounts, indices, and numbers in compounds.
const measureAnswers = `
price level Australia                   | T12    | "price" is neither
prices in Australia                     | T12    | "prices" is neither
prices Chile 2018                       | T12    | "prices" is neither
current prices Australia                | T12    | "prices" is neither
GDP at current prices Australia         | T12    | Australia 2018: 1453870.547
GDP Australia                           | T12    | Australia 2018: 1453870.547
price index Australia                   | 640101 | Australia Q1/2023: 132.6 … "price index" is read as Index Numbers ; All groups CPI ; Australia
price index Australia 2022              | 640101 | Australia Q4/2022: 130.8
Preisindex Australien                   | 640101 | Australia Q1/2023: 132.6
food price index Australia              | 640101 | "food price index" is neither
producer price index Australia          | 640101 | "producer price index" is neither
CPI Australia                           | 640101 | Australia Q1/2023: 132.6
inflation Australia                     | 640101 | Australia Q1/2023: 7
Alkoholtote Polen                       | ihme-gbd_2021_data-446de514-1 | the question is for a number
muertos por alcohol en Polonia          | ihme-gbd_2021_data-446de514-1 | the question is for a number
`

// TestPartsAsked checks that a value is of the part that a question names.
func TestPartsAsked(t *testing.T) {
	stattest.SkipUnderRace(t)
	stattest.SampleMore(t, "ine-4206/4206.csv")
	more := filepath.Join("..", "data-more")
	checkAnswers(t, searchFiles(t, filepath.Join(more, "ine-4206/4206.csv")), sexAnswers)
	checkAnswers(t, searchFilesOf(t, importer.Options{Country: "EE"}, filepath.Join(more, "estonia-rv021/RV021.csv")), estonianAnswers)
	checkAnswers(t, searchFiles(t, "un/SYB63_230_202009_GDP and GDP Per Capita.csv", filepath.Join(more, "abs-640101/640101.xlsx"), filepath.Join(more, "ihme-gbd/IHME-GBD_2021_DATA-446de514-1.csv")), measureAnswers)
}
