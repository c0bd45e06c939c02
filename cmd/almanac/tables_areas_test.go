package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/stattest"
)

// areas are the ISO codes of countries by other codes and names, and the M49 codes of
// groups by name.
var areas map[string]string

// readAreas reads the lists of the test data: ISO 3166-1 alpha-3, M49, English names, short
// and official; and adds names that only some offices use.
func readAreas(t *testing.T) map[string]string {
	t.Helper()
	areas := map[string]string{}
	read := func(file, code string, names ...string) {
		data, err := os.ReadFile(filepath.Join(stattest.DataDir(t), "geo", file))
		if err != nil {
			t.Fatal(err)
		}
		g := comma(t, data)
		for _, r := range records(g, 0) {
			for _, name := range names {
				areas[areaName(r.get(name))] = r.get(code)
			}
		}
	}
	for _, level := range []string{"Region", "Sub-region", "Intermediate Region", "Global"} {
		read("UNSD-M49-en.csv", level+" Code", level+" Name")
	}
	read("country-codes.csv", "ISO3166-1-Alpha-2", "CLDR display name", "official_name_en", "UNTERM English Short", "UNTERM English Formal", "ISO3166-1-Alpha-3", "M49")
	for name, code := range areaList(furtherNames) {
		areas[areaName(name)] = code
	}
	return areas
}

func areaName(text string) string {
	return strings.TrimLeft(strings.TrimPrefix(strings.ToLower(text), "the "), "0")
}

// country returns the areas of a column of countries; groups of M49 have the name of the
// office before their code.
func country(name, office string) func(record) string {
	return func(r record) string {
		area, ok := areas[office+":"+areaName(r.get(name))]
		if !ok {
			area = areas[areaName(r.get(name))]
		}
		if isGroup := area != "" && strings.Trim(area, "0123456789") == ""; isGroup && office == "" {
			area = ""
		} else if isGroup {
			area = office + ":" + area
		}
		return areaText(area, r.get(name))
	}
}

// furtherNames are names and codes that the lists do not have; an office before a name is
// the one that means this.
const furtherNames = `XK XKX
XK Kosovo
SU SUN
SU 810
SU USSR
YU YUG
YU 890
YU Yugoslav SFR
un:200 CSK
un:200 200
un:230 230
un:582 582
un:736 736
un:736 maddison:SDN
un:891 891
YD 720
AN 530
AN Netherlands Antilles (former)
NO 579
FR 251
CG Congo (Brazzaville)
CD Congo (Kinshasa)
CI Cote d'Ivoire
CI Côte d'Ivoire
CI Republic of Côte d'Ivoire
KN St. Kitts and Nevis
VC St. Vincent and the Grenadines
TR Turkey
TR Republic of Turkey
GB United Kingdom
US United States
NP Federal Democratic Republic of Nepal
GY Republic of Guyana
NU Republic of Niue
SD Republic of Sudan
TW Taiwan (Province of China)
TW China, Taiwan Province of
MO China, Macao SAR
HK China, Hong Kong SAR
HK Hong Kong, China (SAR)
CN China, mainland
NL Netherlands (Kingdom of the)
KR Korea (Republic of)
KP Korea (Democratic People's Rep. of)
MK The former Yugoslav Republic of Macedonia
MD Moldova (Republic of)
PS Palestine, State of
SZ Eswatini (Kingdom of)
TZ Tanzania (United Republic of)
CD Congo (Democratic Republic of the)
PN Pitcairn Islands
SH Saint Helena, Ascension and Tristan da Cunha
PS Occupied Palestinian Territory
FK Falkland Islands (Malvinas)
TF French Southern and Antarctic Territories
941 unsd:Least Developed Countries
1637 unsd:Small Island Developing States
1835 unsd:Oceania excluding Australia and New Zealand
159 fao:China
057 fao:Micronesia
058 fao:Belgium-Luxembourg
830 fao:Channel Islands
200 fao:Czechoslovakia
230 fao:Ethiopia PDR
582 fao:Pacific Islands Trust Territory
891 fao:Serbia and Montenegro
736 fao:Sudan (former)`

// areaList returns codes by names, from lines of codes and names.
func areaList(text string) map[string]string {
	areas := map[string]string{}
	for line := range strings.Lines(text) {
		if code, name, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			areas[name] = code
		}
	}
	return areas
}

var spanishRegions = areaList(`ES Total Nacional
ES-AN 01 Andalucía
ES-AR 02 Aragón
ES-AS 03 Asturias, Principado de
ES-IB 04 Balears, Illes
ES-CN 05 Canarias
ES-CB 06 Cantabria
ES-CL 07 Castilla y León
ES-CM 08 Castilla - La Mancha
ES-CT 09 Cataluña
ES-VC 10 Comunitat Valenciana
ES-EX 11 Extremadura
ES-GA 12 Galicia
ES-MD 13 Madrid, Comunidad de
ES-MC 14 Murcia, Región de
ES-NC 15 Navarra, Comunidad Foral de
ES-PV 16 País Vasco
ES-RI 17 Rioja, La
ES-CE 18 Ceuta
ES-ML 19 Melilla`)

