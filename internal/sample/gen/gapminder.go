package main

import (
	"encoding/json"
	"fmt"

	"almanac/internal/geo"
	"almanac/internal/stat"
)

// gapminder converts data/gapminder.json. It leaves out the column cluster, a number for
// the region of a country, because it is not a statistic; the description says so.
func gapminder(data []byte) (d *stat.Dataset, observations []stat.Observation, err error) {
	var rows []struct {
		Year       int
		Country    string
		Population *float64 `json:"pop"` // nil is a missing value
		LifeExpect *float64 `json:"life_expect"`
		Fertility  *float64
	}
	if err := json.Unmarshal(data, &rows); err != nil {
		return nil, nil, err
	}
	d = gapminderDataset()
	positions := map[string]int32{}
	for indicator := range int32(3) {
		for _, row := range rows {
			country, ok := positions[row.Country]
			if !ok {
				area, known := geo.ResolveName("local", row.Country)
				if !known {
					return nil, nil, fmt.Errorf("unknown country %q", row.Country)
				}
				country = int32(len(positions))
				positions[row.Country] = country
				d.Geography.Codes = append(d.Geography.Codes, stat.Code{ID: area.ID, Label: row.Country})
			}
			value := []*float64{row.LifeExpect, row.Fertility, row.Population}[indicator]
			period := stat.NewPeriod(stat.Annual, row.Year, 1)
			if value == nil || period.IsZero() {
				return nil, nil, fmt.Errorf("%s %d: a value or the year is missing", row.Country, row.Year)
			}
			observations = append(observations, stat.Observation{Key: []int32{indicator, country}, Period: period, Value: *value})
		}
	}
	return d, observations, nil
}

func gapminderDataset() *stat.Dataset {
	return &stat.Dataset{
		Source: stat.Source{ID: "gapminder", Name: "Gapminder", URL: "https://www.gapminder.org/"},
		Code:   "gapminder",
		Name:   "Life expectancy, fertility and population",
		Description: "Life expectancy, children per woman and population of 62 countries, every five years from 1955 to 2005. " +
			"Gapminder fills gaps with estimates and uses today's borders for all years; the data show the big picture and are not meant for detailed analysis. " +
			"From Gapminder's life expectancy v14, fertility v14 and population v7, as combined by vega-datasets 3.2.1, whose choice of countries is kept; " +
			"its column of world regions (cluster) is left out.",
		SourceURL:   "https://www.gapminder.org/data/",
		MetadataURL: "https://www.gapminder.org/data/documentation/",
		Licence:     "CC BY 4.0, https://creativecommons.org/licenses/by/4.0/",
		Attribution: "Based on free material from Gapminder.org, CC BY 4.0",
		Dimensions: []stat.Dimension{{
			ID: "indicator", Label: "Indicator", Role: stat.RoleOther,
			Codes: []stat.Code{
				{ID: "life_expect", Label: "Life expectancy", Unit: "years"},
				{ID: "fertility", Label: "Fertility", Unit: "children per woman"},
				{ID: "pop", Label: "Population", Unit: "persons"},
			},
		}},
		Geography:   stat.Dimension{ID: "country", Label: "Country", Role: stat.RoleGeo},
		GeographyAt: 1,
	}
}
