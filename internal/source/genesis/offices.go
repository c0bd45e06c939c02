package genesis

import "almanac/internal/source"

// Offices are the rows of the kind "genesis".
var Offices = []source.Office{
	{
		ID: "destatis", Name: "Statistisches Bundesamt", Kind: "genesis", Country: "DE", Untried: true,
		Address: "https://www-genesis.destatis.de/genesisWS/rest/2020", Website: "https://www-genesis.destatis.de",
		Key:    &source.Key{Header: "username", Password: "password", From: "https://www-genesis.destatis.de"},
		Limits: "Tables that are too large are prepared first, for accounts with a password only; otherwise fetch a part, as in 12411-0015?startyear=2015.",
		Quirks: "The key is the token of your account, or its name and password, as NAME:PASSWORD. Tables are fetched as flat CSV (ffcsv). The list has no times of updates.",
	},
	{
		ID: "regionalstatistik", Name: "Statistische Ämter des Bundes und der Länder", Kind: "genesis", Country: "DE", Untried: true,
		Address: "https://www.regionalstatistik.de/genesisws/rest/2020", Website: "https://www.regionalstatistik.de",
		Key:    &source.Key{Header: "username", Password: "password", From: "https://www.regionalstatistik.de"},
		Quirks: "The regional database of the German offices: Kreise and municipalities. Large tables: 12411-01-01-4?regionalkey=09*.",
	},
	{
		ID: "zensus2022", Name: "Zensus 2022", Kind: "genesis", Country: "DE", Untried: true,
		Address: "https://ergebnisse.zensus2022.de/api/rest/2020", Website: "https://ergebnisse.zensus2022.de",
		Key:    &source.Key{Header: "username", Password: "password", From: "https://ergebnisse.zensus2022.de"},
		Quirks: "The census of 2022: 1000A-0000.",
	},
	{
		ID: "it-nrw", Name: "Statistisches Landesamt Nordrhein-Westfalen", Kind: "genesis", Country: "DE", Untried: true,
		Address: "https://www.landesdatenbank.nrw.de/ldbnrwws/rest/2020", Website: "https://www.landesdatenbank.nrw.de",
		Key: &source.Key{Header: "username", Password: "password", From: "https://www.landesdatenbank.nrw.de"},
	},
}
