package plain

import (
	"time"

	"almanac/internal/source"
)

// Offices are the rows of the kind "files".
var Offices = []source.Office{
	{
		ID: "bis-bulk", Name: "Bank for International Settlements", Kind: "files",
		Address: "https://data.bis.org/static/bulk",
		Website: "https://data.bis.org/bulkdownload",
		Data:    "https://data.bis.org/static/bulk/{code}_csv_flat.zip",
		Limits:  "None stated.",
		Quirks:  "Whole datasets, zipped, of up to hundreds of megabytes unpacked: WS_EER, WS_CBPOL. The source bis has the same datasets: watch only one of the two. There is no list.",
	},
	{
		ID: "ecb-rates", Name: "European Central Bank", Kind: "files",
		Sample:  "eurofxref",
		Address: "https://www.ecb.europa.eu/stats/eurofxref",
		Website: "https://www.ecb.europa.eu/stats/policy_and_exchange_rates/euro_reference_exchange_rates/html/index.en.html",
		Data:    "https://www.ecb.europa.eu/stats/eurofxref/{code}.zip",
		Check:   source.Interval(6 * time.Hour),
		Limits:  "None stated.",
		Quirks:  "The main file is eurofxref-hist: all rates since 1999, updated each working day at about 16:00.",
	},
	{
		ID: "owid", Name: "Our World in Data", Kind: "files",
		Sample:  "life-expectancy",
		Address: "https://ourworldindata.org/grapher",
		Website: "https://ourworldindata.org",
		Data:    "https://ourworldindata.org/grapher/{code}.csv?v=1&csvType=full",
		Check:   source.Interval(7 * 24 * time.Hour),
		Limits:  "None stated.",
		Quirks:  "The code is the last part of a chart's address: life-expectancy. There is no list.",
	},
	{
		ID: "un-wpp", Name: "United Nations Population Division", Kind: "files",
		Address: "https://population.un.org/wpp",
		Website: "https://population.un.org/wpp",
		Data:    "https://population.un.org/wpp/assets/Excel%20Files/1_Indicator%20(Standard)/CSV_FILES/{code}.csv.gz",
		Check:   source.Interval(30 * 24 * time.Hour),
		Limits:  "None stated.",
		Quirks:  "The code is a file name with its revision: WPP2024_Demographic_Indicators_Medium. A revision appears every two years, under new names. There is no list.",
	},
	{
		ID: "fred", Name: "Federal Reserve Bank of St. Louis", Kind: "files", Untried: true,
		Address: "https://fred.stlouisfed.org/graph",
		Website: "https://fred.stlouisfed.org",
		Data:    "https://fred.stlouisfed.org/graph/fredgraph.csv?id={code}",
		Sample:  "GDP",
		Pause:   source.Interval(time.Second),
		Limits:  "None stated.",
		Quirks:  "One file per series: UNRATE. The files of graphs need no key. A date stands for the start of its month, quarter or year. There is no list here; fred-api has one dataset per series, too, and needs a key.",
	},
	{
		ID: "fred-api", Name: "Federal Reserve Bank of St. Louis", Kind: "files", Untried: true,
		Address: "https://api.stlouisfed.org/fred",
		Website: "https://fred.stlouisfed.org",
		Data:    "https://api.stlouisfed.org/fred/series/observations?file_type=csv&series_id={code}",
		Key:     &source.Key{Parameter: "api_key", From: "https://fred.stlouisfed.org/docs/api/api_key.html"},
		Pause:   source.Interval(time.Second),
		Limits:  "120 requests per minute with a key",
		Quirks:  "The official interface, for those whose use needs one. The code is that of a series: UNRATE.",
	},
	{
		ID: "ine", Name: "Instituto Nacional de Estadística", Kind: "files", Country: "ES", Untried: true,
		Address: "https://www.ine.es/jaxiT3/files",
		Website: "https://www.ine.es",
		Data:    "https://www.ine.es/jaxiT3/files/t/en/px/{code}.px",
		Limits:  "None stated.",
		Quirks:  "The code is the number of a table: 4206, as in its address on the website. Files are PX. There is no list.",
	},
	{
		ID: "bls", Name: "Bureau of Labor Statistics", Kind: "files", Country: "US", Untried: true,
		Address: "https://download.bls.gov/pub/time.series",
		Website: "https://www.bls.gov",
		Data:    "https://download.bls.gov/pub/time.series/{code}",
		Pause:   source.Interval(2 * time.Second),
		Limits:  "Programs must state an address in their user agent (--agent); others are refused with 403.",
		Quirks:  "The code is the path of a file of a survey: cu/cu.data.1.AllItems. There is no list.",
	},
	{
		ID: "census", Name: "Census Bureau", Kind: "files", Country: "US", Untried: true,
		Address: "https://api.census.gov/data",
		Website: "https://www.census.gov/data/developers.html",
		Data:    "https://api.census.gov/data/{code}",
		Key:     &source.Key{Parameter: "key", From: "https://api.census.gov/data/key_signup.html"},
		Limits:  "50 variables per request",
		Quirks:  "The code is a path of the interface with its query: timeseries/poverty/saipe?get=NAME,SAEPOVRTALL_PT&for=state:*&time=2014. There is no list here. Other datasets than time series have their year only in the path.",
	},
	{
		ID: "e-stat", Name: "e-Stat", Kind: "files", Country: "JP", Untried: true, Cells: 100_000,
		Address: "https://api.e-stat.go.jp/rest/3.0/app",
		Website: "https://www.e-stat.go.jp",
		Data:    "https://api.e-stat.go.jp/rest/3.0/app/getSimpleStatsData?lang=E&metaGetFlg=N&cntGetFlg=N&explanationGetFlg=N&annotationGetFlg=N&sectionHeaderFlg=2&statsDataId={code}",
		Key:     &source.Key{Parameter: "appId", From: "https://www.e-stat.go.jp/api"},
		Limits:  "100,000 rows per response; longer tables are refused, because the rest would be missing.",
		Quirks:  "The code is the ID of a table: 0003005798. There is no list here.",
	},
}
