package api_test

import (
	"path/filepath"
	"testing"

	"almanac/internal/stattest"
)

// languageAnswers are questions for tables in languages without a vocabulary of their own, see [answers].
const languageAnswers = `
population of Hungary                  | stadat-nep0034-22.1.2.1-hu   | Ország összesen 2025: 9539502 Összesen … "population" is read as "lakónépesség"
population of Budapest women 2025      | stadat-nep0034-22.1.2.1-hu   | Budapest 2025: 892209 Nő
Bevölkerung Ungarn Männer 2025         | stadat-nep0034-22.1.2.1-hu   | Férfi
ludność kobiety Budapest               | stadat-nep0034-22.1.2.1-hu   | Budapest 2025: 892209 Nő
population of Pest 2024                | stadat-nep0034-22.1.2.1-hu   | Pest 2024: 1333257
population Zala county                 | stadat-nep0034-22.1.2.1-hu   | Zala 2025: 257371
births in Hungary                      | stadat-nep0034-22.1.2.1-hu   | is not found
population of Hungary                  | stadat-ido0002-10.1.1.2-hu   | the dataset has "population" as "népesség", and other words beside it that are not read
population of Poland                   | ludn_2425_ctab_20250611231708 | the dataset has "population" as "ludność", and other words beside it
unemployment in Brazil                 | stp-20221119194100222        | the dataset has "unemployment" as
`

// TestFurtherLanguages checks that everyday concepts find tables in other languages, and that a value is shown only if the table says of no other measure.
func TestFurtherLanguages(t *testing.T) {
	stattest.SampleMore(t, "ksh-nep0034/stadat-nep0034-22.1.2.1-hu.csv")
	more := filepath.Join("..", "data-more")
	base := searchFiles(t, filepath.Join(more, "ksh-nep0034/stadat-nep0034-22.1.2.1-hu.csv"), filepath.Join(more, "ksh-ido0002/stadat-ido0002-10.1.1.2-hu.csv"),
		filepath.Join(more, "gus-ludn2425/LUDN_2425_CTAB_20250611231708.csv"), filepath.Join(more, "bcb-stp/STP-20221119194100222.csv"))
	checkAnswers(t, base, languageAnswers)
}
