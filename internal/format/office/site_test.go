package office

import "testing"

// Each source of the lists of datasets has its own page for a dataset, if the scheme of its addresses is known,
// and the site of its office else.
func TestDatasetPage(t *testing.T) {
	const none = ""
	for _, c := range []struct{ source, code, theme, page, site string }{
		{"abs", "LF_AGES", "", none, "https://www.abs.gov.au"},
		{"bis", "WS_EER", "", "https://data.bis.org/topics/EER", "https://data.bis.org"},
		{"bis", "WS_SPP", "", "https://data.bis.org/topics/RPP", "https://data.bis.org"},
		{"bis", "WS_CPMI_CT2", "", none, "https://data.bis.org"},
		{"destatis", "12411-0001", "", "https://www-genesis.destatis.de/datenbank/online/statistic/12411/table/12411-0001", "https://www.destatis.de"},
		{"destatis_cubes", "62111B4011", "", none, "https://www.destatis.de"},
		{"destatis_regional", "12411-01-01-4", "", "https://www.regionalstatistik.de/genesis/online?operation=table&code=12411-01-01-4", "https://www.regionalstatistik.de"},
		{"destatis_regional", "AI002-2", "", "https://www.regionalstatistik.de/genesis/online?operation=table&code=AI002-2", "https://www.regionalstatistik.de"},
		{"destatis_zensus", "1000A-1029", "", "https://ergebnisse.zensus2022.de/datenbank/online/table/1000A-1029", "https://ergebnisse.zensus2022.de"},
		{"ecb", "EXR", "", "https://data.ecb.europa.eu/data/datasets/EXR", "https://data.ecb.europa.eu"},
		{"eurostat", "NAMA_10_GDP", "", "https://ec.europa.eu/eurostat/databrowser/product/view/nama_10_gdp", "https://ec.europa.eu/eurostat"},
		{"eurostat", "nrg_bal_s$dv_512", "", "https://ec.europa.eu/eurostat/databrowser/product/view/nrg_bal_s", "https://ec.europa.eu/eurostat"},
		{"eurostat", "tps00001", "", "https://ec.europa.eu/eurostat/databrowser/product/view/tps00001", "https://ec.europa.eu/eurostat"},
		{"eurostat", "tipsbp100", "", "https://ec.europa.eu/eurostat/databrowser/product/view/tipsbp100", "https://ec.europa.eu/eurostat"},
		{"eurostat", "TAB002", "", "", "https://ec.europa.eu/eurostat"},
		{"faostat", "QC-226", "", none, "https://www.fao.org/faostat"},
		{"fred", "DCOILBRENTEU", "", "https://fred.stlouisfed.org/series/DCOILBRENTEU", "https://fred.stlouisfed.org"},
		{"fred-api", "UNRATE", "", "https://fred.stlouisfed.org/series/UNRATE", "https://fred.stlouisfed.org"},
		{"ilo", "DF_ILR_CBCT_NOC_RT", "", none, "https://ilostat.ilo.org"},
		{"imf", "WEO:GGXWDG", "", none, "https://data.imf.org"},
		{"imf-datamapper", "NGDP_RPCH", "", "https://www.imf.org/external/datamapper/NGDP_RPCH", "https://data.imf.org"},
		{"ine", "IPV949", "", "https://www.ine.es/consul/serie.do?d=true&s=IPV949", "https://www.ine.es"},
		{"ine", "4206", "", "https://www.ine.es/jaxiT3/Tabla.htm?t=4206", "https://www.ine.es"},
		{"insee", "IPI-1995-NAF700", "", none, "https://www.insee.fr"},
		{"istat", "22_289_DF_DCIS_POPRES1_7", "", none, "https://www.istat.it"},
		{"oecd", "DSD_NAAG@DF_NAAG_III_GFCF", "", none, "https://data-explorer.oecd.org"},
		{"oecd", "OECD.CFE.EDS,DSD_FUA_DEMO@DF_AGE_SEX", "", "https://data-explorer.oecd.org/vis?df[ds]=dsDisseminateFinalDMZ&df[id]=DSD_FUA_DEMO@DF_AGE_SEX&df[ag]=OECD.CFE.EDS&df[vs]=", "https://data-explorer.oecd.org"},
		{"owid", "life-expectancy", "", "https://ourworldindata.org/grapher/life-expectancy", "https://ourworldindata.org"},
		{"owid", "5332.60", "", none, "https://ourworldindata.org"},
		{"scb", "TAB6458", "", none, "https://www.scb.se"},
		{"statcan", "36100434", "", "https://www150.statcan.gc.ca/t1/tbl1/en/tv.action?pid=3610043401", "https://www.statcan.gc.ca"},
		{"unesco", "NAR_2_F_LPIA", "", none, "https://uis.unesco.org"},
		{"unicef", "CME_TMY0", "", none, "https://data.unicef.org"},
		{"unsdg", "ER_WAT_PART", "", none, "https://unstats.un.org"},
		{"who", "HRH_26", "", none, "https://www.who.int/data/gho"},
		{"worldbank", "SP.POP.TOTL", "Climate Change; Health; World Development Indicators", "https://data.worldbank.org/indicator/SP.POP.TOTL", "https://data.worldbank.org"},
		{"worldbank", "SP.POP.TOTL", "World Development Indicators / Health", "https://data.worldbank.org/indicator/SP.POP.TOTL", "https://data.worldbank.org"},
		{"worldbank", "UIS.SLE.1.F", "Education Statistics", none, "https://data.worldbank.org"},
		{"worldbank", "AG.LND.EL5M.ZS", "WDI Database Archives", none, "https://data.worldbank.org"},
		{"nobody", "X", "", none, none},
	} {
		if page, site := DatasetPage(c.source, c.code, c.theme), Site(c.source); page != c.page || site != c.site {
			t.Errorf("%s, %s, %q: page %q of site %q, want %q of %q", c.source, c.code, c.theme, page, site, c.page, c.site)
		}
	}
}
