package stattest

// Multilingual is a dataset with texts in several languages.
type Multilingual struct {
	Name      string
	Files     []string // in the order of import, as for [Sample]
	Languages []string // that of responses without a choice first
	Labels    int      // at least, in all languages, that are in the files and that the service shows
}

// MultilingualDatasets returns the datasets among the offices' files that have texts in several
// languages.
func MultilingualDatasets() []Multilingual {
	return []Multilingual{
		{"Switzerland", []string{"px/bfs/px-x-0602000000_107.px"}, []string{"en", "de", "fr", "it"}, 130},
		{"Greenland, education", []string{"px/greenland/SOXATI4.px"}, []string{"en", "da", "kl"}, 60},
		{"Greenland, population", []string{"px/greenland/BEXSTA_windows_1252.px"}, []string{"en", "da", "kl"}, 60},
		{"Finland", []string{"px/statfin/perheet-LargeFinnishDatasetWithManyValues.px"}, []string{"en", "fi", "sv"}, 900},
		{"Sweden", []string{"px/scb/BE0101F1langensvfiolikacelln.px"}, []string{"en", "fi", "sv"}, 20},
		{"Sweden, land use", []string{"px/scb/TAB005-land-use.px"}, []string{"en", "sv"}, 25},
		{"Sweden, citizenship", []string{"px/scb/TAB002-eurostat-by-citizenship.px"}, []string{"en", "sv"}, 60},
		{"Ukraine", []string{"../data-more/px-07A01/07A01_02.px"}, []string{"en", "uk"}, 0},
		{"Eurostat, accounts", []string{"eurostat/sdmx-ml/nama_10_fcs.sdmx.zip"}, []string{"en", "de", "fr"}, 150},
		{"Eurostat, energy", []string{"eurostat/sdmx-ml/NRG_BAL_S-dsd.xml", "eurostat/sdmx-ml/NRG_BAL_S-data.xml"}, []string{"en", "de", "fr"}, 10},
		{"OECD, main indicators", []string{"oecd/oecd-mei-datastructure-2.0.xml", "oecd/oecd-mei-data-generic.xml"}, []string{"en", "fr"}, 6},
		{"OECD", []string{"../data-more/oecd-gdp/structure.xml", "../data-more/oecd-gdp/data.csv"}, []string{"en", "ar", "fr", "he"}, 150},
		{"UNICEF", []string{"../recordings/answers/unicef-cme-dsd.xml", "unicef/CME_MRY0T4_all_2020.csv"}, []string{"en", "ar", "es", "fr", "ru", "zh"}, 1000},
		{"ILO", []string{"../recordings/answers/ilo-cl.xml", "ilo/EAR_4MTH_SEX_GEO_CUR_NB_A.csv"}, []string{"en", "es", "fr"}, 12},
		{"Canada", []string{"statcan/34100158.zip"}, []string{"en", "fr"}, 0},
		{"France, production", []string{"insee/insee-datastructure-2.1.xml", "insee/insee-data-generic-2.1.xml"}, []string{"en", "fr"}, 20},
		{"France, consumption", []string{"../recordings/answers/insee-cna-structure.xml", "../data-more/sdmx-CNA-2010-CONSO-SI-A17/CNA-2010-CONSO-SI-A17.xml"}, []string{"en", "fr"}, 4},
	}
}
