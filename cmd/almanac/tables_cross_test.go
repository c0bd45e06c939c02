package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
)

// cross says where a table with several heading rows has what, in rows and columns counted
// from 0.
type cross struct {
	rows    [2]int // the first row of the body and the one below the last; 0: to the end
	columns [2]int // of values, likewise
	place   func(g grid, row, column int) (f fact, ok bool)
	number  func(string) string
}

func (c cross) read(g grid, add func(fact, string)) {
	end := c.rows[1]
	if end == 0 {
		end = len(g)
	}
	for row := c.rows[0]; row < end; row++ {
		for column := c.columns[0]; column < c.columns[1]; column++ {
			cell := strings.ReplaceAll(g.at(row, column), " ", "")
			if c.number != nil {
				cell = c.number(cell)
			}
			if f, ok := c.place(g, row, column); ok {
				add(f, cell)
			}
		}
	}
}

// series returns the place in a table with periods downwards, whose series have code,
// label and unit in heading rows; -1: not there.
func series(area string, code, label, unit int, period func(string) string) func(grid, int, int) (fact, bool) {
	return func(g grid, row, column int) (fact, bool) {
		f := fact{area: area, key: g.at(code, column), period: period(g.at(row, 0))}
		if label >= 0 {
			f.key += "=" + g.at(label, column)
		}
		if f.key += "|"; unit >= 0 {
			f.unit = g.at(unit, column)
			if strings.HasPrefix(f.unit, "(") {
				f.unit = strings.Trim(f.unit, "()")
			}
		}
		return f, f.period != ""
	}
}

