package main

import (
	"fmt"
	"strings"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/simplifiedchinese"
)

// listTables are tables with one heading row.
var listTables = []realTable{
	{path: "census-nst/nst-est2019-alldata.csv", values: 8322, open: comma,
		facts: list{area: namedArea("NAME", americanStates), wide: `^([A-Z]+?)_?(20[0-9]{2})(POP)?$`}.read},
	{path: "nchs-lcod/NCHS_-_Leading_Causes_of_Death__United_States.csv", values: 21736, open: comma,
		facts: list{area: namedArea("State", americanStates), dims: []string{"Cause Name:113 Cause Name"}, period: column("Year"), values: []string{"Deaths", "Age-adjusted Death Rate"}}.read},
	{path: "gdl-shdi/GDL-Subnational-HDI-data.csv", source: "gdl", values: 1664, open: comma,
		facts: list{area: stateOfHDI, wide: years}.read},
	{path: "owid-children/children-per-woman-un.csv", values: 1400, open: comma,
		facts: list{area: codeOrName, period: column("year"), values: []string{"n"}}.read},
	{path: "undp-hdr/HDR21-22_complete_time_series.csv", values: 5923, open: comma,
		facts: list{area: country("iso3", ""), wide: years}.read},
	{path: "dst-folk1a/FOLK1A.csv", source: "dst", values: 31200, open: semicolon,
		facts: list{area: danishArea, dims: []string{"KØN", "ALDER"}, period: quarterK("TID"), values: []string{"INDHOLD"}}.read},
	{path: "fred-graph/fredgraph.csv", values: 687, open: comma, flags: "--no-geo",
		facts: list{area: always("_Z"), period: monthOf("DATE"), values: []string{"UNRATE", "MOUR", "CLMUR"}}.read},
	{path: "fred-unrate/UNRATE.csv", values: 601, open: comma, flags: "--no-geo",
		facts: list{area: always("_Z"), period: monthOf("DATE"), values: []string{"UNRATE"}}.read},
	{path: "fred-fedfunds/FEDFUNDS.csv", source: "fred", values: 860, open: comma, flags: "--no-geo",
		facts: list{area: always("_Z"), period: monthOf("observation_date"), values: []string{"FEDFUNDS"}}.read},
	{path: "bls-cu/cu.data.0.Current", values: 537, open: tab, flags: "--no-geo",
		facts: list{area: always("_Z"), dims: []string{"series_id"}, period: blsPeriod, values: []string{"value"}}.read},
	{path: "boj-discount/discount_rate.csv", source: "bank-of-japan", values: 1991, open: comma,
		facts: list{area: always("JP"), period: parts("Series code", `(\d+)/(\d+)`, "$2/$1"), values: []string{"IR01'MADR1M", "FM02'STRACLUCON"}}.read},
	{path: "cbs-70262/70262ned_TypedDataSet_22052019_134459.csv", source: "cbs", values: 808, open: semicolon,
		facts: list{area: column("RegioS"), period: parts("Perioden", `JJ00`, ""),
			values: []string{"TotaleOppervlakte_1", "TotaalVerkeersterrein_2", "TotaalBebouwdTerrein_6", "TotaalSemiBebouwdTerrein_12", "TotaalRecreatieterrein_19",
				"TotaalAgrarischTerrein_25", "TotaalBosEnOpenNatuurlijkTerrein_28", "TotaalBinnenwater_32", "TotaalBuitenwater_42"}}.read},
	{path: "cdc-wonder-div/Division.txt", source: "cdc", values: 297, dropped: 30, open: tab,
		facts: list{below: "---", area: column("Census Division Code"), period: column("Year"), values: []string{"Deaths", "Population", "Crude Rate"}, unit: unitOfWONDER,
			without: func(r record) bool { return r.get("Notes") != "" }}.read},
	{path: "cdc-wonder-ucd/Underlying Cause of Death, 1999-2018.txt", source: "cdc", values: 15, open: tab,
		facts: list{below: "---", area: always("US"), dims: []string{"15 Leading Causes of Death Code:15 Leading Causes of Death"},
			period: always("01/2004"), values: []string{"Deaths", "Population", "Crude Rate"}, unit: unitOfWONDER}.read},
	{path: "destatis-flat/pred_bip_flat.csv", source: "destatis", values: 4864, open: semicolon,
		facts: readGENESISFlat},
	{path: "ecb-portal-estr/ECB Data Portal_20260126121402.csv", source: "ecb", values: 1618, open: comma,
		facts: list{area: always("U2"), period: dayOf("DATE"), values: []string{"Euro short-term rate (EST.B.EU000A2X2A25.WT)"}}.read},
	{path: "estat-jp-imm/FEH_00250011_250116115013.csv", source: "e-stat", values: 33600, open: comma,
		facts: func(g grid, add func(fact, string)) {
			list{area: always("JP"), dims: []string{"表章項目", "在留資格審査", "在留資格審査の受理・処理"}, period: japaneseMonth, values: g[0][5:]}.read(g, add)
		}},
	{path: "estonia-rv021/RV021.csv", values: 6156, open: comma, flags: "--no-geo",
		facts: func(g grid, add func(fact, string)) {
			list{area: always("_Z"), dims: []string{"Sugu"}, period: column("Aasta"), values: g[0][2:]}.read(g, add)
		}},
	{path: "gus-ludn2425/LUDN_2425_CTAB_20250611231708.csv", source: "gus", values: 25901, open: comma,
		facts: list{area: polishArea, wide: `^(.*),(2024),\[.*\]$`, unit: func(_ record, h string) string { return strings.Trim(h[strings.LastIndex(h, "["):], "[]") }}.read},
	{path: "indec-ipc-div/serie_ipc_divisiones.csv", source: "indec", values: 38808, open: text(';', charmap.Windows1252),
		facts: list{area: namedArea("Region", map[string]string{"Nacional": "AR"}), dims: []string{"Codigo:Descripcion", "Clasificador"},
			period: parts("Periodo", `(\d{4})(\d\d)`, "$2/$1"), values: []string{"Indice_IPC", "v_m_IPC", "v_i_a_IPC"}, number: decimalComma}.read},
	{path: "ine-4206/4206.csv", source: "ine", values: 33566, open: tab,
		facts: list{area: namedArea("Comunidades y Ciudades Autónomas", spanishRegions), dims: []string{"Sexo", "Edad"},
			period: parts("Periodo", `(\d+)T(\d)`, "Q$2/$1"), values: []string{"Total"}, number: decimalComma}.read},
	{path: "inegi-acc/INEGI_exporta_13_10_2022_22_45_51.csv", values: 1225, open: text(',', charmap.Windows1252),
		facts: readINEGI},
	{path: "ksh-ido0002/stadat-ido0002-10.1.1.2-hu.csv", source: "ksh", values: 387, open: text(';', charmap.Windows1250),
		facts: list{above: 1, area: always("HU"), dims: []string{"Tevékenységek"}, wide: `^(.*) [0-9]{4}/([0-9]{4})$`}.read},
	{path: "snb-devkum/snb-data-devkum-en-selection-20190902_1430.csv", source: "snb", values: 1652, open: semicolon,
		facts: list{above: 3, area: always("CH"), dims: []string{"D0", "D1"}, period: parts("Date", `(\d+)-(\d+)`, "$2/$1"), values: []string{"Value"}}.read},
	{path: "snb-rendoblim/snb-data-rendoblim-en-selection-20190603_1430.csv", source: "snb", values: 1573, open: semicolon,
		facts: list{above: 3, area: always("CH"), dims: []string{"D0"}, period: parts("Date", `(\d+)-(\d+)`, "$2/$1"), values: []string{"Value"}}.read},
	{path: "bcb-stp/STP-20221119194100222.csv", source: "bcb", values: 127, open: text(';', charmap.Windows1252),
		facts: list{below: "Fonte", area: always("BR"), period: column("Data"), values: []string{"24369 - Taxa de desocupação - PNADC - %"}, number: decimalComma}.read},
	{path: "nbs-prov/分省年度数据 (1).csv", source: "nbs", values: 527, open: text(',', simplifiedchinese.GB18030),
		facts: list{above: 3, below: "注", area: namedArea("地区", chineseProvinces), wide: `^()(\d{4})年$`, unit: func(record, string) string { return "人" }}.read},
	{path: "acs-s1901/ACSST5Y2017.S1901_data_with_overlays_2020-09-23T184134.csv", values: 22575, open: comma, flags: "--mapping",
		facts: readACS},
	{path: "census-agesex/cc-est2019-agesex-32.csv", refused: `the column "YEAR" does not hold years`},
}

