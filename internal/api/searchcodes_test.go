package api_test

import (
	"path/filepath"
	"testing"

	"almanac/internal/stattest"
)

// codeAnswers are questions with codes of values, see [answers].
const codeAnswers = `
FXUSDCAD                     | fx_rates_daily-sd-2017-01-03 | Canada 15/07/2021: 1.2572 USD/CAD … "FXUSDCAD" is read as USD/CAD [FXUSDCAD]
fxusdcad                     | fx_rates_daily-sd-2017-01-03 | Canada 15/07/2021: 1.2572 USD/CAD
FXAUDCAD                     | fx_rates_daily-sd-2017-01-03 | AUD/CAD
fxusdcad 31 December 2020    | fx_rates_daily-sd-2017-01-03 | Canada 31/12/2020: 1.2732 USD/CAD
FIRMMCRTD                    | f1-data                      | Australia 07/03/2019: 1.5 Cash Rate Target
firmmcrid                    | f1-data                      | Interbank Overnight Cash Rate [FIRMMCRID]
L522                         | series-070322                | United Kingdom 01/2022: 114.6
l522                         | series-070322                | United Kingdom 01/2022: 114.6
L522 2015                    | series-070322                | United Kingdom 2015: 100
010537296                    | valeurs_mensuelles           | France 02/2021: 95.42
Y15-24 unemployment France   | une_rt_a                     | France 2019: 19.6 A From 15 to 24 years
Y15-24 unemployment France   | fx_rates_daily-sd-2017-01-03 | is not found
US dollar Canadian dollar exchange rate   | fx_rates_daily-sd-2017-01-03 | Canada 15/07/2021: 1.2572 USD/CAD
Canadian elephants dollar exchange rate   | fx_rates_daily-sd-2017-01-03 | "elephants" is neither
une_rt_a                     | une_rt_a                     | From 15 to 74 years
total                        | une_rt_a                     | the question does not say what is measured
2019-01                      | une_rt_a                     | is not found
`

// TestCodesOfValues checks that the code of a value finds its dataset and shows the value, in small letters too.
func TestCodesOfValues(t *testing.T) {
	stattest.SampleMore(t, "boc-fx/FX_RATES_DAILY-sd-2017-01-03.csv")
	more := filepath.Join("..", "data-more")
	base := searchFiles(t, filepath.Join(more, "boc-fx/FX_RATES_DAILY-sd-2017-01-03.csv"), filepath.Join(more, "rba-f1-csv/f1-data.csv"), filepath.Join(more, "ons-series/series-070322.csv"),
		filepath.Join(more, "insee-bdm2/valeurs_mensuelles.csv"), "eurostat/tsv-old/une_rt_a.tsv.gz")
	checkAnswers(t, base, codeAnswers)
	checkNotices(t, base, `
FXUSDCAD  | not no dataset has
FXUSDCADX | no dataset has "FXUSDCADX"
`)
}