// crossTables are tables with several heading rows, and workbooks.
var crossTables = []realTable{
	{path: "rba-f1-csv/f1-data.csv", source: "rba", values: 24712, open: text(',', charmap.Windows1252),
		facts: cross{rows: [2]int{11}, columns: [2]int{1, 18}, place: series("AU", 10, 1, 5, date("02-Jan-2006"))}.read},
	{path: "bbk-su0112/BBK01.SU0112.csv", source: "bundesbank", values: 606, open: comma,
		facts: cross{rows: [2]int{5, 611}, columns: [2]int{1, 2}, place: series("DE", 0, 1, 2, date("2006-01"))}.read},
	{path: "bbk-bbex3-chf/BBEX3.D.CHF.EUR.BB.AC.000.csv", source: "bundesbank", values: 5948, open: comma,
		facts: cross{rows: [2]int{9}, columns: [2]int{1, 2}, place: series("DE", 0, 1, 6, date("2006-01-02"))}.read},
	{path: "insee-bdm2/valeurs_mensuelles.csv", source: "insee", values: 374, open: semicolon,
		facts: cross{rows: [2]int{3}, columns: [2]int{1, 2}, place: flagged(series("FR", 1, 0, -1, date("2006-01")))}.read},
	{path: "ons-series/series-070322.csv", source: "ons", values: 579, open: comma,
		facts: cross{rows: [2]int{8}, columns: [2]int{1, 2}, place: series("GB", 1, 0, 4, onsDate)}.read},
	{path: "bdf-webstat/Webstat_Export_fr_5385698.csv", source: "ecb", large: true, values: 207681, open: semicolon,
		facts: cross{rows: [2]int{6}, columns: [2]int{1, 31}, place: series("U2", 1, 0, 2, date("2006-01-02")), number: decimalComma}.read},
	{path: "boc-fx/FX_RATES_DAILY-sd-2017-01-03.csv", source: "bank-of-canada", values: 28352, open: comma, facts: readBankOfCanada},
	{path: "nz-cpi_infoshare/cpi_infoshare.csv", source: "stats-nz", values: 443, open: comma,
		facts: cross{rows: [2]int{2, 445}, columns: [2]int{1, 2}, place: inUnit("Index", series("NZ", 1, -1, -1, quarter))}.read},
	{path: "abs-640101/640101.xlsx", source: "abs", values: 7644, open: sheet(2),
		facts: cross{rows: [2]int{10}, columns: [2]int{1, 28}, place: series("AU", 9, 0, 1, quarterOf)}.read},
	{path: "wb-cmo/CMO-Historical-Data-Monthly.xlsx", source: "worldbank", values: 57370, codes: true, open: sheet(2, 3), flags: "--no-geo", facts: readPinkSheet},
	{path: "bea-gdplev2/gdplev.xlsx", values: 746, open: sheet(1), flags: "--no-geo",
		facts: cross{rows: [2]int{8}, columns: [2]int{1, 7}, place: placeGDP}.read},
	{path: "destatis-12411-0010/12411-0010.csv", source: "destatis", values: 816, open: text(';', charmap.Windows1252),
		facts: cross{rows: [2]int{6, 22}, columns: [2]int{1, 62}, place: placeGENESIS}.read},
	{path: "destatis-12411-0015/12411-0015.csv", source: "destatis", values: 10152, open: text(';', charmap.Windows1252),
		facts: cross{rows: [2]int{6, 482}, columns: [2]int{2, 26}, place: placeGENESIS}.read},
	{path: "ksh-nep0034/stadat-nep0034-22.1.2.1-hu.csv", values: 2250, open: text(';', charmap.Windows1250),
		facts: cross{rows: [2]int{2}, columns: [2]int{2, 27}, place: placeKSH}.read},
	{path: "ibge-csv/tabela1737.csv", source: "ibge", values: 127, open: semicolon,
		facts: cross{rows: [2]int{4, 5}, columns: [2]int{1, 128}, place: placeSIDRA, number: decimalComma}.read},
	{path: "dane-ipc-var/anex-IPC-Variacion-ene2026.xlsx", source: "dane", values: 301, open: sheet(1),
		facts: cross{rows: [2]int{7, 20}, columns: [2]int{1, 25}, place: placeDANE}.read},
	{path: "bea-download/download.csv", source: "bea", values: 2394, open: comma,
		facts: func(g grid, add func(fact, string)) {
			for _, row := range g { // marks of footnotes are no part of the labels
				for i, cell := range row {
					row[i] = footnoteMark.ReplaceAllString(cell, "")
				}
			}
			list{above: 4, area: americanCounty, dims: []string{"LineCode:Description"}, wide: years}.read(g, add)
		}},
	{path: "pwt/pwt1001.xlsx", values: 15044, open: sheet(1),
		facts: list{area: country("countrycode", ""), period: column("year"), values: []string{"hc", "ctfp"}}.read}, // currency_unit is a note
	{path: "maddison/mpd2020.xlsx", values: 36905, open: sheet(3),
		facts: list{area: country("countrycode", "maddison"), period: func(r record) string { return fmt.Sprintf("%04s", r.get("year")) }, values: []string{"gdppc", "pop"}}.read},
	{path: "esri-def/def-qg1532.csv", source: "japan-esri", values: 1827, codes: true, open: text(',', japanese.ShiftJIS),
		facts: cross{rows: [2]int{7, 94}, columns: [2]int{1, 30}, place: placeDeflators}.read},
	{path: "undp-annex2018/2018_statistical_annex_all.xlsx", values: 6303, open: sheet(1, 4, 7), facts: readDevelopment},
	{path: "saipe-2018/est18all.xls", values: 67365, open: openXLS("est18ALL"), flags: "--period 2018", facts: readPoverty},
	{path: "abs-6302002/6302002.xls", source: "abs", values: 927, open: openXLS("Data1"),
		facts: cross{rows: [2]int{10}, columns: [2]int{1, 10}, place: series("AU", 9, 0, 1, date("2006-01"))}.read},
	{path: "fred-cpi-xlsx/CPIAUCSL.xlsx", source: "fred", values: 252, open: sheet(2), flags: "--no-geo",
		facts: cross{rows: [2]int{1}, columns: [2]int{1, 2}, place: func(g grid, row, _ int) (fact, bool) {
			return fact{area: "_Z", period: serialDate(g.at(row, 0), "01/2006")}, true
		}}.read},
	{path: "fiw-2022/All_data_FIW_2013-2022.xlsx", values: 80657, open: sheet(2), facts: readFreedom},
}

