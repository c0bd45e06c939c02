package api_test

import (
	"testing"

	"almanac/internal/stattest"
)

// capitalAnswers are like answers: questions in capitals with codes of countries, of which some are words, too.
const capitalAnswers = `
GDP DE 2021               | NY.GDP.MKTP.CD  | Germany 2021: 4278503934689.85
DE GDP 2021               | NY.GDP.MKTP.CD  | Germany 2021: 4278503934689.85
GDP DEU 2021              | NY.GDP.MKTP.CD  | Germany 2021: 
GDP FR 2021               | NY.GDP.MKTP.CD  | France 2021: 
GDP EL 2021               | NY.GDP.MKTP.CD  | Greece 2021: 
GDP IT 2021               | NY.GDP.MKTP.CD  | "IT" may be the code of Italy [IT] or an ordinary word, and is not read as the country
GDP AT 2021               | NY.GDP.MKTP.CD  | "AT" may be the code of Austria [AT] or an ordinary word
PIB DE 2021               | NY.GDP.MKTP.CD  | "DE" may be the code of Germany [DE] or an ordinary word
GDP                       | NY.GDP.MKTP.CD  | World 2022: 
GDP DE FR 2021            | NY.GDP.MKTP.CD  | Germany 2021: … FR known
UNEMPLOYMENT RATE FR      | une_rt_a        | France 20
UNEMPLOYMENT RATE NO      | une_rt_a        | "NO" may be the code of Norway [NO] or an ordinary word
Unemployment rate NO      | une_rt_a        | Norway 20
POPULATION OF FRANCE      | SP.POP.TOTL     | France 2016: 
WORLD POPULATION IN 2010  | SP.POP.TOTL     | World 2010: 
Population DE FR          | SP.POP.TOTL     | DE known … FR known
`

// kindAnswers are likewise: words for an average, a change or a length of time.
const kindAnswers = `
wages Poland                              | nama_10_gdp     | Poland 2024: 291089.9
average wage Poland                       | nama_10_gdp     | a measure that is called average
average GDP of Italy                      | NY.GDP.MKTP.CD  | a measure that is called average
durchschnittliches BIP Italien            | NY.GDP.MKTP.CD  | a measure that is called average
PIB moyen Italie                          | NY.GDP.MKTP.CD  | a measure that is called average
average fertility Italy                   | SP.DYN.TFRT.IN  | Italy 2015: 1.37
change in unemployment Germany            | une_rt_a        | the question is for a change
unemployment change Spain                 | une_rt_a        | the question is for a change
évolution du chômage Allemagne            | une_rt_a        | the question is for a change
variación del PIB España                  | nama_10_gdp     | the question is for a change
GDP change Italy 2020                     | NY.GDP.MKTP.CD  | the question is for a change
Änderung BIP Italien 2020                 | NY.GDP.MKTP.CD  | "Änderung" is neither
variación del PIB Italia                  | NY.GDP.MKTP.CD  | "variación" is neither
cambio del PIB Italia                     | NY.GDP.MKTP.CD  | "cambio" is neither
changes in inventories Italy               | nama_10_gdp     | Italy 2024: 
change in minimum wage Poland             | earn_mw_cur     | the question is for a change
annual deaths Sweden                      | demo_r_mwk_ts   | for values of a year, and those of the usual series (Total, Number) are of a week
monthly deaths Sweden                     | demo_r_mwk_ts   | for values of a month
weekly deaths Sweden                      | demo_r_mwk_ts   | Sweden W49/2020: 1615
excess deaths Sweden 2020                 | demo_r_mwk_ts   | a measure that is called excess
annual minimum wage Germany               | earn_mw_cur     | for values of a year, and those of the usual series (Euro) are of a month
monthly minimum wage Germany              | earn_mw_cur     | H1/2021: 1614
minimum wage Germany 2019                 | earn_mw_cur     | "2019" is read as the last period in it with a value, H2/2019
monthly unemployment rate Germany         | une_rt_a        | for values of a month, and those of the usual series
annual unemployment rate Germany          | une_rt_a        | 2019: 3.1
annual average unemployment rate Germany  | une_rt_a        | 2019: 3.1
deaths in Sweden in 2019                  | demo_r_mwk_ts   | has no value of 2019 itself, and that of W52/2019 is only a part of it
`

// TestKindsOfQuestions checks that no word for a kind of number is dropped.
func TestKindsOfQuestions(t *testing.T) {
	stattest.SkipUnderRace(t)
	base := searchFiles(t, "eurostat/tsv-new/estat_nama_10_gdp.tsv.gz", "worldbank/api-v2/NY.GDP.MKTP.CD.json", "worldbank/csv/API_SP.DYN.TFRT.IN_DS2_en_csv_v2.csv",
		"eurostat/tsv-old/une_rt_a.tsv.gz", "eurostat/tsv-old/demo_r_mwk_ts.tsv", "eurostat/tsv-old/earn_mw_cur.tsv")
	checkAnswers(t, base, kindAnswers)
}

// TestCodesInCapitals checks that no value of another area is shown if a word may be the code of a country.
func TestCodesInCapitals(t *testing.T) {
	stattest.SkipUnderRace(t)
	base := searchFiles(t, "worldbank/api-v2/NY.GDP.MKTP.CD.json", "worldbank/csv/API_SP.POP.TOTL_DS2_en_csv_v2.csv", "eurostat/tsv-old/une_rt_a.tsv.gz")
	checkAnswers(t, base, capitalAnswers)
}
