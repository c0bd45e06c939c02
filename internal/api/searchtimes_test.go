package api_test

import (
	"path/filepath"
	"testing"
	"time"

	"almanac/internal/stattest"
)

// timeAnswers are questions of 10 February 2026 with words for times, see [answers].
const timeAnswers = `
population de la France aujourd'hui      | SP.POP.TOTL | France 2016: 66896109
population de la France aujourd’hui      | SP.POP.TOTL | France 2016: 66896109
population of France in the 1990s        | SP.POP.TOTL | is of 2016, and the question is for 1990 and 1999
population de la France années 1990      | SP.POP.TOTL | is of 2016, and the question is for 1990 and 1999
population of France in the 2010s        | SP.POP.TOTL | France 2016: 66896109
population of France at the end of 2015  | SP.POP.TOTL | France 2015: 66624068 … "end of 2015" is read as 2015
Bevölkerung Frankreich Ende 2015         | SP.POP.TOTL | France 2015: 66624068
population of France around 2010         | SP.POP.TOTL | France 2010: 65027512
population of France next year           | SP.POP.TOTL | has no observed value of 2027 there; its latest one is of 2016
population of France last year           | SP.POP.TOTL | has no observed value of 2025 there; its latest one is of 2016
cash rate Australia yesterday            | f1-data     | has no observed value of 09/02/2026 there; its latest one is of 07/03/2019
cash rate Australia end of 2015          | f1-data     | 31/12/2015: 2
cash rate Australia end of June 2015     | f1-data     | 30/06/2015: 2
cash rate Australia beginning of 2015    | f1-data     | "beginning of 2015" may be one of several periods
`

// TestTimesOfQuestions checks that words for times are read as periods, or as none.
func TestTimesOfQuestions(t *testing.T) {
	stattest.SampleMore(t, "rba-f1-csv/f1-data.csv")
	base := searchFilesAt(t, time.Date(2026, time.February, 10, 12, 0, 0, 0, time.UTC), "worldbank/csv/API_SP.POP.TOTL_DS2_en_csv_v2.csv", filepath.Join("..", "data-more", "rba-f1-csv/f1-data.csv"))
	checkAnswers(t, base, timeAnswers)
	checkNotices(t, base, `
population of France in the 1990s       | "the 1990s" is read as 1990-1999 … not do not have
population of France at the end of 2015 | not do not have
`)
}
