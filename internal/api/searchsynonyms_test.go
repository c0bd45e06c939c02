package api_test

import (
	"os"
	"path/filepath"
	"testing"

	"almanac/internal/stattest"
)

// ownFile writes a file and returns its path from the folder of test data.
func ownFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	from, err := filepath.Abs(stattest.DataDir(t))
	if err != nil {
		t.Fatal(err)
	}
	if path, err = filepath.Rel(from, path); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestAnsweredBySynonyms checks that a word which a title has by another name of what the question names is answered: guests, of hotel
// nights, which are guest nights.
func TestAnsweredBySynonyms(t *testing.T) {
	base := searchFiles(t, ownFile(t, "hotel_nights.csv", `"Table 7. Hotel nights by country of residence, 2024"

Country of residence,Apr 2024,May 2024,Jun 2024
Germany,1400.1,1523.9,1800.3
France,..,402.2,455.0
Netherlands,120.5,133.3,140.0
`))
	checkAnswers(t, base, `
hotel nights of German guests in April 2024     | hotel_nights | Germany 04/2024: 1400.1
hotel nights of French guests in May 2024       | hotel_nights | France 05/2024: 402.2
hotel nights of French guests in April 2024     | hotel_nights | the series has no observed value of 04/2024 there
hotel nights of French elephants in April 2024  | hotel_nights | "elephants" is neither
hotel nights France in May                      | hotel_nights | names "May" without a year beside it
hotel nights in May France                      | hotel_nights | names "May" without a year beside it
hotel nights France 2024 in May                 | hotel_nights | France 05/2024: 402.2
hotel nights France in May of the year 2024     | hotel_nights | France 05/2024: 402.2
hotel nights France in March                    | hotel_nights | "March" is neither
hotel nights France                             | hotel_nights | France 06/2024: 455
`)
	checkNotices(t, base, `
hotel nights of French guests in April 2024     | not "guests"
hotel nights of French elephants in April 2024  | do not have "elephants"
`)
}
