package main

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/encoding/charmap"

	"almanac/internal/stattest"
)

// officeTables are files in the offices' own formats.
var officeTables = []realTable{
	{path: "wto-2021/WtoData_20210629174857.csv", source: "wto", values: 5126, open: comma,
		facts: list{area: country("Reporting Economy ISO3A Code", ""),
			dims: []string{"Indicator Code:Indicator", "Partner Economy Code:Partner Economy", "Product/Sector Classification Code:Product/Sector Classification",
				"Product/Sector Code:Product/Sector", "Frequency Code:Frequency"},
			period: column("Year"), values: []string{"Value"}, unit: unit("Unit")}.read},
	{path: "unctad-pop/US_PopTotal_20230713030810 3.csv", source: "unctad", values: 58052, open: comma,
		facts: readPopulation},
	{path: "undata-anemia/UNdata_Export_20241005_161251297.csv", source: "unsd", values: 3987, open: comma,
		facts: list{area: country("Country or Area", "unsd"), dims: []string{"Element"}, period: column("Year"), values: []string{"Value"}, unit: unit("Unit")}.read},
	{path: "comtrade-svc/TradeData_Services.csv", source: "comtrade", values: 240, open: text(',', charmap.Windows1252), facts: readServices},
	{path: "ihme-gbd/IHME-GBD_2021_DATA-446de514-1.csv", source: "ihme", values: 612, open: comma,
		facts: func(g grid, add func(fact, string)) {
			for i, name := range []string{"val", "lower", "upper"} {
				list{area: country("location", ""), dims: []string{"measure", "sex", "age", "cause", "rei", "metric"}, period: column("year"), values: []string{name},
					unit: unit("metric")}.read(g, estimate(i, add))
			}
		}},
	{path: "who-gho-air1/AIR_1.csv", source: "who", values: 386, open: comma,
		facts: func(g grid, add func(fact, string)) {
			for i, name := range []string{"Numeric", "Low", "High"} {
				list{area: placeOfWHO, period: column("YEAR"), values: []string{name}}.read(g, estimate(i, add))
			}
		}},
	{path: "estat-crim-csv/crim_off_cat__custom_128689_20201028_155532.csv", source: "eurostat", values: 10626, open: comma, facts: readCrimes},
	{path: "statcan-18100204/18100204-eng.zip", source: "statcan", values: 11772, open: inZip("18100204.csv", comma),
		facts: list{area: canadianArea, dims: []string{"Index"}, period: parts("REF_DATE", `(\d+)-(\d+)`, "$2/$1"), values: []string{"VALUE"}, unit: unit("UOM")}.read},
	{path: "statcan-db/1410028701_databaseLoadingData.csv", source: "statcan", values: 516, open: comma,
		facts: list{area: canadianArea, dims: []string{"Labour force characteristics", "Sex", "Age group", "Statistics", "Data type"},
			period: parts("REF_DATE", `(\d+)-(\d+)`, "$2/$1"), values: []string{"VALUE"}, unit: unit("UOM")}.read},
	{path: "oecd-gdp/data.csv", source: "oecd", codes: true, with: "oecd-gdp/structure.xml", values: 2688, open: comma,
		facts: list{area: country("REF_AREA", ""), dims: []string{"MEASURE", "UNIT_MEASURE", "FREQ"}, period: column("TIME_PERIOD"), values: []string{"OBS_VALUE"},
			unit: unitOfOECD, flags: column("OBS_STATUS")}.read},
	{path: "nz-projections_national_2024/projections_national_2024.csv", source: "stats-nz", values: 1267, open: comma,
		facts: list{area: always("NZ"), dims: []string{"SCENARIO_POPPR_NAT_008:Scenario", "MEASURE_POPPR_NAT_008"}, period: column("YEAR_POPPR_NAT_008"), values: []string{"OBS_VALUE"}}.read},
	{path: "wdi-zip/P_Data_Extract_From_World_Development_Indicators.zip", source: "worldbank", values: 4415, open: inZip("_Data.csv", comma),
		facts: list{area: country("Country Code", ""), dims: []string{"Series Code:Series Name"}, wide: `^()(\d{4}) \[YR\d+\]$`,
			without: func(r record) bool { return len(r.get("Country Code")) != 3 }}.read},
	{path: "fao-temp/Environment_Temperature_change_E_All_Data_(Normalized).zip", source: "fao", large: true, values: 453726, open: inZip(".csv", text(',', charmap.Windows1252)), facts: readTemperatures},
	{path: "bcb-json/bcb-data.json", source: "bcb", values: 7, open: matches(`"data":"([^"]*)","valor":"([^"]*)"`),
		facts: func(g grid, add func(fact, string)) {
			for _, row := range g {
				add(fact{area: "BR", period: row[0]}, row[1])
			}
		}},
	{path: "boe-xml/boe-data.xml", source: "boe", codes: true, values: 161, dropped: 161, open: matches(`TIME="(\d+)-(\d+)-\d+" OBS_VALUE="([^"]*)"`),
		facts: func(g grid, add func(fact, string)) {
			for _, row := range g {
				add(fact{area: "GB", key: "LPMVWYR|M|", period: row[1] + "/" + row[0], unit: "sterling millions"}, row[2])
			}
		}},
	{path: "onb-xml/onb-data.xml", source: "oenb", values: 358, open: matches(`freq="(\w)"|obs value="([^"]*)" periode="([^"]*)"`), facts: readOeNB},
	{path: "sdmx-CNA-2010-CONSO-SI-A17/CNA-2010-CONSO-SI-A17.xml", source: "insee", values: 2,
		open: matches(`(?s)ObsDimension value="(\d+)".*?ObsValue value="([^"]*)".*?id="OBS_STATUS" value="(\w+)"`),
		facts: func(g grid, add func(fact, string)) {
			for _, row := range g { // FE is France without Mayotte
				flag := map[string]string{"P": "P", "SD": "INSEE:SD"}[row[2]]
				add(fact{area: "insee:FE FE", key: "S13|P3|A10-BE|IPCH|", period: row[0], unit: "SO", flags: flag}, row[1])
			}
		}},
	{path: "fed-xml/fed-data-1.0.xml", source: "frb", codes: true, with: "fed-xml/fed-structure-1.0.xml", values: 44946, open: fedSeries, facts: readFed},
	{path: "px-07A01/07A01_02.px", source: "ukrstat", values: 354, open: openPX(charmap.Windows1251),
		facts: func(g grid, add func(fact, string)) {
			for _, row := range g {
				add(fact{area: row[0], period: row[1], unit: "thousand square meters (thsd. sq.m)"}, row[2])
			}
		}},
	{path: "px-ine-1001/1001.px", source: "ine", values: 504, open: openPX(nil),
		facts: func(g grid, add func(fact, string)) {
			quarter := regexp.MustCompile(`^(\d{4})T(\d)$`)
			for _, row := range g {
				add(fact{area: "ES", key: row[0] + "|" + row[1] + "|", period: quarter.ReplaceAllString(row[2], "Q$2/$1"), unit: "Porcentaje"}, row[3])
			}
		}},
	{path: "px-pxr-example/example.px", source: "ine", refused: "state the period of its numbers", stated: "--period=2005", values: 10488, open: openPX(charmap.ISO8859_1),
		facts: func(g grid, add func(fact, string)) {
			for _, row := range g {
				place := officeArea("municipios", "ine")(record{row, map[string]int{"municipios": 1}})
				add(fact{area: place, key: row[0] + "|" + row[2] + "|", period: "2005", unit: "personas"}, row[3])
			}
		}},
}

