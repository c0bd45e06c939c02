package hits

import (
	"strings"
	"testing"
)

// monthCases are questions and the month that they name without a year.
const monthCases = `
hotel nights France in May            | May
hotel nights France in may            | may
CPI US may                            | may
CPI US since may                      | may
deaths May Austria                    | May
May hotel nights France               | May
hotel nights from May to July 2023    | May
deaths in May and June 2020           | May
Übernachtungen im Mai                 | Mai
nuitées en mars                       | mars
pernoctaciones en julio               | julio
Übernachtungen im Juli                | Juli
hotel nights in March                 | March
presenze a maggio                     | maggio
hotel nights in May 2023              |
hotel nights 2023 in May              |
hotel nights in May of the year 2023  |
Übernachtungen Mai des Jahres 2023    |
hotel nights 2023 May                 |
CPI may 2016                          |
deaths between May 2015 and June 2016 |
what may be the population of France  |
May I see the population of France    |
may                                   |
how many may live in France           |
population of Mayo                    |
two years ago                         |
`

// TestMonthWithoutYear checks which words of a question are a month, and whether it has a year beside it.
func TestMonthWithoutYear(t *testing.T) {
	for line := range strings.Lines(strings.TrimSpace(monthCases)) {
		question, want, _ := strings.Cut(line, "|")
		if got := monthWithoutYear(strings.TrimSpace(question), []string{"mayo"}); got != strings.TrimSpace(want) {
			t.Errorf("%s: got %q, want %q", question, got, strings.TrimSpace(want))
		}
	}
}
