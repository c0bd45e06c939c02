package api_test

import (
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"almanac/internal/importer"
	"almanac/internal/stattest"
)

// forecastAnswers are like answers: values of periods that the question names, which are forecasts.
const forecastAnswers = `
economic growth Brazil 2010     | WEO          | Brazil 2010: 3.464 … forecast, latest_mode last, flags ["E"]
economic growth Brazil          | WEO          | Brazil 2008: 5.076
growth forecast Brazil 2010     | WEO          | Brazil 2010: 3.464 … forecast
inflation forecast Argentina    | WEO          | the question is for a forecast, and the value of 2008 is observed
population projections India 2050 | us_poptotal | India 2050: 1670490.596 … forecast
unemployment rate Spain 2014    | oecd         | Spain 2014: 26.78073067 … forecast, latest_mode last
unemployment rate Spain         | oecd         | Spain 2011: 21.63712759
population India 2050           | us_poptotal  | India 2050: 1670490.596 … forecast, latest_mode last
population India 2010           | us_poptotal  | India 2010: 
EU unemployment rate            | oecd         | the dataset has no value of the area itself
unemployment rate European Union| oecd         | the dataset has no value of the area itself
inflation Argentina             | WEO          | Argentina 2008: 8.585 … [PCPIPCH]
inflación Argentina             | WEO          | Argentina 2008: 8.585 … [PCPIPCH]
Inflation Argentinien heute     | WEO          | Argentina 2008: 8.585 … [PCPIPCH]
Inflation Argentinien           | WEO          | Argentina 2008: 8.585 … [PCPIPCH]
`

// wordAnswers are likewise: numbers of people of rates, words for sexes, and names of codes without labels.
const wordAnswers = `
doctors per 10,000 people in Cuba     | HWF_0001            | Cuba 2018: 84.2
doctors per 10000 people in Cuba      | HWF_0001            | Cuba 2018: 84.2
doctors per 10 000 people in Cuba     | HWF_0001            | Cuba 2018: 84.2
doctors per ten thousand people Cuba  | HWF_0001            | Cuba 2018: 84.2
Ärzte pro 10.000 Einwohner Kuba       | HWF_0001            | Cuba 2018: 84.2
médecins pour 10 000 habitants Cuba   | HWF_0001            | Cuba 2018: 84.2
médicos por 10.000 habitantes Cuba    | HWF_0001            | Cuba 2018: 84.2
doctors per 1000 people in Cuba       | HWF_0001            | the question is for values per 1000
girls under-five mortality Nigeria    | cme_mry0t4_all_2020 | Female
boys under-five mortality Nigeria     | cme_mry0t4_all_2020 | Male
under-five mortality Nigeria          | cme_mry0t4_all_2020 | Under-five mortality rate Total
life expectancy women Japan           | WHOSIS_000001       | Japan 2021: 87.15804 SEX_FMLE
espérance de vie femmes Japon         | WHOSIS_000001       | Japan 2021: 87.15804 SEX_FMLE
Lebenserwartung Männer Japan          | WHOSIS_000001       | SEX_MLE
life expectancy girls Japan           | WHOSIS_000001       | "girls" is neither
life expectancy Japan                 | WHOSIS_000001       | Japan 2021: 84.46067 SEX_BTSX
female life expectancy Japan          | wpp_period_indicators_medium | Japan 2020: 87.47 … Life expectancy at birth, female
fertility in Niger 2020-2025          | wpp_period_indicators_medium | Niger 2025: 6.508 … forecast
total fertility Niger 2010–2015       | wpp_period_indicators_medium | Niger 2015: 7.
total fertility Niger 2012-2017       | wpp_period_indicators_medium | none is of 2012-2017
male deaths Japan                     | wpp_period_indicators_medium | Deaths, male
renewable transport Sweden            | nrg_ind_ren         | Sweden 2024: 26.399 … REN_TRA
erneuerbare Energien Verkehr Schweden | nrg_ind_ren         | Sweden 2024: 26.399 … REN_TRA
What is unemployment in Spain now, and a year ago? | une_rt_a | Spain 2019: 14.1
unemployment in Spain last year       | une_rt_a            | Spain 2018: 15.3
Arbeitslosigkeit Spanien vor zwei Jahren | une_rt_a         | Spain 2017: 17.2
chômage en Espagne actuellement       | une_rt_a            | Spain 2019: 14.1
paro en España hace dos años          | une_rt_a            | Spain 2017: 17.2
unemployment in Spain this year       | une_rt_a            | Spain 2019: 14.1
`