const years = `^()(\d{4})$`

func monthOf(name string) func(record) string { return parts(name, `(\d+)-(\d+)-01`, "$2/$1") }

func dayOf(name string) func(record) string { return parts(name, `(\d+)-(\d+)-(\d+)`, "$3/$2/$1") }

func quarterK(name string) func(record) string { return parts(name, `(\d+)K(\d)`, "Q$2/$1") }

// blsPeriod returns the periods of the Bureau of Labor Statistics: M13 and S03 are
// averages of the year.
func blsPeriod(r record) string {
	switch p, year := r.get("period"), r.get("year"); {
	case p == "M13" || p == "S03":
		return year
	case p[0] == 'S':
		return "H" + p[2:] + "/" + year
	default:
		return p[1:] + "/" + year
	}
}

func japaneseMonth(r record) string {
	year, month, _ := strings.Cut(strings.TrimSuffix(r.get("時間軸（月次）"), "月"), "年")
	return fmt.Sprintf("%02s/%s", month, year)
}

// codeOrName are areas of a table whose sum has no code.
func codeOrName(r record) string {
	if r.get("Code") == "" {
		return r.get("name")
	}
	return country("Code", "")(r)
}

func stateOfHDI(r record) string {
	if r.get("Region") == "Total" { // beside all states
		return "US " + r.get("GDLCODE")
	}
	return areaText(americanStates[r.get("Region")], r.get("GDLCODE"))
}

