package office

import (
	"slices"
	"strings"
)

// apis are the fields of offices' answers in JSON and XML, which name things in their own way.
var apis = []signature{
	// National offices.
	{office: "ibge", headings: []string{"variavel", "unidade", "localidade.id", "period", "value"},
		mapping: "dim=id:variavel, unit=unidade, geo=localidade.id:localidade.nome, period=period, value=value, ignore=*"},
	{office: "ine-pt", headings: []string{"IndicadorCod", "geocod", "geodsg", "period", "valor"},
		mapping: "dim=IndicadorCod:IndicadorDsg, geo=geocod:geodsg, dim=dim_3?:dim_3_t?, dim=dim_4?:dim_4_t?, dim=dim_5?:dim_5_t?, dim=dim_6?:dim_6_t?, " +
			"period=period, value=valor, flags=sinal_conv?, missing=x, empty=_Z, ignore=*"},
	{office: "ine", headings: []string{"COD", "Nombre", "Fecha", "FK_Periodo", "Anyo", "Valor"}, fits: hasOnly("FK_Periodo", "28"),
		mapping: "dim=COD:Nombre, period=Anyo, value=Valor, ignore=*"},
	{office: "ine", headings: []string{"COD", "Nombre", "Fecha", "FK_Periodo", "Anyo", "Valor"}, fits: hasOnly("FK_Periodo", "1 2 3 4 5 6 7 8 9 10 11 12"),
		mapping: "dim=COD:Nombre, period=Anyo+FK_Periodo, value=Valor, ignore=*"},
	// A period of a quarter would look like a month.
	{office: "inegi", headings: []string{"INDICADOR", "FREQ", "TIME_PERIOD", "OBS_VALUE", "COBER_GEO"}, fits: hasOnly("FREQ", "M 8 A 3"),
		mapping: "dim=INDICADOR, unit=UNIT?, geo=COBER_GEO, period=TIME_PERIOD, value=OBS_VALUE, flags=OBS_STATUS?, note=OBS_NOTE?, ignore=*"},
	{office: "kosis", headings: []string{"PRD_DE", "PRD_SE", "DT", "ITM_ID"}, fits: hasOnly("PRD_SE", "M A Y D"),
		mapping: "dim=ITM_ID:ITM_NM?, dim=C1?:C1_NM?, dim=C2?:C2_NM?, dim=C3?:C3_NM?, dim=C4?:C4_NM?, unit=UNIT_NM?, period=PRD_DE, value=DT, empty=_Z, ignore=*"},
	// Series of provinces too, so no office's area.
	{headings: []string{"vectorId", "refPer", "value", "scalarFactorCode", "frequencyCode"},
		mapping: "dim=productId, dim=vectorId, dim=scalarFactorCode, period=refPer, value=value, ignore=*"},
	// United Nations Comtrade: the numbers of countries are its own.
	{office: "comtrade", headings: []string{"typeCode", "reporterCode", "flowCode", "cmdCode", "primaryValue"},
		mapping: "geo=reporterCode:reporterDesc, dim=partnerCode:partnerDesc, dim=partner2Code?:partner2Desc?, dim=flowCode:flowDesc, dim=cmdCode:cmdDesc, " +
			"dim=customsCode?:customsDesc?, dim=motCode?:motDesc?, period=period, value=primaryValue, value=netWgt?, value=qty?, ignore=*"},
	// The World Bank's databank and the IMF's bulk files, saved as workbooks too.
	{office: "imf", headings: []string{"Country Name", "Country Code", "Indicator Name", "Indicator Code", "Attribute"}},
	{office: "worldbank", headings: []string{"Country Name", "Country Code", "Indicator Name", "Indicator Code"}},
	// Central banks: series.
	{office: "bcb", headings: []string{"cotacaoCompra", "cotacaoVenda", "dataHoraCotacao"},
		mapping: "period=dataHoraCotacao, value=cotacaoCompra, value=cotacaoVenda, ignore=*"},
	{office: "bdf", headings: webstatFields, mapping: webstatMapping, fits: func(p Page) bool {
		return p.allBelow(p.headings("series_key"), "series_key", func(key string) bool { return strings.Contains(key, ".FR.") })
	}},
	{headings: webstatFields, mapping: webstatMapping},
	{office: "bank-of-japan", headings: []string{"SERIES_CODE", "SURVEY_DATES", "VALUES"},
		mapping: "dim=SERIES_CODE:NAME_OF_TIME_SERIES?, unit=UNIT?, period=SURVEY_DATES, value=VALUES, ignore=*"},
	{office: "banxico", headings: []string{"idSerie", "titulo", "fecha", "dato"},
		mapping: "dim=idSerie:titulo, period=fecha, value=dato, missing=N/E, dates=day-first, ignore=*"},
	{office: "bcch", headings: []string{"seriesId", "indexDateString", "value", "statusCode"},
		mapping: "dim=seriesId:descripEsp?, period=indexDateString, value=value, missing=NaN, dates=day-first, ignore=*"},
	{office: "bcch", headings: []string{"indexDateString", "value", "statusCode"},
		mapping: "period=indexDateString, value=value, missing=NaN, dates=day-first, ignore=*"},
	{office: "bcrp", headings: []string{"series.name", "periods.name", "values"},
		mapping: "dim=series.name, period=periods.name, value=values, missing=n.d., ignore=*"},
	{office: "bok", headings: []string{"STAT_CODE", "ITEM_CODE1", "TIME", "DATA_VALUE"},
		mapping: "dim=STAT_CODE:STAT_NAME?, dim=ITEM_CODE1:ITEM_NAME1?, dim=ITEM_CODE2?:ITEM_NAME2?, dim=ITEM_CODE3?:ITEM_NAME3?, unit=UNIT_NAME?, " +
			"period=TIME, value=DATA_VALUE, empty=_Z, ignore=*"},
	// Central banks: exchange rates, with the amount of the currency that they are for.
	{office: "bnr", headings: []string{"OrigCurrency", "date", "currency", "Rate"},
		mapping: "dim=currency, dim=multiplier?, unit=OrigCurrency, period=date, value=Rate, empty=1, ignore=*"},
	{office: "tcmb", headings: []string{"Tarih", "Kod", "Unit", "ForexBuying", "ForexSelling"},
		mapping: "dim=Kod:CurrencyName, dim=Unit, period=Tarih, value=ForexBuying, value=ForexSelling, value=BanknoteBuying?, value=BanknoteSelling?, " +
			"value=CrossRateUSD?, value=CrossRateOther?, dates=day-first, ignore=*"},
	{office: "cbr", headings: []string{"Date", "CharCode", "Nominal", "Value"},
		mapping: "dim=CharCode:Valute.Name?, dim=Nominal, period=Date, value=Value, ignore=*"},
	{office: "danmarks-nationalbank", headings: []string{"refcur", "id", "code", "desc", "rate"},
		mapping: "dim=code:desc, unit=refcur, period=id, value=rate, ignore=*"},
	{office: "mnb", headings: []string{"date", "unit", "curr", "Rate"},
		mapping: "dim=curr, dim=unit, period=date, value=Rate"},
	{office: "cnb", headings: []string{"datum", "kod", "mnozstvi", "kurz"},
		mapping: "dim=kod:mena, dim=mnozstvi, period=datum, value=kurz, dates=day-first, ignore=*"},
	{office: "nbp", headings: []string{"EffectiveDate", "Currency", "Code", "Mid"},
		mapping: "dim=Code:Currency, period=EffectiveDate, value=Mid, ignore=*"},
	{office: "nbu", headings: []string{"r030", "txt", "rate", "cc", "exchangedate"},
		mapping: "dim=cc:txt, period=exchangedate, value=rate, dates=day-first, ignore=*"},
	{office: "hnb", headings: []string{"datum_primjene", "valuta", "kupovni_tecaj", "srednji_tecaj", "prodajni_tecaj"},
		mapping: "dim=valuta, dim=jedinica?, period=datum_primjene, value=kupovni_tecaj, value=srednji_tecaj, value=prodajni_tecaj, ignore=*"},
	{office: "bam", headings: []string{"libDevise", "uniteDevise", "achatClientele", "venteClientele", "date"},
		mapping: "dim=libDevise, dim=uniteDevise, period=date, value=achatClientele, value=venteClientele, ignore=*"},
}

// The columns of the portal Webstat, with keys of the series of all countries.
var webstatFields = []string{"dataset_id", "series_key", "title_fr", "time_period", "obs_value"}

const webstatMapping = "dim=series_key:title_en?, period=time_period, value=obs_value, flags=obs_status?, ignore=*"

// hasOnly returns a check that a column has no other values than some words.
func hasOnly(heading, words string) func(Page) bool {
	return func(p Page) bool {
		return p.allBelow(p.headings(heading), heading, func(cell string) bool { return slices.Contains(strings.Fields(words), cell) })
	}
}
