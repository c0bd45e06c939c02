package office

import (
	"regexp"
	"slices"
	"strings"
)

// headings are the headings of offices' files, in a form that nobody else uses.
var headings = []signature{
	// Releases: series with their references, and the Annual Enterprise Survey.
	{office: "stats-nz", headings: []string{"Series_reference", "Period", "Data_value"}, isNamed: true, fits: speaksOfNoParts},
	{office: "stats-nz", headings: []string{"Industry_code_NZSIOC", "Variable_code", "Value"},
		mapping: "dim=Industry_code_NZSIOC:Industry_name_NZSIOC, dim=Variable_code:Variable_name, unit=Units, period=Year, value=Value, missing=C, missing=S, ignore=*"},
	// Fiscal Data ends each table with parts of the date, in one of two forms; and the daily rates.
	{office: "us-treasury", headings: []string{"Record Date", "Source Line Number", "Fiscal Year", "Calendar Day Number"}},
	{office: "us-treasury", headings: []string{"record_date", "src_line_nbr", "record_fiscal_year", "record_calendar_day"}},
	{office: "us-treasury", headings: []string{"NEW_DATE", "BC_10YEAR"}},
	{office: "us-treasury", headings: []string{"Date", "1 Mo", "3 Mo", "6 Mo", "1 Yr", "10 Yr"}},
	// Business and industry time series, of the nation.
	{office: "census", rows: []string{"u.s. census bureau"}, isNamed: true, fits: hasLine(`: U\.S\. Total$|(^|: )United States$`)},
	// Workbooks of series, of which the key tells the area: NUS or US is the nation.
	{office: "eia", rows: []string{"back to contents", "sourcekey"}, fits: areSeriesOfUS},
	// The State Energy Data System.
	{office: "eia", headings: []string{"Data_Status", "MSN", "StateCode", "Year", "Data"},
		mapping: "dim=MSN, geo=StateCode, period=Year, value=Data, note=Data_Status"},
	// The national accounts, as the API answers.
	{office: "bea", headings: []string{"TableName", "SeriesCode", "LineNumber", "LineDescription", "TimePeriod", "DataValue"}},
	// Its regional accounts, as files and as the API answers.
	{office: "bea", headings: []string{"GeoFIPS", "GeoName", "TableName", "LineCode"}, area: "GeoFIPS"},
	{office: "bea", headings: []string{"Code", "GeoFips", "GeoName", "TimePeriod", "CL_UNIT", "DataValue"},
		mapping: "dim=Code, geo=GeoFips:GeoName, unit=CL_UNIT, dim=UNIT_MULT?, period=TimePeriod, value=DataValue, flags=NoteRef?, missing=(D), missing=(L), missing=(NA), missing=(NM), missing=(S), missing=(X), ignore=*"},
	// Electricity, by states.
	{office: "eia", headings: []string{"period", "stateid", "stateDescription", "sectorid"}},
	// Estimates of population; employment and wages of counties, and of occupations by states and areas.
	{office: "census", headings: []string{"SUMLEV", "REGION", "DIVISION", "STATE", "STNAME"}},
	{office: "census", headings: []string{"SUMLEV", "STATE", "COUNTY", "PLACE", "COUSUB"}},
	{office: "bls", headings: []string{"area_fips", "own_code", "industry_code", "agglvl_code"}},
	{office: "bls", headings: []string{"AREA", "AREA_TITLE", "AREA_TYPE", "PRIM_STATE", "NAICS", "OCC_CODE", "TOT_EMP"}, mapping: oewsMapping, period: regexp.MustCompile(`_M(20[0-9]{2})_`)},
	// Datasets with a version, Nomis, and the census profile of Statistics Canada.
	{office: "ons", fits: func(p Page) bool { return onsVersion.MatchString(p.firstLine()) }},
	{office: "ons", headings: []string{"GEOGRAPHY_NAME", "GEOGRAPHY_CODE", "MEASURES_NAME", "OBS_VALUE"}},
	{office: "statcan", headings: []string{"CENSUS_YEAR", "DGUID", "ALT_GEO_CODE", "CHARACTERISTIC_ID"}},
	// Exchange rates, in the codes of its own structure.
	{office: "boi", headings: []string{"SERIES_CODE", "DATA_SOURCE", "TIME_PERIOD", "OBS_VALUE"}, fits: below("DATA_SOURCE", `^BOI`)},
	{office: "norges-bank", headings: []string{"BASE_CUR", "QUOTE_CUR", "TENOR", "CALCULATED", "OBS_VALUE"}},
	// Archives of exchange rates, with the numbers of the tables that stated them.
	{office: "nbp", headings: []string{"data", "nr tabeli", "pełny numer tabeli"}, mapping: `decimal=","`},
	// Daily rates, with the day and its number in the first line; and those of a year.
	{office: "cnb", headings: []string{"Country", "Currency", "Amount", "Code", "Rate"}, period: cnbDay,
		mapping: "dim=Code:Currency, dim=Amount, value=Rate, ignore=Country, decimal=."},
	{office: "cnb", headings: []string{"země", "měna", "množství", "kód", "kurz"}, period: cnbDay,
		mapping: "dim=kód:měna, dim=množství, value=kurz, ignore=země, decimal=\",\""},
	{office: "cnb", mapping: `decimal=","`, fits: firstRowIs("Datum", amountOfCurrency)},
	{office: "cnb", mapping: "decimal=.", fits: firstRowIs("Date", amountOfCurrency)},
	{office: "riksbank", headings: []string{"Period", "Grupp", "Serie", "Värde"}, mapping: `decimal=","`, fits: below("Grupp", `svenska kronor|Riksbank|ränt`)},
	// EVDS: codes of series such as TP.DK.USD.A.
	{office: "tcmb", mapping: "dates=day-first", fits: firstRowIs("Tarih", evdsSeries)},
	{office: "mas", fits: hasLine(`^MAS: Financial Database - `)},
	// PxWeb: the number of a table begins its title and the file's name.
	{office: "ssb", fits: isPxWeb(`^([0-9]{5}): `)},
	{office: "statfin", fits: isPxWeb(`^([0-9a-z]{4}) -- `)},
	{office: "statfin", fits: isCalled(`^(001|statfin_[a-z]+_pxt)_[0-9a-z]{4}_([0-9]{4}_)?[0-9]{8}-[0-9]{6}\.`)},
	// Months across, which the names of tables of others do not have.
	{office: "stat-ee", headings: []string{"Aasta", "Jaanuar", "Veebruar", "Märts", "Detsember"}, isNamed: true, fits: isCalled(`^[A-Z]{2}[0-9]{3,4}(_[0-9]{8}-[0-9]{6})?\.`)},
	// The World Bank: its databank with the years below one another, and its poverty platform.
	{office: "worldbank", headings: []string{"Time", "Time Code", "Country Name", "Country Code"}},
	{office: "worldbank", headings: []string{"country_code", "reporting_year", "welfare_type", "survey_comparability", "poverty_line", "headcount"}, mapping: pipMapping},
	// Exports of INEGI, of states or of their municipalities, so no office's area.
	{fits: isCalled(`^INEGI_exporta_`), mapping: "decimal=."},
	// The United Nations: main aggregates of national accounts.
	{office: "unsd", headings: []string{"CountryID", "Country", "IndicatorName"}, fits: isCalled(`^Download-`)},
	{office: "unesco", headings: []string{"indicatorId", "geoUnit", "year", "value", "magnitude", "qualifier"}},
	// GeoFRED, whose regions are those of many offices.
	{office: "fred", headings: []string{"Series ID", "Region Name", "Region Code"}},
	// The API of e-Stat as CSV, with prefectures and municipalities.
	{office: "e-stat", headings: []string{"tab_code", "area_code", "time_code", "value"}, fits: below("area_code", `^[0-9]{5}$`)},
	// Projections of DANE by department; its own areas would be codes of departments alone.
	{headings: []string{"DP", "DPNOM", "AÑO"}, area: "DP"},
	{office: "insee", headings: []string{"GEO", "GEO_OBJECT", "TIME_PERIOD", "OBS_VALUE"}, area: "GEO"},
}

