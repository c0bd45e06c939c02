package office

import (
	"slices"
	"strings"
	"testing"
)

// TestSign: tables of an office's whole country have its signature, those of parts of it
// or of other countries have not.
func TestSign(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"", "series_id|year|period|value|footnote_codes\nCUUR0000SA0|1997|M01|159.4|\nLNS14000000|1997|M01|5.3|", "bls"},
		{"", "series_id|year|period|value|footnote_codes\nCUUR0000SA0|1997|M01|159.4|\nCUURS12ASA0|1997|M01|159.4|", ""}, // New York
		{"", "series_id|year|period|value|footnote_codes\nLASST060000000000003|1997|M01|6.4|", ""},                       // California
		{"", "seriesID|year|period|periodName|value\nLNS14000000|2019|M10|October|3.6", "bls"},
		{"", "seriesID|year|period|periodName|value\nLAUST080000000000006|2019|M10|October|3178070", ""}, // Colorado
		{"", "realtime_start|realtime_end|date|value\n2024-06-27|2024-06-27|2023-01-01|4.98", "fred"},
		{"", "realtime_start|realtime_end|date|value\n2024-06-27|2024-06-27|2023-01-01|4.98\n2024-07-27|2024-07-27|2023-01-01|4.99", ""},
		{"", "CubeId|devkum\nPublishingDate|2019-09-02 14:30\nDate|D0|Value\n2000-01|M1|1.6", "snb"},
		{"", "CubeId|devkum\nDate|D0|Value\n2000-01|M1|1.6", ""},
		{"", "DATE|TIME PERIOD|Short-term rate (EST.B.EU000A2X2A25.WT)\n2019-10-01|01 Oct 2019|-0.549", "ecb"},
		{"", "DATE|TIME PERIOD|HICP (ICP.M.U2.N.000000.4.ANR)\n2019-10-31|2019Oct|0.7", "ecb"},
		{"", "DATE|TIME PERIOD|HICP (ICP.M.DE.N.000000.4.ANR)\n2019-10-31|2019Oct|0.9", ""},
		{"", "DATE|TIME PERIOD|GDP (MNA.Q.Y.DE.W2.S1.S1.B.B1GQ)\n2019-10-31|2019Q3|0.9", ""},
		{"", "ID|RegioS|Perioden|Geboren_1\n1|NL01  |2020MM01|871701", "cbs"},
		{"", "ID|RegioS|Perioden|Geboren_1\n1|NL01  |2020|871701", ""},
		{"", "Date|Population\n31.12.1950|50958125\n__________\n© Statistisches Bundesamt (Destatis), 2020", "destatis"},
		{"", "DATE|TIME PERIOD|Rate\n2019-10-31|2019Oct|0.9", ""},
		{"", "Titre :|Franc suisse\nCode série :|EXR.D.CHF.EUR.SP00.A\nMagnitude :|Unités (0)\nMéthode d'observation :|Fin\nSource :|BCE (4F0)\n2026-08-21|0.93", "ecb"},
		{"", "Titre :|Crédits\nCode série :|BSI1.M.FR.N.R.A20\nMagnitude :|Millions (6)\nMéthode d'observation :|Fin\nSource :|Banque de France (FR2)\n2026-08-21|0.93", "bdf"},
		{"", "Titre :|Crédits\nCode série :|BSI1.M.DE.N.R.A20\nMagnitude :|Millions (6)\nMéthode d'observation :|Fin\nSource :|Bundesbank (DE2)\n2026-08-21|0.93", ""},
		{"", "Series code|IR01'MADR1M|FM02'STRACLUCON\n1880/01||", "bank-of-japan"},
		{"", "Series code|X|Y\n1880/01||", ""},
		{"", "Data|24369 - Taxa - PNADC - %\n03/2012|8,0\nFonte|IBGE", "bcb"},
		{"", "Data|Taxa\n03/2012|8,0\nFonte|IBGE", ""},
		{"", "表章項目|時間軸（月次）|総数\n人員【人】|2024年10月|2", "e-stat"},
		{"", "表章項目|時間軸（年次）|地域|総数\n人口|2024年|北海道|2", ""},
		{"", "Kod|Nazwa|ludność,2023,[osoba]\n0200000|DOLNOŚLĄSKIE|20", "gus"},
		{"", "Kod|Nazwa|ludność,2023,[osoba]\nA|DOLNOŚLĄSKIE|20", ""},
		{"stadat-ido0002-10.1.1.2-hu.csv", "10.1.1.2. Időráfordítás nemek szerint\nTevékenységek|Férfi 2010", "ksh"},
		{"stadat-nep0034-22.1.2.1-hu.csv", "22.1.2.1. Népesség vármegye szerint\nTerület|2010", ""},
		{"table.csv", "10.1.1.2. Időráfordítás nemek szerint\nTevékenységek|Férfi 2010", ""},
		{"", "Cause|Deaths\nA|1\n---\nQuery Parameters:\nYear/Month: 2004\nGroup By: State\nHelp: See http://wonder.cdc.gov/wonder/help/ucd.html", "cdc"},
		{"", "Cause|Deaths\nA|1\n---\nQuery Parameters:\nStates: California (06)\nHelp: See http://wonder.cdc.gov/wonder/help/ucd.html", ""},
		{"", "Sexo|Periodo|Total\nHombres|2023M12|99,945", "ine"},
		{"", "Sexo|Periodo|Total\nHombres|2023|99,945", ""},
		{"", "observation_date|UNRATE\n1972-11-01|5.3", "fred"},
		{"", "observation_date|Unemployment rate\n1972-11-01|5.3", ""},
		{"", "Country|Continent|ISO_Code|Level|GDLCODE|Region|2018\nGermany|Europe|DEU|National|DEUt|Total|10.373", "gdl"},
		{"", "数据库：季度数据\n时间：最近6季度\n指标|2024年第三季度\n国内生产总值|222624.1", "nbs"},
		{"", "数据库：分省年度数据\n指标|2024年\n国内生产总值|222624.1", ""},
		{"", "data|valor\n01/01/2022|-0,21", "bcb"},
		{"", "DATE|IUDBEDR|XUDLUSS\n02 Jan 2024|5.25|1.26", "boe"},
		{"", "DATE|UNRATE|GDP\n2024-01-01|5.25|1.26", ""},
		{"", "MSN|YYYYMM|Value|Column_Order\nCLPRPUS|202301|5.25|1", "eia"},
		{"", "MSN|YYYYMM|Value|Column_Order\nPAPRPSA|202301|5.25|1", ""},
		{"", "Personal Income\n\nBureau of Economic Analysis\nCounty\nGeoFips|GeoName|2000", "bea"},
		{"", "|BBK01.SU0112|BBK01.SU0112_FLAGS\n1948-07|5|", "bundesbank"},
		{"", "Series_reference|Period|Data_value|Group\nBDCQ.SF1|2021.03|6074.5|Industry", "stats-nz"},
		{"", "Series_reference|Period|Data_value|Group\nBLDM.SF1|2021.03|6074.5|Region totals", ""},
		{"", "Record Date|Debt|Source Line Number|Fiscal Year|Calendar Day Number\n2022-01-14|1|1|2022|14", "us-treasury"},
		{"", "U.S. Census Bureau\nSource: Retail Trade\n4453: Beer: U.S. Total\nPeriod|Value\nJan-1992|1509", "census"},
		{"", "U.S. Census Bureau\nSource: Building Permits\nSouth\nPeriod|Value\nJan-1992|1509", ""},
		{"", "Back to Contents|Data 1\nSourcekey|RWTC|EMM_EPM0_PTE_NUS_DPG\nDate|Cushing|U.S.", "eia"},
		{"", "Back to Contents|Data 1\nSourcekey|N9050TX2\nDate|Texas", ""},
		{"", "series_id|year|period|value|footnote_codes\nJTS000000000000000JOL|1997|M01|159.4|", "bls"},
		{"", "series_id|year|period|value|footnote_codes\nJTS000000130000000JOL|1997|M01|159.4|", ""}, // Georgia
		{"", "SERIES_CODE|DATA_SOURCE|TIME_PERIOD|OBS_VALUE\nX|BOI_MRKT|2024-01-02|3.3", "boi"},
		{"", "SERIES_CODE|DATA_SOURCE|TIME_PERIOD|OBS_VALUE\nX|CBS|2024-01-02|3.3", ""},
		{"", "Tarih|TP DK USD A|UNIXTIME\n02-01-2024|29.4|1", "tcmb"},
		{"", "Tarih|USD\n02-01-2024|29.4", ""},
		{"07459_20240211-101010.csv", "07459: Befolkning, etter region og år\n\nregion|2020\n0301 Oslo|5", "ssb"},
		{"population.csv", "07459: Befolkning, etter region og år\n\nregion|2020\n0301 Oslo|5", ""},
		{"001_11ra_2022_20230515-103211.csv", "Väestö muuttujina Alue ja Vuosi\nAlue|2020\nAkaa|5", "statfin"},
		{"", "Country|2020\nChina|5\n©IMF, 2024", "imf"},
		{"", "数据库：分省月度数据\n地区|2023年12月\n北京市|98.0", "nbs"},
		{"", "Database:Annual\nIndicators|2020\nPopulation|98.0\nData Sources:National Bureau of Statistics", "nbs"},
		{"", "Indicators|2020\nPopulation|98.0\nData Sources:National Bureau of Statistics", ""},
		{"", "tab_code|area_code|time_code|value\n001|13000|2021000000|13", "e-stat"},
		{"", "tab_code|area_code|time_code|value\n001|50105|2021000000|13\n001|USA|2021000000|13", ""},
		{"", "GeoFIPS|GeoName|TableName|LineCode|2019\n01000|Alabama|CAINC1|1|5", "bea"},
		{"", "v4_1|Data Marking|Time|Geography\n5||2021|Wales", "ons"},
		{"", "value|Data Marking|Time|Geography\n5||2021|Wales", ""},
		{"state_M2022_dl.xlsx", "AREA|AREA_TITLE|AREA_TYPE|PRIM_STATE|NAICS|OCC_CODE|TOT_EMP\n01|Alabama|2|AL|000000|00-0000|5", "bls"},
		{"oews.xlsx", "AREA|AREA_TITLE|AREA_TYPE|PRIM_STATE|NAICS|OCC_CODE|TOT_EMP\n01|Alabama|2|AL|000000|00-0000|5", ""},
		{"daily.txt", "02 Jan 2024 #1\nCountry|Currency|Amount|Code|Rate\nAustralia|dollar|1|AUD|15.2", "cnb"},
		{"daily.txt", "Rates\nCountry|Currency|Amount|Code|Rate\nAustralia|dollar|1|AUD|15.2", ""},
		{"", "Datum|1 AUD|100 HUF\n02.01.2024|15,2|6,4", "cnb"},
		{"", "Period|Grupp|Serie|Värde\n2024-01-02|Valutor mot svenska kronor|1 EUR|11,1", "riksbank"},
		{"", "Period|Grupp|Serie|Värde\n2024-01-02|Ålder|1|11,1", ""},
		{"IA021.csv", "Aasta|Kaubagrupp|Jaanuar|Veebruar|Märts|Detsember\n2022|Kokku|1|2|3|4", "stat-ee"},
		{"hinnad.csv", "Aasta|Kaubagrupp|Jaanuar|Veebruar|Märts|Detsember\n2022|Kokku|1|2|3|4", ""},
		{"", "Consumer Price Index\nSeries Id:|CUUR0000SA0\nArea:|U.S. city average\n\nYear|Jan\n2020|267.5", "bls"},
		{"", "Local Area Unemployment\nSeries Id:|LAUST130000000000003\nArea:|Georgia\n\nYear|Jan\n2020|3.5", ""},
		{"", "SERIES|DESCRIPTION\nIUMABEDR|Bank Rate\n\nDATE|IUMABEDR\n31 Jan 2023|3.5", "boe"},
		{"", "SERIES|DESCRIPTION\nA|Rate\n\nDATE|Rate\n31 Jan 2023|3.5", ""},
		{"", "", ""},
	} {
		p := Page{Name: c.name, IsWhole: true}
		for line := range strings.Lines(c.text) {
			p.Rows = append(p.Rows, strings.Split(strings.TrimSuffix(line, "\n"), "|"))
		}
		if got := Sign(p).ID; got != c.want {
			t.Errorf("%s\nis of %q, want %q", c.text, got, c.want)
		}
		p.Rows = append(p.Rows, nil, []string{}) // rows without cells
		Sign(p)
	}
}

// TestSignatures: each signature names a listed office, and says something.
func TestSignatures(t *testing.T) {
	for _, s := range slices.Concat(signatures, headings, apis) {
		if s.office != "" && !IsListed(Find(s.office)) {
			t.Errorf("%s is not a listed office", s.office)
		}
		if s.headings == nil && s.rows == nil && s.fits == nil {
			t.Errorf("all files are of %s", s.office)
		}
	}
}

// TestDecimal: the offices with a decimal point are listed, each once.
func TestDecimal(t *testing.T) {
	seen := map[string]bool{}
	for _, id := range strings.Fields(withPoint) {
		if seen[id] || !IsListed(Find(id)) || Decimal(id) != "." {
			t.Errorf("%s is not a listed office, or is there twice", id)
		}
		seen[id] = true
	}
	if Decimal("local") != "" || Decimal("bcb") != "" {
		t.Error("the Banco Central do Brasil writes a comma or a point")
	}
}