func readBankOfCanada(g grid, add func(fact, string)) {
	top, names := 0, map[string]string{}
	for g.at(top, 0) != "date" {
		names[g.at(top, 0)] = g.at(top, 1)
		top++
	}
	cross{rows: [2]int{top + 1}, columns: [2]int{1, 27}, place: func(g grid, row, column int) (fact, bool) {
		code := g.at(top, column)
		return fact{area: "CA", key: code + "=" + names[code] + "|", period: date("2006-01-02")(g.at(row, 0))}, true
	}}.read(g, add)
}

func readFreedom(g grid, add func(fact, string)) {
	list{above: 1, area: country("Country/Territory", ""), period: column("Edition"), values: g[1][5:], flags: func(r record) string { return "LOCAL:" + r.get("Status") }}.read(g, add)
}

// flagged adds the flag in the next column.
func flagged(place func(grid, int, int) (fact, bool)) func(grid, int, int) (fact, bool) {
	return func(g grid, row, column int) (fact, bool) {
		f, ok := place(g, row, column)
		f.flags = g.at(row, column+1)
		return f, ok
	}
}

func inUnit(unit string, place func(grid, int, int) (fact, bool)) func(grid, int, int) (fact, bool) {
	return func(g grid, row, column int) (fact, bool) {
		f, ok := place(g, row, column)
		f.unit = unit
		return f, ok
	}
}

// date reads a date of a layout; layouts without days are months.
func date(layout string) func(string) string {
	to := "02/01/2006"
	if !strings.Contains(layout, "02") {
		to = "01/2006"
	}
	return func(cell string) string {
		d, err := time.Parse(layout, cell)
		if err != nil {
			return ""
		}
		return d.Format(to)
	}
}

// quarter turns 2020Q1 into Q1/2020.
func quarter(cell string) string {
	if len(cell) != 6 {
		return ""
	}
	return cell[4:] + "/" + cell[:4]
}

// serialDate writes a date of Excel in a layout.
func serialDate(cell, layout string) string {
	days, err := strconv.Atoi(cell)
	if err != nil {
		return ""
	}
	return time.Date(1899, 12, 30+days, 0, 0, 0, 0, time.UTC).Format(layout)
}

// quarterOf returns the quarter in which the last month of a serial date is.
func quarterOf(cell string) string {
	month, err := strconv.Atoi(serialDate(cell, "1"))
	if err != nil {
		return ""
	}
	return fmt.Sprintf("Q%d/%s", (month+2)/3, serialDate(cell, "2006"))
}

// onsDate reads 1988, 1988 Q1 and 1988 JAN.
func onsDate(cell string) string {
	year, part, _ := strings.Cut(cell, " ")
	switch {
	case part == "":
		return year
	case part[0] == 'Q':
		return part + "/" + year
	default:
		return date("2006 Jan")(cell)
	}
}

func placeGDP(g grid, row, column int) (f fact, ok bool) {
	f = fact{area: "_Z", period: g.at(row, 0), key: "Annual|"}
	if column > 4 {
		f.key, f.period = "Quarterly (Seasonally adjusted annual rates)|", quarter(g.at(row, 4))
	}
	f.key += g.at(5, column) + "|"
	return f, f.period != "" && column != 3 && column != 4
}

func placeGENESIS(g grid, row, column int) (f fact, ok bool) {
	area := areaText(germanStates[g.at(row, 0)], g.at(row, 0))
	if g.at(4, 1) == "" { // districts, with codes and names
		area = "destatis:" + g.at(row, 0) + " " + g.at(row, 0)
	}
	return fact{area: area, period: strings.TrimPrefix(g.at(5, column), "31.12."), unit: "Anzahl"}, true
}