const pipMapping = "geo=country_code:country_name, dim=reporting_level?, dim=survey_acronym?, dim=welfare_type, dim=poverty_line, period=reporting_year, " +
	"value=headcount, value=poverty_gap?, value=poverty_severity?, value=watts?, value=mean?, value=median?, value=mld?, value=gini?, value=polarization?, " +
	"value=decile1?, value=decile2?, value=decile3?, value=decile4?, value=decile5?, value=decile6?, value=decile7?, value=decile8?, value=decile9?, value=decile10?, " +
	"value=spl?, value=spr?, value=cpi?, value=ppp?, value=reporting_pop?, value=reporting_gdp?, value=reporting_pce?, ignore=*"

const oewsMapping = "geo=AREA:AREA_TITLE, dim=NAICS:NAICS_TITLE, dim=OWN_CODE?, dim=OCC_CODE:OCC_TITLE, " +
	"value=TOT_EMP, value=EMP_PRSE?, value=JOBS_1000?, value=LOC_QUOTIENT?, value=PCT_TOTAL?, value=H_MEAN?, value=A_MEAN?, value=MEAN_PRSE?, " +
	"value=H_PCT10?, value=H_PCT25?, value=H_MEDIAN?, value=H_PCT75?, value=H_PCT90?, value=A_PCT10?, value=A_PCT25?, value=A_MEDIAN?, value=A_PCT75?, value=A_PCT90?, " +
	"missing=*, missing=**, missing=#, missing=~, ignore=*"

