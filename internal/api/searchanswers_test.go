package api_test

import (
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/importer"
	"almanac/internal/stattest"
)

// answers are questions, the code of a dataset, and parts of its value, or of why it has none.
const answers = `
GDP per inhabitant DE-BY 2010            | nama_10r_2gdp                              | Bayern 2010: 
number of people in work Germany         | SP.POP.TOTL                     | "work" is neither in the title
number of people with a job Sweden       | SP.POP.TOTL                     | "job" is neither in the title
number of people per doctor Norway       | SP.POP.TOTL                     | "doctor" is neither in the title
how many people live in cities in Brazil | SP.POP.TOTL                     | "cities" is neither in the title
how many people live on Earth            | SP.POP.TOTL                     | World 2016: 7442135578 … "people live" is read as "Population"
smallest population                      | SP.POP.TOTL                     | "smallest" asks for a comparison
highest GDP per capita                   | nama_10r_2gdp                   | "highest" asks for a comparison
GDP per capita Luxembourg PPS 2010       | nama_10r_2gdp                   | 2010: 64400 … Purchasing Power Standard per inhabitant
GDP PPP France                           | nama_10r_2gdp                   | Millions of PPS
employees Sweden LO                      | TAB2936                         | Sweden 01/2026: 818.6 … "LO" is read as LO (Swedish Trade Union Confederation) [LO]
part-time employees Sweden               | TAB2936                         | "part-time" is neither in the title
exchange rate AUD annual average 2005    | ECB_EXR1                        | 2005: 1.631961867704281 Annual
youth employment Spain                   | edat_lfse_22                    | has that only in "not in employment
young people not in employment Spain     | edat_lfse_22                    | Spain 20
exchange rate AUD December 2005          | ECB_EXR1                        | 12/2005: 1.597938095238096
`

// moreAnswers are likewise of the files of a second folder.
const moreAnswers = `
number of homicides France 2018          | crim_off_cat__custom_128689_20201028_155532 | France 2018: 779 A ICCS0101 NR
nombre d'homicides France 2018           | crim_off_cat__custom_128689_20201028_155532 | France 2018: 779
Anzahl Tötungsdelikte Deutschland 2018   | crim_off_cat__custom_128689_20201028_155532 | 2018: 632
homicide rate France 2018                | crim_off_cat__custom_128689_20201028_155532 | France 2018: 1.16
average temperature in France            | environment_temperature_change             | a measure that is called average
temperature change France                | environment_temperature_change             | France 2018: 1.757
bank rate                                | f1-data                                    | "bank rate" is neither in the title
cash rate Australia                      | f1-data                                    | Australia 07/03/2019: 1.5
consumer credit outstanding              | G19_TERMS                                  | "consumer credit" is neither in the title
car loan rate United States              | G19_TERMS                                  | "car loan" is neither in the title
electric power selling price Canada      | 18100204                                   | Canada 10/2018: 111.4
`

// gdpAnswers are likewise of a file without a geography.
const gdpAnswers = `
GDP US current dollars Q4 2017           | gdplev                                     | United States Q4/2017: 19738.9
GDP of the United States 2017            | gdplev                                     | United States 2017: 19386.8 Annual
real GDP of the United States 2017       | gdplev                                     | United States 2017: 17092.7 Annual
`

// goldAnswers are likewise of a file of no area.
const goldAnswers = `
price of gold                            | cmo-historical-data-monthly-monthly-prices  | 08/2021: 1785.28 Gold
price of gold                            | cmo-historical-data-monthly-monthly-indices | "price gold" is neither in the title
`

const fedAnswers = `
federal funds rate                       | fedfunds                                   | United States 11/2025: 3.88
`

// TestAnswers checks that each word of a question is answered by the value that is shown.
func TestAnswers(t *testing.T) {
	stattest.SkipUnderRace(t)
	base := searchFiles(t, "worldbank/csv/API_SP.POP.TOTL_DS2_en_csv_v2.csv", "eurostat/tsv-old/nama_10r_2gdp.tsv.gz", "px/scb/TAB2936.px",
		"ecb/ecb-datastructure-2.1.xml", "ecb/ecb-data-specific-2.1.xml", "eurostat/tsv-new/edat_lfse_22.tsv.gz")
	checkAnswers(t, base, answers)
	stattest.SampleMore(t, "fred-fedfunds/FEDFUNDS.csv")
	more := filepath.Join("..", "data-more")
	base = searchFiles(t, filepath.Join(more, "estat-crim-csv/crim_off_cat__custom_128689_20201028_155532.csv"),
		filepath.Join(more, "fao-temp/Environment_Temperature_change_E_All_Data_(Normalized).zip"), filepath.Join(more, "rba-f1-csv/f1-data.csv"),
		filepath.Join(more, "fed-xml/fed-structure-1.0.xml"), filepath.Join(more, "fed-xml/fed-data-1.0.xml"), filepath.Join(more, "statcan-18100204/18100204-eng.zip"))
	checkAnswers(t, base, moreAnswers)
	checkAnswers(t, searchFilesOf(t, importer.Options{Country: "US"}, filepath.Join(more, "bea-gdplev2/gdplev.xlsx")), gdpAnswers)
	checkAnswers(t, searchFilesOf(t, importer.Options{Country: "US", Source: "FRED"}, filepath.Join(more, "fred-fedfunds/FEDFUNDS.csv")), fedAnswers)
	checkAnswers(t, searchFilesOf(t, importer.Options{NoGeo: true}, filepath.Join(more, "wb-cmo/CMO-Historical-Data-Monthly.xlsx")), goldAnswers)
}

func checkAnswers(t *testing.T, base, table string) {
	t.Helper()
	for line := range strings.Lines(strings.TrimSpace(table)) {
		cells := strings.SplitN(line, "|", 3)
		question := strings.TrimSpace(cells[0])
		checkValue(t, find(t, base, "limit=20&q="+url.QueryEscape(question)), question, strings.TrimSpace(cells[1]), strings.TrimSpace(cells[2]))
	}
}
