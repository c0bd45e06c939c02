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
}
