package stat_test

import (
	"fmt"

	"almanac/internal/stat"
)

// Periods are parsed in the spellings of offices and compared by their days.
func ExampleParse() {
	quarter, err := stat.ParsePeriod("2024-Q1")
	if err != nil {
		fmt.Println(err)
		return
	}
	year := stat.NewPeriod(stat.Annual, 2024, 1)
	fmt.Println(quarter, quarter.SDMX(), quarter.Frequency())
	fmt.Println(quarter.Start().Format("2 January"), "to", quarter.End().Format("2 January"))
	fmt.Println(quarter.Within(year), year.Within(quarter))
	_, err = stat.ParsePeriod("2024-Q5")
	fmt.Println(err != nil)
	// Output:
	// Q1/2024 2024-Q1 quarterly
	// 1 January to 31 March
	// true false
	// true
}

// Flags are a sorted set.
func ExampleNewFlags() {
	fmt.Println(stat.NewFlags("P", "E") == stat.NewFlags("E", "P"))
	fmt.Println(stat.JoinFlags("P", "C"))
	// Output:
	// true
	// CONF_STATUS:C P
}

// Each error has a kind, which decides the status of a response.
func ExampleKindOf() {
	err := fmt.Errorf("looking for dataset 99: %w", stat.Errorf(stat.NotFound, "there is no dataset %d", 99))
	fmt.Println(err)
	fmt.Println(stat.KindOf(err) == stat.NotFound)
	// Output:
	// looking for dataset 99: there is no dataset 99
	// true
}