var mexicanStates = areaList(`MX-AGU Aguascalientes
MX-MEX México
MX-BCN Baja California
MX-BCS Baja California Sur
MX-CAM Campeche
MX-COA Coahuila de Zaragoza
MX-COL Colima
MX-CHP Chiapas
MX-CHH Chihuahua
MX-CMX Ciudad de México
MX-DUR Durango
MX-GUA Guanajuato
MX-GRO Guerrero
MX-HID Hidalgo
MX-JAL Jalisco
MX-MIC Michoacán de Ocampo
MX-MOR Morelos
MX-NAY Nayarit
MX-NLE Nuevo León
MX-OAX Oaxaca
MX-PUE Puebla
MX-QUE Querétaro
MX-ROO Quintana Roo
MX-SLP San Luis Potosí
MX-SIN Sinaloa
MX-SON Sonora
MX-TAB Tabasco
MX-TAM Tamaulipas
MX-TLA Tlaxcala
MX-VER Veracruz de Ignacio de la Llave
MX-YUC Yucatán
MX-ZAC Zacatecas`)

var chineseProvinces = areaList(`CN-BJ 北京市
CN-TJ 天津市
CN-HE 河北省
CN-SX 山西省
CN-NM 内蒙古自治区
CN-LN 辽宁省
CN-JL 吉林省
CN-HL 黑龙江省
CN-SH 上海市
CN-JS 江苏省
CN-ZJ 浙江省
CN-AH 安徽省
CN-FJ 福建省
CN-JX 江西省
CN-SD 山东省
CN-HA 河南省
CN-HB 湖北省
CN-HN 湖南省
CN-GD 广东省
CN-GX 广西壮族自治区
CN-HI 海南省
CN-CQ 重庆市
CN-SC 四川省
CN-GZ 贵州省
CN-YN 云南省
CN-XZ 西藏自治区
CN-SN 陕西省
CN-GS 甘肃省
CN-QH 青海省
CN-NX 宁夏回族自治区
CN-XJ 新疆维吾尔自治区`)

var germanStates = areaList(`DE-BW Baden-Württemberg
DE-BY Bayern
DE-BE Berlin
DE-BB Brandenburg
DE-HB Bremen
DE-HH Hamburg
DE-HE Hessen
DE-MV Mecklenburg-Vorpommern
DE-NI Niedersachsen
DE-NW Nordrhein-Westfalen
DE-RP Rheinland-Pfalz
DE-SL Saarland
DE-SN Sachsen
DE-ST Sachsen-Anhalt
DE-SH Schleswig-Holstein
DE-TH Thüringen`)

var hungarianCounties = areaList(`HU Ország összesen
HU-BU Budapest
HU-PE Pest
HU-FE Fejér
HU-KE Komárom-Esztergom
HU-GS Győr-Moson-Sopron
HU-VA Vas
HU-ZA Zala
HU-BA Baranya
HU-SO Somogy
HU-TO Tolna
HU-BZ Borsod-Abaúj-Zemplén
HU-HE Heves
HU-NO Nógrád
HU-HB Hajdú-Bihar
HU-JN Jász-Nagykun-Szolnok
HU-SZ Szabolcs-Szatmár-Bereg
HU-BK Bács-Kiskun
HU-VE Veszprém
HU-BE Békés
HU-CS Csongrád-Csanád`)

// americanStates are the states of the United States, the country and Puerto Rico.
var americanStates = areaList(`US United States
PR Puerto Rico
US-AL Alabama
US-AK Alaska
US-AZ Arizona
US-AR Arkansas
US-CA California
US-CO Colorado
US-CT Connecticut
US-DE Delaware
US-DC District of Columbia
US-FL Florida
US-GA Georgia
US-HI Hawaii
US-ID Idaho
US-IL Illinois
US-IN Indiana
US-IA Iowa
US-KS Kansas
US-KY Kentucky
US-LA Louisiana
US-ME Maine
US-MD Maryland
US-MA Massachusetts
US-MI Michigan
US-MN Minnesota
US-MS Mississippi
US-MO Missouri
US-MT Montana
US-NE Nebraska
US-NV Nevada
US-NH New Hampshire
US-NJ New Jersey
US-NM New Mexico
US-NY New York
US-NC North Carolina
US-ND North Dakota
US-OH Ohio
US-OK Oklahoma
US-OR Oregon
US-PA Pennsylvania
US-RI Rhode Island
US-SC South Carolina
US-SD South Dakota
US-TN Tennessee
US-TX Texas
US-UT Utah
US-VT Vermont
US-VA Virginia
US-WA Washington
US-WV West Virginia
US-WI Wisconsin
US-WY Wyoming`)

var canadianProvinces = areaList(`CA Canada
CA-NL Newfoundland and Labrador
CA-PE Prince Edward Island
CA-NS Nova Scotia
CA-NB New Brunswick
CA-QC Quebec
CA-ON Ontario
CA-MB Manitoba
CA-SK Saskatchewan
CA-AB Alberta
CA-BC British Columbia`)