// readServices reads trade in services, which has no quantities and weights: their zeros
// are missing.
func readServices(g grid, add func(fact, string)) {
	list{area: country("reporterISO", ""), dims: []string{"flowCode:flowDesc", "partnerCode:partnerDesc", "classificationCode", "cmdCode:cmdDesc"},
		period: column("refYear"), values: []string{"primaryValue", "cifvalue", "fobvalue", "qty", "altQty", "netWgt", "grossWgt"},
		labels: []string{"Trade value", "CIF value", "", "", "", "", ""},
		unit:   func(record, string) string { return "US dollars" }, number: func(cell string) string {
			if cell == "0" {
				return ""
			}
			return cell
		}}.read(g, add)
}

// estimate adds the dimension of a value and its bounds.
func estimate(i int, add func(fact, string)) func(fact, string) {
	return func(f fact, cell string) {
		f.key += []string{"VALUE=Value|", "LOWER=Lower|", "UPPER=Upper|"}[i]
		add(f, cell)
	}
}

// economy returns the areas of UNCTAD by M49. 250 is metropolitan France, and 251 France;
// codes of four digits are groups.
func economy(r record) string {
	code := r.get("Economy")
	if len(code) == 3 && areas[areaName(code)] != "" && code != "250" {
		return country("Economy", "")(r)
	}
	return officeArea("Economy", "unctad")(r)
}

