package sdmx

import (
	"time"

	"almanac/internal/source"
)

// Media types to request. Structure-specific XML states the attributes of a series
// once, SDMX-CSV in each line. XML is therefore better for central banks, whose
// series are long and have many attributes.
const (
	mediaCSV      = "application/vnd.sdmx.data+csv;version=1.0.0"
	mediaSpecific = "application/vnd.sdmx.structurespecificdata+xml;version=2.1"
	mediaGeneric  = "application/vnd.sdmx.genericdata+xml;version=2.1"
)

// Offices are the rows of the kind "sdmx". Without Accept, SDMX-CSV is requested
// first.
var Offices = []source.Office{
	{
		ID: "oecd", Name: "OECD", Kind: "sdmx", Address: "https://sdmx.oecd.org/public/rest", Website: "https://data-explorer.oecd.org",
		Sample: "OECD.SDD.STES,DSD_STES@DF_CLI/USA.M.LI...AA...H",
		Pause:  source.Interval(2 * time.Second), DataPause: source.Interval(time.Minute),
		Limits: "60 data downloads per hour; clients that exceed the limit are blocked for a time. No access through VPNs.",
		Quirks: "Dataflows belong to the directorates' agencies, so a code begins with one: OECD.SDD.NAD,DSD_NAMAIN1@DF_QNA. The last observations of very large dataflows are refused (413).",
	},
	{
		ID: "ecb", Name: "European Central Bank", Kind: "sdmx", Address: "https://data-api.ecb.europa.eu/service", Website: "https://data.ecb.europa.eu",
		Sample: "EXR/M.USD.EUR.SP00.A",
		Agency: "ECB", Accept: mediaSpecific + ", " + mediaGeneric + ", text/csv",
		Quirks: "Its CSV is not SDMX-CSV and is requested as text/csv.",
	},
	{
		ID: "imf", Name: "International Monetary Fund", Kind: "sdmx", Address: "https://api.imf.org/external/sdmx/2.1", Website: "https://data.imf.org",
		Sample: "IMF.STA,CPI/USA.CPI._T.IX.A",
		Accept: mediaCSV + ", text/csv, " + mediaSpecific + ", " + mediaGeneric,
		Limits: "Responses that are too large are refused with 413, sometimes with 500.",
		Quirks: "Dataflows belong to the departments' agencies: IMF.RES,WEO. The answer for what is not there is 204, without content.",
	},
	{
		ID: "bis", Name: "Bank for International Settlements", Kind: "sdmx", Address: "https://stats.bis.org/api/v1", Website: "https://data.bis.org",
		Sample: "WS_CBPOL/M.CH",
		Agency: "BIS", Accept: mediaSpecific + ", " + mediaCSV + ", " + mediaGeneric,
	},
	{
		ID: "ilo", Name: "International Labour Organization", Kind: "sdmx", Address: "https://sdmx.ilo.org/rest", Website: "https://ilostat.ilo.org",
		Agency: "ILO", Accept: mediaSpecific + ", " + mediaGeneric + ", " + mediaCSV,
		Quirks: "One dataflow per indicator, over a thousand of them. Now and then the server refuses all requests (403) for an hour or two; Almanac then pauses.",
	},
	{
		ID: "unicef", Name: "UNICEF", Kind: "sdmx", Address: "https://sdmx.data.unicef.org/ws/public/sdmxapi/rest", Website: "https://data.unicef.org",
		Accept: mediaCSV + ", " + mediaSpecific + ", " + mediaGeneric,
		Quirks: "Some dataflows belong to regional agencies. In an address, format=csv selects CSV.",
	},
	{
		ID: "istat", Name: "Istat", Kind: "sdmx", Address: "https://esploradati.istat.it/SDMXWS/rest", Website: "https://esploradati.istat.it",
		Sample: "47_850",
		Agency: "IT1", Language: "it", Pause: source.Interval(15 * time.Second),
		Contents: "https://esploradati.istat.it/SDMXWS/rest/dataflow/IT1/all/latest",
		Limits:   "Five requests per minute; clients that exceed the limit are blocked for a day or two.",
		Quirks:   "The full list of dataflows states when each was updated, so unchanged ones are not requested. endPeriod returns one year more than it states. A request for too much fails with 500.",
	},
	{
		ID: "insee", Name: "INSEE", Kind: "sdmx", Address: "https://bdm.insee.fr/series/sdmx", Website: "https://www.insee.fr",
		Sample: "IPI-2010-A21",
		Agency: "FR1", Language: "fr", Accept: mediaSpecific + ", " + mediaGeneric, Country: "FR",
		Limits: "Responses that are too large are refused with 413, as for whole dataflows such as IPC-2015.",
		Quirks: "Returns structure-specific XML by default. Some code lists of a structure are empty.",
	},
	{
		ID: "abs", Name: "Australian Bureau of Statistics", Kind: "sdmx", Address: "https://data.api.abs.gov.au/rest", Website: "https://www.abs.gov.au",
		Agency: "ABS", Country: "AU",
	},
	{
		ID: "statcan", Name: "Statistics Canada", Kind: "sdmx", Address: "https://www150.statcan.gc.ca/t1/wds/rest", Website: "https://www150.statcan.gc.ca",
		Sample:  "34100158",
		Version: cubesVersion, Country: "CA",
		Quirks: "No SDMX service for whole tables: each has an archive of messages, whose address must be requested. The list of tables states when each was released.",
	},
	{
		ID: "norges-bank", Name: "Norges Bank", Kind: "sdmx", Address: "https://data.norges-bank.no/api", Website: "https://www.norges-bank.no",
		Sample: "EXR/A.USD.NOK.SP",
		Agency: "NB", Accept: mediaGeneric + ", " + mediaSpecific, Country: "NO",
		Quirks: "Its CSV has semicolons and is not SDMX-CSV.",
	},
	{
		ID: "bundesbank", Name: "Deutsche Bundesbank", Kind: "sdmx", Address: "https://api.statistiken.bundesbank.de/rest", Website: "https://www.bundesbank.de",
		Sample: "BBSIS/D.I.ZST.ZI.EUR.S1311.B.A604.R10XX.R.A.A._Z._Z.A",
		Agency: "BBK", Accept: mediaSpecific + ", " + mediaGeneric, Country: "DE", Language: "de",
		Contents: "https://api.statistiken.bundesbank.de/rest/metadata/dataflow/BBK",
		Data:     "https://api.statistiken.bundesbank.de/rest/data/{code}",
		Quirks:   "Structures are below /metadata and are requested without a version. The address of all series has no key, not even all. BBK01 has no structure and needs a key. 413 may mean that a response is being prepared; Almanac then waits before it splits the request.",
	},
	{
		ID: "nbb", Name: "National Bank of Belgium", Kind: "sdmx", Address: "https://nsidisseminate-stat.nbb.be/rest", Website: "https://dataexplorer.nbb.be",
		Country: "BE",
	},
	{
		ID: "statec", Name: "STATEC", Kind: "sdmx", Address: "https://lustat.statec.lu/rest", Website: "https://lustat.statec.lu",
		Language: "fr", Country: "LU",
	},
	{
		ID: "stats-swiss", Name: "Swiss Federal Statistical Office", Kind: "sdmx", Address: "https://disseminate.stats.swiss/rest", Website: "https://stats.swiss",
		Language: "de", Country: "CH",
		Quirks: "The office's newer service; most tables are still on its PxWeb server.",
	},
	{
		ID: "stat-lt", Name: "State Data Agency of Lithuania", Kind: "sdmx", Address: "https://osp-rs.stat.gov.lt/rest_xml", Website: "https://osp.stat.gov.lt",
		Accept: mediaGeneric + ", application/xml", Language: "lt", Country: "LT",
		Contents: "https://osp-rs.stat.gov.lt/rest_xml/dataflow",
		Data:     "https://osp-rs.stat.gov.lt/rest_xml/data/{code}",
		Quirks:   "The media type is application/force-download. Code lists are not available separately. JSON is on another server, rest_json.",
	},
	{
		ID: "ukrstat", Name: "State Statistics Service of Ukraine", Kind: "sdmx", Address: "https://stat.gov.ua/sdmx/workspaces/default:integration/registry/sdmx/2.1", Website: "https://stat.gov.ua",
		Agency: "SSSU", Language: "uk", Country: "UA", Pause: source.Interval(3 * time.Second),
		Data:   "https://stat.gov.ua/sdmx/workspaces/default:integration/registry/sdmx/2.1/data/{code}",
		Quirks: "A key with empty positions fails with 404, so parts are requested by years only. The server often refuses requests from abroad (403, as a web page): Almanac then pauses, for up to six hours.",
	},
	{
		ID: "spc", Name: "Pacific Data Hub", Kind: "sdmx", Address: "https://stats-nsi-stable.pacificdata.org/rest", Website: "https://stats.pacificdata.org",
		Agency: "SPC",
	},
	{
		ID: "escap", Name: "UN ESCAP", Kind: "sdmx", Address: "https://api-dataexplorer.unescap.org/rest", Website: "https://dataexplorer.unescap.org",
	},
	{
		ID: "unsd", Name: "United Nations Statistics Division", Kind: "sdmx", Address: "https://data.un.org/ws/rest", Website: "https://data.un.org",
		Accept: mediaSpecific + ", " + mediaGeneric + ", text/csv",
		Quirks: "Dataflows belong to the agencies that provided the data: UNSD, IAEG-SDGs, ESTAT. A period without data is 404 NoRecordsFound.",
	},
	{
		ID: "wits", Name: "World Bank WITS", Kind: "sdmx", Address: "https://wits.worldbank.org/API/V1/SDMX/V21/rest", Website: "https://wits.worldbank.org",
		Accept: mediaGeneric + ", " + mediaSpecific,
		Data:   "https://wits.worldbank.org/API/V1/SDMX/V21/rest/data/{code}/",
		Quirks: "Addresses end with a slash. Made for requests with a key of country, partner, product and indicator.",
	},
	{
		ID: "inegi", Name: "INEGI", Kind: "sdmx", Address: "https://sdmx.snieg.mx/ServiceV6/rest", Website: "https://www.inegi.org.mx",
		Accept: mediaSpecific + ", " + mediaGeneric, Language: "es", Country: "MX",
		Quirks: "The service of the national information system: the key indicators, not INEGI's whole database.",
	},
	{
		ID: "camstat", Name: "National Institute of Statistics of Cambodia", Kind: "sdmx", Address: "https://nsiws-stable-camstat-live.officialstatistics.org/rest", Website: "https://camstat.nis.gov.kh",
		Country: "KH",
	},
	{
		ID: "boi", Name: "Bank of Israel", Kind: "sdmx", Address: "https://edge.boi.gov.il/FusionEdgeServer/ws/public/sdmxapi/rest", Website: "https://www.boi.org.il",
		Accept: mediaSpecific + ", " + mediaGeneric, Country: "IL", Sample: "BOI.STATISTICS,EXR/RER_USD_ILS",
		Quirks: "The key of a series is its code: BOI.STATISTICS,EXR/RER_USD_ILS. The terms of use exclude commercial use without consent.",
	},
	{
		ID: "fbos", Name: "Fiji Bureau of Statistics", Kind: "sdmx", Address: "https://data-sdmx-disseminate.statsfiji.gov.fj/rest", Website: "https://data.statsfiji.gov.fj",
		Agency: "FBOS", Country: "FJ", Sample: "DF_BOP_TABLE1", Untried: true,
	},
	{
		ID: "sbs", Name: "Samoa Bureau of Statistics", Kind: "sdmx", Address: "https://data-sdmx-disseminate.sbs.gov.ws/rest", Website: "https://data.sbs.gov.ws",
		Agency: "SBS", Country: "WS", Sample: "DF_CPI", Untried: true,
	},
	{
		ID: "uaestat", Name: "Federal Competitiveness and Statistics Centre", Kind: "sdmx", Address: "https://releaseeuaestat.fcsc.gov.ae/rest", Website: "https://uaestat.fcsc.gov.ae",
		Agency: "FCSA", Country: "AE", Untried: true,
	},
	{
		ID: "tnso", Name: "National Statistical Office of Thailand", Kind: "sdmx", Address: "https://ns1-oshub.nso.go.th/rest", Website: "https://oshub.nso.go.th",
		Country: "TH", Untried: true,
	},
	{
		ID: "stats-nz", Name: "Stats NZ", Kind: "sdmx", Address: "https://api.data.stats.govt.nz/rest", Website: "https://www.stats.govt.nz",
		Country: "NZ", Untried: true,
		Key:    &source.Key{Header: "Ocp-Apim-Subscription-Key", From: "https://portal.apis.stats.govt.nz"},
		Quirks: "The tables of Aotearoa Data Explorer. Dataflows belong to STATSNZ.",
	},
	{
		ID: "simel", Name: "SIMEL (El Salvador)", Kind: "sdmx", Address: "https://disseminatesimel.mtps.gob.sv/rest", Website: "https://datasimel.mtps.gob.sv",
		Language: "es", Country: "SV",
	},
}
