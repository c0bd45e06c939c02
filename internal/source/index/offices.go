package index

import (
	"time"

	"almanac/internal/source"
)

// Offices are the rows of the kind "index".
var Offices = []source.Office{
	{
		ID: "faostat", Name: "FAO", Kind: "index", Untried: true,
		Address: "https://bulks-faostat.fao.org/production", Website: "https://www.fao.org/faostat",
		Contents: "https://bulks-faostat.fao.org/production/datasets_E.json",
		Index:    &source.Index{Records: "Datasets.Dataset", Code: "DatasetCode", Title: "DatasetName", Updated: "DateUpdate", Description: "DatasetDescription", Theme: "Topic", File: "FileLocation"},
		Check:    source.Interval(7 * 24 * time.Hour),
		Limits:   "None stated.",
		Quirks:   "A dataset is a domain: QCL, FBS. Each is one zip of the normalized table, of up to hundreds of megabytes unpacked.",
	},
	{
		ID: "ons", Name: "Office for National Statistics", Kind: "index", Country: "GB", Untried: true,
		Address: "https://api.beta.ons.gov.uk/v1", Website: "https://www.ons.gov.uk",
		Contents: "https://api.beta.ons.gov.uk/v1/datasets?limit=1000",
		Index: &source.Index{
			Records: "items", Code: "id", Title: "title", Updated: "last_updated", Description: "description",
			File: "links.latest_version.href", Then: "downloads.csv.href",
		},
		Limits: "120 requests in 10 seconds",
		Quirks: "The latest version of each dataset is fetched. Files are CSV with one row per observation, whose first column has a name such as v4_0.",
	},
	{
		ID: "unesco", Name: "UNESCO Institute for Statistics", Kind: "index", Untried: true,
		Address: "https://api.uis.unesco.org/api/public", Website: "https://databrowser.uis.unesco.org",
		Contents: "https://api.uis.unesco.org/api/public/definitions/indicators",
		Index: &source.Index{
			Code: "indicatorCode", Title: "name", Updated: "lastDataUpdate", Theme: "theme",
			First: "dataAvailability.timeLine.min", Last: "dataAvailability.timeLine.max",
		},
		Data:  "https://api.uis.unesco.org/api/public/data/indicators/export?format=csv&indicator={code}",
		Check: source.Interval(7 * 24 * time.Hour), Sample: "CR.1", Cells: 100_000,
		Limits: "100,000 records per response",
		Quirks: "One dataset per indicator, over five thousand of them. An unknown indicator is answered with no records.",
	},
	{
		ID: "un-sdg", Name: "United Nations Statistics Division", Kind: "index", Untried: true, Post: true,
		Address: "https://unstats.un.org/SDGAPI/v1/sdg", Website: "https://unstats.un.org/sdgs/dataportal",
		Contents: "https://unstats.un.org/SDGAPI/v1/sdg/Series/List?allreleases=false",
		Index:    &source.Index{Code: "code", Title: "description"},
		Data:     "https://unstats.un.org/SDGAPI/v1/sdg/Series/DataCSV?seriesCodes={code}",
		Check:    source.Interval(7 * 24 * time.Hour), Sample: "SI_POV_DAY1",
		Limits: "None stated.",
		Quirks: "One dataset per series of the Sustainable Development Goals. The list has no times of updates.",
	},
	{
		ID: "ibge", Name: "IBGE", Kind: "index", Country: "BR", Language: "pt", Untried: true,
		Address: "https://apisidra.ibge.gov.br", Website: "https://sidra.ibge.gov.br",
		Contents: "https://servicodados.ibge.gov.br/api/v3/agregados",
		Index:    &source.Index{Records: "agregados", Code: "id", Title: "nome"},
		Data:     "https://apisidra.ibge.gov.br/values/t/{code}/n1/all/v/all/p/all",
		Sample:   "1737",
		Limits:   "100,000 values per response",
		Quirks:   "The code is the number of a table of SIDRA: 1737, for Brazil as a whole. For other levels, write the address: https://apisidra.ibge.gov.br/values/t/6579/n3/all/v/all/p/all.",
	},
}
