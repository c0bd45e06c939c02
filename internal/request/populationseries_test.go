package request

import "testing"

// Titles and labels of offices that are names of the population, and that are not.
func TestNamesPopulation(t *testing.T) {
	for text, want := range map[string]bool{
		"Population": true, "Population, total": true, "Total population": true, "Population on 1 January by age and sex": true, "Population (in thousands)": true,
		"Total Population, as of 1 July (thousands)": true, "Population mid-year estimates (millions)": true, "Population by region, marital status, age, sex and period": true,
		"Bevölkerung: Bundesländer, Stichtag": true, "Total population national concept": true, "Population on 1 January": true, "Population, millions": true,
		"Urban population": false, "Population density": false, "Population growth (annual %)": false, "Population ages 65 and above, total": false, "Fertility rate, total (births per woman)": false,
		"Life expectancy at birth (years)": false, "Working age population": false, "Population, female": false, "Population living in slums": false, "Employed population": false,
		"GDP per capita": false, "Average annual rate of population change": false, "Births": false, "Foreign population": false,
	} {
		if got := namesPopulation(text); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}
