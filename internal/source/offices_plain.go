package source

import "time"

// plainOffices are the rows of the kind "files".
var plainOffices = []Office{
	{
		ID: "bis-bulk", Name: "Bank for International Settlements", Kind: plainKind,
		Address: "https://data.bis.org/static/bulk",
		Website: "https://data.bis.org/bulkdownload",
		Data:    "https://data.bis.org/static/bulk/{code}_csv_flat.zip",
		Limits:  "None stated.",
		Quirks:  "Whole datasets, zipped, of up to hundreds of megabytes unpacked: WS_EER, WS_CBPOL. The source bis has the same datasets: watch only one of the two. There is no list.",
	},
	{
		ID: "ecb-rates", Name: "European Central Bank", Kind: plainKind,
		Sample:  "eurofxref",
		Address: "https://www.ecb.europa.eu/stats/eurofxref",
		Website: "https://www.ecb.europa.eu/stats/policy_and_exchange_rates/euro_reference_exchange_rates/html/index.en.html",
		Data:    "https://www.ecb.europa.eu/stats/eurofxref/{code}.zip",
		Check:   Interval(6 * time.Hour),
		Limits:  "None stated.",
		Quirks:  "The main file is eurofxref-hist: all rates since 1999, updated each working day at about 16:00.",
	},
	{
		ID: "owid", Name: "Our World in Data", Kind: plainKind,
		Sample:  "life-expectancy",
		Address: "https://ourworldindata.org/grapher",
		Website: "https://ourworldindata.org",
		Data:    "https://ourworldindata.org/grapher/{code}.csv?v=1&csvType=full",
		Check:   Interval(7 * 24 * time.Hour),
		Limits:  "None stated.",
		Quirks:  "The code is the last part of a chart's address: life-expectancy. There is no list.",
	},
	{
		ID: "un-wpp", Name: "United Nations Population Division", Kind: plainKind,
		Address: "https://population.un.org/wpp",
		Website: "https://population.un.org/wpp",
		Data:    "https://population.un.org/wpp/assets/Excel%20Files/1_Indicator%20(Standard)/CSV_FILES/{code}.csv.gz",
		Check:   Interval(30 * 24 * time.Hour),
		Limits:  "None stated.",
		Quirks:  "The code is a file name with its revision: WPP2024_Demographic_Indicators_Medium. A revision appears every two years, under new names. There is no list.",
	},
}
