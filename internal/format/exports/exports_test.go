package exports_test

import (
	"bytes"
	"fmt"
	"strconv"
	"testing"

	"almanac/internal/format"
	"almanac/internal/format/exports"
	"almanac/internal/format/formattest"
	"almanac/internal/stattest"
)

// TestCases compares the meanings of the cases in testdata.
func TestCases(t *testing.T) { stattest.Cases(t, exports.Formats()) }

// TestStrict checks that, of all real files, only those of the formats are recognised.
func TestStrict(t *testing.T) {
	stattest.CheckRecognition(t, exports.Formats(), "owid/co2-emissions-per-capita.csv", "ilo/EAR_4MTH_SEX_GEO_CUR_NB_A.csv", "ecb/eurofxref-hist.csv",
		"un/SYB63_230_202009_GDP and GDP Per Capita.csv", "un/WPP2019_Period_Indicators_Medium.csv")
}

// samples are small files of each format, by its name.
var samples = map[string][]string{
	"owid": {"Entity,Code,Year,GDP,Population\nFrance,FRA,1950,1.5,\nAfrica,,1950,2,3\nWorld,OWID_WRL,1950,4,5\n",
		"entity,code,day,cases\nFrance,FRA,2020-03-01,7\n"},
	"ihme": {"measure,location,metric,year,val,upper,lower\nDeaths,French Republic,Percent,2021,0.03,0.05,0.01\n"},
	"wto": {"Indicator Category,Indicator Code,Indicator,Reporting Economy Code,Reporting Economy ISO3A Code,Reporting Economy,Period Code,Period,Frequency Code,Frequency,Unit Code,Unit,Year,Value Flag Code,Value Flag,Text Value,Value\n" +
		"C,I,Ind,012,DZA,Algeria,A,Annual,A,Annual,PCT,Percent,2017,,,,23.5\nC,I,Ind,012,DZA,Algeria,A,Annual,A,Annual,PCT,Percent,2018,E,Estimate,,\n"},
	"unesco-uis": {"INDICATOR_ID,COUNTRY_ID,YEAR,VALUE,MAGNITUDE,QUALIFIER\nCR.1,ABW,2010,95.5,,\nCR.1,AFG,2011,,NIL,UIS_EST\n"},
	"unctadstat": {"Year,Economy,Economy Label,Rate,Rate Footnote,Rate Missing value\n1950,004,Afghanistan,7.5,Break,\n1950,0001,Individual economies,,,Not applicable\n"},
	"ilostat": {"\"ref_area.label\",\"source.label\",\"indicator.label\",\"sex.label\",\"time\",\"obs_value\",\"obs_status.label\",\"note_source.label\"\n" +
		"\"Austria\",\"LFS\",\"Unemployment\",\"Total\",\"2020\",5.2,\"Break in series\",\"Repository: ILO\"\n",
		"ref_area,source,indicator,sex,classif1,time,obs_value,obs_status\nAUT,BA:1,UNE_TUNE_SEX_AGE_NB,SEX_T,AGE_YTHADULT_YGE15,2020Q1,5.2,A\n"},
	"ecb-portal":      {"DATE,TIME PERIOD,HICP - Germany (ICP.M.DE.N.000000.4.ANR),HICP - France (ICP.M.FR.N.000000.4.ANR)\n2021-01-31,2021Jan,0.5,\n2021-02-28,2021Feb,1.6,0.8\n"},
	"census-table":    {"\"Label (Grouping)\",\"Georgia!!Estimate\"\n\"Total:\",\"2,464\"\n"},
	"ecb-quickview":   {"Data Source in SDW: null\n,EXR.D.USD.EUR.SP00.A\n,US dollar/Euro\nCollection:,Average (A)\nPeriod\\Unit:,[US dollar ]\n2017-11-17,1.1795\n2017-11-16,1.1771\n"},
	"ecb-rates":       {"Date,USD,JPY,\n2025-06-27,1.1704,N/A,\n", "Date, USD, JPY, \n27 June 2025, 1.1704, 169.24, \n"},
	"un-syb":          {"T12,GDP,,,,,\nRegion/Country/Area,,Year,Series,Value,Footnotes,Source\n4,Afghanistan,1985,GDP,\"3,509.5\",Estimate.,UN\n"},
	"un-wpp":          {"LocID,Location,VarID,Variant,Time,TFR,NRR\n4,Afghanistan,2,Medium,2020-2025,7.45,\n"},
	"undata":          {"\"Country or Area\",\"Year\",\"Sex\",\"Value\",\"Value Footnotes\"\nAlbania,2011,,1.5,1\n\nfootnoteSeqID,Footnote\n1,Census.\n"},
	"comtrade":        {"typeCode,freqCode,period,reporterISO,flowCode,partnerCode,cmdCode,qtyUnitCode,qtyUnitAbbr,qty,primaryValue\nC,A,2022,USA,M,0,01,5,u,12,1000,\n"},
	"comtrade-former": {"Classification,Period,Trade Flow Code,Reporter,Reporter ISO,Partner Code,Commodity Code,Trade Value (US$)\nH5,2019,1,Germany,DEU,0,TOTAL,12345\n"},
	"genesis-flat":    {"Statistik_Code;Statistik_Label;Zeit_Code;Zeit_Label;Zeit;1_Merkmal_Code;1_Merkmal_Label;1_Auspraegung_Code;1_Auspraegung_Label;BEV__Bevoelkerung__Anzahl\n12411;Stand;STAG;Stichtag;31.12.2019;DLAND;Länder;08;Baden-Württemberg;5253,5\n12411;Stand;STAG;Stichtag;31.12.2019;DLAND;Länder;09;Bayern;-\n"},
	"un-sdg":          {"SeriesCode,GeoAreaCode,TimePeriod,Value,FootNote,[Sex],[Units]\nSI_POV,8,2012,0.6,,,PERCENT\nSI_POV,8,2013,<1,x,BOTHSEX,PERCENT\n"},
	"pxweb-json": {`{"columns":[{"code":"Region","text":"region","type":"d"},{"code":"Tid","text":"year","type":"t"},{"code":"A","text":"Votes","type":"c"}],` +
		`"data":[{"key":["01","2002"],"values":["12.5"]},{"key":["01","2006"],"values":[".."]}],"metadata":[{"label":"Votes","source":"SCB"}]}`},
	"imf-datamapper": {`{"values":{"NGDP_RPCH":{"SDN":{"1980":2.5,"1981":null},"FRA":{"1980":-1}}},"api":{"version":"1"}}`},
	"nbs":            {"数据库：分省年度数据\n指标：年末常住人口(万人)\n时间：最近10年\n地区,2024年,2023年\n北京市,2183.2,2185.8\n天津市,1364,\n数据来源：国家统计局\n"},
	"census-series": {"CATEGORIES\ncat_idx,cat_code,cat_desc,cat_indent\n1,SOLD,Houses sold,0\n\nDATA TYPES\ndt_idx,dt_code,dt_desc,dt_unit\n1,TOTAL,All Houses,K\n\nTIME PERIODS\nper_idx,per_name\n1,Jan-2022\n" +
		"\nGEO LEVELS\ngeo_idx,geo_code,geo_desc\n1,US,United States\n\nDATA\nper_idx,cat_idx,dt_idx,et_idx,geo_idx,is_adj,val\n1,1,1,0,1,0,12.5\n1,1,1,0,1,1,(S)\n"},
	"ogd-austria": {"C-VPIZR-0;C-VPI5-0;F-VPIMZBM;F-VPIMZVM\nVPIZR-2025;VPI-0;128,20000;0,5\nVPIZR-202607;VPI-0;132,2;\n"},
	"pxstat-csv":  {"STATISTIC,Statistic Label,TLIST(Q1),Quarter,C02199V02655,Sex,UNIT,VALUE\nA1,Persons,20241,2024Q1,-,Both sexes,Thousand,92.9\nA1,Persons,20242,2024Q2,1,Male,Thousand,\n"},
}

