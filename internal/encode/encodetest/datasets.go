package encodetest

import "almanac/internal/importer"

// Files are the real files, of many offices and all frequencies.
var Files = []string{
	"jsonstat/canada.json", "jsonstat/cso-NQQ25.json", "jsonstat/denmark-HISB3.json", "jsonstat/galicia.json", "jsonstat/oecd.json",
	"px/greenland/BEXSTA_windows_1252.px", "px/greenland/SOXATI4.px", "px/ine/27067.px", "px/nordic/NAAC01.px",
	"px/scb/EXEMPEL2-symbols.px", "px/scb/HA0201E8-quarter.px", "px/scb/PR0101B3-month.px", "px/scb/TAB005-land-use.px", "px/scb/TAB2936.px",
	"px/ssb/03024-WeeklyStatisticsWithTwoContent.px", "px/statfin/HalfYearStatistics.px",
	"eurostat/tsv-old/une_rt_a.tsv.gz", "eurostat/tsv-old/tgs00026.tsv.gz", "eurostat/tsv-old/earn_mw_cur.tsv", "eurostat/tsv-old/ilc_lvhl21.tsv.gz",
	"eurostat/tsv-new/sdg_08_10.tsv", "eurostat/tsv-new/estat_nrg_ind_ren.tsv", "eurostat/sdmx-csv/ei_bpm6ca_q-both.csv", "eurostat/json/nama_gdp_c-2016.json",
	"ecb/ecb-data-generic-2.1.xml", "bis/BIS_DER-sdmx-csv-1.0.csv", "insee/insee-data-generic-2.1.xml", "istat/47_850-data.xml",
	"fao/FAOSTAT_data-UKR-crops.csv", "ilo/EAR_4MTH_SEX_GEO_CUR_NB_A.csv", "who/HWF_0001-gho-export.csv", "who/WHOSIS_000001.csv", "unicef/CME_MRY0T4_all_2020.csv",
	"un/SYB63_230_202009_GDP and GDP Per Capita.csv", "japan-esri/gaku-mg1532.csv", "statcan/34100158.zip", "worldbank/api-v2/NY.GDP.MKTP.CD.json", "sdmx-twg/agri.json",
}

// made are datasets with what the real ones have not, in the notation of package
// format/tidy.
var made = []struct {
	name, text string
	options    importer.Options
}{
	{name: "texts", text: `#almanac-tidy,1
#source,demo,"Office of ""Examples"", Ltd; مكتب"
#dataset,texts,=1+1
#dimension,unit,Measure
#code,-,Total
#code,+18,"18 years, and over"
#code,=cmd|' /C calc'!A0,"=HYPERLINK(""http://example.org"")"
#code,'=x,'@a
#code,عدد,السكان; عدد
#geography,period,Area
#code,DE,Germany
#code,FR,"France, ""Hexagone"""
unit,period,TIME_PERIOD,OBS_VALUE,OBS_STATUS,CONF_STATUS,OBS_NOTE
-,DE,2020,-1.5,,,
-,DE,2021,0,P E,,"-first
line, second"
-,FR,2020,,Q,C,=note
+18,DE,2020,1e300,,,
+18,FR,2021,0.1,,F,
=cmd|' /C calc'!A0,FR,2020,100000000000000000000000,demo:x B,,
'=x,FR,2020,3,,,
عدد,DE,2021,1234567.25,,,"ملاحظة"
`},
	{name: "frequencies", text: `#almanac-tidy,1
#source,demo,Demo
#dataset,frequencies,Mixed frequencies
#dimension,freq,Frequency,frequency
#dimension,value,Item
#geography,geo,Area
freq,value,geo,TIME_PERIOD,OBS_VALUE
A,x,DE,2020,1
A,x,DE,1950-1955,7
Q,x,DE,2020-Q1,2
M,x,DE,2020-01,3
W,x,DE,2020-W53,4
D,x,DE,2020-01-01,5
S,x,FR,2020-S2,6
`},
	{name: "units", text: `#almanac-tidy,1
#source,demo,Demo
#dataset,units,Wages in national currency
#dimension,item,Item
#geography,geo,Area
item,geo,TIME_PERIOD,OBS_VALUE,UNIT_MEASURE
wage,DE,2020,1,Euro
wage,DE,2021,2,Euro
wage,GB,2020,3,Pound
wage,SE,2020,4,
price,GB,2020,5,Pound
price,DE,2020,6,Pound
`},
	{name: "states", text: `#almanac-tidy,1
#source,demo,Demo
#dataset,states,Population
#geography,State,State
State,TIME_PERIOD,OBS_VALUE
Alabama,2020,5024279
Texas,2020,29145505
United States,2020,331449281
`},
	{name: "no area", options: importer.Options{NoGeo: true}, text: `#almanac-tidy,1
#source,demo,Demo
#dataset,noarea,Nobel prizes
#dimension,prize,Prize
prize,TIME_PERIOD,OBS_VALUE
peace,2020,1
peace,2021,2
physics,2020,3
`},
	{name: "no dimension", text: `#almanac-tidy,1
#source,demo,Demo
#dataset,nodim,Population
#unit,persons
#geography,geo,Area
geo,TIME_PERIOD,OBS_VALUE
DE,2020,83000000
FR,2021,67000000
`},
}
