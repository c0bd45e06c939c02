package pxweb

import (
	"time"

	"almanac/internal/source"
)

// Offices are the rows of the kind "pxweb". Limits is for people only: the
// client requests the limits from the server (config). Country is the area of
// tables without a variable for areas, because all are about one country.
var Offices = []source.Office{
	{
		ID: "scb", Name: "Statistics Sweden", Kind: "pxweb", Version: "2", Country: "SE",
		Address: "https://statistikdatabasen.scb.se/api/v2", Website: "https://www.scb.se",
		Data:   "https://api.scb.se/OV0104/v1/doris/en/ssd/{code}",
		Limits: "150,000 cells per response, 30 requests in 10 seconds",
		Quirks: "An ID (TAB638) is requested by version 2, a path (BE/BE0101/BE0101A/BefolkningNy) by version 1; they are two datasets. New figures appear at 8:00.",
	},
	{
		ID: "ssb", Name: "Statistics Norway", Kind: "pxweb", Version: "2", Country: "NO",
		Address: "https://data.ssb.no/api/pxwebapi/v2", Website: "https://www.ssb.no",
		Data:   "https://data.ssb.no/api/v0/en/table/{code}",
		Limits: "800,000 cells per response, 30 requests per minute",
		Quirks: "Tables have numbers (05810). MATRIX in the files is the first measure, not the table. New figures appear at 8:00.",
	},
	{
		ID: "statfin", Name: "Statistics Finland", Kind: "pxweb", Country: "FI",
		Address: "https://pxdata.stat.fi/PXWeb/api/v1/en/StatFin", Website: "https://stat.fi",
		Limits: "120,000 cells per response, 40 requests in 60 seconds",
		Quirks: "One folder per subject, with its tables: kuol/12af.px. Names of before June 2026, kuol/statfin_kuol_pxt_12af.px, are answered with 400 Bad Request.",
	},
	{
		ID: "stat-ee", Name: "Statistics Estonia", Kind: "pxweb", Country: "EE",
		Address: "https://andmed.stat.ee/api/v1/en/stat", Website: "https://www.stat.ee",
		Limits: "1,000,000 cells per response, 10 requests in 10 seconds",
	},
	{
		ID: "statice", Name: "Statistics Iceland", Kind: "pxweb", Country: "IS",
		Address: "https://px.hagstofa.is/pxen/api/v1/en", Website: "https://www.statice.is",
		Limits: "10,000 cells per response, 30 requests per second",
		Quirks: "Several databases; the first folder is the database. Codes of variables are their Icelandic names.",
	},
	{
		ID: "statgl", Name: "Statistics Greenland", Kind: "pxweb", Country: "GL",
		Address: "https://bank.stat.gl/api/v1/en/Greenland", Website: "https://stat.gl",
		Limits: "10,000 cells per response, 30 requests per second",
		Quirks: "Titles contain markup. Names in capitals end in .PX.",
	},
	{
		ID: "bfs", Name: "Swiss Federal Statistical Office", Kind: "pxweb", Country: "CH",
		Address: "https://www.pxweb.bfs.admin.ch/api/v1/en", Website: "https://www.bfs.admin.ch",
		Limits: "5,000 cells per response, 10 requests in 10 seconds",
		Quirks: "Each table is a database of its own: px-x-0602000000_107/px-x-0602000000_107.px. A list takes a request for each, some minutes in all; --under with a table's name takes one. Codes of variables are their German names.",
	},
	{
		ID: "nordic", Name: "Nordic Statistics database", Kind: "pxweb",
		Address: "https://pxweb.nordicstatistics.org/api/v1/en/Nordic%20Statistics", Website: "https://www.nordicstatistics.org",
		Limits: "1,000 cells per response, 10 requests in 10 seconds",
	},
	{
		ID: "hagstova", Name: "Statistics Faroe Islands", Kind: "pxweb", Country: "FO",
		Address: "https://statbank.hagstova.fo/api/v1/en/H2", Website: "https://hagstova.fo",
		Limits: "100,000 cells per response",
	},
	{
		ID: "asub", Name: "Statistics Åland", Kind: "pxweb", Country: "AX",
		Address: "https://pxweb.asub.ax/PXWeb/api/v1/en/Statistik", Website: "https://www.asub.ax",
		Limits: "1,000 cells per response, 10 requests in 10 seconds",
	},
	{
		ID: "luke", Name: "Natural Resources Institute Finland", Kind: "pxweb", Country: "FI",
		Address: "https://statdb.luke.fi/PXWeb/api/v1/en/LUKE", Website: "https://www.luke.fi",
		Limits: "10,000 cells per response, 30 requests per second",
	},
	{
		ID: "csp", Name: "Central Statistical Bureau of Latvia", Kind: "pxweb", Version: "2", Country: "LV", Untried: true,
		Address: "https://api.stat.gov.lv/api/v2", Website: "https://stat.gov.lv",
		Data:   "https://data.stat.gov.lv/api/v1/en/OSP_PUB/{code}",
		Sample: "IRS010m",
		Limits: "10,000 cells per response; 30,000 in version 1",
		Quirks: "An ID (IRS010m) is requested by version 2, a path (START/POP/IR/IRS/IRS010) by version 1; they are two datasets.",
	},
	{
		ID: "surs", Name: "Statistical Office of the Republic of Slovenia", Kind: "pxweb", Country: "SI",
		Address: "https://pxweb.stat.si/SiStatData/api/v1/en/Data", Website: "https://www.stat.si",
		Quirks: "All tables are in one folder, whose list has a megabyte. Its times of updates may be those at which the list was written.",
	},
	{
		ID: "makstat", Name: "State Statistical Office of North Macedonia", Kind: "pxweb", Country: "MK",
		Address: "https://makstat.stat.gov.mk/PXWeb/api/v1/en/MakStat", Website: "https://www.stat.gov.mk",
		Limits: "10,000 cells per response, 30 requests per second",
	},
	{
		ID: "ask", Name: "Kosovo Agency of Statistics", Kind: "pxweb", Country: "XK",
		Address: "https://askdata.rks-gov.net/api/v1/en/ASKdata", Website: "https://ask.rks-gov.net",
		Limits: "1,000 cells per response, 10 requests in 10 seconds",
		Quirks: "Tables of several subjects have the name tab01.px, so a dataset's code is the whole path. Large tables take many requests of 1,000 cells, one a second: expect some minutes.",
	},
	{
		ID: "statistica-md", Name: "National Bureau of Statistics of Moldova", Kind: "pxweb", Country: "MD",
		Address: "https://statbank.statistica.md/PxWeb/api/v1/en", Website: "https://statistica.gov.md",
		Limits: "10,000 cells per response, 30 requests per second",
		Quirks: "Several databases; the first folder is the database.",
	},
	{
		ID: "armstat", Name: "Statistical Committee of Armenia", Kind: "pxweb", Country: "AM",
		Address: "https://statbank.armstat.am/api/v1/en/ArmStatBank", Website: "https://www.armstat.am",
	},
	{
		ID: "geostat", Name: "National Statistics Office of Georgia", Kind: "pxweb", Country: "GE",
		Address: "https://pc-axis.geostat.ge/PXWeb/api/v1/en/Database", Website: "https://www.geostat.ge",
		Limits: "10,000 cells per response",
		Quirks: "The server sometimes omits the intermediate certificate. The connection is then unsafe, and the request fails.",
	},
	{
		ID: "psa", Name: "Philippine Statistics Authority", Kind: "pxweb", Country: "PH",
		Address: "https://openstat.psa.gov.ph/PXWeb/api/v1/en/DB", Website: "https://openstat.psa.gov.ph",
		Quirks: "Years, months and other periods may be separate variables.",
	},
	{
		ID: "gss", Name: "Ghana Statistical Service", Kind: "pxweb", Country: "GH",
		Address: "https://statsbank.statsghana.gov.gh/api/v1/en", Website: "https://statsghana.gov.gh",
		Quirks: "Several databases; the first folder is the database.",
	},
	{
		ID: "unece", Name: "United Nations Economic Commission for Europe", Kind: "pxweb",
		Address: "https://w3.unece.org/PXWeb2015/api/v1/en", Website: "https://w3.unece.org/PXWeb2015/pxweb/en/STAT",
		Limits: "1,000 cells per response, 10 requests in 10 seconds",
		Quirks: "Several databases; the first folder is the database.",
	},
	{
		ID: "dzs", Name: "Croatian Bureau of Statistics", Kind: "pxweb", Country: "HR", Untried: true,
		Address: "https://web.dzs.hr/PXWeb/api/v1/en", Website: "https://dzs.gov.hr",
		Quirks: "Several databases; the first folder is the database.",
	},
	{
		ID: "llv", Name: "Office of Statistics Liechtenstein", Kind: "pxweb", Country: "LI", Untried: true,
		Address: "https://etab.llv.li/PXWeb/api/v1/en", Website: "https://www.statistikportal.li",
		Quirks: "Several databases; the first folder is the database.",
	},
	{
		ID: "dos-jo", Name: "Department of Statistics of Jordan", Kind: "pxweb", Country: "JO", Untried: true,
		Address: "https://jorinfo.dos.gov.jo/Databank/api/v1/en", Website: "https://dos.gov.jo",
		Quirks: "Several databases; the first folder is the database.",
	},
	{
		ID: "nso-vn", Name: "National Statistics Office of Viet Nam", Kind: "pxweb", Country: "VN", Untried: true,
		Address: "https://pxweb.nso.gov.vn/api/v1/en", Website: "https://www.nso.gov.vn",
		Quirks: "Several databases; the first folder is the database. The server may refuse requests from abroad (403).",
	},
	{
		ID: "irena", Name: "International Renewable Energy Agency", Kind: "pxweb", Untried: true,
		Address: "https://pxweb.irena.org/api/v1/en", Website: "https://www.irena.org",
		Quirks: "Several databases; the first folder is the database.",
	},
	{
		ID: "nhwstat", Name: "Nordic Health and Welfare Statistics", Kind: "pxweb", Untried: true,
		Address: "https://pxweb.nhwstat.org/Prod/api/v1/en", Website: "https://nhwstat.org",
		Quirks: "Several databases; the first folder is the database.",
	},
	{
		ID: "tai", Name: "National Institute for Health Development", Kind: "pxweb", Country: "EE", Untried: true,
		Address: "https://statistika.tai.ee/api/v1/en", Website: "https://www.tai.ee",
		Quirks: "Several databases; the first folder is the database.",
	},
	{
		ID: "konj", Name: "National Institute of Economic Research", Kind: "pxweb", Country: "SE", Untried: true,
		Address: "https://statistik.konj.se/PXWeb/api/v1/en", Website: "https://www.konj.se",
		Quirks: "Several databases; the first folder is the database.",
	},
	{
		ID: "etk", Name: "Finnish Centre for Pensions", Kind: "pxweb", Country: "FI", Untried: true,
		Address: "https://tilastot.etk.fi/api/v1/en", Website: "https://www.etk.fi",
		Quirks: "Several databases; the first folder is the database.",
	},
}

// wholePaths are offices with tables of the same name in several folders
// (tab01.px), so that only the whole path identifies a table.
var wholePaths = map[string]bool{"ask": true}

// StatbankOffices are the rows of the kind "statbank".
var StatbankOffices = []source.Office{
	{
		ID: "dst", Name: "Statistics Denmark", Kind: "statbank", Country: "DK", Untried: true,
		Address: "https://api.statbank.dk/v1", Website: "https://www.statbank.dk",
		Cells: 1_000_000, Check: source.Interval(24 * time.Hour), Sample: "FOLK1A",
		Limits: "1,000,000 cells per response",
		Quirks: "Tables have short names: FOLK1A. The list states when each was updated. New figures appear at 8:00.",
	},
}