var (
	cnbDay           = regexp.MustCompile(`^([0-9]{2} [A-Z][a-z]{2} [0-9]{4}|[0-9]{2}\.[0-9]{2}\.[0-9]{4}) #[0-9]{1,3}$`)
	amountOfCurrency = regexp.MustCompile(`^10{0,3} [A-Z]{3}$`)
	onsVersion       = regexp.MustCompile(`^[vV]4_[0-9]$`)
	evdsSeries       = regexp.MustCompile(`^(TP[._ ][A-Z0-9._ ]+|UNIXTIME|YEARWEEK)$`)
	seriesOfUS       = regexp.MustCompile(`NUS|US[0-9]?$|^R[A-Z]{3,}[0-9]?$|^EER_`) // also spot prices and futures
	partsOfNZ        = regexp.MustCompile(`(?i)\b(regions?|regional|territorial|districts?|cit(y|ies)|countr(y|ies)|local board|islands?|auckland|wellington|canterbury)\b`)
)

// isPxWeb returns a check that the code in the title, the pattern's group, begins the name of
// the file.
func isPxWeb(title string) func(Page) bool {
	pattern := regexp.MustCompile(title)
	return func(p Page) bool {
		m := pattern.FindStringSubmatch(p.firstLine())
		return m != nil && strings.HasPrefix(p.Name, m[1]+"_")
	}
}

// isCalled returns a check that the name of the file matches.
func isCalled(pattern string) func(Page) bool {
	name := regexp.MustCompile(pattern)
	return func(p Page) bool { return name.MatchString(p.Name) }
}

// areSeriesOfUS reports whether the keys of all series are of the United States.
func areSeriesOfUS(p Page) bool {
	return restMatches(p.row("sourcekey"), seriesOfUS)
}

// speaksOfNoParts reports whether the texts of a release of Stats NZ name no regions and no
// countries.
func speaksOfNoParts(p Page) bool {
	return !slices.ContainsFunc(p.Rows, func(row []string) bool { return slices.ContainsFunc(row, partsOfNZ.MatchString) })
}