// sampleFiles returns the samples of a format.
func sampleFiles(name string) (files []formattest.Sample) {
	for i, text := range samples[name] {
		file := formattest.Sample{Name: fmt.Sprintf("%s%d.csv", name, i), Data: []byte(text)}
		if name == "census-table" {
			file.Name = "ACSDT1Y2022.B19001.csv" // which has the period
		}
		files = append(files, file)
	}
	return files
}

// TestConform tests the samples; each format has one that it recognises.
func TestConform(t *testing.T) {
	for _, f := range exports.Formats() {
		t.Run(f.Name, func(t *testing.T) {
			files := sampleFiles(f.Name)
			if len(files) == 0 {
				t.Fatal("the format has no sample")
			}
			formattest.Conform(t, f, files...)
		})
	}
}

// TestConformFiles tests real files; of the larger ones only the first and last lines,
// because cutting them off at forty places takes too long.
func TestConformFiles(t *testing.T) {
	for _, c := range []struct {
		name string
		file formattest.Sample
	}{
		{"owid", emissions(t)}, {"ilostat", earnings(t)}, {"un-syb", gdp(t)}, {"un-wpp", periodIndicators(t)}, {"ecb-rates", stattest.Sample(t, "ecb/eurofxref-hist.csv")},
	} {
		if lines := bytes.SplitAfter(c.file.Data, []byte("\n")); len(lines) > 1200 {
			c.file.Data = bytes.Join(append(lines[:600:600], lines[len(lines)-600:]...), nil)
		}
		formattest.Conform(t, named(t, c.name), c.file)
	}
}

// FuzzRead reads any text with each format.
func FuzzRead(f *testing.F) {
	for _, texts := range samples {
		for _, text := range texts {
			f.Add([]byte(text))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, format := range exports.Formats() {
			tables, err := formattest.Read(t.Context(), format, formattest.Sample{Name: "fuzz.csv", Data: data})
			for _, table := range tables {
				if problem := formattest.Problem(table); problem != "" && err == nil {
					t.Errorf("%s: %s", format.Name, problem)
				}
			}
		}
	})
}

func named(t testing.TB, name string) format.Format {
	t.Helper()
	for _, f := range exports.Formats() {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("no format %s", name)
	return format.Format{}
}

// number writes a number as Go does.
func number(t *testing.T, text string) string {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(v)
}
