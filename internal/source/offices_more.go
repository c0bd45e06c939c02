package source

import "time"

// statbankOffices are the rows of the kind "statbank".
var statbankOffices = []Office{
	{
		ID: "dst", Name: "Statistics Denmark", Kind: "statbank", Country: "DK", Untried: true,
		Address: "https://api.statbank.dk/v1", Website: "https://www.statbank.dk",
		Cells: 1_000_000, Check: Interval(24 * time.Hour), Sample: "FOLK1A",
		Limits: "1,000,000 cells per response",
		Quirks: "Tables have short names: FOLK1A. The list states when each was updated. New figures appear at 8:00.",
	},
}

// indexOffices are the rows of the kind "index".
var indexOffices = []Office{
	{
		ID: "faostat", Name: "FAO", Kind: indexKind, Untried: true,
		Address: "https://bulks-faostat.fao.org/production", Website: "https://www.fao.org/faostat",
		Contents: "https://bulks-faostat.fao.org/production/datasets_E.json",
		Index:    &Index{Records: "Datasets.Dataset", Code: "DatasetCode", Title: "DatasetName", Updated: "DateUpdate", File: "FileLocation"},
		Check:    Interval(7 * 24 * time.Hour),
		Limits:   "None stated.",
		Quirks:   "A dataset is a domain: QCL, FBS. Each is one zip of the normalized table, of up to hundreds of megabytes unpacked.",
	},
	{
		ID: "ons", Name: "Office for National Statistics", Kind: indexKind, Country: "GB", Untried: true,
		Address: "https://api.beta.ons.gov.uk/v1", Website: "https://www.ons.gov.uk",
		Contents: "https://api.beta.ons.gov.uk/v1/datasets?limit=1000",
		Index: &Index{
			Records: "items", Code: "id", Title: "title", Updated: "last_updated",
			File: "links.latest_version.href", Then: "downloads.csv.href",
		},
		Limits: "120 requests in 10 seconds",
		Quirks: "The latest version of each dataset is fetched. Files are CSV with one row per observation, whose first column has a name such as v4_0.",
	},
	{
		ID: "unesco", Name: "UNESCO Institute for Statistics", Kind: indexKind, Untried: true,
		Address: "https://api.uis.unesco.org/api/public", Website: "https://databrowser.uis.unesco.org",
		Contents: "https://api.uis.unesco.org/api/public/definitions/indicators",
		Index:    &Index{Code: "indicatorCode", Title: "name", Updated: "lastDataUpdate"},
		Data:     "https://api.uis.unesco.org/api/public/data/indicators/export?format=csv&indicator={code}",
		Check:    Interval(7 * 24 * time.Hour), Sample: "CR.1", Cells: 100_000,
		Limits: "100,000 records per response",
		Quirks: "One dataset per indicator, over five thousand of them. An unknown indicator is answered with no records.",
	},
	{
		ID: "un-sdg", Name: "United Nations Statistics Division", Kind: indexKind, Untried: true, Post: true,
		Address: "https://unstats.un.org/SDGAPI/v1/sdg", Website: "https://unstats.un.org/sdgs/dataportal",
		Contents: "https://unstats.un.org/SDGAPI/v1/sdg/Series/List?allreleases=false",
		Index:    &Index{Code: "code", Title: "description"},
		Data:     "https://unstats.un.org/SDGAPI/v1/sdg/Series/DataCSV?seriesCodes={code}",
		Check:    Interval(7 * 24 * time.Hour), Sample: "SI_POV_DAY1",
		Limits: "None stated.",
		Quirks: "One dataset per series of the Sustainable Development Goals. The list has no times of updates.",
	},
	{
		ID: "ibge", Name: "IBGE", Kind: indexKind, Country: "BR", Language: "pt", Untried: true,
		Address: "https://apisidra.ibge.gov.br", Website: "https://sidra.ibge.gov.br",
		Contents: "https://servicodados.ibge.gov.br/api/v3/agregados",
		Index:    &Index{Records: "agregados", Code: "id", Title: "nome"},
		Data:     "https://apisidra.ibge.gov.br/values/t/{code}/n1/all/v/all/p/all",
		Sample:   "1737",
		Limits:   "100,000 values per response",
		Quirks:   "The code is the number of a table of SIDRA: 1737, for Brazil as a whole. For other levels, write the address: https://apisidra.ibge.gov.br/values/t/6579/n3/all/v/all/p/all.",
	},
}

// genesisOffices are the rows of the kind "genesis".
var genesisOffices = []Office{
	{
		ID: "destatis", Name: "Statistisches Bundesamt", Kind: "genesis", Country: "DE", Untried: true,
		Address: "https://www-genesis.destatis.de/genesisWS/rest/2020", Website: "https://www-genesis.destatis.de",
		Key:    &Key{Header: "username", From: "https://www-genesis.destatis.de"},
		Limits: "Tables that are too large are refused: fetch a part, as in 12411-0015?startyear=2015.",
		Quirks: "The key is the token of your account. Tables are fetched as flat CSV (ffcsv). The list has no times of updates.",
	},
}