func polishArea(r record) string {
	code := r.get("Kod")
	if code == "0000000" {
		return "PL " + code
	} else if strings.HasSuffix(code, "00000") { // a voivodeship
		return "PL-" + code[:2] + " " + code
	}
	return officeArea("Kod", "gus")(r)
}

// readGENESISFlat reads the flat form of GENESIS, whose headings of values hold code, label
// and unit.
func readGENESISFlat(g grid, add func(fact, string)) {
	var codes, labels, units []string
	for _, h := range g[0][21:] {
		p := strings.Split(h, "__")
		codes, labels, units = append(codes, h), append(labels, p[0]+"="+strings.ReplaceAll(p[1], "_", " ")), append(units, strings.ReplaceAll(p[2], "_", " "))
	}
	for i, name := range codes {
		list{area: always("DE DG"), dims: []string{"3_Auspraegung_Code:3_Auspraegung_Label", "4_Auspraegung_Code:4_Auspraegung_Label"},
			period: func(r record) string { return "Q" + r.get("2_Auspraegung_Code")[5:] + "/" + r.get("Zeit") },
			values: []string{name}, number: decimalComma, unit: func(record, string) string { return units[i] }}.read(g, func(f fact, cell string) {
			f.key += labels[i] + "|"
			add(f, cell)
		})
	}
}

// readINEGI reads a table with years downwards and areas across.
func readINEGI(g grid, add func(fact, string)) {
	for _, row := range g[5:] {
		if len(row) < 10 {
			continue
		}
		for i, cell := range row[1:] {
			name := g[4][i+1]
			area := areaText(mexicanStates[name], name)
			if name == "Total" { // beside all states
				area = "MX Total"
			}
			add(fact{area: area, period: row[0]}, strings.ReplaceAll(cell, ",", ""))
		}
	}
}

// readACS reads a table of the American Community Survey: a row of codes and a row of
// labels, with one area in each further row.
func readACS(g grid, add func(fact, string)) {
	for _, row := range g[2:] {
		for i, cell := range row[2:] {
			add(fact{area: row[0], key: g[0][i+2] + "=" + g[1][i+2] + "|", period: "2017"}, cell)
		}
	}
}

// danishArea: 000 is the whole country.
func danishArea(r record) string {
	if r.get("OMRÅDE") == "000" {
		return "DK 000"
	}
	return officeArea("OMRÅDE", "dst")(r)
}

// unitOfWONDER returns what the lines below a table of CDC WONDER say: rates are per 100,000.
func unitOfWONDER(_ record, measure string) string {
	if strings.HasSuffix(measure, "Rate") {
		return "per 100,000"
	}
	return ""
}
