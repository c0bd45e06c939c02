package plain_test

import "strings"

// crossFiles are real tables with several heading rows.
var crossFiles = []crossFile{
	{path: "rba-f1-csv/f1-data.csv", separator: ',', rows: [2]int{11, 9999}, columns: columns(1, 18), source: "rba", place: byID(10, date("02-Jan-2006"))},
	{path: "bbk-su0112/BBK01.SU0112.csv", separator: ',', rows: [2]int{5, 611}, columns: []int{1}, source: "bundesbank", place: byID(0, month)},
	{path: "bbk-bbex3-chf/BBEX3.D.CHF.EUR.BB.AC.000.csv", separator: ',', rows: [2]int{9, 9999}, columns: []int{1}, source: "bundesbank", place: byID(0, date("2006-01-02"))},
	{path: "insee-bdm2/valeurs_mensuelles.csv", separator: ';', rows: [2]int{3, 9999}, columns: []int{1}, source: "insee", place: byID(1, month)},
	{path: "ons-series/series-070322.csv", separator: ',', rows: [2]int{8, 9999}, columns: []int{1}, source: "ons", place: byID(1, onsDate)},
	{path: "bdf-webstat/Webstat_Export_fr_5385698.csv", separator: ';', rows: [2]int{6, 99999}, columns: columns(1, 31), isLarge: true, place: byID(1, date("2006-01-02"))},
	{path: "boc-fx/FX_RATES_DAILY-sd-2017-01-03.csv", separator: ',', rows: [2]int{40, 9999}, columns: columns(1, 27), source: "bank-of-canada", place: byID(39, date("2006-01-02"))},
	{path: "nz-cpi_infoshare/cpi_infoshare.csv", separator: ',', rows: [2]int{2, 445}, columns: []int{1}, source: "stats-nz", place: byID(1, quarter)},
	{path: "abs-640101/640101.xlsx", sheet: 2, rows: [2]int{10, 9999}, columns: columns(1, 28), source: "abs", place: byID(9, quarterOf)},
	{path: "wb-cmo/CMO-Historical-Data-Monthly.xlsx", sheet: 2, source: "worldbank", rows: [2]int{7, 9999}, columns: columns(1, 72), place: byID(6, func(cell string) string { return month(strings.Replace(cell, "M", "-", 1)) })},
	{path: "bea-gdplev2/gdplev.xlsx", sheet: 1, rows: [2]int{8, 9999}, columns: []int{1, 2, 5, 6}, place: placeGDP},
	{path: "destatis-12411-0010/12411-0010.csv", separator: ';', rows: [2]int{6, 22}, columns: columns(1, 62), source: "destatis", place: placeGENESIS},
	{path: "destatis-12411-0015/12411-0015.csv", separator: ';', rows: [2]int{6, 482}, columns: columns(2, 26), source: "destatis", place: placeGENESIS},
	{path: "ksh-nep0034/stadat-nep0034-22.1.2.1-hu.csv", separator: ';', rows: [2]int{2, 999}, columns: columns(2, 27), place: placeKSH},
	{path: "ibge-csv/tabela1737.csv", separator: ';', rows: [2]int{4, 5}, columns: columns(1, 128), source: "ibge", place: placeSIDRA},
	{path: "dane-ipc-var/anex-IPC-Variacion-ene2026.xlsx", sheet: 1, rows: [2]int{7, 20}, columns: columns(1, 25), source: "dane", place: placeDANE},
	{path: "undp-annex2018/2018_statistical_annex_all.xlsx", sheet: 1, rows: [2]int{6, 229}, columns: []int{2, 4, 6, 8, 10, 12, 14}, place: placeUNDP},
}

// quarter turns 2020Q1 into Q1/2020.
func quarter(cell string) string {
	if len(cell) != 6 {
		return ""
	}
	return cell[4:] + "/" + cell[:4]
}

func placeGDP(g grid, row, column int) (key, period string) {
	name, period := "Annual", g.at(row, 0)
	if column > 4 {
		name, period = "Quarterly (Seasonally adjusted annual rates)", quarter(g.at(row, 4))
	}
	if period == "" {
		return "", ""
	}
	return name + "," + g.at(5, column) + ",", period
}

func placeGENESIS(g grid, row, column int) (key, period string) {
	return g.at(row, 0) + ",", strings.TrimPrefix(g.at(5, column), "31.12.")
}

func placeKSH(g grid, row, column int) (key, period string) {
	if g.at(row, 2) == "" {
		return "", ""
	}
	section := row
	for g.at(section, 2) != "" {
		section--
	}
	return g.at(section, 0) + "," + g.at(row, 0) + ",", g.at(1, column)
}

func placeSIDRA(g grid, row, column int) (key, period string) {
	name, year, _ := strings.Cut(g.at(3, column), " ")
	months := map[string]string{
		"janeiro": "01", "fevereiro": "02", "março": "03", "abril": "04", "maio": "05", "junho": "06",
		"julho": "07", "agosto": "08", "setembro": "09", "outubro": "10", "novembro": "11", "dezembro": "12",
	}
	return "Brasil,", months[name] + "/" + year
}

func placeDANE(g grid, row, column int) (key, period string) {
	names := []string{"Enero", "Febrero", "Marzo", "Abril", "Mayo", "Junio", "Julio", "Agosto", "Septiembre", "Octubre", "Noviembre", "Diciembre"}
	year := g.at(6, column)
	for i, name := range names {
		if name == g.at(row, 0) {
			return "M,", twoDigits(i+1) + "/" + year
		}
	}
	return g.at(row, 0) + ",", year
}

func twoDigits(n int) string { return string([]byte{byte('0' + n/10), byte('0' + n%10)}) }

func placeUNDP(g grid, row, column int) (key, period string) {
	if g.at(row, column) == "" {
		return "", ""
	}
	labels := map[int]string{
		2: "Human Development Index (HDI): Value", 4: "SDG 3: Life expectancy at birth", 6: "SDG 4.3: Expected years of schooling",
		8: "SDG 4.6: Mean years of schooling", 10: "SDG 8.5: Gross national income (GNI) per capita", 12: "GNI per capita rank minus HDI rank", 14: "HDI rank",
	}
	return labels[column] + "," + strings.Join(strings.Fields(g.at(row, 1)), " ") + ",", g.at(4, column)
}