// odata4Offices are the rows of the kind "odata4".
var odata4Offices = []Office{
	{
		ID: "cbs", Name: "Statistics Netherlands", Kind: "odata4", Country: "NL", Language: "nl", Untried: true,
		Address: "https://datasets.cbs.nl/odata/v1/CBS", Website: "https://opendata.cbs.nl",
		Limits: "100,000 observations per page; Almanac fetches all pages.",
		Quirks: "Codes of tables end in NED or ENG: 37296ned. Labels are Dutch in the former, English in the latter.",
	},
}

// eurostatOffices are the rows of the kind "eurostat".
var eurostatOffices = []Office{
	{
		ID: "eurostat", Name: "Eurostat", Kind: "eurostat",
		Sample:  "tps00001",
		Address: "https://ec.europa.eu/eurostat/api/dissemination",
		Website: "https://ec.europa.eu/eurostat",
		// The office publishes at 11:00 and at 23:00.
		Check: Interval(6 * time.Hour),
		Limits: "Whole datasets have no limit of cells; those that are not ready are prepared first and fetched later. " +
			"Extractions of more than 5,000,000 cells are refused with 413.",
		Quirks: "The table of contents states the day of an update, not the hour. " +
			"A response may be 200 with an XML envelope: the data are still being prepared. " +
			"Faults are SOAP, with any status. Datasets of foreign trade and production (DS-…) have a separate service; most are too large to be fetched whole, so name a key: DS-045409/M.DE.FR.8703.1.VALUE_IN_EUROS. " +
			"Files contain codes only; the labels are in one file per dimension.",
	},
}

// worldbankOffices are the rows of the kind "worldbank".
var worldbankOffices = []Office{
	{
		ID: "worldbank", Name: "World Bank", Kind: "worldbank",
		Sample:  "SP.POP.TOTL",
		Address: "https://api.worldbank.org/v2", Website: "https://data.worldbank.org",
		Check:  Interval(24 * time.Hour),
		Limits: "no key, no published limit of requests; a request for more than about 32,500 records returns an HTML page; Almanac requests 20,000",
		Quirks: "errors come with status 200; the update date is a day and applies to a whole database; " +
			"indicators of archived databases are found only with their database",
	},
}

// ghoOffices are the rows of the kind "gho".
var ghoOffices = []Office{
	{
		ID: "who", Name: "World Health Organization", Kind: "gho",
		Sample:  "WHOSIS_000001",
		Address: "https://ghoapi.azureedge.net/api", Website: "https://www.who.int/data/gho",
		Check:  Interval(24 * time.Hour),
		Limits: "no key, no published limit; an indicator comes in one response",
		Quirks: "records have only codes, labels are in separate lists; the list of indicators has neither themes nor dates; " +
			"a listed indicator may have no data",
	},
}

// dbnomicsOffices are the rows of the kind "dbnomics".
var dbnomicsOffices = []Office{
	{
		ID: "dbnomics", Name: "DBnomics", Kind: "dbnomics",
		Sample:  "ECB/EXR?currency=USD&freq=A",
		Address: "https://api.db.nomics.world/v22", Website: "https://db.nomics.world",
		Check:  Interval(24 * time.Hour),
		Limits: "no key, no published limit of requests; 1,000 series per page",
		Quirks: "the source of a dataset is its provider; its date is when DBnomics imported it; " +
			"some datasets have millions of series and must be fetched in parts: CEPII/CHELEM-TRADE-CHEL?exporter=FRA",
	},
}

// jsonstatOffices are the rows of the kind "jsonstat".
var jsonstatOffices = []Office{
	{
		ID: "cso", Name: "Central Statistics Office", Kind: "jsonstat", Country: "IE",
		Sample:   "NQQ25",
		Address:  "https://ws.cso.ie/public/api.restful",
		Website:  "https://data.cso.ie",
		Contents: "https://ws.cso.ie/public/api.restful/PxStat.Data.Cube_API.ReadCollection",
		Data:     "https://ws.cso.ie/public/api.restful/PxStat.Data.Cube_API.ReadDataset/{code}/JSON-stat/2.0/en",
		Check:    Interval(6 * time.Hour),
		Limits:   "None stated. A dataset comes as a whole.",
		Quirks:   "The list of contents is one response of many megabytes, with the dimensions of each dataset. Codes are those of the tables: NQQ25, CPM01.",
	},
	{
		ID: "nisra", Name: "NISRA", Kind: "jsonstat", Country: "UKN",
		Address:  "https://ws-data.nisra.gov.uk/public/api.restful",
		Website:  "https://data.nisra.gov.uk",
		Contents: "https://ws-data.nisra.gov.uk/public/api.restful/PxStat.Data.Cube_API.ReadCollection",
		Data:     "https://ws-data.nisra.gov.uk/public/api.restful/PxStat.Data.Cube_API.ReadDataset/{code}/JSON-stat/2.0/en",
		Limits:   "None stated for these addresses. A dataset comes as a whole.",
		Quirks:   "Northern Ireland; the same software as the Irish office.",
	},
}