func placeOfWHO(r record) string {
	for _, name := range []string{"COUNTRY", "WORLDBANKINCOMEGROUP", "REGION"} {
		if r.get(name) != "" {
			return country(name, "")(r)
		}
	}
	return ""
}

func canadianArea(r record) string {
	return namedArea("GEO", canadianProvinces)(r)
}

// currencies are the names in the code list of currencies of the OECD.
var currencies map[string]string

func readCurrencies(t *testing.T) map[string]string {
	data := string(stattest.SampleMore(t, "oecd-gdp/structure.xml").Data)
	_, list, _ := strings.Cut(data, `<structure:Codelist id="CL_CURRENCY"`)
	list, _, _ = strings.Cut(list, "</structure:Codelist>")
	names := map[string]string{"": "US dollar"} // the unit of the other values
	for _, m := range regexp.MustCompile(`(?s)<structure:Code id="(\w+)">.*?<common:Name xml:lang="en">([^<]*)<`).FindAllStringSubmatch(list, -1) {
		names[m[1]] = m[2]
	}
	return names
}

func unitOfOECD(r record, _ string) string {
	unit := currencies[r.get("CURRENCY")]
	return unit + map[string]string{"3": " (thousands)", "6": " (millions)", "9": " (billions)"}[r.get("UNIT_MULT")]
}

// readCrimes reads a table of Eurostat whose codes are in one cell; a letter may follow a
// number.
func readCrimes(g grid, add func(fact, string)) {
	for _, row := range g[1:] {
		codes := strings.Split(row[0], ";")
		area := map[string]string{"EL": "GR", "UK": "GB"}[codes[3]]
		for i, cell := range row[1:] {
			number, flag, _ := strings.Cut(cell, " ")
			add(fact{area: areaText(area, codes[3]), key: strings.Join(codes[:3], "|") + "|", period: g[0][i+1], unit: codes[2], flags: strings.ToUpper(flag)}, number)
		}
	}
}

// readTemperatures reads months as periods; seasons and the meteorological year are a
// dimension.
func readTemperatures(g grid, add func(fact, string)) {
	place := country("Area", "fao")
	for _, r := range records(g, 0) {
		part, period := r.get("Months Code")+"="+r.get("Months"), r.get("Year")
		if month, err := time.Parse("January", r.get("Months")); err == nil {
			part, period = "_Z=Calendar month or year", month.Format("01/")+period
		}
		add(fact{area: place(r), key: r.get("Element Code") + "=" + r.get("Element") + "|" + part + "|", period: period, unit: r.get("Unit"), flags: "FAO:" + r.get("Flag")}, r.get("Value"))
	}
}

func readOeNB(g grid, add func(fact, string)) {
	frequency := ""
	for _, row := range g {
		if row[0] != "" {
			frequency = row[0]
			continue
		}
		year, month, isMonth := strings.Cut(row[2], "-")
		if isMonth {
			year = month + "/" + year
		}
		add(fact{area: "AT", key: "VDBFKBSC217000=Loans to euro area residents - total|AT|00100KI|AT|Z0Z|" + frequency + "|", period: year, unit: "in millions Euro"}, row[1])
	}
}

