package plain_test

import (
	"strings"
	"testing"

	"almanac/internal/format/formattest"
	"almanac/internal/format/plain"
)

// TestDataBrowser checks that the sheets of a spreadsheet of Eurostat's data browser are one
// dataset, and that a single one may be saved as text.
func TestDataBrowser(t *testing.T) {
	data := book{sheets: []string{
		"Summary", cells([]string{"Contents", "Sex"}, []string{"Sheet 1", "Males"}),
		"Sheet 1", browserSheet("Males", "9.6", "d"),
		"Sheet 2", browserSheet("Females", "9.5", "")}}.xlsx(t)
	tables, err := formattest.Read(t.Context(), plain.Formats()[0], formattest.Sample{Name: "book.xlsx", Data: data})
	if got := formattest.Describe(tables); got != wantBrowser || err != nil {
		t.Errorf("the meaning is\n%s\nerror %v, want\n%s", got, err, wantBrowser)
	}
	text := "Data extracted on 12/03/2024 10:11:12 from [ESTAT],,\nDataset: ,Births [demo],\n,,\nSex,,Males\n,,\nTIME,2020,2021\nGEO (Codes),,\nDE,1,2\n,,\nSpecial value,,\n"
	for _, c := range []struct{ text, want string }{
		{text, "DE, 2021 = 2\n"},
		{strings.Replace(text, "GEO (Codes),,\n", "", 1), "other CATEGORY \"CATEGORY\": DE\n  \"\":\nA,Males,DE, 2020 = 1\nA,Males,DE, 2021 = 2\nread 2"},
		{text + "FR,3,4\n", "a number follows the end of the table"},
	} {
		tables, err := formattest.Read(t.Context(), plain.Formats()[1], formattest.Sample{Name: "sheet.csv", Data: []byte(c.text)})
		got := formattest.Describe(tables)
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("the meaning is\n%s\nwant %q", got, c.want)
		}
	}
}

// browserSheet is a sheet of Eurostat's data browser.
func browserSheet(sex, value, flag string) string {
	return cells([]string{"Data extracted on 12/03/2024 10:11:12 from [ESTAT]"}, []string{"Dataset: ", "Unemployment [une_rt_a__custom_102]"}, []string{"Last updated: ", "12/03/2024 11:00"},
		[]string{"Time frequency", "", "Annual"}, []string{"Unit of measure", "", "Percentage"}, []string{"Sex", "", sex},
		[]string{"TIME", "2020", "", "2021", ""}, []string{"GEO (Labels)"}, []string{"Germany", number(value), flag, number("2.1")}, []string{"Spain", number("3"), "", ":"},
		[]string{"Special value"}, []string{":", "not available"})
}

const wantBrowser = `dataset eurostat:une_rt_a "Unemployment" updated 2024-03-12T11:00:00+01:00
frequency freq "": A
unit Unit of measure "Unit of measure": Percentage
other Sex "Sex": Males
geo geo "GEO": Germany Spain
A,Percentage,Males,Germany, 2020 = 9.6 "D"
A,Percentage,Males,Germany, 2021 = 2.1
A,Percentage,Males,Spain, 2020 = 3
read 4 missing 1 dropped 0
note not-read 1 sheet Summary
dataset eurostat:une_rt_a "Unemployment" updated 2024-03-12T11:00:00+01:00
frequency freq "": A
unit Unit of measure "Unit of measure": Percentage
other Sex "Sex": Females
geo geo "GEO": Germany Spain
A,Percentage,Females,Germany, 2020 = 9.5
A,Percentage,Females,Germany, 2021 = 2.1
A,Percentage,Females,Spain, 2020 = 3
read 4 missing 1 dropped 0
`