func placeKSH(g grid, row, column int) (f fact, ok bool) {
	if g.at(row, 2) == "" {
		return f, false
	}
	section := row
	for g.at(section, 2) != "" {
		section--
	}
	return fact{area: areaText(hungarianCounties[g.at(row, 0)], g.at(row, 0)), key: g.at(section, 0) + "|", period: g.at(1, column)}, true
}

func placeSIDRA(g grid, row, column int) (f fact, ok bool) {
	name, year, _ := strings.Cut(g.at(3, column), " ")
	months := []string{"", "janeiro", "fevereiro", "março", "abril", "maio", "junho", "julho", "agosto", "setembro", "outubro", "novembro", "dezembro"}
	return fact{area: "BR", key: "Brasil|", period: monthIn(months, name) + year, unit: "%"}, true
}

func placeDANE(g grid, row, column int) (f fact, ok bool) {
	months := []string{"", "Enero", "Febrero", "Marzo", "Abril", "Mayo", "Junio", "Julio", "Agosto", "Septiembre", "Octubre", "Noviembre", "Diciembre"}
	f = fact{area: "CO", key: "M=Monthly|", period: monthIn(months, g.at(row, 0)) + g.at(6, column)}
	if len(f.period) == 4 {
		f.key = g.at(row, 0) + "|"
	}
	return f, true
}

// monthIn returns the month of a name as 02/, or "".
func monthIn(names []string, name string) string {
	for i, n := range names {
		if n == name && i > 0 {
			return fmt.Sprintf("%02d/", i)
		}
	}
	return ""
}

// footnoteMark matches how the Bureau of Economic Analysis marks labels: "Population (persons) 1/".
var footnoteMark = regexp.MustCompile(` [0-9]/$`)

// americanCounty returns the areas of a table of one state and its counties.
func americanCounty(r record) string {
	if state := americanStates[r.get("GeoName")]; state != "" {
		return state + " " + r.get("GeoFips")
	}
	return officeArea("GeoFips", "census")(r)
}

// readPinkSheet reads the World Bank's prices and, below them, its indices.
func readPinkSheet(g grid, add func(fact, string)) {
	top := 0
	for row := range g {
		if g.at(row, 1) == "CRUDE_PETRO" || g.at(row, 1) == "iENERGY" {
			top = row
		}
		cross{rows: [2]int{row, row + 1}, columns: [2]int{1, 72}, place: func(g grid, row, column int) (fact, bool) {
			f, ok := series("_Z", top, -1, top-1, date("2006M01"))(g, row, column)
			f.dataset = "cmo-historical-data-monthly-monthly-prices"
			if g.at(top, 1) == "iENERGY" {
				f.dataset, f.unit = "cmo-historical-data-monthly-monthly-indices", ""
			}
			return f, ok && g.at(top, column) != ""
		}}.read(g, add)
	}
}

// developmentColumns are the headings of the columns of three tables of the Human
// Development Report, from the second on, every second column: a name, and its unit.
var developmentColumns = [][]string{
	{"Human Development Index (HDI): Value", "SDG 3: Life expectancy at birth,years", "SDG 4.3: Expected years of schooling,years", "SDG 4.6: Mean years of schooling,years",
		"SDG 8.5: Gross national income (GNI) per capita,2011 PPP $", "GNI per capita rank minus HDI rank", "HDI rank"},
	{"Gender Development Index: Value", "Gender Development Index: Group", "Human Development Index (HDI): Value: Female", "Human Development Index (HDI): Value: Male",
		"SDG 3: Life expectancy at birth: (years): Female", "SDG 3: Life expectancy at birth: (years): Male", "SDG 4.3: Expected years of schooling: (years): Female",
		"SDG 4.3: Expected years of schooling: (years): Male", "SDG 4.6: Mean years of schooling: (years): Female", "SDG 4.6: Mean years of schooling: (years): Male",
		"SDG 8.5: Estimated gross national income per capita: (2011 PPP $): Female", "SDG 8.5: Estimated gross national income per capita: (2011 PPP $): Male"},
	{"Population: Total,millions", "Population: Total,millions", "Population: Average annual growth,%", "Population: Average annual growth,%", "Population: Urban,%", "Population: Under age 5,millions",
		"Population: Ages 15–64,millions", "Population: Ages 65 and older,millions", "Population: Median age,years", "Dependency ratio: (per 100 people ages 15–64): Young age (0–14)",
		"Dependency ratio: (per 100 people ages 15–64): Old age (65 and older)", "Total fertility rate,births per woman", "Total fertility rate,births per woman"},
}

