package office

// apis are the fields of offices' answers in JSON and XML, which name things in their own way.
var apis = []signature{
	// National offices.
	{office: "ibge", headings: []string{"id", "variavel", "unidade", "localidade.id", "localidade.nome", "period", "value"},
		mapping: "dim=id:variavel, unit=unidade, geo=localidade.id:localidade.nome, period=period, value=value, zero=-, missing=X, empty=_Z, dim=*"},
	{office: "ine-pt", headings: []string{"IndicadorCod", "geocod", "geodsg", "period", "valor"},
		mapping: "dim=IndicadorCod:IndicadorDsg, geo=geocod:geodsg, dim=dim_3?:dim_3_t?, dim=dim_4?:dim_4_t?, dim=dim_5?:dim_5_t?, dim=dim_6?:dim_6_t?, " +
			"period=period, value=valor, flags=sinal_conv?, missing=x, empty=_Z, ignore=*"},
	{office: "ine", headings: []string{"Territorio", "unidad", "periodo", "Valor"}, area: "Territorio"},
	{office: "ine", headings: []string{"COD", "Nombre", "periodo", "Valor"}, mapping: "dim=COD:Nombre, period=periodo, value=Valor"},
	// A period of a quarter would look like a month.
	{office: "inegi", headings: []string{"INDICADOR", "FREQ", "TIME_PERIOD", "OBS_VALUE", "COBER_GEO"}, fits: below("FREQ", `^(M|8|A|3)$`),
		mapping: "dim=INDICADOR, unit=UNIT?, geo=COBER_GEO, period=TIME_PERIOD, value=OBS_VALUE, flags=OBS_STATUS?, note=OBS_NOTE?, ignore=*"},
	{office: "kosis", headings: []string{"PRD_DE", "PRD_SE", "DT", "ITM_ID"}, fits: below("PRD_SE", `^(M|A|Y|D)$`),
		mapping: "dim=ITM_ID:ITM_NM?, dim=C1?:C1_NM?, dim=C2?:C2_NM?, dim=C3?:C3_NM?, dim=C4?:C4_NM?, unit=UNIT_NM?, period=PRD_DE, value=DT, empty=_Z, missing=-, missing=X, ignore=*"},
	// Series of provinces too, so no office's area.
	{headings: vectorFields, mapping: vectorMapping + "ignore=*, dates=months", fits: below("frequencyCode", `^(6)$`)},
	{headings: vectorFields, mapping: vectorMapping + "ignore=*, dates=quarters", fits: below("frequencyCode", `^(9)$`)},
	{headings: vectorFields, mapping: vectorMapping + "ignore=*, dates=years", fits: below("frequencyCode", `^(12)$`)},
	{headings: vectorFields, mapping: vectorMapping + "ignore=*"},
	{office: "bank-of-canada", headings: []string{"d", "series", "seriesDetail", "value"}, mapping: "dim=series:seriesDetail, period=d, value=value"},
	{office: "ons", headings: []string{"cdid", "title", "unit", "date", "value"}, mapping: "dim=cdid:title, unit=unit, period=date, value=value, empty=_Z"},
	{office: "e-stat", headings: []string{"tab_code", "cat01_code", "time_code", "value"}, fits: Page.isStatOfJapan},
	{office: "snb", headings: []string{"cubeId", "date", "value"}},
	{office: "tcmb", headings: []string{"Tarih", "UNIXTIME.$numberLong"}, mapping: "period=Tarih, value=*, ignore=UNIXTIME.$numberLong, ignore=YEARWEEK?, dates=day-first"},
	// International organisations.
	{office: "unsd", headings: []string{"series", "seriesDescription", "geoAreaCode", "geoAreaName", "TimePeriod", "value"}},
	{office: "imf", headings: []string{"@FREQ", "@REF_AREA", "@INDICATOR", "@TIME_PERIOD", "@OBS_VALUE"},
		mapping: "freq=@FREQ, geo=@REF_AREA, dim=@INDICATOR, dim=@COUNTERPART_AREA?, dim=@COUNTERPART_SECTOR?, dim=@REF_SECTOR?, dim=@UNIT_MULT?, " +
			"period=@TIME_PERIOD, value=@OBS_VALUE, flags=@OBS_STATUS?, empty=_Z, ignore=*, decimal=."},
	{office: "worldbank", headings: []string{"indicator.id", "indicator", "country.id", "country", "date", "value"},
		mapping: "geo=country.id:country, dim=indicator.id:indicator, period=date, value=value, flags=obs_status?, ignore=*"},
	// Downloads in XML of the World Bank and of data.un.org, which has them of several organisations.
	{office: "worldbank", headings: []string{"Country or Area", "Country or Area key", "Item key", "Year", "Value"},
		mapping: "geo=Country or Area key:Country or Area, dim=Item key:Item, period=Year, value=Value"},
	// United Nations Comtrade: the numbers of countries are its own.
	{office: "comtrade", headings: []string{"typeCode", "reporterCode", "flowCode", "cmdCode", "primaryValue"},
		mapping: "geo=reporterCode:reporterDesc, dim=partnerCode:partnerDesc, dim=partner2Code?:partner2Desc?, dim=flowCode:flowDesc, dim=cmdCode:cmdDesc, " +
			"dim=customsCode?:customsDesc?, dim=motCode?:motDesc?, period=period, value=primaryValue, value=cifvalue?, value=fobvalue?, value=netWgt?, value=grossWgt?, value=qty?, value=altQty?, ignore=*"},
	// The World Bank's databank and the IMF's bulk files, saved as workbooks too.
	{office: "imf", headings: []string{"Country Name", "Country Code", "Indicator Name", "Indicator Code", "Attribute"}},
	{office: "imf", headings: []string{"Country Name", "Country Code", "Indicator Name", "Indicator Code", "Time Period", "Value", "Status"}},
	{office: "worldbank", headings: []string{"Country Name", "Country Code", "Indicator Name", "Indicator Code"}},
	// Central banks: series.
	{office: "bcb", headings: []string{"cotacaoCompra", "cotacaoVenda", "dataHoraCotacao"},
		mapping: "period=dataHoraCotacao, value=cotacaoCompra, value=cotacaoVenda, ignore=*"},
	{office: "bdf", headings: webstatFields, mapping: webstatMapping, fits: below("series_key", `\.FR\.`)},
	{headings: webstatFields, mapping: webstatMapping},
	{office: "bank-of-japan", headings: []string{"SERIES_CODE", "SURVEY_DATES", "VALUES"},
		mapping: "dim=SERIES_CODE:NAME_OF_TIME_SERIES?, unit=UNIT?, period=SURVEY_DATES, value=VALUES, ignore=*"},
	{office: "banxico", headings: []string{"idSerie", "titulo", "fecha", "dato"},
		mapping: "dim=idSerie:titulo, period=fecha, value=dato, missing=N/E, dates=day-first, ignore=*"},
	{office: "bcch", headings: []string{"seriesId", "indexDateString", "value", "statusCode"},
		mapping: "dim=seriesId:descripEsp?, period=indexDateString, value=value, missing=NaN, dates=day-first, ignore=*"},
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
		mapping: `dim=CharCode:Valute.Name?, dim=Nominal, period=Date, value=Value, ignore=*, decimal=","`},
	{office: "danmarks-nationalbank", headings: []string{"refcur", "id", "code", "desc", "rate"},
		mapping: "dim=code:desc, unit=refcur, period=id, value=rate, ignore=*"},
	{office: "mnb", headings: []string{"date", "unit", "curr", "Rate"},
		mapping: `dim=curr, dim=unit, period=date, value=Rate, decimal=","`},
	{office: "cnb", headings: []string{"datum", "kod", "mnozstvi", "kurz"},
		mapping: `dim=kod:mena, dim=mnozstvi, period=datum, value=kurz, dates=day-first, ignore=*, decimal=","`},
	{office: "nbp", headings: []string{"EffectiveDate", "Currency", "Code", "Mid"},
		mapping: "dim=Code:Currency, period=EffectiveDate, value=Mid, ignore=*"},
	{office: "nbu", headings: []string{"r030", "txt", "rate", "cc", "exchangedate"},
		mapping: "dim=cc:txt, period=exchangedate, value=rate, dates=day-first, ignore=*"},
	{office: "hnb", headings: []string{"datum_primjene", "valuta", "kupovni_tecaj", "srednji_tecaj", "prodajni_tecaj"},
		mapping: "dim=valuta, dim=jedinica?, period=datum_primjene, value=kupovni_tecaj, value=srednji_tecaj, value=prodajni_tecaj, ignore=*, decimal=\",\""},
	{office: "bam", headings: []string{"libDevise", "uniteDevise", "achatClientele", "venteClientele", "date"},
		mapping: "dim=libDevise, dim=uniteDevise, period=date, value=achatClientele, value=venteClientele, ignore=*"},
}

// The columns of the portal Webstat, with keys of the series of all countries.
var webstatFields = []string{"dataset_id", "series_key", "title_fr", "time_period", "obs_value"}

const webstatMapping = "dim=series_key:title_en?, period=time_period, value=obs_value, flags=obs_status?, ignore=*"

// The fields of the Web Data Service of Statistics Canada, with dates that stand for months,
// quarters or years.
var vectorFields = []string{"vectorId", "refPer", "value", "scalarFactorCode", "frequencyCode"}

const vectorMapping = "dim=productId, dim=vectorId, dim=scalarFactorCode, period=refPer, value=value, "