// fedSeries splits SDMX-ML of the Federal Reserve into observations: dataset, attributes of
// the series, and those of the observation.
func fedSeries(_ *testing.T, data []byte) (g grid) {
	series := regexp.MustCompile(`(?s)<kf:Series ([^>]*)>(.*?)</kf:Series>`)
	observation := regexp.MustCompile(`OBS_STATUS="(\w+)" OBS_VALUE="(\S+)" TIME_PERIOD="(\d+)-(\d+)-\d+"`)
	for _, dataset := range strings.Split(string(data), "<frb:DataSet ")[1:] {
		id, _, _ := strings.Cut(dataset[strings.Index(dataset, `id="`)+4:], `"`)
		for _, s := range series.FindAllStringSubmatch(dataset, -1) {
			for _, o := range observation.FindAllStringSubmatch(s[2], -1) {
				g = append(g, append([]string{id, s[1]}, o[1:]...))
			}
		}
	}
	return g
}

// readFed reads observations of the Federal Reserve: -9999 with the status ND is missing.
func readFed(g grid, add func(fact, string)) {
	field := regexp.MustCompile(`(\w+)="([^"]*)"`)
	for _, row := range g {
		if row[2] == "ND" {
			row[3] = ""
		}
		fields := map[string]string{}
		for _, f := range field.FindAllStringSubmatch(row[1], -1) {
			fields[f[1]] = f[2]
		}
		keys := []string{"ISSUE", "TERMS", "FREQ", "SERIES_NAME"}
		if fields["CREDTYP"] != "" {
			keys = []string{"CREDTYP", "HOLDER", "DATAREP", "SA", "FREQ", "SERIES_NAME"}
		}
		f := fact{dataset: "G19_" + row[0], area: "US", period: row[5] + "/" + row[4], flags: row[2]}
		for _, id := range keys {
			f.key += fields[id] + "|"
		}
		unit := strings.Replace(fields["UNIT"], "Currency", "United States Dollar", 1)
		f.unit = unit + map[string]string{"1": "", "1000000": " (millions)"}[fields["UNIT_MULT"]]
		add(f, row[3])
	}
}

// openPX reads a small PX file: a row for each cell, with the codes of STUB and HEADING.
func openPX(from *charmap.Charmap) func(*testing.T, []byte) grid {
	statement := regexp.MustCompile(`(?s)(STUB|HEADING|VALUES|CODES)(?:\("([^"]*)"\))?=((?:\s*"[^"]*",?)+);`)
	quoted := regexp.MustCompile(`"([^"]*)"`)
	return func(_ *testing.T, data []byte) (g grid) {
		if from != nil {
			data, _ = from.NewDecoder().Bytes(data)
		}
		head, numbers, _ := strings.Cut(string(data), "DATA=")
		lists := map[string][]string{}
		for _, m := range statement.FindAllStringSubmatch(head, -1) {
			for _, text := range quoted.FindAllStringSubmatch(m[3], -1) {
				lists[m[1]+m[2]] = append(lists[m[1]+m[2]], strings.TrimSpace(text[1]))
			}
		}
		names := append(lists["STUB"], lists["HEADING"]...)
		for i, cell := range strings.Fields(strings.ReplaceAll(numbers, ";", " ")) {
			row := append(make([]string, len(names)), cell)
			for n := len(names) - 1; n >= 0; n-- {
				codes := lists["CODES"+names[n]]
				if codes == nil {
					codes = lists["VALUES"+names[n]]
				}
				row[n], i = codes[i%len(codes)], i/len(codes)
			}
			g = append(g, row)
		}
		return g
	}
}

// readPopulation reads two measures, each with a column of footnotes. A break is a flag.
func readPopulation(g grid, add func(fact, string)) {
	for _, measure := range []string{"Absolute value in thousands", "Urban population as percentage of total population"} {
		list{area: economy, period: column("Year"), values: []string{measure}, flags: func(r record) string {
			if r.get(measure+" Footnote") == "Break" {
				return "B"
			}
			return ""
		}}.read(g, func(f fact, number string) {
			f.key = measure + "|"
			add(f, number)
		})
	}
}