// partAnswers are likewise of datasets with one series of many, or of a class of a classification, or of one market.
const partAnswers = `
production industrielle France        | valeurs_mensuelles  | of "Fabrication d'aliments pour animaux de ferme" only
fabrication d'aliments pour animaux France | valeurs_mensuelles | France 02/2021: 95.42
ESTR                                  | ecb data portal_20260126121402 | 21/11/2025: 1.926
€STR                                  | ecb data portal_20260126121402 | 21/11/2025: 1.926
euro short-term rate                  | ecb data portal_20260126121402 | 21/11/2025: 1.926
ESTR                                  | f1-data             | "ESTR" is neither
interbank overnight cash rate         | f1-data             | Interbank Overnight Cash Rate
electric power selling price Canada   | 18100204            | Canada 10/2018: 111.4
electric power selling price Ontario  | 18100204            | "Electric power selling price indexes, national total" has no value there
electric power selling price over 5000kw Ontario | 18100204 | Ontario 10/2018: 106.2
homicides Lithuania per 100000        | crim_off_cat__custom_128689_20201028_155532 | Lithuania 2018: 3.45
homicides Lithuania per 100,000       | crim_off_cat__custom_128689_20201028_155532 | Lithuania 2018: 3.45
homicides Lithuania per million       | crim_off_cat__custom_128689_20201028_155532 | the question is for values per 1000000
`

// commodityAnswers are likewise of a file of no area.
const commodityAnswers = `
commodity price index                 | cmo-historical-data-monthly-monthly-indices | choose a series by the dimensions
price index of metals                 | cmo-historical-data-monthly-monthly-indices | choose a series by the dimensions
`

// fileAnswers are likewise of a local file whose source is FRED.
const fileAnswers = `
unemployment rate United States April 2017 | unrate | United States 04/2017: 4.4
`

// TestForecasts checks that a value which is a forecast says so, and is shown only for a period that the question names.
func TestForecasts(t *testing.T) {
	stattest.SkipUnderRace(t)
	stattest.SampleMore(t, "unctad-pop/US_PopTotal_20230713030810 3.csv")
	base := searchFiles(t, "imf/WEOOct2009all.xls", "jsonstat/oecd.json", "../data-more/unctad-pop/US_PopTotal_20230713030810 3.csv")
	checkAnswers(t, base, forecastAnswers)
}

// TestWordsOfQuestions checks that the same question in other words has the same answer.
func TestWordsOfQuestions(t *testing.T) {
	stattest.SkipUnderRace(t)
	files := []string{"who/HWF_0001-gho-export.csv", "who/WHOSIS_000001.csv", "unicef/CME_MRY0T4_all_2020.csv", "un/WPP2019_Period_Indicators_Medium.csv", "eurostat/tsv-new/estat_nrg_ind_ren.tsv", "eurostat/tsv-old/une_rt_a.tsv.gz"}
	checkAnswers(t, searchFilesAt(t, time.Date(2019, time.July, 1, 0, 0, 0, 0, time.UTC), files...), wordAnswers)
}

// TestPartsOfTitles checks that no value of one class, market or column is shown for all.
func TestPartsOfTitles(t *testing.T) {
	stattest.SkipUnderRace(t)
	stattest.SampleMore(t, "insee-bdm2/valeurs_mensuelles.csv")
	more := filepath.Join("..", "data-more")
	base := searchFiles(t, filepath.Join(more, "insee-bdm2/valeurs_mensuelles.csv"), filepath.Join(more, "ecb-portal-estr/ECB Data Portal_20260126121402.csv"), filepath.Join(more, "rba-f1-csv/f1-data.csv"),
		filepath.Join(more, "statcan-18100204/18100204-eng.zip"), filepath.Join(more, "estat-crim-csv/crim_off_cat__custom_128689_20201028_155532.csv"))
	checkAnswers(t, base, partAnswers)
	checkAnswers(t, searchFilesOf(t, importer.Options{Country: "US"}, filepath.Join(more, "fred-unrate/UNRATE.csv")), fileAnswers)
	checkAnswers(t, searchFilesOf(t, importer.Options{NoGeo: true}, filepath.Join(more, "wb-cmo/CMO-Historical-Data-Monthly.xlsx")), commodityAnswers)
}

// TestUnmatchedWords checks that a notice denies no word which the first hit has.
func TestUnmatchedWords(t *testing.T) {
	base := searchFiles(t, "worldbank/csv/API_SP.POP.TOTL_DS2_en_csv_v2.csv")
	for _, question := range []string{"population of Nigeria 2100", "population of Europe 2100"} {
		for _, n := range find(t, base, "q="+url.QueryEscape(question)).Notices {
			if strings.Contains(n.Message, "do not have") {
				t.Errorf("%s: %s", question, n.Message)
			}
		}
	}
}
