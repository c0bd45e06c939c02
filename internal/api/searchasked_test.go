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

// TestCodesInCapitals checks that no value of another area is shown if a word may be the code of a country.
func TestCodesInCapitals(t *testing.T) {
	stattest.SkipUnderRace(t)
	base := searchFiles(t, "worldbank/api-v2/NY.GDP.MKTP.CD.json", "worldbank/csv/API_SP.POP.TOTL_DS2_en_csv_v2.csv", "eurostat/tsv-old/une_rt_a.tsv.gz")
	checkAnswers(t, base, capitalAnswers)
}
