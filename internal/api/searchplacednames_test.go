package api_test

import (
	"path/filepath"
	"testing"

	"almanac/internal/importer"
	"almanac/internal/stattest"
)

// placedAnswers are questions with places that only labels of values name, see [answers].
const placedAnswers = `
natural gas price in Europe     | cmo-historical-data-monthly-monthly-prices | 08/2021: 15.4919978375939 Natural gas, Europe
natural gas price in US         | cmo-historical-data-monthly-monthly-prices | 08/2021: 4.0508 Natural gas, US
Erdgaspreis Europa              | cmo-historical-data-monthly-monthly-prices | 08/2021: 15.4919978375939 Natural gas, Europe
natural gas price in Germany    | cmo-historical-data-monthly-monthly-prices | "natural gas price" is neither
coal price Australia            | cmo-historical-data-monthly-monthly-prices | 08/2021: 168.75 Coal, Australian
coal price Australia 2015-01    | cmo-historical-data-monthly-monthly-prices | 01/2015:
coal price Australia and Europe | cmo-historical-data-monthly-monthly-prices | "coal" is neither
South African coal price        | cmo-historical-data-monthly-monthly-prices | 08/2021: 137.92 Coal, South African
sugar price world               | cmo-historical-data-monthly-monthly-prices | 08/2021: 0.429459976 Sugar, world
crude oil price Dubai           | cmo-historical-data-monthly-monthly-prices | 08/2021: 68.85 Crude oil, Dubai
rubber price Japan              | cmo-historical-data-monthly-monthly-prices | "rubber" is neither
`

// namesakeAnswers are questions for a place of which a dataset has only a region with the name.
const namesakeAnswers = `
cancer deaths in Georgia   | nchs_-_leading_causes_of_death__united_states | Georgia, United States 2017: 17135 Malignant neoplasms (C00-C97) Deaths … "Georgia" is read as Georgia, United States [US-GA]
cancer deaths Georgia 2015 | nchs_-_leading_causes_of_death__united_states | Georgia, United States 2015: 16945
cancer deaths Texas        | nchs_-_leading_causes_of_death__united_states | Texas 2017:
cancer deaths in France    | nchs_-_leading_causes_of_death__united_states | has no value of the area itself
population of Georgia      | SP.POP.TOTL                                   | Georgia 2016: 3719300 … GE known
`

// TestPlacesInLabels checks that a place of a question may be a part of the name of a series, or the only place of this name in a dataset.
func TestPlacesInLabels(t *testing.T) {
	stattest.SkipUnderRace(t)
	stattest.SampleMore(t, "wb-cmo/CMO-Historical-Data-Monthly.xlsx")
	more := filepath.Join("..", "data-more")
	checkAnswers(t, searchFilesOf(t, importer.Options{NoGeo: true}, filepath.Join(more, "wb-cmo/CMO-Historical-Data-Monthly.xlsx")), placedAnswers)
	base := searchFiles(t, filepath.Join(more, "nchs-lcod/NCHS_-_Leading_Causes_of_Death__United_States.csv"), "worldbank/csv/API_SP.POP.TOTL_DS2_en_csv_v2.csv")
	checkAnswers(t, base, namesakeAnswers)
	checkNotices(t, base, `
cancer deaths in Georgia | "Georgia" is taken to mean Georgia [GE] … not "cancer"
`)
}