// readDevelopment reads the tables 1, 4 and 7 of the Human Development Report. Periods
// such as 2005/2010 are those of their last year.
func readDevelopment(g grid, add func(fact, string)) {
	at, periods := -1, 0
	for row := range g {
		if title := g.at(row, 1); strings.HasPrefix(title, "Table ") {
			at++
			periods = row + []int{4, 5, 5}[at]
		}
		if row <= periods || g.at(row, 2) == "" {
			continue
		}
		for i, heading := range developmentColumns[at] {
			name, unit, _ := strings.Cut(heading, ",")
			period := g.at(periods, 2+2*i)
			r := record{g[row], map[string]int{"Country": 1}}
			f := fact{area: country("Country", "")(r), key: name + "|", period: period[len(period)-4:], unit: unit}
			f.dataset = "2018_statistical_annex_all-table-" + []string{"1", "4", "7"}[at]
			add(f, g.at(row, 2+2*i))
		}
	}
}

// readPoverty reads estimates with their bounds for states and counties.
func readPoverty(g grid, add func(fact, string)) {
	for _, row := range g[4:] {
		if len(row) < 5 {
			continue
		}
		code := row[0] + row[1] // of the state, and of the county in it
		area := "census:" + code
		switch {
		case code == "00000":
			area = "US"
		case row[1] == "000":
			area = "US-" + row[2]
		}
		for i := 4; i < len(row); i++ {
			measure := g[3][4+(i-4)/3*3]
			if i%3 != 1 {
				measure += ": " + g[3][i]
			}
			add(fact{area: area + " " + code, key: measure + "|", period: "2018"}, strings.ReplaceAll(row[i], ",", ""))
		}
	}
}

// deflators are the headings of Japan's Cabinet Office in English, by column; some columns
// are empty.
var deflators = strings.Split(`GDP(Expenditure Approach)|PrivateConsumption|PrivateConsumption: Consumption ofHouseholds|PrivateConsumption: Consumption ofHouseholds: ExcludingImputed Rent|`+
	`PrivateResidentialInvestment|Private Non-Resi.Investment|Changein PrivateInventories|GovernmentConsumption|PublicInvestment|Changein PublicInventories|`+
	`Goods & Services: Net Exports|Goods & Services: Exports|Goods & Services: Imports||Income from /to the Rest of the World: Net|Income from /to the Rest of the World: Receipt|`+
	`Income from /to the Rest of the World: Payment|GNI||DomesticDemand|PrivateDemand|PublicDemand||Gross Fixed CapitalFormation||GDP, Excluding FISIM|`+
	`Consumption ofHouseholds, Excluding FISIM|Export, Excluding FISIM|Import, Excluding FISIM`, "|")

// placeDeflators: the first row is the first quarter of 1994.
func placeDeflators(_ grid, row, column int) (f fact, ok bool) {
	period := fmt.Sprintf("Q%d/%d", (row-7)%4+1, 1994+(row-7)/4)
	name := deflators[column-1]
	return fact{area: "JP", key: name + "|", period: period, unit: "Calendar Year of 2005 = 100"}, name != ""
}
