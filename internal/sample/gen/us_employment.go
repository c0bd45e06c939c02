package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strconv"
	"time"

	"almanac/internal/stat"
)

// industries are the columns of the file after the month, in its order and spelling,
// with the names of the Bureau of Labor Statistics.
var industries = []struct{ column, label string }{
	{"nonfarm", "Total nonfarm"},
	{"private", "Total private"},
	{"goods_producing", "Goods-producing"},
	{"service_providing", "Service-providing"},
	{"private_service_providing", "Private service-providing"},
	{"mining_and_logging", "Mining and logging"},
	{"construction", "Construction"},
	{"manufacturing", "Manufacturing"},
	{"durable_goods", "Durable goods"},
	{"nondurable_goods", "Nondurable goods"},
	{"trade_transportation_utilties", "Trade, transportation, and utilities"},
	{"wholesale_trade", "Wholesale trade"},
	{"retail_trade", "Retail trade"},
	{"transportation_and_warehousing", "Transportation and warehousing"},
	{"utilities", "Utilities"},
	{"information", "Information"},
	{"financial_activities", "Financial activities"},
	{"professional_and_business_services", "Professional and business services"},
	{"education_and_health_services", "Education and health services"},
	{"leisure_and_hospitality", "Leisure and hospitality"},
	{"other_services", "Other services"},
	{"government", "Government"},
	{"nonfarm_change", "Total nonfarm, change from the month before (calculated by vega-datasets)"},
}

// usEmployment converts data/us-employment.csv, which has a row for each month and a
// column for each industry.
func usEmployment(data []byte) (*stat.Dataset, []stat.Observation, error) {
	records, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		return nil, nil, err
	}
	if len(records) < 2 || len(records[0]) != len(industries)+1 {
		return nil, nil, fmt.Errorf("want a line of names and at least one row, of %d columns", len(industries)+1)
	}
	d := usEmploymentDataset()
	var observations []stat.Observation
	for i, industry := range industries {
		if got := records[0][i+1]; got != industry.column {
			return nil, nil, fmt.Errorf("column %d is %q, want %q", i+2, got, industry.column)
		}
		d.Dimensions[0].Codes = append(d.Dimensions[0].Codes, stat.Code{ID: industry.column, Label: industry.label})
		for _, record := range records[1:] {
			day, err := time.Parse(time.DateOnly, record[0])
			if err != nil || day.Day() != 1 {
				return nil, nil, fmt.Errorf("%q is not the first day of a month", record[0])
			}
			value, err := strconv.ParseFloat(record[i+1], 64)
			if err != nil {
				return nil, nil, fmt.Errorf("%s: %w", record[0], err)
			}
			observations = append(observations, stat.Observation{Key: []int32{int32(i), 0}, Period: stat.NewPeriod(stat.Month, day.Year(), int(day.Month())), Value: value})
		}
	}
	return d, observations, nil
}

func usEmploymentDataset() *stat.Dataset {
	return &stat.Dataset{
		Source: stat.Source{ID: "bls", Name: "U.S. Bureau of Labor Statistics", URL: "https://www.bls.gov/"},
		Code:   "us_employment",
		Name:   "US employment by industry",
		Description: "Employees in the United States by industry, monthly from January 2006 to December 2015, in thousands and seasonally adjusted, " +
			"from the Current Employment Statistics; as downloaded on 11 November 2018 and published in vega-datasets 3.2.1. " +
			"The change of total nonfarm employment from the month before is no series of the Bureau: vega-datasets calculated it. " +
			"Industries overlap (total nonfarm holds all others), so they must not be added up.",
		SourceURL:   "https://www.bls.gov/ces/",
		Licence:     "Public domain (work of the United States Government), https://www.usa.gov/government-works",
		Attribution: "U.S. Bureau of Labor Statistics, Current Employment Statistics",
		Unit:        "thousand persons",
		Dimensions:  []stat.Dimension{{ID: "industry", Label: "Industry", Role: stat.RoleOther, Total: "nonfarm"}},
		Geography:   stat.Dimension{ID: "country", Label: "Country", Role: stat.RoleGeo, Codes: []stat.Code{{ID: "US", Label: "United States"}}},
		GeographyAt: 1,
	}
}
