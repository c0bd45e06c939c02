package request

import (
	"testing"

	"almanac/internal/stat"
)

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

// TestIsPopulationItself checks which series are the population by which others are divided, and which are a part of it
// or something else.
func TestIsPopulationItself(t *testing.T) {
	for _, c := range []struct {
		title, measure, age string
		want                bool
	}{
		{"Table 7. Population trends", "Population: Total", "", true},
		{"Table 7. Population trends", "Population: Under age 5", "", false},
		{"Table 7. Population trends", "Population: Urban", "", false},
		{"Demography", "Population (in thousands)", "Total", true},
		{"Demography", "Population (in thousands)", "From 15 to 64 years", false},
		{"Demography", "Population, female", "Total", false},
		{"Demography", "Births", "Total", false},
		{"Population, total", "", "", true},
		{"Population on 1 January by age and sex", "", "Total", true},
		{"Population on 1 January by age and sex", "", "85 years or over", false},
		{"Population: females", "", "", false},
		{"GDP", "", "", false},
	} {
		d := &stat.Dataset{Name: c.title}
		var key []int32
		for id, label := range map[string]string{"measure": c.measure, "age": c.age} {
			if label != "" {
				d.Dimensions = append(d.Dimensions, stat.Dimension{ID: id, Role: stat.RoleOther, Codes: []stat.Code{{ID: "x", Label: label}}})
				key = append(key, 0)
			}
		}
		if got := isPopulationItself(d, key); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
